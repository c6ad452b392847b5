// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "policy/internal/texthelpers.h"
#include "policy/internal/words.h"

#include <rekindle/policy/instancetable.h>
#include <rekindle/policy/policygate.h>
#include <rekindle/policy/restartplan.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace Rekindle {

namespace {

// Drives one instance through the state table of the engine.
class Walk
{
public:
    Walk(RestartPlan &plan, int most)
        : m_plan(plan)
        , m_most(most)
        , m_instance(std::make_shared<const RestartPolicy>(withoutJitter(plan.policy)))
    {
    }

    void run()
    {
        apply(InputKind::Start);
        goTo(m_most);
        // Counts the attempts beyond those that are shown, if it has not ended.
        const RestartPlan shown = m_plan;
        goTo(farthest);
        const RestartPlan all = std::exchange(m_plan, shown);
        if (all.end) {
            m_plan.totalAttempts = all.attempts;
            m_plan.totalElapsed = all.elapsed;
        }
    }

private:
    static constexpr int farthest = 5000;

    void goTo(int most)
    {
        while (!m_plan.end && m_plan.attempts < most) {
            apply(InputKind::Launch);
            apply(InputKind::Started);
            fail();
            waitForStart();
        }
    }

    static RestartPolicy withoutJitter(RestartPolicy policy)
    {
        policy.jitter.kind = JitterKind::None;
        return policy;
    }

    Outcome apply(InputKind kind)
    {
        static const Failure crash{FailureReason::ProcessCrash, {}};
        constexpr double irrelevantDraw = 0.5;
        return InstanceTable::apply(
            m_instance, {.kind = kind, .generation = m_instance.generation, .failure = &crash},
            m_now, irrelevantDraw);
    }

    [[nodiscard]] Duration elapsed() const { return m_now - m_start; }

    void fail()
    {
        using Kind = RestartPlan::Step::Kind;
        const RestartDecision decision = apply(InputKind::Failed).decision;
        ++m_plan.failures;
        m_next = {.kind = Kind::Restart,
                  .failure = m_plan.failures,
                  .attempt = decision.attemptNumber,
                  .delay = decision.delay};
        if (decision.rule == DecisionRule::CircuitOpen) {
            m_plan.steps.append({.kind = Kind::BreakerOpens,
                                 .failure = m_plan.failures,
                                 .delay = decision.delay,
                                 .elapsed = elapsed()});
            m_next.kind = Kind::Trial;
        } else if (decision.shouldRestart) {
            m_next.band = bandOf(decision);
        } else {
            m_plan.end = decision.rule;
            if (m_instance.deadline)
                m_plan.rearmsIn = *m_instance.deadline - m_now;
        }
    }

    // minInterval can delay a start more than jitter does.
    [[nodiscard]] Backoff::Band bandOf(const RestartDecision &decision) const
    {
        Backoff::Band band = Backoff::band(m_plan.policy, decision.attemptNumber);
        band.least = std::max(band.least, m_plan.policy.minInterval);
        band.greatest = std::max(band.greatest, m_plan.policy.minInterval);
        return band;
    }

    void waitForStart()
    {
        if (m_plan.end)
            return;
        if (m_instance.deadline) {
            m_now = *m_instance.deadline;
            apply(InputKind::Deadline);
        }
        m_next.elapsed = elapsed();
        m_plan.steps.append(m_next);
        m_plan.attempts = m_next.attempt;
        m_plan.elapsed = elapsed();
    }

    RestartPlan &m_plan;
    const int m_most;
    Instance m_instance;
    const Instant m_start{};
    Instant m_now = m_start;
    RestartPlan::Step m_next;
};

} // namespace

RestartPlan RestartPlan::of(const QString &name, const RestartPolicy &policy, LicenseTier tier,
                            int maxAttempts)
{
    RestartPlan plan{.name = name,
                     .policy = gatePolicy(policy, tier).policy,
                     .tier = tier,
                     .requestedType = policy.type};
    if (policy.evaluator)
        plan.requestedEvaluator = policy.evaluator->id;
    Walk(plan, maxAttempts).run();
    return plan;
}

QString RestartPlan::tierText() const
{
    if (isDowngraded()) {
        const QString text = downgradeText(toText(tier), requestedType, policy.type);
        return requestedEvaluator.isEmpty()
            ? text
            : Words::tr("%1; evaluator %2 is not used").arg(text, requestedEvaluator);
    }
    return Words::tr("license tier %1 permits it").arg(toText(tier));
}

QString RestartPlan::endText() const
{
    if (!end && totalElapsed)
        return Words::tr("and %1 more", "attempts").arg(totalAttempts - attempts);
    if (!end)
        return policy.maxRetries ? Words::tr("and so on, up to %1 restarts").arg(*policy.maxRetries)
                                 : Words::tr("and so on, without limit");
    QString text;
    switch (*end) {
    case DecisionRule::PolicyNone:
        text = isDowngraded() ? Words::tr("not restarted: the license tier permits no restarts")
                              : Words::tr("not restarted: the policy type is none");
        break;
    case DecisionRule::PermanentFailure:
        text = Words::tr("not restarted: a crash is permanent in this policy");
        break;
    case DecisionRule::WindowExhausted:
        text = Words::tr("given up: more than %n restart(s) within %1", nullptr,
                         policy.window->restarts)
                   .arg(readable(policy.window->period));
        break;
    default:
        text = givenUpText(attempts);
        break;
    }
    if (rearmsIn)
        text += Words::tr("; a fresh sequence begins %1 later").arg(readable(*rearmsIn));
    return text;
}

} // namespace Rekindle
