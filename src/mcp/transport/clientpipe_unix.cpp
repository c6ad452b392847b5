// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "clientpipe_p.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace Rekindle {

namespace {

constexpr qsizetype bytesAtOnce = qsizetype{64} * 1024; // as much as a pipe holds

// A pipe that is ready takes so much without blocking.
constexpr qsizetype bytesWhenReady = 4096;

short eventsNow(int fd, short wanted)
{
    pollfd ready{fd, wanted, 0};
    return ::poll(&ready, 1, 0) > 0 ? ready.revents : short{0};
}

} // namespace

ClientPipe::ClientPipe(int input, int output)
    : m_input(input)
    , m_buffer(bytesAtOnce, Qt::Uninitialized)
{
    openOutput(output);
}

ClientPipe::~ClientPipe()
{
    m_readable.reset();
    m_writable.reset();
    if (m_output >= 0)
        ::close(m_output);
}

// Others may hold the same description and not expect it to be non-blocking.
void ClientPipe::openOutput(int output)
{
    struct stat status
    {
    };
    // One that is closed may have been replaced by something that cannot be written.
    if (::fstat(output, &status) != 0 || (::fcntl(output, F_GETFL) & O_ACCMODE) == O_RDONLY) {
        breakOutput(EBADF);
        return;
    }
    if (S_ISSOCK(status.st_mode)) {
        m_kind = Kind::Socket;
    } else if (S_ISREG(status.st_mode)) {
        m_kind = Kind::File;
    } else {
        const QByteArray path = "/proc/self/fd/" + QByteArray::number(output);
        m_output = ::open(path.constData(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    }
    if (m_output < 0) {
        m_output = ::fcntl(output, F_DUPFD_CLOEXEC, 3);
        if (m_kind == Kind::Pipe)
            m_kind = Kind::Blocking;
    }
    if (m_output < 0)
        breakOutput(errno);
}

// That nobody reads any more is how clients end.
void ClientPipe::breakOutput(int error)
{
    m_isBroken = true;
    if (error != EPIPE && error != ECONNRESET)
        m_fault = QString::fromLocal8Bit(std::strerror(error));
}

void ClientPipe::setPaused(bool paused)
{
    if (!m_readable && !paused) {
        m_readable = std::make_unique<QSocketNotifier>(m_input, QSocketNotifier::Read);
        connect(m_readable.get(), &QSocketNotifier::activated, this, [this] { readSome(); });
        return;
    }
    if (m_readable)
        m_readable->setEnabled(!paused);
}

bool ClientPipe::hasHungUp() const
{
    return (eventsNow(m_input, POLLRDHUP) & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}

void ClientPipe::stopReading()
{
    if (m_readable)
        m_readable->setEnabled(false);
}

// Once: it is ready, so that this does not block, which a second read might.
void ClientPipe::readSome()
{
    ssize_t size = 0;
    do {
        size = ::read(m_input, m_buffer.data(), static_cast<std::size_t>(m_buffer.size()));
    } while (size < 0 && errno == EINTR);
    if (size < 0 && errno == EAGAIN)
        return;
    if (size <= 0) {
        stopReading();
        Q_EMIT ended();
        return;
    }
    Q_EMIT bytesRead(QByteArray::fromRawData(m_buffer.constData(), size));
}

qsizetype ClientPipe::writeSome(const char *bytes, qsizetype size)
{
    if (m_kind == Kind::Blocking) {
        if (eventsNow(m_output, POLLOUT) == 0) {
            errno = EAGAIN;
            return -1;
        }
        size = std::min(size, bytesWhenReady);
    }
    const auto length = static_cast<std::size_t>(size);
    ssize_t written = 0;
    do {
        written = m_kind == Kind::Socket
            ? ::send(m_output, bytes, length, MSG_DONTWAIT | MSG_NOSIGNAL)
            : ::write(m_output, bytes, length);
    } while (written < 0 && errno == EINTR);
    return written;
}

void ClientPipe::write(const QByteArray &bytes)
{
    m_pending.add(bytes);
    flush();
}

void ClientPipe::addLine(const QByteArray &line) { m_pending.addLine(line); }

void ClientPipe::flush()
{
    if (m_isBroken) {
        if (!std::exchange(m_pending, {}).isEmpty())
            Q_EMIT broken(m_fault);
        return;
    }
    while (!m_pending.isEmpty()) {
        const QByteArrayView next = m_pending.next();
        const qsizetype written = writeSome(next.data(), next.size());
        if (written < 0 && errno == EAGAIN)
            break;
        if (written < 0) {
            breakOutput(errno);
            m_pending = {};
            m_writable.reset();
            Q_EMIT broken(m_fault);
            return;
        }
        m_pending.drop(written);
    }
    if (!m_writable && pendingSize() > 0) {
        m_writable = std::make_unique<QSocketNotifier>(m_output, QSocketNotifier::Write);
        connect(m_writable.get(), &QSocketNotifier::activated, this, [this] {
            flush();
            if (!m_isBroken && pendingSize() == 0)
                Q_EMIT drained();
        });
    }
    if (m_writable)
        m_writable->setEnabled(pendingSize() > 0);
}

} // namespace Rekindle
