// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include <sys/types.h>

#include <optional>

namespace Rekindle {

/// The process that connected, as the kernel knew it at that time.
struct ControlPeer
{
    uid_t userId = 0;
    pid_t processId = 0;
    QString program{}; ///< empty if unknown

    /// Returns nothing if the peer is not permitted: users other than this one cannot open the
    /// socket, except for root.
    [[nodiscard]] static std::optional<ControlPeer> ofSocket(int socket);
};

} // namespace Rekindle
