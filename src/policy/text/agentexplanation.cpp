// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "policy/internal/agenthistory.h"
#include "policy/internal/texthelpers.h"
#include "policy/internal/words.h"
#include "json/jsonwriter.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

// A line feed in a text of an agent would begin a line.
QString line(QString text) { return text.remove(u'\n') + u'\n'; }

// How a host has ended: the one of the decision, or a later one.
QString endText(const AgentHistory::Run &run, TimeFormat format, bool isLater = false)
{
    const QString process = QString::number(run.processId);
    if (run.ended) {
        const QString text = isLater ? Words::tr("that host (process %1) exited at %2")
                                     : Words::tr("its host (process %1) exited at %2");
        return text.arg(process, format(*run.ended));
    }
    return (isLater ? Words::tr("that host (process %1) is no longer running")
                    : Words::tr("its host (process %1) is no longer running"))
        .arg(process);
}

/// Formats one decision, a line for each aspect.
class DecisionFormatter
{
public:
    DecisionFormatter(const AgentHistory::Decision &decision, const AgentHistory &found,
                      UtcTime now, TimeFormat format)
        : m_decision(decision)
        , m_found(found)
        , m_shadow(decision.shadow)
        , m_now(now)
        , m_format(format)
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
        const QString time = m_format(m_decision.time);
        m_text = line(m_found.isLive
                          ? Words::tr("%1: decision of %2").arg(m_decision.agent, time)
                          : Words::tr("%1: decision in row %2, %3")
                                .arg(m_decision.agent, QString::number(m_decision.row), time));
        add(Words::tr("failure", "label"), failure());
        addPolicy();
        addHealth();
        add(Words::tr("breaker", "label"),
            Words::tr("%1, consecutive failures: %2")
                .arg(Words::ofData(textIn(m_inputs, "breakerState")),
                     textIn(m_inputs, "breakerFailures")));
        add(Words::tr("rule", "label"),
            QStringLiteral("%1: %2").arg(textIn(m_data, "rule"), textIn(m_data, "reason")));
        addEvaluations();
        addDelay();
        add(Words::tr("budget", "label"), budget());
        addStderr();
        if (m_decision.isCanceled)
            add(Words::tr("next", "label"),
                Words::tr("restart %1 was canceled").arg(textIn(m_data, "attemptNumber")));
        else if (!m_found.isLive) // the last line contains it
            add(Words::tr("next", "label"), next());
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
            add(Words::tr("request", "label"),
                Words::tr("policy %1; license tier %2 does not permit it; using %3")
                    .arg(textIn(m_downgrade, "requestedType"), textIn(m_downgrade, "tier"), type));
        }
        add(Words::tr("policy", "label"),
            restartsNothing()
                ? type
                : Words::tr("%1, %2 of %3 restarts made in this sequence")
                      .arg(type, textIn(m_inputs, "attemptsMade"), textIn(m_inputs, "maxRetries")));
    }

    [[nodiscard]] QString budget() const
    {
        if (isGated())
            return Words::tr("no restarts: license tier %1 does not permit them")
                .arg(textIn(m_downgrade, "tier"));
        if (restartsNothing())
            return Words::tr("no restarts: the policy type is none");
        const QString left = textIn(m_data, "budgetLeft");
        return left == QLatin1String("unlimited") ? Words::tr("unlimited restarts")
                                                  : Words::tr("restarts left: %1").arg(left);
    }

    void add(const QString &name, const QString &what)
    {
        m_text += line(QStringLiteral("  %1  %2").arg(name.leftJustified(7), what));
    }

    [[nodiscard]] QString failure() const
    {
        const QString process = textIn(m_failure, "pid");
        const QString text = Words::ofData(failureText(textIn(m_inputs, "reason"), m_failure));
        return process.toLongLong() > 0 ? Words::tr("%1, process %2", "failure").arg(text, process)
                                        : text;
    }

    // Adds nothing if the agent has no probes.
    void addHealth()
    {
        const QJsonArray history = m_health[u"history"].toArray();
        if (history.isEmpty())
            return;
        add(Words::tr("health", "label"),
            Words::tr("%1, consecutive probe failures: %2; last results:")
                .arg(Words::ofData(textIn(m_health, "state")),
                     textIn(m_health, "consecutiveMisses")));
        for (const auto &each : history) {
            const QJsonObject result = each.toObject();
            const bool isGood = result[u"ok"].toBool();
            const auto at = utcTimeFromRfc3339(textIn(result, "at"));
            add({},
                (isGood ? Words::tr("| %1  %2  ok after %3: %4")
                        : Words::tr("| %1  %2  failed after %3: %4"))
                    .arg(at ? m_format(*at) : QString(), textIn(result, "probe"),
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
            add(Words::tr("answer", "label"),
                hasAnswer ? text(m_evaluation)
                          : Words::tr("%1; the built-in decision applies").arg(text(m_evaluation)));
        }
        if (!m_shadow.isEmpty())
            add(Words::tr("shadow", "label"),
                text(m_shadow) + QLatin1String("; ") + shadowEffect());
    }

    // An evaluator is called only if the built-in rules permit a restart.
    [[nodiscard]] QString shadowEffect() const
    {
        const QString rule = textIn(m_shadow, "rule");
        const Duration delay = durationIn(m_shadow, "delayMs");
        if (rule != textIn(m_data, "rule")) {
            return rule == QLatin1String("CircuitOpen")
                ? Words::tr("it would have opened the circuit breaker for %1").arg(readable(delay))
                : Words::tr("it would have prevented the restart");
        }
        return delay == m_delay
            ? Words::tr("it would have changed nothing")
            : Words::tr("it would have set the delay to %1").arg(readable(delay));
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
                ? Words::tr("%1 instead of %2 (minInterval, or the pause after a failed launch)")
                      .arg(readable(after), readable(before))
                : Words::tr("%1 before jitter, %2 after jitter (%3, draw %4)")
                      .arg(readable(before), readable(after), textIn(m_inputs, "jitter"),
                           Words::number(QString::number(m_inputs[u"draw"].toDouble(), 'f', 3)));
            add(Words::tr("delay", "label"),
                after == m_delay
                    ? text
                    : Words::tr("%1; %2 by the evaluator").arg(text, readable(m_delay)));
        } else if (waitsForBreaker()) {
            add(Words::tr("delay", "label"),
                m_delay > Duration{0}
                    ? Words::tr("%1 from the failure until the circuit breaker is half-open")
                          .arg(readable(m_delay))
                    : Words::tr("none: the circuit breaker is isolated"));
        } else {
            add(Words::tr("delay", "label"), Words::tr("none", "delay"));
        }
    }

    void addStderr()
    {
        const QJsonArray lines = m_failure[u"stderrTail"].toArray();
        if (lines.isEmpty())
            add(Words::tr("stderr", "label"), Words::tr("no lines recorded"));
        for (const auto &each : lines)
            add(Words::tr("stderr", "label"), QLatin1String("| ") + each.toString());
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
            return Words::tr("; no restart until a host is started again");
        const AgentHistory::Run run = m_found.runOf(latest->run);
        const QString what =
            m_format(latest->time) + QLatin1String(": ") + eventText(latest->type, latest->data);
        // The hosts ran at the same time and both have an agent of that name.
        if (run.firstEvent > 0 && run.firstEvent < last->row) {
            return Words::tr(
                       "; another host (process %1) ran at the same time, with its own event at %2")
                .arg(QString::number(run.processId), what);
        }
        // After an orderly exit, the events of later hosts do not belong to this sequence.
        if (m_found.runOf(m_decision.run).ended)
            return Words::tr("; the next host began a new sequence");
        const QString text = Words::tr("; a later host (process %1) resumed it, at %2")
                                 .arg(QString::number(run.processId), what);
        return run.hasExited ? text + QLatin1String("; ") + endText(run, m_format, true) : text;
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
            return Words::tr("superseded by the start at %1").arg(m_format(started->time));
        if (run.hasExited && !wasSeen) {
            const bool wasAhead = due > run.ended.value_or(m_now);
            const QString when = wasAhead
                ? Words::tr("scheduled for %1, but %2", "how the host ended")
                : Words::tr("was due at %1; %2", "how the host ended");
            return when.arg(m_format(due), endText(run, m_format)) + laterHost();
        }
        if (due > m_now)
            return Words::tr("due in %1, at %2").arg(readable(due - m_now), m_format(due));
        return Words::tr("at %1", "time").arg(m_format(due));
    }

    [[nodiscard]] QString next() const
    {
        // For a decision that was changed later, part of the delay has passed.
        const Instant at{Duration(m_data[u"restartAtMonoNs"].toInteger())};
        const Duration left = std::clamp(at - m_decision.monotonicTime, Duration{0}, m_delay);
        const UtcTime due = m_decision.time + std::chrono::round<std::chrono::milliseconds>(left);
        const QString when = whenDue(due);
        if (isRestart()) {
            const QString text = m_data[u"isFinalAttempt"].toBool()
                ? Words::tr("restart %1, %2; the last restart before giving up", "and when")
                : Words::tr("restart %1, %2", "and when");
            return text.arg(textIn(m_data, "attemptNumber"), when);
        }
        if (waitsForBreaker() && m_delay > Duration{0})
            return Words::tr("half-open trial, %1", "when").arg(when);
        // After an orderly exit, the next host starts the agent.
        if (const AgentHistory::Run run = m_found.runOf(m_decision.run); run.ended)
            return endText(run, m_format) + laterHost();
        if (waitsForBreaker())
            return whileIsolatedText();
        if (isGated())
            return untilTierChangesText();
        const QString rule = textIn(m_data, "rule");
        const bool mayRearm =
            rule == QLatin1String("AttemptsExhausted") || rule == QLatin1String("WindowExhausted");
        return mayRearm ? Words::tr("no start until an operator starts it or rearmAfter, if it is "
                                    "set, has passed")
                        : untilStartedText();
    }

    const AgentHistory::Decision &m_decision;
    const AgentHistory &m_found;
    const QJsonObject m_shadow;
    const UtcTime m_now;
    const TimeFormat m_format;
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

QString AgentExplanation::toText(UtcTime now, TimeFormat time) const
{
    if (!m_history)
        return {};
    QString text;
    for (const AgentHistory::Decision &decision : m_history->decisions)
        text += DecisionFormatter(decision, *m_history, now, time).text() + u'\n';
    if (!hasDecisions())
        text += line(stateText(time)) + u'\n';
    for (const RecordedAction &action : m_history->actions)
        text += line(Words::tr("action: %1  %2").arg(time(action.time), action.text));
    if (m_history->isLive)
        text += line(Words::tr("now: %1; %2", "state and what happens next")
                         .arg(Words::ofData(m_history->state), m_history->next));
    if (const auto &latest = m_history->latest) {
        text += line(Words::tr("latest event: %1  %2")
                         .arg(time(latest->time), eventText(latest->type, latest->data)));
        const AgentHistory::Run run = m_history->runOf(latest->run);
        // The end of the last decision may contain the same.
        if (run.hasExited && !text.contains(endText(run, time))
            && !text.contains(endText(run, time, true)))
            text += line(endText(run, time));
    }
    return text;
}

QString AgentExplanation::stateText(TimeFormat time) const
{
    if (!m_history)
        return {};
    const AgentHistory &found = *m_history;
    if (found.isLive)
        return Words::tr("%1: no decision since the host started").arg(found.agent);
    if (found.failed) {
        return Words::tr("%1: failed at %2; no decision recorded")
            .arg(found.agent, time(found.failed->time));
    }
    if (!found.started)
        return Words::tr("%1: no failures; no start recorded").arg(found.agent);
    const QString generation =
        QJsonDocument::fromJson(found.started->data)[u"generation"].toVariant().toString();
    const bool hasStopped = found.stopped && found.stopped->row > found.started->row;
    if (hasStopped)
        return Words::tr("%1: no failures; stopped at %2, generation %3")
            .arg(found.agent, time(found.stopped->time), generation);
    const QString text = Words::tr("%1: no failures; started at %2, generation %3")
                             .arg(found.agent, time(found.started->time), generation);
    const AgentHistory::Run run = found.runOf(found.started->run);
    return run.hasExited ? text + QLatin1String("; ") + endText(run, time) : text;
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
