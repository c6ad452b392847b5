// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringList>

namespace Rekindle {

class ControlClient;

/// Whether this is the address of a host on another machine, ssh://[USER@]MACHINE[:PORT]/[NAME].
[[nodiscard]] bool isRemoteHost(const QString &address);

/// The command that connects its stdin and stdout to a host on another machine; empty if the
/// address is invalid.
[[nodiscard]] QStringList remoteCommand(const QString &address);

/// Connects a client to a host: the path of its socket, or a valid address of a remote host.
/// Returns an error if that cannot begin; the client reports later ones.
[[nodiscard]] QString openHost(ControlClient &client, const QString &address);

/// " (process 71)": the host, even if it does not respond. Empty if it is not known.
[[nodiscard]] QString processTextOf(const QString &address);

} // namespace Rekindle
