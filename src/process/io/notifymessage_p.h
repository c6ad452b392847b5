// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/timepoint.h>

#include <QByteArray>
#include <QByteArrayView>
#include <QString>

#include <optional>

namespace Rekindle {

/// The content of one or more messages of sd_notify. Other states are ignored.
struct NotifyMessage
{
    static constexpr qsizetype longestStatus = 200; ///< in characters
    static constexpr Duration longestExtension = std::chrono::hours(24);

    bool ready = false;                  ///< READY=1
    bool heartbeat = false;              ///< WATCHDOG=1
    bool reportedUnhealthy = false;      ///< WATCHDOG=trigger
    bool stopping = false;               ///< STOPPING=1
    std::optional<QString> status{};     ///< STATUS=, on one line; truncated to longestStatus
    std::optional<Duration> extension{}; ///< EXTEND_TIMEOUT_USEC=, more than 0

    /// For the DescriptorStore.
    struct Descriptors
    {
        bool areStored = false;    ///< FDSTORE=1
        bool areRemoved = false;   ///< FDSTOREREMOVE=1
        bool ignoreHangUp = false; ///< FDPOLL=0
        QByteArray name{};         ///< FDNAME=

        bool operator==(const Descriptors &) const = default;
    };
    Descriptors descriptors{}; ///< of one message; add() ignores it

    /// Reads the lines of one message. If a state is repeated, the last line applies.
    [[nodiscard]] static NotifyMessage parse(QByteArrayView message);

    /// Adds the content of a later message.
    void add(const NotifyMessage &later);

    bool operator==(const NotifyMessage &) const = default;
};

} // namespace Rekindle
