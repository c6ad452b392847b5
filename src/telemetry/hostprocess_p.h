// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QString>
#include <QtGlobal>

#include <optional>

namespace Rekindle {

/// A process of this or an earlier time, told apart from a later one with the same number.
struct HostProcess
{
    qint64 processId = 0;
    QString boot{};        ///< which life of the machine; empty: unknown
    QString numbers{};     ///< whose numbers it is counted in (a PID namespace); empty: unknown
    qint64 startTicks = 0; ///< since that boot; 0: unknown

    /// This process.
    [[nodiscard]] static HostProcess own();

    /// Whether it is there; nothing where its numbers mean nothing here, or nothing is told of it.
    [[nodiscard]] std::optional<bool> isAlive() const;

    /// The same by what /proc/PID/stat says, of a process with that number that is there.
    [[nodiscard]] std::optional<bool> isAliveBy(const QByteArray &stat) const;
};

} // namespace Rekindle
