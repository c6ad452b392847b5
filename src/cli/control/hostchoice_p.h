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

/// The options --host and --config of commands that operate a running host.
class HostChoice
{
public:
    void addTo(CLI::App &parser);

    /// The socket of the options; without options, that of the only running host. Otherwise reports
    /// an error, sets `exitCode` and returns nothing.
    [[nodiscard]] std::optional<QString> choose(Messages &messages, int &exitCode) const;

private:
    QString m_host;
    QString m_configuration;
};

/// The name of a host by its socket: the file name without its ending.
[[nodiscard]] QString hostNameOfSocket(const QString &socket);

} // namespace Rekindle
