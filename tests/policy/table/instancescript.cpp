// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "instancescript.h"

#include <rekindle/policy/policyjson.h>

#include <QHash>
#include <QMetaEnum>
#include <QRegularExpression>
#include <QtTest>

namespace Rekindle {

using namespace std::chrono_literals;

namespace {

QString fieldJson(const QString &key, const QString &text)
{
    const QStringList parts = text.split(u'/');
    if (key == QLatin1String("window"))
        return QStringLiteral(R"({"restarts":%1,"period":"%2"})").arg(parts.at(0), parts.at(1));
    if (key == QLatin1String("requestLimit"))
        return QStringLiteral(R"({"count":%1,"period":"%2"})").arg(parts.at(0), parts.at(1));
    if (key == QLatin1String("circuitBreaker") && parts.size() > 1) {
        const QString rest = parts.size() < 3
            ? QString()
            : QStringLiteral(R"(,"growth":%1,"maxTimeout":"%2")").arg(parts.at(2), parts.at(3));
        return QStringLiteral(R"({"threshold":%1,"timeout":"%2"%3})")
            .arg(parts.at(0), parts.at(1), rest);
    }
    if (key == QLatin1String("jitter"))
        return QStringLiteral(R"({"kind":"%1"})").arg(text);
    bool isPlain = text == QLatin1String("true");
    if (!isPlain)
        static_cast<void>(text.toInt(&isPlain));
    return isPlain ? text : u'"' + text + u'"';
}

RestartPolicy policyFromText(const QString &text)
{
    static const QHash<QString, QString> shortKeys = {
        {QStringLiteral("breaker"), QStringLiteral("circuitBreaker")},
        {QStringLiteral("initial"), QStringLiteral("initialDelay")},
        {QStringLiteral("stable"), QStringLiteral("stableAfter")},
        {QStringLiteral("requests"), QStringLiteral("requestLimit")},
        {QStringLiteral("requested"), QStringLiteral("requestedDelay")},
        {QStringLiteral("rearm"), QStringLiteral("rearmAfter")},
    };
    QStringList members;
    if (!text.contains(QLatin1String("jitter")))
        members << QStringLiteral(R"("jitter":{"kind":"none"})");
    static const QRegularExpression separator(QStringLiteral("[ ,]"));
    for (const QString &field : text.split(separator, Qt::SkipEmptyParts)) {
        const QString name = field.section(u'=', 0, 0);
        const QString key = shortKeys.value(name, name);
        members << (key == QLatin1String("custom")
                        ? QStringLiteral(R"("type":"custom","evaluator":{"id":"test"})")
                        : u'"' + key + u"\":" + fieldJson(key, field.section(u'=', 1)));
    }
    const QString json = u'{' + members.join(u',') + u'}';
    const Parsed<RestartPolicy> policy = restartPolicyFromJson(json.toUtf8());
    if (!policy.value)
        qFatal("invalid policy: %s", qPrintable(json));
    return *policy.value;
}

QString shortState(CircuitBreakerState state) { return toText(state).toLower(); }

} // namespace

Rows<QString, QString, QString, QString> InstanceScript::addColumns()
{
    return Rows<QString, QString, QString, QString>("policy", "script", "log", "state");
}

void InstanceScript::checkRow()
{
    QFETCH(QString, policy);
    QFETCH(QString, script);
    QFETCH(QString, log);
    QFETCH(QString, state);
    InstanceScript run(policy);
    run.play(script);
    QCOMPARE(run.log(), log);
    QCOMPARE(run.state(), state);
}

InstanceScript::InstanceScript(const QString &policy)
    : m_policy(policy)
    , m_instance(std::make_shared<const RestartPolicy>(policyFromText(policy)))
{
    m_instance.evaluatorAvailable = true;
}

void InstanceScript::play(const QString &script)
{
    for (const QString &text : script.split(u' ', Qt::SkipEmptyParts))
        word(text);
}

void InstanceScript::word(const QString &text)
{
    const QString name = text.section(u':', 0, 0);
    const QString argument = text.section(u':', 1);
    if (text.startsWith(u'+')) {
        advance(durationFromString(text.mid(1)).value());
    } else if (name == QLatin1String("draw")) {
        m_draw = argument.toDouble();
    } else if (name == QLatin1String("miss")) {
        m_missAt = m_now;
    } else if (name == QLatin1String("late")) {
        m_late = true;
    } else if (name == QLatin1String("prompt")) {
        m_late = false;
    } else if (name == QLatin1String("stale")) {
        m_wrong = true;
        word(argument);
        m_wrong = false;
    } else if (name == QLatin1String("killed")) {
        restartHost(argument.isEmpty() ? m_policy : argument, memory());
    } else {
        apply(inputOf(name, argument));
    }
}

InstanceMemory InstanceScript::memory() const { return remember(m_instance, m_now); }

void InstanceScript::restartHostLater(Duration later)
{
    restartHost(m_policy, memory().shiftedBy(later));
}

void InstanceScript::restartHost(const QString &policy, const InstanceMemory &memory)
{
    const bool gated = m_instance.gated;
    m_instance = Instance(std::make_shared<const RestartPolicy>(policyFromText(policy)));
    m_instance.evaluatorAvailable = true;
    m_instance.gated = gated;
    write(QStringLiteral("KILLED"));
    InstanceInput input;
    input.kind = InputKind::Resume;
    input.memory = &memory;
    apply(input);
}

InstanceInput InstanceScript::inputOf(const QString &name, const QString &argument)
{
    using Verdict = EvaluatorVerdict::Kind;
    static const QHash<QString, InputKind> kinds = {
        {QStringLiteral("start"), InputKind::Start},
        {QStringLiteral("stop"), InputKind::Stop},
        {QStringLiteral("shutdown"), InputKind::Stop},
        {QStringLiteral("restart"), InputKind::Restart},
        {QStringLiteral("reset"), InputKind::ResetBreaker},
        {QStringLiteral("isolate"), InputKind::IsolateBreaker},
        {QStringLiteral("release"), InputKind::ReleaseBreaker},
        {QStringLiteral("policy"), InputKind::ChangePolicy},
        {QStringLiteral("gate"), InputKind::ChangePolicy},
        {QStringLiteral("launch"), InputKind::Launch},
        {QStringLiteral("started"), InputKind::Started},
        {QStringLiteral("extend"), InputKind::ExtendStart},
        {QStringLiteral("ready"), InputKind::Ready},
        {QStringLiteral("fail"), InputKind::Failed},
        {QStringLiteral("permanent"), InputKind::Failed},
        {QStringLiteral("exited"), InputKind::Failed},
        {QStringLiteral("unhealthy"), InputKind::Unhealthy},
        {QStringLiteral("exit0"), InputKind::Exited},
        {QStringLiteral("exit42"), InputKind::ExitedForRestart},
        {QStringLiteral("request"), InputKind::RequestRestart},
        {QStringLiteral("deadline"), InputKind::Deadline},
        {QStringLiteral("accept"), InputKind::Verdict},
        {QStringLiteral("refuse"), InputKind::Verdict},
        {QStringLiteral("trip"), InputKind::Verdict},
        {QStringLiteral("delay"), InputKind::Verdict},
        {QStringLiteral("success"), InputKind::Success},
        {QStringLiteral("resume"), InputKind::Resume},
        {QStringLiteral("hold"), InputKind::AddHolds},
        {QStringLiteral("lift"), InputKind::LiftHolds},
        {QStringLiteral("groupstop"), InputKind::GroupStop},
        {QStringLiteral("giveup"), InputKind::GiveUp},
        {QStringLiteral("refund"), InputKind::Refund},
    };
    if (!kinds.contains(name))
        qFatal("no word of the script: %s", qPrintable(name));
    InstanceInput input;
    input.kind = kinds.value(name);
    m_failure = {FailureReason::ProcessCrash, {.permanent = name == QLatin1String("permanent")}};
    input.failure = &m_failure;
    input.byHost = name == QLatin1String("shutdown");
    if (name == QLatin1String("fail") && !argument.isEmpty()) {
        if (const auto reason = valueOf(failureReasons, argument))
            m_failure.reason = *reason;
        else
            m_failure.detail.exitCode = argument.toInt();
    } else if (input.kind == InputKind::ChangePolicy) {
        input.policy = std::make_shared<const RestartPolicy>(policyFromText(argument));
        input.gated = name == QLatin1String("gate");
    } else if (name == QLatin1String("extend")) {
        input.extension = durationFromString(argument).value();
    } else if (name == QLatin1String("hold") || name == QLatin1String("lift")
               || name == QLatin1String("groupstop") || name == QLatin1String("refund")) {
        for (const QString &each : argument.split(u','))
            input.holds |= valueOf(holdNames, each).value();
    } else if (name == QLatin1String("refuse")) {
        input.verdict.kind = Verdict::Refuse;
    } else if (name == QLatin1String("trip")) {
        input.verdict.kind = Verdict::OpenBreaker;
    } else if (name == QLatin1String("delay")) {
        input.verdict = {Verdict::Delay, durationFromString(argument).value()};
    }
    return input;
}

void InstanceScript::apply(InstanceInput input)
{
    input.generation = m_instance.generation - (m_wrong ? 1 : 0);
    input.probeFailedAt = m_missAt;
    const quint64 before = m_instance.generation;
    const Outcome outcome = InstanceTable::apply(m_instance, input, m_now, m_draw);
    if (outcome.stale)
        write(QStringLiteral("STALE"));
    if (outcome.refused)
        write(QStringLiteral("REFUSED"));
    if (m_instance.generation != before)
        write(QStringLiteral("RUN%1").arg(m_instance.generation));
    for (int i = 0; i < outcome.eventCount; ++i)
        writeEvent(outcome.events[static_cast<std::size_t>(i)]);
    if (outcome.stop == Outcome::Stop::InOrder)
        write(QStringLiteral("STOP"));
    if (outcome.stop == Outcome::Stop::AtOnce)
        write(QStringLiteral("KILL"));
    if (outcome.evaluate)
        write(QStringLiteral("EVALUATE"));
    if (!outcome.launch)
        return;
    if (m_late) {
        write(QStringLiteral("LAUNCH"));
        return;
    }
    InstanceInput launch;
    launch.kind = InputKind::Launch;
    apply(launch);
}

void InstanceScript::advance(Duration time)
{
    const Instant end = m_now + time;
    InstanceInput due;
    due.kind = InputKind::Deadline;
    while (m_instance.deadline && *m_instance.deadline <= end) {
        m_now = std::max(m_now, *m_instance.deadline);
        apply(due);
    }
    m_now = end;
}

void InstanceScript::write(const QString &entry)
{
    if (m_now != m_written)
        m_log << durationToString(m_now.time_since_epoch() - 1h);
    m_written = m_now;
    m_log << entry;
}

void InstanceScript::writeEvent(const InstanceEvent &event)
{
    using Kind = InstanceEvent::Kind;
    // In the order of the kinds, except for the breaker.
    static const QStringList words =
        QStringLiteral("started ready stable stopped failed requested scheduled attempt succeeded "
                       "unsuccessful exhausted cancelled")
            .split(u' ');
    QString text;
    if (event.kind == Kind::CircuitBreakerStateChanged)
        text = QLatin1String(event.restored ? "restored:" : "") + shortState(event.oldState) + u'>'
            + shortState(event.newState);
    else if (event.kind == Kind::StartHeld)
        text = QLatin1String("held:") + toTexts(event.holds).join(u',');
    else if (event.kind == Kind::RestartDeclined)
        text = QLatin1String("declined:")
            + QLatin1String(QMetaEnum::fromType<RestartDeclined::Cause>().valueToKey(
                qToUnderlying(event.cause)));
    else
        text = (event.trial ? QStringLiteral("trial") : words.at(static_cast<int>(event.kind)))
            + QLatin1String(event.collateral ? ":collateral" : "");
    if (event.kind >= Kind::RestartScheduled && event.kind <= Kind::RestartCancelled)
        text += QStringLiteral("#%1").arg(event.attempt);
    if (event.kind == Kind::RestartFailed)
        text += QLatin1String(event.willRetry ? "+" : "-");
    if (event.delay)
        text += QLatin1Char('@') + durationToString(*event.delay);
    write(text);
}

QString InstanceScript::state() const
{
    QString text = toText(m_instance.state);
    if (m_instance.attempt > 0)
        text += QStringLiteral(" #%1").arg(m_instance.attempt);
    if (m_instance.deadline)
        text += QStringLiteral(" in ") + durationToString(*m_instance.deadline - m_now);
    if (m_instance.startDue)
        text += QStringLiteral(" due");
    if (m_instance.holds)
        text += QStringLiteral(" held:") + toTexts(m_instance.holds).join(u',');
    return text;
}

} // namespace Rekindle
