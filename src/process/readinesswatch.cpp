// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "readinesswatch_p.h"

#include <utility>

namespace Rekindle {

ReadinessWatch::ReadinessWatch(const Readiness &readiness, const QRegularExpression *pattern,
                               Scheduler &scheduler, std::function<void()> onReady)
    : m_readiness(readiness)
    , m_pattern(pattern)
    , m_onReady(std::move(onReady))
    , m_alive(scheduler, [this] { reached(); })
{
}

std::optional<LaunchFault> ReadinessWatch::prepare()
{
    if (m_readiness.kind == Readiness::Kind::Line && !m_pattern->isValid()) {
        return LaunchFault{LaunchFault::Step::Definition, 0,
                           QStringLiteral("The pattern for ready, \"%1\", is not valid: %2")
                               .arg(m_readiness.pattern, m_pattern->errorString())};
    }
    if (m_readiness.kind == Readiness::Kind::Notify) {
        m_notify = std::make_unique<NotifySocket>([this] { reached(); });
        if (const int error = m_notify->open(); error != 0)
            return LaunchFault{LaunchFault::Step::Resources, error, {}};
    }
    return std::nullopt;
}

QByteArray ReadinessWatch::environmentEntry() const
{
    return m_notify ? m_notify->environmentEntry() : QByteArray();
}

void ReadinessWatch::begin(pid_t group)
{
    m_waiting = true;
    switch (m_readiness.kind) {
    case Readiness::Kind::Alive:
        m_alive.armIn(m_readiness.aliveFor);
        break;
    case Readiness::Kind::Now:
        reached();
        break;
    case Readiness::Kind::Line:
        break;
    case Readiness::Kind::Notify:
        m_notify->begin(group);
        break;
    }
}

void ReadinessWatch::lineRead(const QByteArray &line)
{
    if (m_waiting && m_readiness.kind == Readiness::Kind::Line
        && m_pattern->match(QString::fromUtf8(line)).hasMatch())
        reached();
}

void ReadinessWatch::cancel()
{
    m_waiting = false;
    m_alive.disarm();
    if (m_notify)
        m_notify->close();
}

void ReadinessWatch::reached()
{
    if (!std::exchange(m_waiting, false))
        return;
    const std::function<void()> callback = m_onReady;
    callback();
}

} // namespace Rekindle
