// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "outputchannel_p.h"

#include "base/writtenfile_p.h"

#include <rekindle/lifecycle/clock.h>

#include <QSocketNotifier>

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace Rekindle {

namespace {

// A new file description, which can be non-blocking without an effect on other processes.
int reopened(int descriptor)
{
    const QByteArray path = "/proc/self/fd/" + QByteArray::number(descriptor);
    return ::open(path.constData(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

} // namespace

std::unique_ptr<OutputChannel> OutputChannel::to(int descriptor, qsizetype backlog)
{
    struct stat status{};
    // main() puts a read-only descriptor in the place of a closed one.
    const int mode = ::fcntl(descriptor, F_GETFL);
    if (mode < 0 || (mode & O_ACCMODE) == O_RDONLY || ::fstat(descriptor, &status) != 0)
        return nullptr;
    if (S_ISREG(status.st_mode)) // opening it again would begin at offset 0
        return std::unique_ptr<OutputChannel>(
            new OutputChannel(descriptor, UniqueFd(), Kind::File, backlog));
    const Kind kind = S_ISSOCK(status.st_mode) ? Kind::Socket : Kind::Stream;
    UniqueFd own(kind == Kind::Stream ? reopened(descriptor) : -1);
    if (!own.isOpen())
        own.reset(::fcntl(descriptor, F_DUPFD_CLOEXEC, 3));
    const int number = own.get();
    if (number < 0)
        return nullptr;
    return std::unique_ptr<OutputChannel>(new OutputChannel(number, std::move(own), kind, backlog));
}

std::unique_ptr<OutputChannel> OutputChannel::appendingTo(const QString &path, QString &error)
{
    UniqueFd own(openToAppend(path));
    const int descriptor = own.get();
    if (descriptor < 0) {
        error = appendErrorText(errno);
        return nullptr;
    }
    struct stat status{};
    ::fstat(descriptor, &status);
    const Kind kind = S_ISREG(status.st_mode) ? Kind::File : Kind::Stream;
    return std::unique_ptr<OutputChannel>(
        new OutputChannel(descriptor, std::move(own), kind, defaultBacklog));
}

OutputChannel::OutputChannel(int descriptor, UniqueFd own, Kind kind, qsizetype backlog)
    : m_descriptor(descriptor)
    , m_own(std::move(own))
    , m_kind(kind)
    , m_maximumBacklog(backlog)
{
}

OutputChannel::~OutputChannel() = default;

qsizetype OutputChannel::writeSome(const char *bytes, qsizetype size)
{
    const auto length = static_cast<std::size_t>(size);
    ssize_t written = 0;
    do {
        written = m_kind == Kind::Socket
            ? ::send(m_descriptor, bytes, length, MSG_DONTWAIT | MSG_NOSIGNAL)
            : ::write(m_descriptor, bytes, length);
    } while (written < 0 && errno == EINTR);
    return written;
}

bool OutputChannel::write(const QByteArray &message)
{
    if (m_closed) {
        ++m_dropped;
        return false;
    }
    if (hasBacklog() && m_kind == Kind::File)
        flush();
    if (hasBacklog()) {
        // If the disk is full, only the partially written message is kept.
        if (m_kind == Kind::File || m_backlog.size() + message.size() > m_maximumBacklog)
            return drop(QStringLiteral("reader too slow"));
        m_backlog += message;
        return true;
    }
    return writeFrom(message, 0);
}

qsizetype OutputChannel::writeLines(const QByteArray &lines)
{
    if (m_closed || hasBacklog())
        return 0;
    const qsizetype done = writeSome(lines.constData(), lines.size());
    if (done <= 0)
        return 0;
    if (done == lines.size())
        return done;
    const qsizetype start = lines.lastIndexOf('\n', done - 1) + 1;
    if (start == done)
        return done;
    const qsizetype end = lines.indexOf('\n', done) + 1;
    return writeFrom(lines.mid(start, end - start), done - start) ? end : start;
}

// `done` bytes of the message are already written.
bool OutputChannel::writeFrom(const QByteArray &message, qsizetype done)
{
    while (done < message.size()) {
        const qsizetype written = writeSome(message.constData() + done, message.size() - done);
        if (written <= 0)
            break;
        done += written;
    }
    if (done == message.size())
        return true;
    const int error = errno;
    const bool isTemporary = error == EAGAIN || (m_kind == Kind::File && done > 0);
    if (!isTemporary)
        return fail(error);
    m_partialBytes = done;
    queueRest(message.mid(done));
    if (error != EAGAIN && !std::exchange(m_isReported, true))
        Q_EMIT failed(qt_error_string(error));
    return true;
}

void OutputChannel::queueRest(const QByteArray &rest)
{
    m_backlog = rest;
    if (m_kind == Kind::File)
        return;
    if (!m_notifier) {
        m_notifier = std::make_unique<QSocketNotifier>(m_descriptor, QSocketNotifier::Write);
        connect(m_notifier.get(), &QSocketNotifier::activated, this, [this] {
            flush();
            if (!hasBacklog() && !m_closed)
                Q_EMIT drained();
        });
    }
    m_notifier->setEnabled(true);
}

void OutputChannel::flush()
{
    while (hasBacklog()) {
        const qsizetype written = writeSome(m_backlog.constData(), m_backlog.size());
        if (written <= 0) {
            const int error = errno;
            if (error == EAGAIN || m_kind == Kind::File)
                return;
            m_backlog.clear();
            fail(error);
            break;
        }
        m_backlog.remove(0, written);
        m_partialBytes += written;
    }
    m_partialBytes = 0;
    if (m_notifier)
        m_notifier->setEnabled(false);
}

bool OutputChannel::fail(int error)
{
    m_isReaderClosed = error == EPIPE || error == ECONNRESET;
    m_closed = m_isReaderClosed || error == EIO || error == EBADF;
    return drop(qt_error_string(error));
}

bool OutputChannel::drop(const QString &reason)
{
    ++m_dropped;
    if (!std::exchange(m_isReported, true))
        Q_EMIT failed(reason);
    return false;
}

void OutputChannel::finish()
{
    const SystemClock clock;
    const Instant end = clock.now() + std::chrono::seconds(2);
    flush();
    while (hasBacklog() && m_kind != Kind::File && clock.now() < end) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - clock.now());
        pollfd wait{m_descriptor, POLLOUT, 0};
        ::poll(&wait, 1, static_cast<int>(left.count()));
        flush();
    }
    if (hasBacklog() && m_kind == Kind::File)
        removePartial();
}

// Removes the beginning of a message whose rest cannot be written, if it is still the end of the
// file.
void OutputChannel::removePartial()
{
    ++m_dropped;
    m_backlog.clear();
    struct stat status{};
    const off_t end = ::lseek(m_descriptor, 0, SEEK_CUR);
    if (::fstat(m_descriptor, &status) == 0 && status.st_size == end && end >= m_partialBytes
        && ::ftruncate(m_descriptor, end - m_partialBytes) == 0)
        m_partialBytes = 0;
}

} // namespace Rekindle
