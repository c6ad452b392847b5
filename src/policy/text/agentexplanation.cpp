// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "policy/internal/agenthistory.h"
#include "policy/internal/texthelpers.h"
#include "json/jsonwriter.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

// A line feed in a text of an agent would begin a line.
QString line(QString text) { return text.remove(u'\n') + u'\n'; }

// How a host has ended. `which` is the word before "host".
QString endText(const AgentHistory::Run &run, const QString &which = QStringLiteral("its"))
{
    const QString host = QStringLiteral("%1 host (process %2) ").arg(which).arg(run.processId);
    if (run.ended)
        return host + QLatin1String("exited at ") + toRfc3339(*run.ended);
    return host + QLatin1String("is no longer running");
}

/// Formats one decision, a line for each aspect.
class DecisionFormatter
{
public:
    DecisionFormatter(const AgentHistory::Decision &decision, const AgentHistory &found,
                      UtcTime now)
        : m_decision(decision)
        , m_found(found)
        , m_shadow(decision.shadow)
        , m_now(now)
        , m_data(decision.object)
        , m_delay(durationIn(m_data, "delayMs"))
        , m_inputs(m_data[u"inputs"].toObject())
        , m_failure(m_data[u"failure"].toObject())
        , m_health(m_data[u"health"].toObject())
        , m_downgrade(m_data[u"downgraded"].toObject())
        , m_evaluation(m_data[u"evaluator"].toObject())
    {
    }

    QString text()
    {
        const QString place = m_found.isLive ? QStringLiteral("of")
                                             : QStringLiteral("in row %1,").arg(m_decision.row);
        m_text = line(QStringLiteral("%1: decision %2 %3")
                          .arg(m_decision.agent, place, toRfc3339(m_decision.time)));
        add("failure", failure());
        addPolicy();
        addHealth();
        add("breaker",
            QStringLiteral("%1, consecutive failures: %2")
                .arg(textIn(m_inputs, "breakerState"), textIn(m_inputs, "breakerFailures")));
        add("rule", QStringLiteral("%1: %2").arg(textIn(m_data, "rule"), textIn(m_data, "reason")));
        addEvaluations();
        addDelay();
        add("budget", budget());
        addStderr();
        if (m_decision.isCanceled)
            add("next",
                QStringLiteral("restart %1 was canceled").arg(textIn(m_data, "attemptNumber")));
        else if (!m_found.isLive) // the last line contains it
            add("next", next());
        return m_text;
    }

private:
    [[nodiscard]] bool isRestart() const { return m_data[u"shouldRestart"].toBool(); }

    [[nodiscard]] bool waitsForBreaker() const { return m_data[u"circuitBreakerTripped"].toBool(); }

    [[nodiscard]] bool restartsNothing() const
    {
        return m_inputs[u"policyType"] == toText(RestartPolicyType::None);
    }
    [[nodiscard]] bool isGated() const { return restartsNothing() && !m_downgrade.isEmpty(); }

    void addPolicy()
    {
        const QString type = textIn(m_inputs, "policyType");
        if (!m_downgrade.isEmpty()) {
            add("request",
                QStringLiteral("policy %1; license tier %2 does not permit it; using %3")
                    .arg(textIn(m_downgrade, "requestedType"), textIn(m_downgrade, "tier"), type));
        }
        add("policy",
            restartsNothing()
                ? type
                : QStringLiteral("%1, %2 of %3 restarts made in this sequence")
                      .arg(type, textIn(m_inputs, "attemptsMade"), textIn(m_inputs, "maxRetries")));
    }

    [[nodiscard]] QString budget() const
    {
        if (isGated())
            return QStringLiteral("no restarts: license tier %1 does not permit them")
                .arg(textIn(m_downgrade, "tier"));
        if (restartsNothing())
            return QStringLiteral("no restarts: the policy type is none");
        const QString left = textIn(m_data, "budgetLeft");
        return left == QLatin1String("unlimited") ? QStringLiteral("unlimited restarts")
                                                  : QLatin1String("restarts left: ") + left;
    }

    void add(const char *name, const QString &what)
    {
        m_text +=
            line(QStringLiteral("  %1  %2").arg(QString::fromLatin1(name).leftJustified(7), what));
    }

    [[nodiscard]] QString failure() const
    {
        const QString process = textIn(m_failure, "pid");
        QString text = failureText(textIn(m_inputs, "reason"), m_failure);
        if (process.toLongLong() > 0)
            text += QLatin1String(", process ") + process;
        return text;
    }

    // Adds nothing if the agent has no probes.
    void addHealth()
    {
        const QJsonArray history = m_health[u"history"].toArray();
        if (history.isEmpty())
            return;
        add("health",
            QStringLiteral("%1, consecutive probe failures: %2; last results:")
                .arg(textIn(m_health, "state"), textIn(m_health, "consecutiveMisses")));
        for (const auto &each : history) {
            const QJsonObject result = each.toObject();
            const bool isGood = result[u"ok"].toBool();
            add("",
                QStringLiteral("| %1  %2  %3 after %4: %5")
                    .arg(textIn(result, "at"), textIn(result, "probe"),
                         isGood ? QStringLiteral("ok") : QStringLiteral("failed"),
                         readable(durationIn(result, "tookMs")), textIn(result, "text")));
        }
    }

    void addEvaluations()
    {
        const auto text = [](const QJsonObject &evaluation) {
            return evaluationText(textIn(evaluation, "id"), textIn(evaluation, "answer"),
                                  textIn(evaluation, "reason"));
        };
        if (!m_evaluation.isEmpty()) {
            const bool hasAnswer = textIn(m_evaluation, "answer") != QLatin1String("none");
            add("answer",
                text(m_evaluation)
                    + (hasAnswer ? QString() : QStringLiteral("; the built-in decision applies")));
        }
        if (!m_shadow.isEmpty())
            add("shadow", text(m_shadow) + QLatin1String("; ") + shadowEffect());
    }

    // An evaluator is called only if the built-in rules permit a restart.
    [[nodiscard]] QString shadowEffect() const
    {
        const QString rule = textIn(m_shadow, "rule");
        const Duration delay = durationIn(m_shadow, "delayMs");
        if (rule != textIn(m_data, "rule")) {
            return rule == QLatin1String("CircuitOpen")
                ? QStringLiteral("it would have opened the circuit breaker for ") + readable(delay)
                : QStringLiteral("it would have prevented the restart");
        }
        return delay == m_delay
            ? QStringLiteral("it would have changed nothing")
            : QStringLiteral("it would have set the delay to ") + readable(delay);
    }

    void addDelay()
    {
        if (isRestart()) {
            const Duration before = durationIn(m_inputs, "calculatedDelayMs");
            const Duration after =
                m_evaluation.isEmpty() ? m_delay : durationIn(m_evaluation, "builtInDelayMs");
            // Jitter does not apply to a delay of 0.
            const bool isJittered =
                before > Duration{0} && textIn(m_inputs, "jitter") != toText(JitterKind::None);
            const QString text = after > before && !isJittered
                ? QStringLiteral("%1 instead of %2 (minInterval, or the pause after a failed "
                                 "launch)")
                      .arg(readable(after), readable(before))
                : QStringLiteral("%1 before jitter, %2 after jitter (%3, draw %4)")
                      .arg(readable(before), readable(after), textIn(m_inputs, "jitter"),
                           textIn(m_inputs, "draw"));
            add("delay",
                after == m_delay
                    ? text
                    : QStringLiteral("%1; %2 by the evaluator").arg(text, readable(m_delay)));
        } else if (waitsForBreaker()) {
            add("delay",
                m_delay > Duration{0} ? readable(m_delay)
                        + QLatin1String(" from the failure until the circuit breaker is half-open")
                                      : QStringLiteral("none: the circuit breaker is isolated"));
        } else {
            add("delay", QStringLiteral("none"));
        }
    }

    void addStderr()
    {
        const QJsonArray lines = m_failure[u"stderrTail"].toArray();
        if (lines.isEmpty())
            add("stderr", QStringLiteral("no lines recorded"));
        for (const auto &each : lines)
            add("stderr", QLatin1String("| ") + each.toString());
    }

    // What a later host did with the agent. A host that resumes from the state file records no new
    // decision.
    [[nodiscard]] QString laterHost() const
    {
        const auto &latest = m_found.latest;
        const auto last = m_found.lastOfRun.constFind(m_decision.run);
        const bool isLater = latest && latest->run != m_decision.run
            && last != m_found.lastOfRun.constEnd() && latest->row > last->row;
        if (!isLater)
            return QStringLiteral("; no restart until a host is started again");
        const AgentHistory::Run run = m_found.runOf(latest->run);
        const QString what =
            toRfc3339(latest->time) + QLatin1String(": ") + eventText(latest->type, latest->data);
        // The hosts ran at the same time and both have an agent of that name.
        if (run.firstEvent > 0 && run.firstEvent < last->row) {
            return QStringLiteral("; another host (process %1) ran at the same time, with its own "
                                  "event at %2")
                .arg(run.processId)
                .arg(what);
        }
        // After an orderly exit, the events of later hosts do not belong to this sequence.
        if (m_found.runOf(m_decision.run).ended)
            return QStringLiteral("; the next host began a new sequence");
        const QString text = QStringLiteral("; a later host (process %1) resumed it, at %2")
                                 .arg(run.processId)
                                 .arg(what);
        return run.hasExited ? text + QLatin1String("; ") + endText(run, QStringLiteral("that"))
                             : text;
    }

    // If the host exited before this time, the start did not happen.
    [[nodiscard]] QString whenDue(UtcTime due) const
    {
        const AgentHistory::Run run = m_found.runOf(m_decision.run);
        const auto last = m_found.lastOfRun.constFind(m_decision.run);
        const bool wasSeen =
            due <= m_now && !(last != m_found.lastOfRun.constEnd() && last->time < due);
        const auto &started = m_found.started;
        if (!wasSeen && started && started->run == m_decision.run
            && started->monotonicTime > m_decision.monotonicTime)
            return QLatin1String("superseded by the start at ") + toRfc3339(started->time);
        if (run.hasExited && !wasSeen) {
            const bool wasAhead = due > run.ended.value_or(m_now);
            const QString when = wasAhead ? QStringLiteral("scheduled for %1, but ")
                                          : QStringLiteral("was due at %1; ");
            return when.arg(toRfc3339(due)) + endText(run) + laterHost();
        }
        if (due > m_now)
            return QStringLiteral("due in %1, at %2").arg(readable(due - m_now), toRfc3339(due));
        return QLatin1String("at ") + toRfc3339(due);
    }

    [[nodiscard]] QString next() const
    {
        // For a decision that was changed later, part of the delay has passed.
        const Instant at{Duration(m_data[u"restartAtMonoNs"].toInteger())};
        const Duration left = std::clamp(at - m_decision.monotonicTime, Duration{0}, m_delay);
        const UtcTime due = m_decision.time + std::chrono::round<std::chrono::milliseconds>(left);
        const QString when = whenDue(due);
        if (isRestart()) {
            const bool last = m_data[u"isFinalAttempt"].toBool();
            return QStringLiteral("restart %1, %2%3")
                .arg(textIn(m_data, "attemptNumber"), when,
                     last ? QStringLiteral("; the last restart before giving up") : QString());
        }
        if (waitsForBreaker() && m_delay > Duration{0})
            return QLatin1String("half-open trial, ") + when;
        // After an orderly exit, the next host starts the agent.
        if (const AgentHistory::Run run = m_found.runOf(m_decision.run); run.ended)
            return endText(run) + laterHost();
        if (waitsForBreaker())
            return whileIsolatedText;
        const QString text = untilStartedText;
        if (isGated())
            return text + QLatin1String(" or the license tier changes");
        const QString rule = textIn(m_data, "rule");
        const bool mayRearm =
            rule == QLatin1String("AttemptsExhausted") || rule == QLatin1String("WindowExhausted");
        return mayRearm ? text + QLatin1String(" or rearmAfter, if it is set, has passed") : text;
    }

    const AgentHistory::Decision &m_decision;
    const AgentHistory &m_found;
    const QJsonObject m_shadow;
    const UtcTime m_now;
    const QJsonObject m_data;
    const Duration m_delay;
    const QJsonObject m_inputs;
    const QJsonObject m_failure;
    const QJsonObject m_health;
    const QJsonObject m_downgrade;
    const QJsonObject m_evaluation;
    QString m_text;
};

} // namespace

AgentExplanation::AgentExplanation(AgentHistory history)
    : m_history(std::make_shared<const AgentHistory>(std::move(history)))
{
}

bool AgentExplanation::hasDecisions() const { return m_history && !m_history->decisions.isEmpty(); }

QString AgentExplanation::toText(UtcTime now) const
{
    if (!m_history)
        return {};
    QString text;
    for (const AgentHistory::Decision &decision : m_history->decisions)
        text += DecisionFormatter(decision, *m_history, now).text() + u'\n';
    if (!hasDecisions())
        text += line(stateText()) + u'\n';
    for (const auto &[time, action] : m_history->actions)
        text += line(QStringLiteral("action: %1  %2").arg(toRfc3339(time), action));
    if (m_history->isLive)
        text += line(QStringLiteral("now: %1; %2").arg(m_history->state, m_history->next));
    if (const auto &latest = m_history->latest) {
        text += line(QStringLiteral("latest event: %1  %2")
                         .arg(toRfc3339(latest->time), eventText(latest->type, latest->data)));
        const AgentHistory::Run run = m_history->runOf(latest->run);
        // The end of the last decision may contain the same.
        if (run.hasExited && !text.contains(endText(run, {})))
            text += line(endText(run));
    }
    return text;
}

QString AgentExplanation::stateText() const
{
    if (!m_history)
        return {};
    const AgentHistory &found = *m_history;
    if (found.isLive)
        return found.agent + QLatin1String(": no decision since the host started");
    if (found.failed) {
        return QStringLiteral("%1: failed at %2; no decision recorded")
            .arg(found.agent, toRfc3339(found.failed->time));
    }
    const QString text = found.agent + QLatin1String(": no failures; ");
    if (!found.started)
        return text + QLatin1String("no start recorded");
    const QString generation =
        QJsonDocument::fromJson(found.started->data)[u"generation"].toVariant().toString();
    const bool hasStopped = found.stopped && found.stopped->row > found.started->row;
    const AgentHistory::Run run = found.runOf(found.started->run);
    return text
        + QStringLiteral("%1 at %2, generation %3%4")
              .arg(hasStopped ? QStringLiteral("stopped") : QStringLiteral("started"),
                   toRfc3339(hasStopped ? found.stopped->time : found.started->time), generation,
                   run.hasExited && !hasStopped ? QLatin1String("; ") + endText(run) : QString());
}

QByteArray AgentExplanation::toJson() const
{
    if (!m_history)
        return {};
    QByteArray lines;
    const bool isStored = !m_history->isLive;
    for (const AgentHistory::Decision &decision : m_history->decisions) {
        lines += jsonObject([&](JsonWriter &json) {
            if (isStored) {
                json.member("row", decision.row);
                json.member("run", decision.run);
            }
            json.member("instanceId", decision.instanceId);
            json.member("agent", decision.agent);
            json.member("time", toRfc3339(decision.time));
            json.key("decision");
            const bool isLine =
                isStored && !decision.object.isEmpty() && !decision.data.contains('\n');
            isLine ? json.json(decision.data) : json.value(decision.object);
            if (isStored)
                json.member("hash", QLatin1String(decision.hash.toHex()));
            if (!decision.shadow.isEmpty())
                json.member("shadow", decision.shadow);
        });
        lines += '\n';
    }
    return lines;
}

} // namespace Rekindle
