// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "readinesswatch_p.h"

#include "base/text/terminaltext_p.h"

#include <rekindle/process/probekind.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace Rekindle {

namespace {

/// An unfinished line is complete if nothing follows in this time.
constexpr std::chrono::milliseconds unfinishedTime{200};

} // namespace

ReadinessWatch::ReadinessWatch(Agent &agent, const ProcessDefinition &definition,
                               Scheduler &scheduler, std::function<void()> onReady)
    : m_agent(agent)
    , m_definition(definition)
    , m_readiness(definition.readiness)
    , m_pattern(m_readiness.kind == Readiness::Kind::Line
                    ? std::optional(QRegularExpression(m_readiness.pattern))
                    : std::nullopt)
    , m_onReady(std::move(onReady))
    , m_scheduler(scheduler)
    , m_deadline(scheduler, [this] { onDeadline(); })
{
}

std::optional<LaunchFault> ReadinessWatch::prepare()
{
    m_sawSignal = false;
    m_unfinishedLine.clear();
    m_deadline.disarm();
    const auto fault = [](const QString &why) {
        return LaunchFault{LaunchFault::Step::Definition, 0, why};
    };
    if (m_pattern && m_definition.standardOutput.kind != OutputTarget::Kind::Lines)
        return fault(QStringLiteral("Ready by a line on stdout needs stdout to go to Lines"));
    if (m_pattern && !m_pattern->isValid())
        return fault(QStringLiteral("The pattern for ready, \"%1\", is not valid: %2")
                         .arg(m_readiness.pattern, m_pattern->errorString()));
    if (m_readiness.kind != Readiness::Kind::Probe)
        return std::nullopt;
    const ProbeKind *const kind = m_readiness.probe.kind;
    if (kind && !kind->uses.testFlag(ProbeKind::Use::Readiness))
        return fault(QStringLiteral("Ready by a probe: a probe of kind %1 is only for health")
                         .arg(kind->name));
    const QList<Fault> faults = validate(m_readiness.probe);
    if (hasErrors(faults))
        return fault(QStringLiteral("Ready by a probe: ") + faults.front().toString());
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
    case Readiness::Kind::Reported:
        break;
    case Readiness::Kind::Probe:
        m_probe =
            m_readiness.probe.kind->make(m_readiness.probe, {&m_agent, m_definition, m_scheduler});
        QObject::connect(m_probe.get(), &HealthProbe::finished, m_probe.get(),
                         [this](bool ok) { probed(ok); });
        QObject::connect(m_probe.get(), &HealthProbe::postponed, m_probe.get(),
                         [this] { probed(false); });
        probe();
        break;
    }
}

// The pattern describes what a person sees. Text after a carriage return replaces the text before.
bool ReadinessWatch::isMatched(const QByteArray &line) const
{
    const QByteArrayList parts = line.split('\r');
    return std::any_of(parts.begin(), parts.end(), [this](const QByteArray &part) {
        const QByteArray text = textOnTerminal(part, Colors::Removed);
        return m_pattern->match(QString::fromUtf8(text)).hasMatch();
    });
}

void ReadinessWatch::lineRead(const QByteArray &line)
{
    if (m_readiness.kind == Readiness::Kind::Line && !m_sawSignal && isMatched(line))
        sawSignal();
}

void ReadinessWatch::unfinishedLineRead(const QByteArray &line)
{
    if (m_readiness.kind != Readiness::Kind::Line || m_sawSignal)
        return;
    m_unfinishedLine = line;
    if (line.isEmpty())
        m_deadline.disarm();
    else
        m_deadline.armIn(unfinishedTime);
}

void ReadinessWatch::notified()
{
    if (m_readiness.kind == Readiness::Kind::Notify)
        sawSignal();
}

// This can happen before begin(), if a slot of started() runs an event loop.
void ReadinessWatch::sawSignal()
{
    m_sawSignal = true;
    reached();
}

void ReadinessWatch::onDeadline()
{
    if (m_readiness.kind == Readiness::Kind::Line) {
        lineRead(std::exchange(m_unfinishedLine, {}));
    } else if (m_readiness.kind == Readiness::Kind::Alive) {
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
