// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "writtenfile_p.h"

#include <QByteArray>
#include <QFile>
#include <QString>

namespace Rekindle {

inline constexpr QFileDevice::Permissions ownerOnly =
    QFileDevice::ReadOwner | QFileDevice::WriteOwner;

/// Everyone may read and write it, as far as the umask permits.
inline constexpr QFileDevice::Permissions byUmask = ownerOnly | QFileDevice::ReadGroup
    | QFileDevice::WriteGroup | QFileDevice::ReadOther | QFileDevice::WriteOther;

/// Replaces the contents of a file as a whole: after a crash or a power cut, a reader finds either
/// the old or the new bytes. Only the owner may read the file. Returns an empty text, or the error;
/// on an error the old file is unchanged. A file that is not of this kind is refused. Only one
/// process at a time may replace a file in this way. Blocks.
[[nodiscard]] QString replaceFile(const QString &path, const QByteArray &bytes, WrittenFile kind);

/// The same for several processes at the same time: a reader finds the bytes of one of them. A new
/// file has `permissions`; those that an existing file does not have are not added.
[[nodiscard]] QString replaceSharedFile(const QString &path, const QByteArray &bytes,
                                        WrittenFile kind, QFileDevice::Permissions permissions);

/// The same for bytes that are written in parts.
class FileReplacement
{
public:
    FileReplacement(QString path, WrittenFile kind, QFileDevice::Permissions permissions);
    /// Without commit(), nothing changes.
    ~FileReplacement();
    Q_DISABLE_COPY_MOVE(FileReplacement)

    /// After an error, further bytes are ignored. Blocks.
    void write(const QByteArray &bytes);
    /// Replaces the file, unless there was an error. Blocks.
    void commit();

    /// Returns an empty text, or the first error.
    [[nodiscard]] const QString &error() const { return m_error; }

private:
    const QString m_path;
    QFile m_file;
    QString m_error;
};

/// Creates the folder of a file with mode 0700 if it does not exist. Returns an empty text, or the
/// error with the folder that cannot be created, which may be one around it. Blocks.
QString createFolderOf(const QString &path);

/// Creates a file and writes it to the disk. An existing file is never changed. Returns an empty
/// text, or the error; on an error no file is left behind. Blocks.
[[nodiscard]] QString createFile(const QString &path, const QByteArray &bytes,
                                 QFileDevice::Permissions permissions);

/// Renames a file, unless the new name exists. Returns 0, or the errno value.
[[nodiscard]] int renameToNew(const QString &path, const QString &newPath);

/// Renames a file to PATH.bad-1, or the next free number. Returns the new name, or an empty text if
/// the file cannot be renamed.
[[nodiscard]] QString moveAside(const QString &path);

} // namespace Rekindle
