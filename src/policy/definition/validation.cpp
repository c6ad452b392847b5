// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/policy/backoff.h>
#include <rekindle/policy/restartpolicy.h>
#include <rekindle/policy/validation.h>

#include <algorithm>
#include <cmath>

namespace Rekindle {

namespace {

using namespace std::chrono_literals;
constexpr Duration day = std::chrono::days(1);
constexpr Duration week = std::chrono::days(7);

// Collects the faults of one policy; one method per kind of check.
class PolicyCheck
{
public:
    PolicyCheck(const RestartPolicy &policy, bool readyAtOnce)
        : p(policy)
        , m_readyAtOnce(readyAtOnce)
    {
    }

    QList<Fault> run()
    {
        limits();
        delays();
        breaker();
        evaluator();
        if (!hasErrors(m_faults))
            oddities();
        return m_faults;
    }

private:
    void error(QLatin1String path, const QString &message) { m_faults.append({path, message}); }
    void warning(QLatin1String path, const QString &message)
    {
        m_faults.append({path, message, Fault::Severity::Warning});
    }

    template<typename Number>
    void number(const char *path, Number found, Number least, Number greatest)
    {
        // Written so that NaN is outside.
        if (found >= least && found <= greatest)
            return;
        error(QLatin1String(path),
              QStringLiteral("found %1, allowed %2 to %3").arg(found).arg(least).arg(greatest));
    }

    void duration(const QString &path, Duration found, Duration least, Duration greatest)
    {
        if (found >= least && found <= greatest)
            return;
        m_faults.append({path,
                         QStringLiteral("found %1, allowed %2 to %3")
                             .arg(durationToString(found), durationToString(least),
                                  durationToString(greatest))});
    }
    void duration(const char *path, Duration found, Duration least, Duration greatest)
    {
        duration(QString::fromLatin1(path), found, least, greatest);
    }

    void limits()
    {
        if (p.maxRetries)
            number("/maxRetries", *p.maxRetries, 0, 1'000'000);
        if (p.window) {
            number("/window/restarts", p.window->restarts, 1, 10'000);
            duration("/window/period", p.window->period, 1ms, week);
        }
        duration("/stableAfter", p.stableAfter, 0ns, day);
        duration("/startTimeout", p.startTimeout, 1ms, day);
        duration("/minInterval", p.minInterval, 0ns, day);
        duration("/requestedDelay", p.requestedDelay, 0ns, day);
        if (p.rearmAfter)
            duration("/rearmAfter", *p.rearmAfter, 1ms, week);
        for (qsizetype i = 0; i < p.permanentExitCodes.size(); ++i) {
            const int code = p.permanentExitCodes[i];
            if (code < 1 || code > 255 || code == 42) {
                m_faults.append({QStringLiteral("/permanent/%1").arg(i),
                                 QStringLiteral("found %1, allowed 1 to 255 but for 42, which asks "
                                                "for a restart")
                                     .arg(code)});
            }
        }
        if (m_readyAtOnce && p.stableAfter == Duration::zero()) {
            error(QLatin1String("/stableAfter"),
                  QStringLiteral("found 0s with ready \"now\": nothing would ever be limited; "
                                 "allowed: more than 0s, or another kind of ready"));
        }
    }

    void delays()
    {
        duration("/initialDelay", p.initialDelay, 0ns, day);
        number("/multiplier", p.multiplier, 1.0, 100.0);
        duration("/maxDelay", p.maxDelay, 0ns, week);
        if (p.maxDelay < p.initialDelay && p.effectiveType() != RestartPolicyType::Stepped) {
            error(QLatin1String("/maxDelay"),
                  QStringLiteral("found %1, below initialDelay %2; allowed %2 to 7d")
                      .arg(durationToString(p.maxDelay), durationToString(p.initialDelay)));
        }
        number("/jitter/ratio", p.jitter.ratio, 0.0, 1.0);
        if (p.effectiveType() == RestartPolicyType::Stepped && p.steps.isEmpty()) {
            error(QLatin1String("/steps"),
                  QStringLiteral("found nothing; type \"stepped\" needs at least one delay"));
        }
        if (p.steps.size() > 1000)
            error(QLatin1String("/steps"),
                  QStringLiteral("found %1 delays, allowed 1 to 1000").arg(p.steps.size()));
        for (qsizetype i = 0; i < p.steps.size(); ++i)
            duration(QStringLiteral("/steps/%1").arg(i), p.steps[i], 0ns, week);
    }

    void breaker()
    {
        if (!p.circuitBreaker)
            return;
        const CircuitBreakerPolicy &b = *p.circuitBreaker;
        number("/circuitBreaker/threshold", b.threshold, 1, 1000);
        duration("/circuitBreaker/timeout", b.timeout, 1ms, week);
        number("/circuitBreaker/growth", b.growth, 1.0, 100.0);
        duration("/circuitBreaker/maxTimeout", b.maxTimeout, 1ms, week);
        // A timeout that is itself too long has its fault above.
        if (b.maxTimeout < std::min<Duration>(b.timeout, week)) {
            error(QLatin1String("/circuitBreaker/maxTimeout"),
                  QStringLiteral("found %1, below timeout %2; allowed %2 to 7d")
                      .arg(durationToString(b.maxTimeout), durationToString(b.timeout)));
        }
    }

    void evaluator()
    {
        if (p.type != RestartPolicyType::Custom) {
            if (p.evaluator)
                error(QLatin1String("/evaluator"),
                      QStringLiteral("found with type \"%1\", allowed only with type \"custom\"")
                          .arg(toText(p.type)));
            return;
        }
        if (!p.evaluator) {
            error(QLatin1String("/evaluator"),
                  QStringLiteral("missing; type \"custom\" needs an evaluator"));
            return;
        }
        if (p.evaluator->id.isEmpty())
            error(QLatin1String("/evaluator/id"), QStringLiteral("found an empty id"));
        if (p.evaluator->base == RestartPolicyType::Custom)
            error(QLatin1String("/evaluator/base"),
                  QStringLiteral("found \"custom\", allowed a built-in type"));
    }

    // Legal, and hardly meant.
    void oddities()
    {
        if (p.circuitBreaker && p.maxRetries && *p.maxRetries > 0
            && p.circuitBreaker->threshold > *p.maxRetries + 1
            && p.effectiveType() != RestartPolicyType::None) {
            warning(QLatin1String("/circuitBreaker/threshold"),
                    QStringLiteral("%1 is never reached: maxRetries %2 ends a sequence after %3 "
                                   "failures")
                        .arg(p.circuitBreaker->threshold)
                        .arg(*p.maxRetries)
                        .arg(*p.maxRetries + 1));
        }
        if (p.window && p.stableAfter > p.window->period) {
            warning(QLatin1String("/stableAfter"),
                    QStringLiteral("%1 outlasts the window of %2: an agent that crashes once in "
                                   "between still uses up its attempts")
                        .arg(durationToString(p.stableAfter), durationToString(p.window->period)));
        }
        if (p.stableAfter >= 1h) {
            warning(QLatin1String("/stableAfter"),
                    QStringLiteral("%1 outlasts most crash periods: failures that are far apart "
                                   "add up until the agent is given up")
                        .arg(durationToString(p.stableAfter)));
        }
        // A custom evaluator may add the pauses.
        const bool isAsked = p.evaluator && !p.evaluator->shadow;
        if (!p.maxRetries && !p.circuitBreaker && !p.window && !isAsked && isHotLoop()) {
            warning(QLatin1String("/type"),
                    QStringLiteral("no delay, no limit and no circuit breaker: an agent that dies "
                                   "at once is restarted without a pause"));
        }
    }

    [[nodiscard]] bool isHotLoop() const
    {
        constexpr int settled = 1000;
        return p.effectiveType() != RestartPolicyType::None && p.minInterval == Duration::zero()
            && Backoff::baseDelay(p, settled) == Duration::zero();
    }

    const RestartPolicy &p;
    bool m_readyAtOnce;
    QList<Fault> m_faults;
};

} // namespace

QList<Fault> validate(const RestartPolicy &policy, bool readyAtOnce)
{
    return PolicyCheck(policy, readyAtOnce).run();
}

} // namespace Rekindle
