// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "base/uniquefd_p.h"

#include <QByteArrayList>
#include <QString>

namespace Rekindle {

/// The lines at the end of a file to which others append. Follows the name of the file, also if it
/// is rotated, truncated, or created later. Reads regular files only, and never blocks for a FIFO.
class FileTail
{
public:
    static constexpr qint64 mostBytes = qint64{256} * 1024;

    explicit FileTail(const QString &path);

    /// Returns the complete lines in the last `mostBytes` bytes of the file; later calls return the
    /// lines that were added, at most about as many bytes.
    [[nodiscard]] QByteArrayList readLines();

    /// Takes the bytes after the last complete line.
    [[nodiscard]] QByteArray takeRest();

    /// Why the file cannot be read, without the path; empty if it can.
    [[nodiscard]] const QString &error() const { return m_error; }

private:
    void open();
    void readAdded(QByteArrayList &lines);
    [[nodiscard]] bool isReplaced() const;

    const QByteArray m_path;
    UniqueFd m_fd;
    QString m_error;
    QByteArray m_rest;
    qint64 m_offset = 0;
    bool m_isFirstLineCut = false;
    bool m_isBegun = false;
};

} // namespace Rekindle
