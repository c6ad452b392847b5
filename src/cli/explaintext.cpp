// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "fortext_p.h"
#include "historytext_p.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace Rekindle {

namespace {

/// One decision in words, a line for each thing.
class Explanation
{
public:
    Explanation(const StoredDecision &decision, UtcTime now)
        : m_decision(decision)
        , m_now(now)
        , m_data(QJsonDocument::fromJson(decision.data).object())
        , m_inputs(m_data[QLatin1String("inputs")].toObject())
        , m_failure(m_data[QLatin1String("failure")].toObject())
    {
    }

    QByteArray text()
    {
        m_text = QStringLiteral("%1: decision %2, %3\n")
                     .arg(m_decision.agent)
                     .arg(m_decision.row)
                     .arg(toRfc3339(m_decision.time))
                     .toLocal8Bit();
        add("failure", failure());
        add("policy",
            QStringLiteral("%1, %2 of %3 restarts made in this sequence")
                .arg(word(m_inputs, "policyType"), word(m_inputs, "attemptsMade"),
                     word(m_inputs, "maxRetries")));
        add("breaker",
            QStringLiteral("%1, failures since its last success: %2")
                .arg(word(m_inputs, "breakerState"), word(m_inputs, "breakerFailures")));
        add("rule", QStringLiteral("%1: %2").arg(word(m_data, "rule"), word(m_data, "reason")));
        addDelay();
        const QString budget = word(m_data, "budgetLeft");
        add("budget",
            budget == QLatin1String("unlimited") ? QStringLiteral("unlimited restarts")
                                                 : QStringLiteral("restarts left: ") + budget);
        addStderr();
        add("next", next());
        return m_text;
    }

private:
    [[nodiscard]] static QString word(const QJsonObject &object, const char *key)
    {
        return object[QLatin1String(key)].toVariant().toString();
    }

    [[nodiscard]] bool isRestart() const { return m_data[QLatin1String("shouldRestart")].toBool(); }

    [[nodiscard]] bool waitsForBreaker() const
    {
        return m_data[QLatin1String("circuitBreakerTripped")].toBool();
    }

    void add(const char *name, const QString &what)
    {
        const QString line =
            QStringLiteral("  %1  %2").arg(QString::fromLatin1(name).leftJustified(7), what);
        m_text += forTerminal(line.toLocal8Bit()) + '\n';
    }

    [[nodiscard]] QString failure() const
    {
        const QString process = word(m_failure, "pid");
        QString text = failureText(word(m_inputs, "reason"), m_failure);
        if (process.toLongLong() > 0)
            text += QLatin1String(", process ") + process;
        return text;
    }

    void addDelay()
    {
        const Duration delay = durationIn(m_data, QLatin1String("delayMs"));
        if (isRestart()) {
            const Duration before = durationIn(m_inputs, QLatin1String("calculatedDelayMs"));
            add("delay",
                QStringLiteral("%1 before jitter, %2 after it (%3, draw %4)")
                    .arg(forPeople(before), forPeople(delay), word(m_inputs, "jitter"),
                         word(m_inputs, "draw")));
        } else if (waitsForBreaker()) {
            add("delay",
                delay > Duration{0}
                    ? forPeople(delay) + QLatin1String(" until the circuit breaker is half-open")
                    : QStringLiteral("none: the circuit breaker is isolated"));
        } else {
            add("delay", QStringLiteral("none"));
        }
    }

    void addStderr()
    {
        const QJsonArray lines = m_failure[QLatin1String("stderrTail")].toArray();
        if (lines.isEmpty())
            add("stderr", QStringLiteral("nothing was kept"));
        for (const QJsonValue &line : lines)
            add("stderr", QLatin1String("| ") + line.toString());
    }

    [[nodiscard]] QString next() const
    {
        const Duration delay = durationIn(m_data, QLatin1String("delayMs"));
        const UtcTime due = m_decision.time + std::chrono::round<std::chrono::milliseconds>(delay);
        const QString when = due > m_now
            ? QStringLiteral("due in %1, at %2").arg(forPeople(due - m_now), toRfc3339(due))
            : QLatin1String("was due at ") + toRfc3339(due);
        if (isRestart()) {
            const bool last = m_data[QLatin1String("isFinalAttempt")].toBool();
            return QStringLiteral("restart %1, %2%3")
                .arg(word(m_data, "attemptNumber"), when,
                     last ? QStringLiteral("; the last one, after it the agent is given up")
                          : QString());
        }
        if (waitsForBreaker()) {
            return delay > Duration{0}
                ? QLatin1String("one trial start, ") + when
                : QStringLiteral("nothing until the circuit breaker is released or reset");
        }
        return QStringLiteral("no restart, unless somebody starts it or its policy re-arms it");
    }

    const StoredDecision &m_decision;
    const UtcTime m_now;
    const QJsonObject m_data;
    const QJsonObject m_inputs;
    const QJsonObject m_failure;
    QByteArray m_text;
};

} // namespace

QByteArray explainText(const QList<StoredDecision> &decisions,
                       const std::optional<StoredEvent> &latest, UtcTime now)
{
    QByteArray text;
    for (const StoredDecision &decision : decisions)
        text += Explanation(decision, now).text() + '\n';
    if (latest) {
        const QString line =
            QStringLiteral("latest event: %1  %2").arg(toRfc3339(latest->time), describe(*latest));
        text += forTerminal(line.toLocal8Bit()) + '\n';
    }
    return text;
}

QByteArray decisionJson(const StoredDecision &decision)
{
    const QJsonObject object{
        {QStringLiteral("row"), decision.row},
        {QStringLiteral("run"), decision.run},
        {QStringLiteral("instanceId"), decision.instanceId},
        {QStringLiteral("agent"), decision.agent},
        {QStringLiteral("time"), toRfc3339(decision.time)},
        {QStringLiteral("decision"), QJsonDocument::fromJson(decision.data).object()},
        {QStringLiteral("hash"), QString::fromLatin1(decision.hash.toHex())}};
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

} // namespace Rekindle
