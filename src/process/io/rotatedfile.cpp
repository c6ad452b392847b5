// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "rotatedfile_p.h"

#include "base/safepath_p.h"
#include "base/writtenfile_p.h"
#include "processlog_p.h"

#include <QFile>
#include <QFileInfo>
#include <QHash>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <utility>

namespace Rekindle {

namespace {

// After a loss was logged. A rotation may free a little space again and again.
constexpr auto reportPause = std::chrono::minutes(1);

using Files = QHash<QString, std::weak_ptr<RotatedFile>>;

Files &filesOfThisThread()
{
    thread_local Files files;
    return files;
}

UtcTime utcTime(const struct statx_timestamp &time)
{
    return UtcTime(std::chrono::seconds(time.tv_sec));
}

bool endsWithinLine(int fd, qint64 size)
{
    char last = '\n';
    return size > 0 && ::pread(fd, &last, 1, size - 1) == 1 && last != '\n';
}

} // namespace

UtcTime contentBegin(const struct statx &file, const QByteArray &previous)
{
    if ((file.stx_mask & STATX_BTIME) != 0)
        return utcTime(file.stx_btime);
    struct statx renamed = {};
    if (::statx(AT_FDCWD, previous.constData(), AT_SYMLINK_NOFOLLOW, STATX_CTIME, &renamed) == 0)
        return utcTime(renamed.stx_ctime);
    return utcTime(file.stx_mtime);
}

std::shared_ptr<RotatedFile> RotatedFile::at(const QString &path, const LogRotation &rotation)
{
    Files &files = filesOfThisThread();
    files.removeIf([](Files::iterator each) { return each->expired(); });
    const QString absolute = QFileInfo(path).absoluteFilePath();
    std::shared_ptr<RotatedFile> file = files.value(absolute).lock();
    if (!file) {
        file = std::make_shared<RotatedFile>(absolute);
        files.insert(absolute, file);
    }
    file->setRotation(rotation);
    return file;
}

void RotatedFile::reopenAll()
{
    for (const std::weak_ptr<RotatedFile> &each : std::as_const(filesOfThisThread())) {
        if (const std::shared_ptr<RotatedFile> file = each.lock())
            file->reopen();
    }
}

RotatedFile::RotatedFile(QString path)
    : m_path(std::move(path))
{
}

RotatedFile::~RotatedFile()
{
    if (m_lostLines > 0)
        qCWarning(processLog).noquote() << QStringLiteral("%1: %2").arg(m_path, lostText());
}

int RotatedFile::open() { return m_fd.isOpen() ? 0 : replace(); }

int RotatedFile::replace()
{
    UniqueFd fd(openToAppend(m_path));
    struct statx info = {};
    if (!fd.isOpen()
        || ::statx(fd.get(), "", AT_EMPTY_PATH, STATX_BASIC_STATS | STATX_BTIME, &info) != 0)
        return errno;
    m_fd = longLived(std::move(fd));
    m_isRegular = S_ISREG(info.stx_mode);
    m_size = m_isRegular ? static_cast<qint64>(info.stx_size) : 0;
    m_begun = contentBegin(info, QFile::encodeName(m_path) + ".1");
    // openToAppend() opens for writing only.
    const UniqueFd reading = m_size > 0 ? SafePath(m_path).open(O_RDONLY | O_NONBLOCK) : UniqueFd();
    m_isTorn = reading.isOpen() && endsWithinLine(reading.get(), m_size);
    return 0;
}

void RotatedFile::reopen()
{
    m_cannotReopen = false;
    // Closing a pipe would end the input of its reader.
    if (m_isRegular && m_fd.isOpen())
        tryToReplace();
}

void RotatedFile::tryToReplace()
{
    const int error = replace();
    if (error != 0 && !m_cannotReopen)
        qCWarning(processLog).noquote()
            << QStringLiteral("%1: cannot be opened again: %2; continuing with the open file")
                   .arg(m_path, appendErrorText(error));
    m_cannotReopen = error != 0;
}

void RotatedFile::write(const QList<QByteArray> &lines, UtcTime now)
{
    static_cast<void>(open()); // append() reports the error
    QByteArray bytes;
    for (const QByteArray &line : lines) {
        if (m_size + bytes.size() == 0)
            m_begun = now;
        if (isDue(bytes.size(), line.size() + 1, now)) {
            append(std::exchange(bytes, {}), now);
            rotate(now);
        }
        bytes += line;
        bytes += '\n';
    }
    append(bytes, now);
}

// A file without lines is not rotated.
bool RotatedFile::isDue(qsizetype pending, qsizetype added, UtcTime now) const
{
    const qint64 size = m_size + pending;
    if (size == 0 || !m_isRegular || !m_fd.isOpen())
        return false;
    return (m_rotation.maxSize > 0 && size + added > m_rotation.maxSize)
        || (m_rotation.maxAge > Duration{0} && now - m_begun >= m_rotation.maxAge);
}

// If the files cannot be renamed, the lines are still appended.
void RotatedFile::rotate(UtcTime now)
{
    struct stat own = {};
    struct stat there = {};
    const UniqueFd folder = SafePath(m_path).openFolder();
    const bool isThere = folder.isOpen() && ::fstat(m_fd.get(), &own) == 0
        && ::fstatat(folder.get(), nameOf(0).constData(), &there, AT_SYMLINK_NOFOLLOW) == 0;
    QString reason;
    if (!folder.isOpen() && errno == ELOOP) {
        reason = SafePath::errorText(errno);
    } else if (isThere && S_ISLNK(there.st_mode)) {
        reason = QStringLiteral("it is a symbolic link");
    } else if (isThere && own.st_dev == there.st_dev && own.st_ino == there.st_ino) {
        if (const int error = renameAll(folder.get()); error != 0)
            reason = qt_error_string(error);
    } // otherwise another program has renamed or removed it
    if (!reason.isEmpty()) {
        if (!std::exchange(m_cannotRotate, true))
            qCWarning(processLog).noquote()
                << QStringLiteral("%1: cannot be rotated: %2; lines are appended")
                       .arg(m_path, reason);
        m_size = 0; // the next attempt is after as many bytes, or after the same time
        m_begun = now;
        return;
    }
    m_cannotRotate = false;
    tryToReplace();
    if (m_size == 0)
        m_begun = now;
}

QByteArray RotatedFile::nameOf(int number) const
{
    const QByteArray name = SafePath(m_path).name();
    return number == 0 ? name : name + '.' + QByteArray::number(number);
}

// Up to the first number that is free; the last file is replaced. Only regular files are changed.
int RotatedFile::renameAll(int folder) const
{
    int last = 1;
    for (;; ++last) {
        struct stat info = {};
        if (::fstatat(folder, nameOf(last).constData(), &info, AT_SYMLINK_NOFOLLOW) != 0)
            break;
        if (!S_ISREG(info.st_mode))
            return EEXIST;
        if (last >= m_rotation.keep)
            break;
    }
    for (int number = last; number > 0; --number) {
        if (::renameat(folder, nameOf(number - 1).constData(), folder, nameOf(number).constData())
            != 0)
            return errno;
    }
    return 0;
}

void RotatedFile::append(const QByteArray &bytes, UtcTime now)
{
    if (bytes.isEmpty())
        return;
    if (const int error = open(); error != 0) {
        lose(bytes, appendErrorText(error), now);
        return;
    }
    QByteArrayView left = bytes;
    if (m_isTorn && ::write(m_fd.get(), "\n", 1) == 1)
        m_isTorn = false;
    while (!m_isTorn && !left.isEmpty()) {
        const ssize_t written =
            ::write(m_fd.get(), left.data(), static_cast<std::size_t>(left.size()));
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            break;
        left = left.sliced(written);
        m_size += written;
    }
    if (!left.isEmpty()) {
        const QString why = qt_error_string(errno);
        const QByteArrayView done = QByteArrayView(bytes).chopped(left.size());
        m_isTorn = m_isTorn || (!done.isEmpty() && done.back() != '\n');
        lose(left.toByteArray(), why, now);
    } else if (m_lostLines > 0 && now >= m_reportAgain) {
        qCWarning(processLog).noquote()
            << QStringLiteral("%1: write succeeded again; %2").arg(m_path, lostText());
        m_lostLines = 0;
        m_lostBytes = 0;
        m_isLossLogged = false;
        m_reportAgain = now + reportPause;
    }
}

QString RotatedFile::lostText() const
{
    return QStringLiteral("%1 bytes in %2 %3 were lost")
        .arg(m_lostBytes)
        .arg(m_lostLines)
        .arg(m_lostLines == 1 ? QLatin1String("line") : QLatin1String("lines"));
}

void RotatedFile::lose(const QByteArray &bytes, const QString &why, UtcTime now)
{
    if (now >= m_reportAgain && !std::exchange(m_isLossLogged, true))
        qCWarning(processLog).noquote()
            << QStringLiteral("%1: cannot be written: %2; lines are lost").arg(m_path, why);
    m_lostLines += static_cast<quint64>(bytes.count('\n'));
    m_lostBytes += static_cast<quint64>(bytes.size());
}

} // namespace Rekindle
