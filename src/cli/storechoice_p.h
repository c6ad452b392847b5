// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include <optional>

namespace CLI {
class App;
}

namespace Rekindle {

class Messages;

/// The telemetry store of a configuration: named after it, in $XDG_STATE_HOME/rekindle or
/// ~/.local/state/rekindle (spec 10).
[[nodiscard]] QString storeOf(const QString &configuration);

/// The options --store and --config of commands that read a store.
class StoreChoice
{
public:
    void addTo(CLI::App &parser);

    /// The store's file. Where neither option was given, the only one that there is. Else nothing,
    /// which is then said; `exitCode` is set.
    [[nodiscard]] std::optional<QString> choose(Messages &messages, int &exitCode) const;

private:
    QString m_store;
    QString m_configuration;
};

} // namespace Rekindle
