// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "inputwriter_p.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <utility>

namespace Rekindle {

namespace {

// Checked for each write, because the host may change the disposition.
bool isPipeSignalIgnored()
{
    struct sigaction action{};
    return ::sigaction(SIGPIPE, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

// There is no MSG_NOSIGNAL for pipes, and the library must not change how the host handles SIGPIPE.
// Blocks the signal, removes one that the write has raised, and leaves an older one pending.
ssize_t writeQuietly(int fd, const char *bytes, std::size_t size)
{
    if (isPipeSignalIgnored())
        return ::write(fd, bytes, size);
    sigset_t pipeSignal;
    sigset_t before;
    sigset_t pending;
    ::sigemptyset(&pipeSignal);
    ::sigaddset(&pipeSignal, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &pipeSignal, &before);
    ::sigpending(&pending);
    const ssize_t written = ::write(fd, bytes, size);
    const int error = errno;
    if (written < 0 && error == EPIPE && ::sigismember(&pending, SIGPIPE) == 0) {
        const timespec atOnce{};
        ::sigtimedwait(&pipeSignal, nullptr, &atOnce);
    }
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    errno = error;
    return written;
}

} // namespace

InputWriter::InputWriter(std::function<void()> onDrained)
    : m_onDrained(std::move(onDrained))
{
}

InputWriter::~InputWriter() { abort(); }

void InputWriter::open(UniqueFd fd)
{
    m_fd = std::move(fd);
    if (m_fd.isOpen())
        watch(FdWatcher::Direction::Neither);
}

// Bytes that fit into the pipe are not copied.
qint64 InputWriter::write(const QByteArray &bytes)
{
    if (!isOpen())
        return -1;
    qsizetype taken = m_pending.isEmpty() ? writeSome(bytes) : 0;
    if (m_pending.isEmpty() && taken < bytes.size() && m_fd.isOpen()
        && m_enlarged.enlarge(m_fd.get()))
        taken += writeSome(QByteArrayView(bytes).sliced(taken));
    if (!m_fd.isOpen())
        return -1;
    const qsizetype kept = std::min(bytes.size() - taken, maxPending - m_pending.size());
    m_pending.append(bytes.constData() + taken, kept);
    taken += kept;
    if (taken > kept)
        watchForNext();
    else
        flush();
    return m_fd.isOpen() ? taken : -1;
}

// Returns the number of bytes written, which is smaller than the size if the pipe is full. Closes
// the pipe if the child has closed its end.
qsizetype InputWriter::writeSome(QByteArrayView bytes)
{
    if (bytes.isEmpty())
        return 0;
    ssize_t written = 0;
    do {
        written = writeQuietly(m_fd.get(), bytes.data(), static_cast<std::size_t>(bytes.size()));
    } while (written < 0 && errno == EINTR);
    if (written < 0 && errno != EAGAIN)
        closedByReader();
    if (written < 0)
        return 0;
    m_written += static_cast<quint64>(written);
    return written;
}

void InputWriter::flush()
{
    const qsizetype done = writeSome(m_pending);
    if (!m_fd.isOpen())
        return;
    if (done == m_pending.size())
        m_pending = {};
    else
        m_pending.remove(0, done);
    watchForNext();
    if (m_closing && m_pending.isEmpty())
        abort();
}

void InputWriter::closedByReader()
{
    const quint64 left = unread(); // before the pipe is closed
    abort();
    m_unread = left;
}

void InputWriter::watchForNext()
{
    watch(m_pending.isEmpty() ? FdWatcher::Direction::Neither : FdWatcher::Direction::Write);
}

void InputWriter::watch(std::optional<FdWatcher::Direction> direction)
{
    if (m_watcher && direction == m_watched)
        return;
    if (m_watcher) {
        m_watcher->remove(m_fd.get());
        m_watcher.reset();
    }
    if (!direction)
        return;
    m_watched = *direction;
    m_watcher = FdWatcher::ofThisThread();
    if (m_watcher && m_watcher->add(m_fd.get(), *direction, *this) != 0)
        m_watcher.reset();
}

void InputWriter::fdReady(int)
{
    if (m_pending.isEmpty())
        closedByReader(); // no other event is watched
    else
        flush();
    if (!m_closing && m_pending.isEmpty()) {
        const std::function<void()> callback = m_onDrained;
        callback();
    }
}

quint64 InputWriter::unread() const
{
    int left = 0;
    if (!m_fd.isOpen() || ::ioctl(m_fd.get(), FIONREAD, &left) != 0)
        return 0;
    return static_cast<quint64>(left);
}

quint64 InputWriter::bytesTaken() const
{
    return m_written - (m_fd.isOpen() ? unread() : m_unread);
}

void InputWriter::close()
{
    m_closing = true;
    if (m_pending.isEmpty())
        abort();
}

void InputWriter::abort()
{
    watch(std::nullopt);
    m_pending = {};
    m_fd.reset();
    m_enlarged.reset();
}

} // namespace Rekindle
