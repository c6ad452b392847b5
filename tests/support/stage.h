// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "eventlog.h"
#include "fulllicense.h"
#include "scriptedagent.h"

#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/lifecycle/virtualscheduler.h>
#include <rekindle/policy/policyjson.h>

#include <QCoreApplication>
#include <QPointer>

namespace Rekindle {

/// Returns a policy from the members of a JSON object with single quotes. The defaults are
/// exponential delays from 1 s without jitter.
inline RestartPolicy policyOf(const QString &text)
{
    QString json = QStringLiteral("{") + text;
    if (!text.contains(QLatin1String("'jitter'")))
        json += (text.isEmpty() ? QStringLiteral("") : QStringLiteral(","))
            + QStringLiteral("'jitter':{'kind':'none'}");
    json += QLatin1Char('}');
    const Parsed<RestartPolicy> parsed = restartPolicyFromJson(json.replace(u'\'', u'"').toUtf8());
    if (!parsed)
        qFatal("%s", qPrintable(parsed.messages().join(u'\n')));
    return *parsed.value;
}

/// A supervisor in virtual time with scripted agents, a scripted operator and an event log.
class Stage
{
public:
    explicit Stage(const SupervisorOptions &options = {})
        : m_owned(std::make_unique<AgentSupervisor>(scheduler, options,
                                                    [](const QUuid &) { return 0.5; }))
        , m_alive(m_owned.get())
        , supervisor(*m_owned)
        , log(supervisor.policyEvaluator())
    {
        grantAll(supervisor);
        QObject::connect(&supervisor, &AgentSupervisor::allStopped, &log,
                         [this] { log.write({}, QStringLiteral("ALLSTOPPED")); });
        QObject::connect(&supervisor, &AgentSupervisor::agentStuck, &log, [this](const QUuid &id) {
            log.write(supervisor.snapshot(id)->name, QStringLiteral("STUCK"));
        });
    }

    QUuid add(const QString &name, const AgentScript &script, const QString &policy = {})
    {
        return supervisor
            .add(name,
                 std::make_unique<ScriptedAgent>(
                     scheduler, script,
                     [this, name](const QString &word) { log.write(name, word); }),
                 policyOf(policy))
            .id;
    }

    /// Adds an agent that fails at each start.
    QUuid addFailing(const QString &name, const QString &policy = {})
    {
        return add(name, {.runs = QStringLiteral("started fail")}, policy);
    }

    /// Adds such an agent and runs a script.
    void begin(const QString &policy, const QString &script = QStringLiteral("start"))
    {
        addFailing(QStringLiteral("a"), policy);
        play(script);
    }

    /// Runs a script. "+5s" advances the time. All other words call the supervisor or its evaluator
    /// for the first agent, or for the named one: "stop:web". "a&b" makes both calls before events
    /// are processed.
    void play(const QString &script)
    {
        for (const QString &word : script.split(u' ', Qt::SkipEmptyParts)) {
            if (!m_alive)
                return;
            if (word.startsWith(u'+')) {
                advance(durationFromString(QStringView(word).mid(1)).value());
                continue;
            }
            for (const QString &one : word.split(u'&'))
                act(one.section(u':', 0, 0), one.section(u':', 1));
            advance(Duration::zero());
        }
    }

    void advance(Duration duration)
    {
        scheduler.advance(duration);
        QCoreApplication::sendPostedEvents();
        if (!m_owned)
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }

    /// Passes the ownership of the supervisor to the caller, so that deleteLater() works. The
    /// script ends when the supervisor is deleted.
    QPointer<AgentSupervisor> giveAway() { return m_owned.release(); }

    [[nodiscard]] bool isAlive() const { return !m_alive.isNull(); }
    [[nodiscard]] QUuid first() const { return supervisor.ids().value(0); }
    [[nodiscard]] InstanceState state() const
    {
        return supervisor.policyEvaluator().state(first()).value();
    }

    VirtualClock clock;
    VirtualScheduler scheduler{clock};

private:
    std::unique_ptr<AgentSupervisor> m_owned;
    QPointer<AgentSupervisor> m_alive;

public:
    AgentSupervisor &supervisor;
    EventLog log;

private:
    void act(const QString &word, const QString &argument)
    {
        const bool isPolicy = word == QLatin1String("policy");
        const QUuid id = argument.isEmpty() || isPolicy ? first() : supervisor.idOf(argument);
        RestartPolicyEvaluator &evaluator = supervisor.policyEvaluator();
        if (word == QLatin1String("start"))
            supervisor.start(id);
        else if (word == QLatin1String("stop"))
            supervisor.stop(id);
        else if (word == QLatin1String("restart"))
            supervisor.restart(id);
        else if (word == QLatin1String("retry"))
            supervisor.retryNow(id);
        else if (word == QLatin1String("remove"))
            supervisor.remove(id);
        else if (word == QLatin1String("startAll"))
            supervisor.startAll();
        else if (word == QLatin1String("stopAll"))
            supervisor.stopAll();
        else if (word == QLatin1String("killAll"))
            supervisor.killAll();
        else if (word == QLatin1String("reset"))
            evaluator.resetCircuitBreaker(id);
        else if (word == QLatin1String("isolate"))
            evaluator.isolateCircuitBreaker(id);
        else if (word == QLatin1String("release"))
            evaluator.releaseCircuitBreaker(id);
        else if (word == QLatin1String("hold"))
            evaluator.addHolds(id, Hold::Dependency);
        else if (word == QLatin1String("lift"))
            evaluator.liftHolds(id, Hold::Dependency);
        else if (isPolicy)
            evaluator.setPolicy(id, policyOf(argument));
        else
            qFatal("unknown word: %s", qPrintable(word));
    }
};

} // namespace Rekindle
