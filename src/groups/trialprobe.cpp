// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "trialprobe_p.h"

#include <algorithm>
#include <utility>

namespace Rekindle {

TrialProbe::TrialProbe(HealthCheck check, QObject &owner, Scheduler &scheduler,
                       std::function<void(bool)> onEnd)
    : m_check(std::move(check))
    , m_owner(owner)
    , m_scheduler(scheduler)
    , m_onEnd(std::move(onEnd))
    , m_deadline(scheduler, [this] { onDeadline(); })
{
    HealthProbe *const probe = m_check.probe.get();
    QObject::connect(probe, &HealthProbe::finished, probe, [this](bool ok) { answered(ok); });
    QObject::connect(probe, &HealthProbe::postponed, probe, [this] {
        if (m_step == Step::Running)
            wait(m_check.schedule.interval);
    });
}

TrialProbe::~TrialProbe()
{
    cancel();
    HealthProbe *const probe = m_check.probe.release();
    probe->disconnect();
    probe->setParent(&m_owner);
    probe->deleteLater();
}

void TrialProbe::begin(Duration provenAfter)
{
    cancel();
    m_provenAfter = provenAfter;
    m_firstSuccess.reset();
    m_check.probe->reset();
    run();
}

void TrialProbe::cancel()
{
    m_deadline.disarm();
    if (std::exchange(m_step, Step::Idle) == Step::Running)
        m_check.probe->cancel();
}

void TrialProbe::run()
{
    m_step = Step::Running;
    m_deadline.armIn(m_check.schedule.timeout);
    m_check.probe->start(m_check.schedule.timeout);
}

void TrialProbe::wait(Duration time)
{
    m_step = Step::Waiting;
    m_deadline.armIn(time);
}

void TrialProbe::onDeadline()
{
    if (m_step == Step::Waiting) {
        run();
    } else {
        m_check.probe->cancel();
        answered(false);
    }
}

void TrialProbe::answered(bool succeeded)
{
    if (m_step != Step::Running)
        return;
    if (!succeeded) {
        end(false);
        return;
    }
    const Instant now = m_scheduler.now();
    if (!m_firstSuccess)
        m_firstSuccess = now;
    const Duration left = *m_firstSuccess + m_provenAfter - now;
    if (left > Duration{0})
        wait(std::min(left, m_check.schedule.interval));
    else
        end(true);
}

void TrialProbe::end(bool succeeded)
{
    m_step = Step::Idle;
    m_deadline.disarm();
    const std::function<void(bool)> callback = m_onEnd;
    callback(succeeded);
}

} // namespace Rekindle
