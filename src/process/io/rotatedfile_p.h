// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "base/uniquefd_p.h"

#include <rekindle/process/processdefinition.h>

#include <QByteArray>
#include <QList>
#include <QString>

#include <sys/stat.h>

#include <memory>

namespace Rekindle {

/// When the content of a file begins: at its creation. If the file system does not record that, at
/// the renaming of the `previous` file, or else at the last write.
[[nodiscard]] UtcTime contentBegin(const struct statx &file, const QByteArray &previous);

/// An output file that is rotated between two lines. Never blocks longer than the file system. If
/// the file cannot be written, lines are lost; this is logged with the first one and, with their
/// size, after the next successful write, but on a disk that is nearly full at most once a minute.
/// All agents of a thread that write to one path share the file. A symbolic link is not rotated; a
/// pipe or a device is neither rotated nor opened again.
class RotatedFile
{
public:
    /// Returns the file at this path. The last call determines the rotation.
    [[nodiscard]] static std::shared_ptr<RotatedFile> at(const QString &path,
                                                         const LogRotation &rotation);

    /// Opens all files of this thread again, because another program has renamed them.
    static void reopenAll();

    explicit RotatedFile(QString path);
    Q_DISABLE_COPY_MOVE(RotatedFile)
    /// Logs the lines that were lost at last.
    ~RotatedFile();

    void setRotation(const LogRotation &rotation) { m_rotation = rotation; }

    /// Opens the file, unless it is open. Returns 0, or the error as errno.
    [[nodiscard]] int open();

    /// Appends lines, which are passed without line ends.
    void write(const QList<QByteArray> &lines, UtcTime now);

    /// Opens the file again. If that fails, logs it and continues with the open file.
    void reopen();

private:
    /// Opens the file and closes the one that was open. If that fails, changes nothing. Returns 0,
    /// or the error as errno.
    [[nodiscard]] int replace();
    void tryToReplace();
    /// Whether the file is rotated before `added` bytes that follow `pending` ones.
    [[nodiscard]] bool isDue(qsizetype pending, qsizetype added, UtcTime now) const;
    void rotate(UtcTime now);
    /// Renames the files in their folder. Returns 0, or the error as errno.
    [[nodiscard]] int renameAll(int folder) const;
    void append(const QByteArray &bytes, UtcTime now);
    void lose(const QByteArray &bytes, const QString &why, UtcTime now);
    [[nodiscard]] QString lostText() const;
    [[nodiscard]] QByteArray nameOf(int number) const; ///< in the folder

    const QString m_path;
    LogRotation m_rotation;
    UniqueFd m_fd;
    bool m_isRegular = false; ///< neither a pipe nor a device
    qint64 m_size = 0;
    UtcTime m_begun{};
    bool m_isTorn = false;   ///< the file ends within a line
    quint64 m_lostLines = 0; ///< since they were logged
    quint64 m_lostBytes = 0; ///< of these lines
    bool m_isLossLogged = false;
    UtcTime m_reportAgain{};     ///< when a loss or a success is logged again
    bool m_cannotRotate = false; ///< already logged
    bool m_cannotReopen = false; ///< already logged
};

} // namespace Rekindle
