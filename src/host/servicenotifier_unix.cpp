// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "servicenotifier_p.h"

#include "base/text/textlist_p.h"
#include "policy/internal/texthelpers.h"

#include <rekindle/host/agenthost.h>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <ctime>

namespace Rekindle {

namespace {

// A path, or "@NAME" in the abstract namespace.
UniqueFd connectedTo(const QByteArray &name)
{
    sockaddr_un address{};
    const auto longest = static_cast<qsizetype>(sizeof address.sun_path) - 1;
    if (name.size() < 2 || name.size() > longest || (name[0] != '/' && name[0] != '@'))
        return {};
    address.sun_family = AF_UNIX;
    std::copy(name.begin(), name.end(), std::begin(address.sun_path));
    if (name[0] == '@')
        address.sun_path[0] = '\0';
    const auto size =
        static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + static_cast<size_t>(name.size()));
    UniqueFd socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (::connect(socket.get(), reinterpret_cast<const sockaddr *>(&address), size) != 0)
        socket.reset();
    return socket;
}

// Empty if the service manager expects no sign of life, or not from this process.
Duration watchdogTimeout()
{
    const QByteArray process = qgetenv("WATCHDOG_PID");
    if (!process.isEmpty() && process.toLongLong() != ::getpid())
        return {};
    return std::chrono::microseconds(std::max(0LL, qgetenv("WATCHDOG_USEC").toLongLong()));
}

QByteArray monotonicMicroseconds()
{
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    const auto time = std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
    return QByteArray::number(qint64{std::chrono::floor<std::chrono::microseconds>(time).count()});
}

} // namespace

ServiceNotifier::ServiceNotifier(const AgentHost &host)
    : m_host(host)
    , m_tally(host.supervisor())
    , m_scheduler(host.supervisor().scheduler())
    , m_socket(connectedTo(qgetenv("NOTIFY_SOCKET")))
    , m_update(host.supervisor().scheduler(), [this] { update(); })
    , m_watchdog(host.supervisor().scheduler(), [this] { feedWatchdog(); })
    , m_watchdogInterval(watchdogTimeout() / 2)
{
    if (!m_socket.isOpen())
        return;
    connect(&host.supervisor().policyEvaluator(), &RestartPolicyEvaluator::stateChanged, this,
            &ServiceNotifier::updateSoon);
    updateSoon();
    if (m_watchdogInterval > Duration{0})
        feedWatchdog();
}

void ServiceNotifier::beginReload()
{
    if (m_isReady)
        send("RELOADING=1\nMONOTONIC_USEC=" + monotonicMicroseconds());
}

void ServiceNotifier::endReload()
{
    if (m_isReady)
        send("READY=1");
}

// READY=1 and STOPPING=1 are not delayed.
void ServiceNotifier::updateSoon()
{
    const bool isUrgent = !m_isReady || m_host.isStopping() != m_isStopping;
    m_update.arm(isUrgent ? m_scheduler.now() : m_nextUpdate);
}

// If a message cannot be sent because the queue of the receiver is full, it is sent later.
void ServiceNotifier::update()
{
    const bool isStopping = m_host.isStopping();
    const bool isReady = m_isReady || (!isStopping && !m_tally.isStarting());
    const QByteArray text = status();
    QByteArray message;
    if (isReady && !m_isReady)
        message += "READY=1\n";
    if (isStopping && !m_isStopping)
        message += "STOPPING=1\n";
    if (text != m_status)
        message += "STATUS=" + text + '\n';
    if (message.isEmpty())
        return;
    constexpr Duration pause = std::chrono::seconds(1);
    m_nextUpdate = m_scheduler.now() + pause;
    if (!send(message)) {
        m_update.arm(m_nextUpdate);
        return;
    }
    m_isReady = isReady;
    m_isStopping = isStopping;
    m_status = text;
}

void ServiceNotifier::feedWatchdog()
{
    send("WATCHDOG=1");
    m_watchdog.armIn(m_watchdogInterval);
}

// "2 of 3 agents run; not running: web (CircuitOpen)"
QByteArray ServiceNotifier::status() const
{
    const QString all = counted(m_tally.total(), "agent", "agents");
    if (m_host.isStopping())
        return "stopping " + all.toUtf8();
    const int running = m_tally.count(InstanceState::Running);
    QString text = QStringLiteral("%1 of %2 running").arg(running).arg(all);
    if (const QStringList down = m_tally.down(); !down.isEmpty())
        text += QLatin1String("; not running: ") + listed(down);
    return text.toUtf8().replace('\n', ' '); // a line feed would begin another message
}

bool ServiceNotifier::send(const QByteArray &message)
{
    return ::send(m_socket.get(), message.constData(), static_cast<size_t>(message.size()),
                  MSG_NOSIGNAL)
        == message.size();
}

} // namespace Rekindle
