// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/restartpolicyevaluator.h>

#include <QMetaEnum>
#include <QStringList>

namespace Rekindle {

/// "healthy", or "unhealthy:2" with the number of consecutive probe failures.
inline QString healthWord(const AgentHealthStatus &health)
{
    const QString state = toText(health.state).toLower();
    return health.consecutiveMisses == 0
        ? state
        : state + QStringLiteral(":%1").arg(health.consecutiveMisses);
}

/// Records the events of an evaluator as words, for example "scheduled#1", "failed:Timeout" and
/// "closed>open". If the time has changed since the previous word, the time since the beginning of
/// the log is inserted, for example "1.5s". A failure ProcessCrash is "failed". "unsuccessful#2+"
/// is a failed attempt that another one follows, "unsuccessful#2-" the last one. The tests of the
/// policy have the same words.
class EventLog : public QObject
{
public:
    explicit EventLog(RestartPolicyEvaluator &evaluator)
        : m_scheduler(evaluator.scheduler())
        , m_begin(m_scheduler.now())
        , m_written(m_begin)
    {
        connect(&evaluator, &RestartPolicyEvaluator::lifecycleEvent, this, &EventLog::take);
    }

    /// With the name of the agent in front of each word: "web.started".
    void showNames() { m_names = true; }

    void write(const QString &agent, const QString &word)
    {
        if (const Instant now = m_scheduler.now(); now != m_written) {
            m_words.append(durationToString(now - m_begin));
            m_written = now;
        }
        m_words.append(m_names && !agent.isEmpty() ? agent + QLatin1Char('.') + word : word);
    }

    [[nodiscard]] QString text() const { return m_words.join(u' '); }
    [[nodiscard]] const QList<LifecycleEvent> &events() const { return m_events; }

    /// Whether the sequence numbers count from 1, in order, without a gap.
    [[nodiscard]] bool isWithoutGaps() const
    {
        quint64 expected = 1;
        for (const LifecycleEvent &event : m_events) {
            if (header(event).sequence != expected++)
                return false;
        }
        return true;
    }

private:
    struct Word
    {
        QString operator()(const AgentStarted &) const { return QStringLiteral("started"); }
        QString operator()(const AgentReady &) const { return QStringLiteral("ready"); }
        QString operator()(const AgentStable &) const { return QStringLiteral("stable"); }
        QString operator()(const AgentStopped &) const { return QStringLiteral("stopped"); }
        QString operator()(const AgentFailed &e) const
        {
            return e.reason == FailureReason::ProcessCrash
                ? QStringLiteral("failed")
                : QStringLiteral("failed:") + toText(e.reason);
        }
        QString operator()(const RestartRequested &) const { return QStringLiteral("requested"); }
        QString operator()(const RestartScheduled &e) const
        {
            return QStringLiteral("%1#%2")
                .arg(QLatin1String(e.trial ? "trial" : "scheduled"))
                .arg(e.attemptNumber);
        }
        QString operator()(const RestartStarted &e) const
        {
            return QStringLiteral("attempt#%1").arg(e.attemptNumber);
        }
        QString operator()(const RestartSucceeded &e) const
        {
            return QStringLiteral("succeeded#%1").arg(e.attemptNumber);
        }
        QString operator()(const RestartFailed &e) const
        {
            return QStringLiteral("unsuccessful#%1%2")
                .arg(e.attemptNumber)
                .arg(QLatin1String(e.willRetry ? "+" : "-"));
        }
        QString operator()(const RestartExhausted &e) const
        {
            return QStringLiteral("exhausted#%1").arg(e.totalAttempts);
        }
        QString operator()(const RestartDeclined &e) const
        {
            return QLatin1String("declined:")
                + QString::fromLatin1(QMetaEnum::fromType<RestartDeclined::Cause>().valueToKey(
                    qToUnderlying(e.cause)));
        }
        QString operator()(const RestartCancelled &e) const
        {
            return QStringLiteral("cancelled#%1").arg(e.attemptNumber);
        }
        QString operator()(const CircuitBreakerStateChanged &e) const
        {
            return toText(e.oldState).toLower() + u'>' + toText(e.newState).toLower();
        }
        QString operator()(const PolicyDowngraded &e) const
        {
            return QStringLiteral("downgraded:") + toText(e.effectiveType);
        }
        QString operator()(const HealthChanged &e) const { return healthWord(e.health); }
        QString operator()(const AgentOutput &e) const
        {
            const bool isError = e.stream == AgentOutput::Stream::Error;
            return (isError ? QStringLiteral("err:") : QStringLiteral("out:")) + e.line;
        }
        QString operator()(const OperatorAction &e) const { return e.request; }
        QString operator()(const ConfigurationApplied &e) const
        {
            return QLatin1String("configured:") + e.parts.join(u',');
        }
        QString operator()(const StartHeld &e) const
        {
            return QLatin1String("held:") + toTexts(e.holds).join(u',');
        }
        QString operator()(const GroupRestarting &e) const
        {
            return QLatin1String("restarts:") + e.members.join(u',');
        }
        QString operator()(const GroupExhausted &e) const
        {
            return QLatin1String("exhausts:") + e.group;
        }
        QString operator()(const SharedBreakerStateChanged &e) const
        {
            return QLatin1String("shared:") + e.breaker + u' ' + toText(e.newState);
        }
    };

    void take(const LifecycleEvent &event)
    {
        m_events.append(event);
        write(header(event).agent, std::visit(Word{}, event));
    }

    Scheduler &m_scheduler;
    Instant m_begin;
    Instant m_written;
    QStringList m_words;
    QList<LifecycleEvent> m_events;
    bool m_names = false;
};

} // namespace Rekindle
