// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QString>

namespace Rekindle {

/// The contents of a file, or why they could not be read.
struct BoundedFile
{
    enum class Status {
        Read,
        Missing,
        Unreadable, ///< no permission, a folder, a pipe, a device, a read error
        TooLarge,
    };

    Status status = Status::Read;
    QByteArray bytes{};
    QString error{};             ///< for Status other than Read, without the path
    bool isReadByOthers = false; ///< the permissions let others than the owner read it

    [[nodiscard]] bool isRead() const { return status == Status::Read; }

    /// Reads a regular file of at most `maxBytes` bytes. Opens the file first and checks afterwards
    /// what it is, so that a FIFO never blocks and a file replaced in between is not mistaken.
    [[nodiscard]] static BoundedFile read(const QString &path, qint64 maxBytes);

    /// The same, also for a pipe or a device such as /dev/stdin. Blocks until its end.
    [[nodiscard]] static BoundedFile readStream(const QString &path, qint64 maxBytes);

    /// The same as read() for the first `bytes` bytes of a file of any size.
    [[nodiscard]] static BoundedFile readHead(const QString &path, qint64 bytes);
};

/// Describes an errno value of an attempt to open a file. Without permission, the text names the
/// owner, who is not the user if a command was run with `sudo` before.
[[nodiscard]] QString openErrorText(const QString &path, int error);

} // namespace Rekindle
