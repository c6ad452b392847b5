// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/control/hostaddress.h>

namespace Rekindle {

/// Connects a client to a host: the path of its socket, or a valid address of a remote host.
/// Returns an error if that cannot begin; the client reports later ones.
[[nodiscard]] QString openHost(ControlClient &client, const QString &address);

/// " (process 71)": the host, even if it does not respond. Empty if it is not known.
[[nodiscard]] QString processTextOf(const QString &address);

} // namespace Rekindle
