// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "processguard_p.h"

#include "process/io/processlog_p.h"
#include "process/launch/launcher_p.h"
#include "reaper_p.h"

#include <rekindle/lifecycle/clock.h>

#include <QUuid>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include <utility>

namespace Rekindle {

namespace {
// A guard that exits repeatedly is not restarted again until the next launch.
constexpr int revivalsPerLaunch = 3;
} // namespace

/// Notices the exit of the guard, in the thread that has started it.
class ProcessGuard::Connection final : public FdListener
{
public:
    static Connection &ofThisThread()
    {
        static thread_local Connection connection;
        return connection;
    }

    // The guard keeps running, and the next thread that launches a process watches it.
    ~Connection() override
    {
        if (m_watcher)
            ProcessGuard::instance().m_running = false;
        close();
    }

    void open(int fd)
    {
        m_watcher = FdWatcher::ofThisThread();
        if (m_watcher && m_watcher->add(fd, FdWatcher::Direction::Read, *this) != 0)
            m_watcher.reset();
        m_fd = fd;
    }

    void close()
    {
        if (m_watcher)
            m_watcher->remove(m_fd);
        m_watcher.reset();
    }

private:
    // The guard never writes, so its end was closed.
    void fdReady(int) override
    {
        close();
        ProcessGuard::instance().guardExited();
    }

    std::shared_ptr<FdWatcher> m_watcher;
    int m_fd = -1;
};

ProcessGuard &ProcessGuard::instance()
{
    // Never destroyed, because agents of other threads may outlive main().
    static auto *const guard = new ProcessGuard;
    return *guard;
}

ProcessGuard::ProcessGuard()
    : m_run(QUuid::createUuid().toByteArray(QUuid::Id128).left(runDigits))
{
}

void ProcessGuard::ensureRunning()
{
    if (m_running)
        return;
    const std::scoped_lock lock(m_mutex);
    m_revivals = 0;
    if (!m_running)
        connect();
}

void ProcessGuard::connect()
{
    if (!makeTable() || (!m_socket.isOpen() && !launchGuard()))
        return;
    m_running = true;
    m_warned = false;
    Connection::ofThisThread().open(m_socket.get());
}

bool ProcessGuard::makeTable()
{
    if (m_table)
        return true;
    UniqueFd fd(::memfd_create("rekindle-guard", MFD_CLOEXEC));
    void *memory = MAP_FAILED;
    // Sparse: one page for 341 agents.
    if (fd.isOpen() && ::ftruncate(fd.get(), sizeof(GuardTable)) == 0)
        memory =
            ::mmap(nullptr, sizeof(GuardTable), PROT_READ | PROT_WRITE, MAP_SHARED, fd.get(), 0);
    if (memory == MAP_FAILED) {
        warnOnce(qt_error_string());
        return false;
    }
    m_table = static_cast<GuardTable *>(memory);
    m_tableFd = std::move(fd);
    return true;
}

bool ProcessGuard::launchGuard()
{
    const QByteArray program = guardProgram();
    if (program.isEmpty()) {
        warnOnce(QStringLiteral("rekindle-guard was not found; install it beside this program, or "
                                "set REKINDLE_GUARD to its path"));
        return false;
    }
    std::array<int, 2> pair{-1, -1};
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair.data()) != 0) {
        warnOnce(qt_error_string());
        return false;
    }
    UniqueFd own = aboveStandard(UniqueFd(pair[0]));
    const UniqueFd theirs = aboveStandard(UniqueFd(pair[1]));
    const UniqueFd table = aboveStandard(UniqueFd(::dup(m_tableFd.get())));

    QByteArray host = QByteArray::number(::getpid());
    std::array<char *, 4> arguments{const_cast<char *>(program.constData()), host.data(),
                                    m_run.data(), nullptr};
    std::array<char *, 1> environment{nullptr}; // without marks, which the guard looks for
    LaunchRequest request;
    request.program = program.constData();
    request.arguments = arguments.data();
    request.environment = environment.data();
    // The lock ends when both this process and the guard have closed the file.
    const UniqueFd lock =
        aboveStandard(UniqueFd(m_lockFile.isOpen() ? ::dup(m_lockFile.get()) : -1));
    request.standardFds = {theirs.get(), table.get(), lock.isOpen() ? lock.get() : nullFile()};
    request.endsWithThread = false;
    LaunchResult result = launch(request);
    if (result.pid == 0) {
        warnOnce(QString::fromLocal8Bit(program) + QStringLiteral(": ")
                 + qt_error_string(result.error));
        return false;
    }
    Reaper::take(std::move(result.pidFd));
    m_socket = std::move(own);
    m_table.load()->notified = 0;
    return true;
}

void ProcessGuard::guardExited()
{
    const std::scoped_lock lock(m_mutex);
    m_running = false;
    m_socket.reset();
    if (m_revivals++ < revivalsPerLaunch) {
        qCWarning(processLog, "The process guard exited; restarting it.");
        connect();
    } else {
        warnOnce(QStringLiteral("it exits repeatedly"));
    }
}

void ProcessGuard::warnOnce(const QString &why)
{
    if (std::exchange(m_warned, true))
        return;
    qCWarning(processLog,
              "No process guard (%ls): if this program is killed, processes that its agents have "
              "started may keep running.",
              qUtf16Printable(why));
}

bool ProcessGuard::setKillTime(std::int64_t time)
{
    if (!m_table) {
        const std::scoped_lock lock(m_mutex);
        if (time == GuardTable::noKillTime)
            return true;
        if (!makeTable())
            return false;
    }
    const std::int64_t before = m_table.load()->killTime.exchange(time);
    if (time != GuardTable::noKillTime && (before <= GuardTable::killTimePassed || time < before))
        wake();
    return true;
}

void ProcessGuard::setLockFile(UniqueFd file)
{
    const std::scoped_lock lock(m_mutex);
    m_lockFile = std::move(file);
}

bool ProcessGuard::acquireLock()
{
    const std::scoped_lock lock(m_mutex);
    struct flock first{};
    first.l_type = F_WRLCK;
    first.l_len = 1;
    return ::fcntl(m_lockFile.get(), F_OFD_SETLK, &first) == 0;
}

GuardTable::Slot *ProcessGuard::takeSlot()
{
    const std::scoped_lock lock(m_mutex);
    GuardTable *table = m_table;
    if (!m_freeSlots.empty()) {
        GuardTable::Slot *const slot = m_freeSlots.back();
        m_freeSlots.pop_back();
        return slot;
    }
    if (!table || table->used == GuardTable::capacity)
        return nullptr;
    return &table->slots[table->used++];
}

void ProcessGuard::freeSlot(GuardTable::Slot *slot)
{
    const std::scoped_lock lock(m_mutex);
    m_freeSlots.push_back(slot);
}

void ProcessGuard::notify()
{
    if (m_table.load()->notified.exchange(1) == 0)
        wake();
}

// The guard also reads the table when it starts.
void ProcessGuard::wake()
{
    const std::scoped_lock lock(m_mutex);
    const char message = 1;
    if (m_socket.isOpen())
        ::send(m_socket.get(), &message, sizeof message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

void GuardSlot::release(GuardTable::Slot *slot) { ProcessGuard::instance().freeSlot(slot); }

bool GuardSlot::begin()
{
    ProcessGuard &guard = ProcessGuard::instance();
    if (!m_slot)
        m_slot.reset(guard.takeSlot());
    if (!m_slot)
        return !m_isBound;
    m_slot->bound = m_isBound ? 1 : 0;
    const auto index =
        static_cast<std::uint32_t>(m_slot.get() - guard.m_table.load()->slots.data());
    const std::uint32_t start = m_slot->ended + 1;
    const auto padded = [](std::uint32_t number, int digits) {
        return QByteArray::number(number, 16).rightJustified(digits, '0');
    };
    m_mark.clear();
    m_mark.append(markName).append('=');
    if (const QByteArray outer = qgetenv(markName); !outer.isEmpty())
        m_mark.append(outer).append('/');
    m_mark.append(guard.m_run).append(':').append(padded(index, slotDigits)).append(':');
    m_mark.append(padded(start, startDigits));
    return !m_isBound || guard.m_running;
}

std::atomic<std::int32_t> *GuardSlot::group() const { return m_slot ? &m_slot->group : nullptr; }

const std::atomic<std::int64_t> *GuardSlot::killTime() const
{
    return m_slot && m_isBound ? &ProcessGuard::instance().m_table.load()->killTime : nullptr;
}

bool GuardSlot::isKillTimePassed() const
{
    if (!m_slot || m_slot->bound == 0)
        return false;
    // The guard kills before it writes that the time has passed.
    const std::int64_t time = ProcessGuard::instance().m_table.load()->killTime;
    return time != GuardTable::noKillTime
        && time <= SystemClock().bootNow().time_since_epoch().count();
}

void GuardSlot::end()
{
    if (!m_slot)
        return;
    m_slot->group = 0;
    ++m_slot->ended;
    ProcessGuard::instance().notify();
}

} // namespace Rekindle
