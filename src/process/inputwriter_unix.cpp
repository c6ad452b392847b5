// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "inputwriter_p.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <utility>

namespace Rekindle {

namespace {

// A pipe knows no MSG_NOSIGNAL, and what the host does with SIGPIPE is its own matter: block the
// signal, take it back if it was raised here, and let an older one stay pending.
ssize_t writeQuietly(int fd, const char *bytes, std::size_t size)
{
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

void InputWriter::open(UniqueFd fd) { m_fd = std::move(fd); }

qint64 InputWriter::write(const QByteArray &bytes)
{
    if (!isOpen())
        return -1;
    const qsizetype taken = std::min(bytes.size(), mostPending - m_pending.size());
    m_pending.append(bytes.constData(), taken);
    flush();
    return m_fd.isOpen() ? taken : -1;
}

void InputWriter::flush()
{
    qsizetype done = 0;
    while (done < m_pending.size()) {
        const ssize_t written = writeQuietly(m_fd.get(), m_pending.constData() + done,
                                             static_cast<std::size_t>(m_pending.size() - done));
        if (written >= 0) {
            done += written;
        } else if (errno == EAGAIN) {
            break;
        } else if (errno != EINTR) {
            abort();
            return;
        }
    }
    if (done == m_pending.size())
        m_pending = {};
    else
        m_pending.remove(0, done);
    watch(!m_pending.isEmpty());
    if (m_closing && m_pending.isEmpty())
        abort();
}

void InputWriter::watch(bool wanted)
{
    if (wanted == (m_watcher != nullptr))
        return;
    if (!wanted) {
        m_watcher->remove(m_fd.get());
        m_watcher.reset();
        return;
    }
    m_watcher = FdWatcher::ofThisThread();
    if (m_watcher && m_watcher->add(m_fd.get(), FdWatcher::Direction::Write, *this) != 0)
        m_watcher.reset();
}

void InputWriter::fdReady(int)
{
    flush();
    if (isOpen() && m_pending.isEmpty()) {
        const std::function<void()> callback = m_onDrained;
        callback();
    }
}

void InputWriter::close()
{
    m_closing = true;
    if (m_pending.isEmpty())
        abort();
}

void InputWriter::abort()
{
    watch(false);
    m_pending = {};
    m_fd.reset();
}

} // namespace Rekindle
