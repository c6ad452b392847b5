// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/control/controlclient.h>
#include <rekindle/control/export.h>

#include <QString>
#include <QStringList>

namespace Rekindle {

/// Where a host listens: its ControlServerOptions::socketName, the path of its socket, or
/// ssh://[USER@]MACHINE[:PORT]/[NAME] for a host on another machine.
class REKINDLE_CONTROL_EXPORT HostAddress
{
public:
    /// Anything with a slash that does not begin with ssh:// is a path. The default folder of names
    /// is that of this user's hosts.
    explicit HostAddress(QString text, QString folder = {});

    /// Whether the host is reached over ssh.
    [[nodiscard]] bool isRemote() const;

    /// Returns the path of the socket on this machine; empty if isRemote(), or if there is no
    /// folder.
    [[nodiscard]] QString socketPath() const;

    /// Returns the command that connects its stdin and stdout to the remote host; empty if the
    /// address is invalid or not remote.
    [[nodiscard]] QStringList command() const;

    /// Returns a socket for ControlClient::open(), or a fault. Does not block. For a remote host,
    /// starts ssh, which ends when the socket is closed. Any thread.
    [[nodiscard]] ControlClient::Connection connectedSocket() const;

private:
    QString m_text;
    QString m_folder;
};

} // namespace Rekindle
