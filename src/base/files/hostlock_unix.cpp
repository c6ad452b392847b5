// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "hostlock_p.h"

#include "base/boundedfile_p.h"
#include "base/writtenfile_p.h"

#include <QByteArray>
#include <QFile>

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace Rekindle {

namespace {

QString usedBy(int descriptor)
{
    std::array<char, 16> text{};
    const ssize_t count = ::pread(descriptor, text.data(), text.size(), 0);
    const QByteArray number = QByteArray(text.data(), std::max<ssize_t>(count, 0)).trimmed();
    if (number.toLongLong() <= 0)
        return QStringLiteral("used by another host");
    return QStringLiteral("used by another host (process %1)").arg(QString::fromLatin1(number));
}

// Only for the error message of another host.
void writeProcessId(int descriptor)
{
    const QByteArray number = QByteArray::number(static_cast<qlonglong>(::getpid())) + '\n';
    if (::ftruncate(descriptor, 0) == 0)
        (void)(::pwrite(descriptor, number.constData(), static_cast<std::size_t>(number.size()), 0)
               == number.size());
}

// Whether the descriptor refers to the file with this name.
bool isFile(int descriptor, const QByteArray &name)
{
    struct stat own{};
    struct stat named{};
    return ::fstat(descriptor, &own) == 0 && ::lstat(name.constData(), &named) == 0
        && own.st_ino == named.st_ino && own.st_dev == named.st_dev;
}

} // namespace

QString HostLock::acquire(const QString &path, bool isOwnPath)
{
    const QString file = path + QLatin1String(".lock");
    const auto check = isOwnPath ? refusalOfPlace : refusalOf;
    if (const QString refusal = check(file, WrittenFile::StateLock); !refusal.isEmpty())
        return file + QLatin1String(": ") + refusal;
    const QByteArray name = QFile::encodeName(file);
    for (;;) {
        UniqueFd opened(
            ::open(name.constData(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0600));
        if (!opened.isOpen())
            return file + QLatin1String(": ") + openErrorText(file, errno);
        if (::flock(opened.get(), LOCK_EX | LOCK_NB) != 0) {
            const int error = errno;
            m_isUsedElsewhere = error == EWOULDBLOCK;
            return m_isUsedElsewhere ? usedBy(opened.get()) : qt_error_string(error);
        }
        if (!isFile(opened.get(), name))
            continue; // the last owner has removed it in the meantime
        writeProcessId(opened.get());
        m_fd = std::move(opened);
        m_file = file;
        return {};
    }
}

bool HostLock::isHeld() const
{
    return m_fd.isOpen() && isFile(m_fd.get(), QFile::encodeName(m_file));
}

void HostLock::remove()
{
    if (isHeld())
        ::unlink(QFile::encodeName(m_file).constData());
    m_fd.reset();
}

} // namespace Rekindle
