// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "healthwatch_p.h"

#include "base/text/terminaltext_p.h"

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {
constexpr qsizetype longestResult = 200;
} // namespace

ProbeCycle::ProbeCycle(HealthCheck check, Shared &shared, HealthWatch &watch)
    : m_check(std::move(check))
    , m_shared(shared)
    , m_watch(watch)
    , m_deadline(shared.scheduler, [this] { onDeadline(); })
{
    HealthProbe *const probe = m_check.probe.get();
    QObject::connect(probe, &HealthProbe::finished, probe,
                     [this](bool ok, const QString &text) { onFinished(ok, text); });
    QObject::connect(probe, &HealthProbe::postponed, probe, [this] { onPostponed(); });
    QObject::connect(probe, &HealthProbe::reportedUnhealthy, probe, [this](const QString &text) {
        m_watch.reportedUnhealthy(*this, foreignText(text, longestResult));
    });
}

ProbeCycle::~ProbeCycle()
{
    end();
    // The probe may be emitting a signal.
    HealthProbe *const probe = m_check.probe.release();
    probe->disconnect();
    probe->setParent(&m_shared.owner);
    probe->deleteLater();
}

void ProbeCycle::begin()
{
    m_planned =
        m_shared.scheduler.now() + schedule().grace + m_shared.phases.next(schedule().interval);
    wait(m_planned);
}

void ProbeCycle::end()
{
    const Step step = std::exchange(m_step, Step::Idle);
    m_deadline.disarm();
    if (step != Step::Running && step != Step::TimedOut)
        return;
    m_shared.stalls.end();
    m_check.probe->cancel();
}

void ProbeCycle::reset()
{
    end();
    m_misses = 0;
    m_isLastChance = false;
    m_hasAnswered = false;
    m_check.probe->reset();
}

void ProbeCycle::wait(Instant due)
{
    m_step = Step::Waiting;
    m_due = due;
    m_deadline.arm(due);
}

// Keeps the phase.
void ProbeCycle::waitForNext()
{
    const Instant now = m_shared.scheduler.now();
    m_planned += schedule().interval;
    if (m_planned < now)
        m_planned = now + schedule().interval - (now - m_planned) % schedule().interval;
    wait(m_planned);
}

// All probes were delayed, so they need to be spread again.
void ProbeCycle::waitWithNewPhase()
{
    m_planned = m_shared.scheduler.now() + m_shared.phases.next(schedule().interval);
    wait(m_planned);
}

Duration ProbeCycle::timeout() const
{
    return m_isLastChance ? schedule().lastChanceTimeout() : schedule().timeout;
}

void ProbeCycle::onDeadline()
{
    switch (m_step) {
    case Step::Idle:
        break;
    case Step::Waiting:
        // After a stall all probes are due at once, and the agents may have been stopped as well.
        if (m_shared.stalls.noteLateness(m_due))
            waitWithNewPhase();
        else
            run();
        break;
    case Step::Running:
        m_shared.stalls.noteLateness(m_due, std::min(StallWatch::lateBound, timeout() / 2));
        m_step = Step::TimedOut;
        m_deadline.arm(m_shared.scheduler.now());
        break;
    case Step::TimedOut:
        m_check.probe->cancel();
        onFinished(false, QStringLiteral("no answer within %1").arg(durationToString(timeout())));
        break;
    }
}

void ProbeCycle::run()
{
    m_step = Step::Running;
    m_stallMark = m_shared.stalls.begin();
    m_began = m_shared.scheduler.now();
    m_due = m_began + timeout();
    m_deadline.arm(m_due);
    m_check.probe->start(timeout());
}

void ProbeCycle::onPostponed()
{
    if (m_step != Step::Running && m_step != Step::TimedOut)
        return;
    m_shared.stalls.end();
    waitWithNewPhase();
}

void ProbeCycle::onFinished(bool ok, const QString &text)
{
    if (m_step != Step::Running && m_step != Step::TimedOut)
        return;
    const bool counts = !m_shared.stalls.hasStalledSince(m_stallMark) || ok;
    m_shared.stalls.end();
    if (!counts) {
        waitWithNewPhase();
        return;
    }

    const Instant now = m_shared.scheduler.now();
    const Answer answer{{m_shared.scheduler.clock().utcNow(), ok, now - m_began,
                         foreignText(text, longestResult), name()},
                        m_isLastChance && !ok};
    m_hasAnswered = true;
    m_misses = ok ? 0 : m_misses + 1;
    m_isLastChance = !ok && !answer.isVerdict && m_misses >= schedule().misses;
    if (answer.isVerdict) {
        m_step = Step::Idle;
        m_deadline.disarm();
    } else if (m_isLastChance) {
        wait(now);
    } else {
        waitForNext();
    }
    m_watch.answered(*this, answer);
}

} // namespace Rekindle
