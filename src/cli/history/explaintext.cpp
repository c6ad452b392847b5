// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/output/fortext_p.h"
#include "explained_p.h"
#include "historytext_p.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace Rekindle {

namespace {

/// One decision in words, a line for each thing.
class Explanation
{
public:
    Explanation(const StoredDecision &decision, const Explained &found, UtcTime now)
        : m_decision(decision)
        , m_found(found)
        , m_shadow(found.shadows.value(decision.row))
        , m_now(now)
        , m_data(QJsonDocument::fromJson(decision.data).object())
        , m_inputs(m_data[QLatin1String("inputs")].toObject())
        , m_failure(m_data[QLatin1String("failure")].toObject())
        , m_health(m_data[QLatin1String("health")].toObject())
        , m_downgrade(m_data[QLatin1String("downgraded")].toObject())
        , m_opinion(m_data[QLatin1String("evaluator")].toObject())
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
        addPolicy();
        addHealth();
        add("breaker",
            QStringLiteral("%1, failures since its last success: %2")
                .arg(word(m_inputs, "breakerState"), word(m_inputs, "breakerFailures")));
        add("rule", QStringLiteral("%1: %2").arg(word(m_data, "rule"), word(m_data, "reason")));
        addOpinions();
        addDelay();
        add("budget", budget());
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

    [[nodiscard]] bool restartsNothing() const
    {
        return m_inputs[QLatin1String("policyType")] == toText(RestartPolicyType::None);
    }
    [[nodiscard]] bool isGated() const { return restartsNothing() && !m_downgrade.isEmpty(); }

    void addPolicy()
    {
        const QString type = word(m_inputs, "policyType");
        if (!m_downgrade.isEmpty()) {
            add("asked",
                QStringLiteral("policy %1; licence tier %2 has no such restarts and makes %3 of it")
                    .arg(word(m_downgrade, "requestedType"), word(m_downgrade, "tier"), type));
        }
        add("policy",
            restartsNothing()
                ? type
                : QStringLiteral("%1, %2 of %3 restarts made in this sequence")
                      .arg(type, word(m_inputs, "attemptsMade"), word(m_inputs, "maxRetries")));
    }

    [[nodiscard]] QString budget() const
    {
        if (isGated())
            return QStringLiteral("no restarts: licence tier %1 has none")
                .arg(word(m_downgrade, "tier"));
        if (restartsNothing())
            return QStringLiteral("no restarts: the policy has none");
        const QString left = word(m_data, "budgetLeft");
        return left == QLatin1String("unlimited") ? QStringLiteral("unlimited restarts")
                                                  : QLatin1String("restarts left: ") + left;
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

    // Nothing where it has no probes, or the store is of a version that had none.
    void addHealth()
    {
        const QJsonArray history = m_health[QLatin1String("history")].toArray();
        if (history.isEmpty())
            return;
        add("health",
            QStringLiteral("%1, misses in a row: %2; the last answers:")
                .arg(word(m_health, "state"), word(m_health, "consecutiveMisses")));
        for (const QJsonValue &each : history) {
            const QJsonObject result = each.toObject();
            const bool isGood = result[QLatin1String("ok")].toBool();
            add("",
                QStringLiteral("| %1  %2  %3 after %4: %5")
                    .arg(word(result, "at"), word(result, "probe"),
                         isGood ? QStringLiteral("good") : QStringLiteral("miss"),
                         forPeople(durationIn(result, QLatin1String("tookMs"))),
                         word(result, "text")));
        }
    }

    void addOpinions()
    {
        const auto text = [](const QJsonObject &opinion) {
            return opinionText(word(opinion, "id"), word(opinion, "answer"),
                               word(opinion, "reason"));
        };
        if (!m_opinion.isEmpty()) {
            const bool isSilent = word(m_opinion, "answer") == QLatin1String("none");
            add("verdict",
                text(m_opinion)
                    + (isSilent ? QStringLiteral("; the built-in rules decide") : QString()));
        }
        if (!m_shadow.isEmpty())
            add("shadow", text(m_shadow) + QLatin1String("; ") + wouldBe());
    }

    // It is asked only where the built-in rules allow a restart.
    [[nodiscard]] QString wouldBe() const
    {
        const QString rule = word(m_shadow, "rule");
        const Duration delay = durationIn(m_shadow, QLatin1String("delayMs"));
        if (rule != word(m_data, "rule")) {
            return rule == QLatin1String("CircuitOpen")
                ? QStringLiteral("in force, the circuit breaker would have opened for ")
                    + forPeople(delay)
                : QStringLiteral("in force, there would have been no restart");
        }
        return delay == durationIn(m_data, QLatin1String("delayMs"))
            ? QStringLiteral("in force, it would have changed nothing")
            : QStringLiteral("in force, the restart would have come after ") + forPeople(delay);
    }

    void addDelay()
    {
        const Duration delay = durationIn(m_data, QLatin1String("delayMs"));
        if (isRestart()) {
            const Duration before = durationIn(m_inputs, QLatin1String("calculatedDelayMs"));
            const Duration after = m_opinion.isEmpty()
                ? delay
                : durationIn(m_opinion, QLatin1String("builtInDelayMs"));
            const QString text = QStringLiteral("%1 before jitter, %2 after it (%3, draw %4)")
                                     .arg(forPeople(before), forPeople(after),
                                          word(m_inputs, "jitter"), word(m_inputs, "draw"));
            add("delay",
                after == delay
                    ? text
                    : QStringLiteral("%1; %2 by its evaluator").arg(text, forPeople(delay)));
        } else if (waitsForBreaker()) {
            add("delay",
                delay > Duration{0} ? forPeople(delay)
                        + QLatin1String(" from the failure until the circuit breaker is half-open")
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

    // What another host did with it after the one that decided: a host that is started again goes
    // on from the state file, and decides nothing anew.
    [[nodiscard]] QString afterItsHost() const
    {
        const auto &latest = m_found.latest;
        const auto last = m_found.lastOfRun.constFind(m_decision.run);
        const bool isLater = latest && latest->run != m_decision.run
            && last != m_found.lastOfRun.constEnd() && latest->row > last->row;
        if (!isLater)
            return QStringLiteral(", and nothing comes before it is started again");
        const StoredRun run = m_found.runOf(latest->run);
        const QString what = toRfc3339(latest->time) + QLatin1String(": ") + describe(*latest);
        // It did not take over: both had an agent of that name.
        if (run.firstEvent > 0 && run.firstEvent < last->row) {
            return QStringLiteral("; another host (process %1) ran beside it, and told of its own "
                                  "at %2")
                .arg(run.processId)
                .arg(what);
        }
        const QString text =
            QStringLiteral("; a later host (process %1) %2 with it, at %3")
                .arg(run.processId)
                .arg(run.hasExited() ? QStringLiteral("went on") : QStringLiteral("goes on"), what);
        return run.hasExited() ? text + QLatin1String("; ") + endText(run, QStringLiteral("that"))
                            : text;
    }

    // A host that is over starts nothing more: then it matters whether it lived to see the moment.
    [[nodiscard]] QString whenDue(UtcTime due) const
    {
        const StoredRun run = m_found.runOf(m_decision.run);
        const auto last = m_found.lastOfRun.constFind(m_decision.run);
        const bool wasSeen =
            due <= m_now && !(last != m_found.lastOfRun.constEnd() && last->time < due);
        if (run.hasExited() && !wasSeen) {
            return QStringLiteral("was to come at %1; %2%3")
                .arg(toRfc3339(due), endText(run), afterItsHost());
        }
        if (due > m_now)
            return QStringLiteral("due in %1, at %2").arg(forPeople(due - m_now), toRfc3339(due));
        return QLatin1String("was due at ") + toRfc3339(due);
    }

    [[nodiscard]] QString next() const
    {
        const Duration delay = durationIn(m_data, QLatin1String("delayMs"));
        // Of what is decided anew a while after the failure, part of the delay is over already.
        const Instant at{Duration(m_data[QLatin1String("restartAtMonoNs")].toInteger())};
        const Duration left = std::clamp(at - m_decision.monotonicTime, Duration{0}, delay);
        const UtcTime due = m_decision.time + std::chrono::round<std::chrono::milliseconds>(left);
        const QString when = whenDue(due);
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
        if (isGated())
            return QStringLiteral("no restart, unless somebody starts it or the tier changes");
        const QString rule = word(m_data, "rule");
        const bool mayRearm =
            rule == QLatin1String("AttemptsExhausted") || rule == QLatin1String("WindowExhausted");
        return mayRearm
            ? QStringLiteral("no restart, unless somebody starts it or its policy re-arms it")
            : QStringLiteral("no restart, unless somebody starts it");
    }

    const StoredDecision &m_decision;
    const Explained &m_found;
    const QJsonObject m_shadow;
    const UtcTime m_now;
    const QJsonObject m_data;
    const QJsonObject m_inputs;
    const QJsonObject m_failure;
    const QJsonObject m_health;
    const QJsonObject m_downgrade;
    const QJsonObject m_opinion;
    QByteArray m_text;
};

} // namespace

QByteArray explainText(const QString &agent, const Explained &found, UtcTime now)
{
    QByteArray text;
    for (const StoredDecision &decision : found.decisions)
        text += Explanation(decision, found, now).text() + '\n';
    if (found.decisions.isEmpty())
        text += noDecisionText(agent, found).toLocal8Bit() + "\n\n";
    if (found.latest) {
        const QString line = QStringLiteral("latest event: %1  %2")
                                 .arg(toRfc3339(found.latest->time), describe(*found.latest));
        text += forTerminal(line.toLocal8Bit()) + '\n';
    }
    return text;
}

QByteArray decisionJson(const StoredDecision &decision, const Explained &found)
{
    QJsonObject object{
        {QStringLiteral("row"), decision.row},
        {QStringLiteral("run"), decision.run},
        {QStringLiteral("instanceId"), decision.instanceId},
        {QStringLiteral("agent"), decision.agent},
        {QStringLiteral("time"), toRfc3339(decision.time)},
        {QStringLiteral("decision"), QJsonDocument::fromJson(decision.data).object()},
        {QStringLiteral("hash"), QString::fromLatin1(decision.hash.toHex())}};
    if (found.shadows.contains(decision.row))
        object.insert(QStringLiteral("shadow"), found.shadows.value(decision.row));
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

} // namespace Rekindle
