// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringList>

#include <optional>

namespace CLI {
class App;
}

namespace Rekindle {

class Messages;

/// The telemetry store of a configuration: named after it, in $XDG_STATE_HOME/rekindle or
/// ~/.local/state/rekindle (spec 10).
[[nodiscard]] QString storeOf(const QString &configuration);

/// The store of a program that is supervised in this working directory without a configuration:
/// in the same folder, named after it; arguments tell apart what one program can be.
[[nodiscard]] QString storeOfProgram(const QString &name, const QString &program,
                                     const QStringList &arguments);

/// The state file of a configuration, beside its store.
[[nodiscard]] QString stateOf(const QString &configuration);

/// Where the latest time is kept that was seen with licences of a key, in the same folder.
[[nodiscard]] QString licenseClockOf(const QString &keyId);

/// Makes the folder of all these, for its owner alone, if it is not there. Whoever writes into it
/// finds out where that fails.
void makeStoreFolder();

/// That a store has nothing about this agent, and about which it has; one sentence.
[[nodiscard]] QString unknownAgentText(const QString &store, const QString &name,
                                       const QStringList &known);

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
