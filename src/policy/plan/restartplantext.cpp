// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "policy/internal/texthelpers.h"

#include <rekindle/policy/restartplan.h>

#include <algorithm>
#include <cmath>

namespace Rekindle {

namespace {

constexpr int attemptWidth = 7;
constexpr int delayWidth = 9;
constexpr int bandWidth = 20;
constexpr int elapsedWidth = 10;

QString spread(const RestartPlan::Step &step)
{
    if (step.kind == RestartPlan::Step::Kind::Trial)
        return QStringLiteral("half-open trial");
    if (step.band.least == step.band.greatest)
        return QStringLiteral("-");
    return readable(step.band.least) + QStringLiteral(" .. ") + readable(step.band.greatest);
}

// Solid up to the minimum delay, shaded up to the maximum.
QString bar(const RestartPlan::Step &step, Duration longest, int width)
{
    if (longest == Duration{0} || step.kind != RestartPlan::Step::Kind::Restart)
        return {};
    const auto columns = [&](Duration duration) {
        return static_cast<int>(
            std::lround(static_cast<double>(width) * static_cast<double>(duration.count())
                        / static_cast<double>(longest.count())));
    };
    const int solid = columns(step.band.least);
    const int whole = std::max(solid, columns(step.band.greatest));
    return QString(solid, QChar(0x2588)) + QString(whole - solid, QChar(0x2591));
}

Duration longestDelay(const RestartPlan &plan)
{
    Duration longest{0};
    for (const RestartPlan::Step &step : plan.steps)
        longest = std::max(longest, step.band.greatest);
    return longest;
}

// The schedule is the base type's, without the answers of the evaluator.
QString typeText(const RestartPolicy &policy)
{
    if (policy.type != RestartPolicyType::Custom || !policy.evaluator)
        return toText(policy.type);
    const QString base = toText(policy.evaluator->base);
    return policy.evaluator->shadow
        ? QStringLiteral("custom (base %1, evaluator %2 in shadow mode)")
              .arg(base, policy.evaluator->id)
        : QStringLiteral("custom (base %1, evaluator %2)").arg(base, policy.evaluator->id);
}

QString heading(const RestartPlan &plan)
{
    const RestartPolicy &policy = plan.policy;
    if (policy.effectiveType() == RestartPolicyType::None)
        return QStringLiteral("%1: %2, no restarts\n%3\n\n")
            .arg(plan.name, typeText(policy), plan.tierText());
    const QString retries =
        policy.maxRetries ? QString::number(*policy.maxRetries) : QStringLiteral("unlimited");
    const QString window = policy.window
        ? QStringLiteral("at most %1 within %2, ")
              .arg(QString::number(policy.window->restarts), readable(policy.window->period))
        : QString();
    return QStringLiteral("%1: %2, %3 consecutive restarts, %4%5, stable after %6\n"
                          "%7\n"
                          "Schedule for an agent that fails immediately after every start:\n\n")
        .arg(plan.name, typeText(policy), retries, window, breakerText(policy),
             readable(policy.stableAfter), plan.tierText());
}

QString row(const RestartPlan::Step &step)
{
    return QStringLiteral("%1  %2  %3  %4")
        .arg(QString::number(step.attempt).rightJustified(attemptWidth),
             readable(step.delay).leftJustified(delayWidth), spread(step).leftJustified(bandWidth),
             readable(step.elapsed).leftJustified(elapsedWidth));
}

QString withoutTrailingBlanks(QString line)
{
    while (line.endsWith(u' '))
        line.chop(1);
    return line + QLatin1Char('\n');
}

// The time until the last row, then the time until the end.
QString total(const RestartPlan &plan)
{
    const QString shown = readable(plan.elapsed);
    QString text = QStringLiteral("Total: ");
    if (plan.end) {
        text += QStringLiteral("%1 from the first failure to the last").arg(shown);
    } else {
        text += QStringLiteral("%1 for the %2 shown")
                    .arg(shown, counted(plan.attempts, "attempt", "attempts"));
        if (plan.totalElapsed) {
            text += QStringLiteral("; %1 more, %2 in total")
                        .arg(plan.totalAttempts - plan.attempts)
                        .arg(readable(*plan.totalElapsed));
        }
    }
    const std::optional<Duration> delays = Backoff::totalRetryTime(plan.policy);
    const Duration all = plan.totalElapsed.value_or(plan.elapsed);
    if (plan.policy.circuitBreaker && plan.totalElapsed && delays && *delays != all)
        text += QStringLiteral(" (%1 without the circuit breaker)").arg(readable(*delays));
    return text + QLatin1Char('\n');
}

// The schedule assumes that the agent was launched.
QString failedLaunchText(const RestartPlan &plan)
{
    const bool isShorter =
        std::any_of(plan.steps.cbegin(), plan.steps.cend(), [](const RestartPlan::Step &step) {
            const bool isRestart = step.kind == RestartPlan::Step::Kind::Restart;
            return (isRestart ? step.band.least : step.delay) < failedLaunchPause;
        });
    return isShorter ? QStringLiteral("If the launch itself fails, the delay is at least %1.\n")
                           .arg(readable(failedLaunchPause))
                     : QString();
}

} // namespace

QString toText(const RestartPlan &plan, int barWidth)
{
    QString text = heading(plan);
    const QString indent(attemptWidth + 2, u' ');
    if (!plan.steps.isEmpty()) {
        text +=
            QStringLiteral("%1  %2  %3  %4\n")
                .arg(QStringLiteral("attempt"), QStringLiteral("delay").leftJustified(delayWidth),
                     QStringLiteral("with jitter").leftJustified(bandWidth),
                     QStringLiteral("after"));
    }
    const Duration longest = longestDelay(plan);
    for (const RestartPlan::Step &step : plan.steps) {
        if (step.kind == RestartPlan::Step::Kind::BreakerOpens) {
            text += indent
                + QStringLiteral("failure %1: circuit breaker opens for %2\n")
                      .arg(step.failure)
                      .arg(readable(step.delay));
            continue;
        }
        const QString bars = barWidth > 0 ? bar(step, longest, barWidth) : QString();
        text += withoutTrailingBlanks(row(step) + QLatin1String("  ") + bars);
    }
    const QString failure =
        plan.end ? QStringLiteral("failure %1: ").arg(plan.failures) : QString();
    text += indent + failure + plan.endText() + QLatin1Char('\n');
    return text + QLatin1Char('\n') + total(plan) + failedLaunchText(plan);
}

} // namespace Rekindle
