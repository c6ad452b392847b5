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

// Whether the descriptor is that of the file with this name.
bool isFile(int descriptor, const QByteArray &name)
{
    struct stat own{};
    struct stat named{};
    return ::fstat(descriptor, &own) == 0 && ::lstat(name.constData(), &named) == 0
        && own.st_ino == named.st_ino && own.st_dev == named.st_dev;
}

} // namespace

HostLock::~HostLock()
{
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

QString HostLock::acquire(const QString &path, bool isOwnPath)
{
    const QString file = path + QLatin1String(".lock");
    const auto check = isOwnPath ? refusalOfPlace : refusalOf;
    if (const QString refusal = check(file, WrittenFile::StateLock); !refusal.isEmpty())
        return file + QLatin1String(": ") + refusal;
    const QByteArray name = QFile::encodeName(file);
    for (;;) {
        const int descriptor =
            ::open(name.constData(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0600);
        if (descriptor < 0)
            return file + QLatin1String(": ") + openErrorText(file, errno);
        if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
            const int error = errno;
            m_isUsedElsewhere = error == EWOULDBLOCK;
            QString why = m_isUsedElsewhere ? usedBy(descriptor) : qt_error_string(error);
            ::close(descriptor);
            return why;
        }
        if (!isFile(descriptor, name)) {
            ::close(descriptor); // the last owner has removed it in the meantime
            continue;
        }
        writeProcessId(descriptor);
        m_descriptor = descriptor;
        m_file = file;
        return {};
    }
}

bool HostLock::isHeld() const
{
    return m_descriptor >= 0 && isFile(m_descriptor, QFile::encodeName(m_file));
}

void HostLock::remove()
{
    if (m_descriptor < 0)
        return;
    if (isHeld())
        ::unlink(QFile::encodeName(m_file).constData());
    ::close(std::exchange(m_descriptor, -1));
}

} // namespace Rekindle
