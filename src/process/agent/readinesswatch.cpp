// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "readinesswatch_p.h"

#include "process/probes/targetprobe_p.h"

#include <utility>

namespace Rekindle {

ReadinessWatch::ReadinessWatch(const ProcessDefinition &definition,
                               const QRegularExpression *pattern, Scheduler &scheduler,
                               std::function<void()> onReady)
    : m_definition(definition)
    , m_readiness(definition.readiness)
    , m_pattern(pattern)
    , m_onReady(std::move(onReady))
    , m_scheduler(scheduler)
    , m_deadline(scheduler, [this] { onDeadline(); })
{
}

std::optional<LaunchFault> ReadinessWatch::prepare()
{
    if (m_readiness.kind == Readiness::Kind::Line && !m_pattern->isValid()) {
        return LaunchFault{LaunchFault::Step::Definition, 0,
                           QStringLiteral("The pattern for ready, \"%1\", is not valid: %2")
                               .arg(m_readiness.pattern, m_pattern->errorString())};
    }
    return std::nullopt;
}

void ReadinessWatch::begin()
{
    m_waiting = true;
    if (m_sawSignal) {
        reached();
        return;
    }
    switch (m_readiness.kind) {
    case Readiness::Kind::Alive:
        m_deadline.armIn(m_readiness.aliveFor);
        break;
    case Readiness::Kind::Now:
        reached();
        break;
    case Readiness::Kind::Line:
    case Readiness::Kind::Notify:
        break;
    case Readiness::Kind::Probe:
        m_probe = makeTargetProbe(m_readiness.probe, m_definition, m_scheduler);
        QObject::connect(m_probe.get(), &HealthProbe::finished, m_probe.get(),
                         [this](bool ok) { probed(ok); });
        QObject::connect(m_probe.get(), &HealthProbe::postponed, m_probe.get(),
                         [this] { probed(false); });
        probe();
        break;
    }
}

void ReadinessWatch::lineRead(const QByteArray &line)
{
    if (m_readiness.kind == Readiness::Kind::Line && !m_sawSignal
        && m_pattern->match(QString::fromUtf8(line)).hasMatch())
        sawSignal();
}

void ReadinessWatch::notified()
{
    if (m_readiness.kind == Readiness::Kind::Notify)
        sawSignal();
}

// Even before begin(), where a slot of started() runs an event loop.
void ReadinessWatch::sawSignal()
{
    m_sawSignal = true;
    reached();
}

void ReadinessWatch::onDeadline()
{
    if (m_readiness.kind == Readiness::Kind::Alive) {
        reached();
    } else if (m_probing) {
        m_probe->cancel();
        probed(false);
    } else {
        probe();
    }
}

void ReadinessWatch::probe()
{
    const Duration timeout = m_readiness.probe.schedule.timeout;
    m_probing = true;
    m_deadline.armIn(timeout);
    m_probe->start(timeout);
}

void ReadinessWatch::probed(bool ok)
{
    m_probing = false;
    if (!m_waiting)
        return;
    if (ok)
        reached();
    else
        m_deadline.armIn(m_readiness.probe.schedule.interval);
}

void ReadinessWatch::cancel()
{
    m_waiting = false;
    m_deadline.disarm();
    if (std::exchange(m_probing, false))
        m_probe->cancel();
}

void ReadinessWatch::reached()
{
    if (!std::exchange(m_waiting, false))
        return;
    m_deadline.disarm();
    const std::function<void()> callback = m_onReady;
    callback();
}

} // namespace Rekindle
