// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/restartpolicyevaluator.h>

#include <QStringList>

namespace Rekindle {

/// Logs the events of an evaluator as words: "scheduled:1", "failed:Timeout", "breaker:Open". When
/// time has passed, the time since the start of the log comes first: "1.5s". A failure by
/// ProcessCrash is "failed"; "lost:2!" is a failed attempt without a retry.
class EventLog : public QObject
{
public:
    explicit EventLog(RestartPolicyEvaluator &evaluator)
        : m_scheduler(evaluator.scheduler())
        , m_begin(m_scheduler.now())
        , m_written(m_begin)
    {
        connect(&evaluator, &RestartPolicyEvaluator::event, this, &EventLog::take);
    }

    /// Writes the name of the agent before each word: "web.started".
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

    /// Returns whether the sequence numbers count from 1 without a gap.
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
            return QStringLiteral("scheduled:%1").arg(e.attemptNumber);
        }
        QString operator()(const RestartStarted &e) const
        {
            return QStringLiteral("restart:%1").arg(e.attemptNumber);
        }
        QString operator()(const RestartSucceeded &e) const
        {
            return QStringLiteral("won:%1").arg(e.attemptNumber);
        }
        QString operator()(const RestartFailed &e) const
        {
            return QStringLiteral("lost:%1%2")
                .arg(e.attemptNumber)
                .arg(QLatin1String(e.willRetry ? "" : "!"));
        }
        QString operator()(const RestartExhausted &e) const
        {
            return QStringLiteral("exhausted:%1").arg(e.totalAttempts);
        }
        QString operator()(const RestartCancelled &e) const
        {
            return QStringLiteral("cancelled:%1").arg(e.attemptNumber);
        }
        QString operator()(const CircuitBreakerStateChanged &e) const
        {
            return QStringLiteral("breaker:") + toText(e.newState);
        }
        QString operator()(const PolicyDowngraded &e) const
        {
            return QStringLiteral("downgraded:") + toText(e.effectiveType);
        }
        QString operator()(const HealthChanged &e) const
        {
            const QString state = toText(e.health.state).toLower();
            return e.health.consecutiveMisses == 0
                ? state
                : state + QStringLiteral(":%1").arg(e.health.consecutiveMisses);
        }
        QString operator()(const AgentOutput &e) const
        {
            const bool isError = e.stream == AgentOutput::Stream::Error;
            return (isError ? QStringLiteral("err:") : QStringLiteral("out:")) + e.line;
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
