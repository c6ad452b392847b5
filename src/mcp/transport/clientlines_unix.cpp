// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "clientlines_p.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace Rekindle {

namespace {

using namespace std::chrono_literals;

constexpr qsizetype maxPending = qsizetype{1024} * 1024;
constexpr Duration hangUpCheckInterval = 500ms;
constexpr Duration drainTime = 2s;

constexpr qsizetype bytesPerRead = qsizetype{64} * 1024; // the capacity of a pipe

// A pipe that is ready accepts this many bytes without blocking.
constexpr qsizetype bytesWhenReady = 4096;

short eventsNow(int fd, short wanted)
{
    pollfd ready{fd, wanted, 0};
    return ::poll(&ready, 1, 0) > 0 ? ready.revents : short{0};
}

} // namespace

ClientLines::ClientLines(int input, int output, Scheduler &scheduler)
    : m_input(input)
    , m_buffer(bytesPerRead, Qt::Uninitialized)
    , m_hangUpCheck(scheduler, [this] { checkHangUp(); })
    , m_drainTime(scheduler, [this] { drainTimePassed(); })
{
    openOutput(output);
}

// Other processes may share the description and require it to block.
void ClientLines::openOutput(int output)
{
    struct stat status{};
    // If the output was closed, its number may belong to a file that cannot be written.
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
        m_output.reset(::open(path.constData(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    }
    if (!m_output.isOpen()) {
        m_output.reset(::fcntl(output, F_DUPFD_CLOEXEC, 3));
        if (m_kind == Kind::Pipe)
            m_kind = Kind::Blocking;
    }
    if (!m_output.isOpen())
        breakOutput(errno);
}

// Clients end a session by closing the output, so this is not a fault.
void ClientLines::breakOutput(int error)
{
    m_isBroken = true;
    if (error != EPIPE && error != ECONNRESET)
        m_fault = qt_error_string(error);
}

void ClientLines::reportBroken()
{
    QMetaObject::invokeMethod(
        this, [this, fault = std::exchange(m_fault, {})] { Q_EMIT broken(fault); },
        Qt::QueuedConnection);
}

void ClientLines::setPaused(bool isPaused)
{
    if (!m_readable && !isPaused) {
        m_readable = std::make_unique<QSocketNotifier>(m_input, QSocketNotifier::Read);
        connect(m_readable.get(), &QSocketNotifier::activated, this, &ClientLines::readSome);
    } else if (m_readable) {
        m_readable->setEnabled(!isPaused);
        if (isPaused && !m_hangUpCheck.isArmed())
            m_hangUpCheck.armIn(hangUpCheckInterval);
    }
}

bool ClientLines::isFull() const { return m_pending.size() > maxPending; }

void ClientLines::checkHangUp()
{
    if (m_readable->isEnabled())
        return;
    m_hangUpCheck.armIn(hangUpCheckInterval);
    if ((eventsNow(m_input, POLLRDHUP) & (POLLRDHUP | POLLHUP | POLLERR)) != 0)
        Q_EMIT hungUp();
}

// Reads only once, because a second read might block.
void ClientLines::readSome()
{
    ssize_t size = 0;
    do {
        size = ::read(m_input, m_buffer.data(), static_cast<std::size_t>(m_buffer.size()));
    } while (size < 0 && errno == EINTR);
    if (size < 0 && errno == EAGAIN)
        return;
    if (size <= 0) {
        setPaused(true);
        // A last line without a line end may be complete.
        if (const auto rest = m_framer.takeRest(); rest && !rest->isTooLong)
            Q_EMIT lines({*rest});
        Q_EMIT ended();
        return;
    }
    if (size == m_buffer.size())
        m_enlargedInput.enlarge(m_input);
    std::vector<FramedLine> complete;
    m_framer.add(QByteArrayView(m_buffer.constData(), size), complete);
    if (!complete.empty())
        Q_EMIT lines(complete);
}

qsizetype ClientLines::writeSome(QByteArrayView bytes)
{
    if (m_kind == Kind::Blocking) {
        if (eventsNow(m_output.get(), POLLOUT) == 0) {
            errno = EAGAIN;
            return -1;
        }
        bytes = bytes.first(std::min(bytes.size(), bytesWhenReady));
    }
    const auto length = static_cast<std::size_t>(bytes.size());
    ssize_t written = 0;
    do {
        written = m_kind == Kind::Socket
            ? ::send(m_output.get(), bytes.data(), length, MSG_DONTWAIT | MSG_NOSIGNAL)
            : ::write(m_output.get(), bytes.data(), length);
    } while (written < 0 && errno == EINTR);
    return written;
}

void ClientLines::flush()
{
    if (m_isBroken) {
        if (!std::exchange(m_pending, {}).isEmpty())
            reportBroken();
        return;
    }
    bool isFull = false;
    while (!m_pending.isEmpty() && !isFull) {
        const qsizetype size = m_pending.next().size();
        const qsizetype written = writeSome(m_pending.next());
        if (written < 0 && errno == EAGAIN)
            break;
        if (written < 0) {
            breakOutput(errno);
            m_pending = {};
            m_writable.reset();
            reportBroken();
            return;
        }
        m_pending.drop(written);
        m_written += written;
        // A blocking client is written to in small parts.
        isFull =
            written < size && m_kind != Kind::Blocking && !m_enlargedOutput.enlarge(m_output.get());
    }
    if (!m_writable && !m_pending.isEmpty()) {
        m_writable = std::make_unique<QSocketNotifier>(m_output.get(), QSocketNotifier::Write);
        connect(m_writable.get(), &QSocketNotifier::activated, this, [this] {
            flush();
            if (!m_isBroken && m_pending.isEmpty())
                Q_EMIT drained();
        });
    }
    if (m_writable)
        m_writable->setEnabled(!m_pending.isEmpty());
}

void ClientLines::finish()
{
    if (m_pending.isEmpty()) {
        scheduleFinished(false);
    } else if (!m_drainTime.isArmed()) {
        m_writtenBefore = m_written;
        m_drainTime.armIn(drainTime);
    }
}

// A client that reads slowly gets more time.
void ClientLines::drainTimePassed()
{
    if (m_written == m_writtenBefore)
        scheduleFinished(true);
    else
        finish();
}

// Lines may be added before the signal: when a server exits, its requests in flight are refused.
void ClientLines::scheduleFinished(bool cutsOff)
{
    if (std::exchange(m_isFinished, true))
        return;
    m_drainTime.disarm();
    const auto report = [this, cutsOff] {
        m_isFinished = cutsOff || m_pending.isEmpty();
        if (m_isFinished)
            Q_EMIT finished();
        else
            finish();
    };
    QMetaObject::invokeMethod(this, report, Qt::QueuedConnection);
}

} // namespace Rekindle
