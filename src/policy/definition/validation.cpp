// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "policyfields_p.h"

#include "json/jsonnode.h"

#include <rekindle/policy/backoff.h>
#include <rekindle/policy/restartpolicy.h>
#include <rekindle/policy/validation.h>

#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace Rekindle {

using namespace PolicyFields;

namespace {

using namespace std::chrono_literals;

// Collects the faults of one policy.
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
        ranges(p, policyFields, {});
        contradictions();
        evaluator();
        if (!hasErrors(m_faults))
            likelyMistakes();
        return m_faults;
    }

private:
    void error(QLatin1String path, const QString &message) { m_faults.append({path, message}); }
    void warning(QLatin1String path, const QString &message)
    {
        m_faults.append({path, message, Fault::Severity::Warning});
    }

    template<typename Owner, typename Fields>
    void ranges(const Owner &owner, const Fields &fields, const QString &path)
    {
        forEach(fields, [&](const auto &field) {
            check(owner.*field.member, field.type, path + u'/' + field.key);
        });
    }

    void check(const auto &, const auto &, const QString &) {}

    template<typename T>
    void check(const std::optional<T> &found, const auto &type, const QString &path)
    {
        if (found)
            check(*found, type, path);
    }

    template<typename T>
    void check(const T &found, const Range<T> &range, const QString &path)
    {
        checkRange(found, range, path, m_faults);
    }

    void check(const QList<Duration> &found, const DurationList &type, const QString &path)
    {
        if (found.size() > type.most)
            m_faults.append({path,
                             QStringLiteral("expected 1 to %1 delays, found %2")
                                 .arg(type.most)
                                 .arg(found.size())});
        for (qsizetype i = 0; i < found.size(); ++i)
            check(found[i], type.each, path + u'/' + QString::number(i));
    }

    void check(const QList<int> &found, const Permanent &type, const QString &path)
    {
        for (qsizetype i = 0; i < found.size(); ++i) {
            if (found[i] < type.code.least || found[i] > type.code.greatest
                || found[i] == type.never)
                m_faults.append({path + u'/' + QString::number(i),
                                 QStringLiteral("expected %1 to %2 except %3, which requests a "
                                                "restart, found %4")
                                     .arg(type.code.least)
                                     .arg(type.code.greatest)
                                     .arg(type.never)
                                     .arg(found[i])});
        }
    }

    template<typename T, typename Fields>
    void check(const T &found, const Object<T, Fields> &type, const QString &path)
    {
        ranges(found, type.fields, path);
    }

    void contradictions()
    {
        if (m_readyAtOnce && p.stableAfter == Duration::zero()) {
            error(QLatin1String("/stableAfter"),
                  QStringLiteral(
                      "expected more than 0s, or another kind of ready than \"now\", found 0s: "
                      "restarts would never be limited"));
        }
        if (p.maxDelay < p.initialDelay && p.effectiveType() != RestartPolicyType::Stepped) {
            error(QLatin1String("/maxDelay"),
                  QStringLiteral("expected %2 (initialDelay) to 7d, found %1")
                      .arg(durationToString(p.maxDelay), durationToString(p.initialDelay)));
        }
        if (p.effectiveType() == RestartPolicyType::Stepped && p.steps.isEmpty()) {
            error(QLatin1String("/steps"),
                  QStringLiteral("expected at least one delay for type \"stepped\", found none"));
        }
        // A timeout that is itself too long has its own fault.
        if (p.circuitBreaker
            && p.circuitBreaker->maxTimeout < std::min(p.circuitBreaker->timeout, week)) {
            error(QLatin1String("/circuitBreaker/maxTimeout"),
                  QStringLiteral("expected %2 (timeout) to 7d, found %1")
                      .arg(durationToString(p.circuitBreaker->maxTimeout),
                           durationToString(p.circuitBreaker->timeout)));
        }
    }

    void evaluator()
    {
        if (p.type != RestartPolicyType::Custom) {
            if (p.evaluator)
                error(QLatin1String("/evaluator"),
                      QStringLiteral("expected only with type \"custom\", found with type \"%1\"")
                          .arg(toText(p.type)));
            return;
        }
        if (!p.evaluator) {
            error(QLatin1String("/evaluator"),
                  QStringLiteral("missing; type \"custom\" requires an evaluator"));
            return;
        }
        if (p.evaluator->id.isEmpty())
            error(QLatin1String("/evaluator/id"),
                  QStringLiteral("expected an id, found an empty string"));
        if (p.evaluator->base == RestartPolicyType::Custom)
            error(QLatin1String("/evaluator/base"),
                  QStringLiteral("expected a built-in type, found \"custom\""));
    }

    // Valid, but probably a mistake.
    void likelyMistakes()
    {
        // A default is no mistake of the author.
        if (p.circuitBreaker && p.maxRetries && *p.maxRetries > 0
            && p.circuitBreaker->threshold != CircuitBreakerPolicy().threshold
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
        // A custom evaluator may add delays.
        const bool decides = p.evaluator && !p.evaluator->shadow;
        if (!p.maxRetries && !p.circuitBreaker && !p.window && !decides && isHotLoop()) {
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

std::optional<QString> nameFault(const QString &name)
{
    static const QRegularExpression form(QStringLiteral("\\A[A-Za-z0-9._-]{1,64}\\z"));
    if (form.match(name).hasMatch())
        return std::nullopt;
    return QStringLiteral("expected 1 to 64 of A-Z a-z 0-9 . _ -, found \"%1\"")
        .arg(printable(name));
}

} // namespace Rekindle
