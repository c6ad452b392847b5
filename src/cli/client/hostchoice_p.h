// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "cli/options/optiontypes_p.h"

namespace Rekindle {

class Messages;

/// The options --host and --config of commands that operate a running host.
class HostChoice
{
public:
    enum class Machines { All, ThisOnly };

    void addTo(CLI::App &parser, Machines machines = Machines::All);

    /// Adds --host only; for a command with its own option --config.
    void addHostTo(CLI::App &parser, Machines machines = Machines::All);
    void setConfiguration(const QString &path) { m_configuration = path; }
    void setHost(const QString &host) { m_host = host; }

    [[nodiscard]] bool hasHost() const { return !m_host.isEmpty(); }

    /// The socket of the host of --config; without options, that of the only running host. Nothing
    /// if it does not run.
    [[nodiscard]] std::optional<QString> runningHost() const;

    /// The socket of the options; without options, that of the only running host. Otherwise ends
    /// the command.
    [[nodiscard]] QString choose(Messages &messages) const;

private:
    QString m_host;
    QString m_configuration;
};

/// The name of a host by its socket: the file name without its ending.
[[nodiscard]] QString hostNameOfSocket(const QString &socket);

} // namespace Rekindle
