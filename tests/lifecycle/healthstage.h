// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "eventlog.h"
#include "scriptedprobe.h"

#include <rekindle/lifecycle/agent.h>
#include <rekindle/lifecycle/agentmonitor.h>
#include <rekindle/lifecycle/heartbeatprobe.h>
#include <rekindle/lifecycle/virtualscheduler.h>

#include <QtTest>

#include <functional>

namespace Rekindle {

/// An agent that emits signals only by the script.
class PassiveAgent final : public Agent
{
public:
    void start() override {}
    void stop() override {}
    bool requestHeartbeat() const override
    {
        if (onRequest)
            onRequest();
        return onRequest != nullptr;
    }

    std::function<void()> onRequest; ///< if set, it emits heartbeats on request
};

/// A monitor in virtual time with one agent, and a log of the monitor's signals and of the calls of
/// probes.
class HealthStage
{
public:
    HealthStage()
    {
        QObject::connect(&monitor, &AgentMonitor::healthChanged, &monitor,
                         [this](const QUuid &, quint64 generation, const AgentHealthStatus &before,
                                const AgentHealthStatus &after) {
                             QCOMPARE(generation, m_generation);
                             QVERIFY(before != after);
                             QCOMPARE(monitor.health(id), after);
                             write(healthWord(after));
                         });
        QObject::connect(&monitor, &AgentMonitor::agentUnhealthy, &monitor,
                         [this](const QUuid &, quint64 generation, const Failure &theFailure) {
                             failure = theFailure;
                             write(QStringLiteral("FAILED:%1").arg(generation));
                         });
        monitor.watch(id, &agent);
    }

    void setProbes(const QStringList &scripts, const HealthSchedule &schedule = {})
    {
        std::vector<HealthCheck> checks;
        for (const QString &script : scripts) {
            auto probe = std::make_unique<ScriptedProbe>(
                scheduler, script, [this](const QString &word) { write(word); });
            checks.push_back({QStringLiteral("probe"), schedule, std::move(probe)});
        }
        QCOMPARE(monitor.setHealth(id, std::move(checks)), QList<Fault>{});
    }

    /// Sets a HeartbeatProbe as the only probe.
    void setHeartbeat(const HealthSchedule &schedule = {})
    {
        std::vector<HealthCheck> checks;
        checks.push_back(
            {QStringLiteral("heartbeat"), schedule, std::make_unique<HeartbeatProbe>(agent)});
        QVERIFY(monitor.setHealth(id, std::move(checks)).isEmpty());
    }

    /// Words: "+5s" advances the time; "stall:5s" does so without firing deadlines; "utc:1d" and
    /// "utc:-1d" move the wall clock; "probes:SCRIPT" sets a probe; all others are actions of the
    /// agent.
    void play(const QString &script)
    {
        for (const QString &word : script.split(u' ', Qt::SkipEmptyParts)) {
            const QString argument = word.section(u':', 1);
            if (word.startsWith(u'+'))
                scheduler.advance(durationFromString(QStringView(word).mid(1)).value());
            else if (word.startsWith(QLatin1String("stall:")))
                clock.advance(durationFromString(argument).value());
            else if (word.startsWith(QLatin1String("utc:-")))
                moveUtc(-durationFromString(argument.mid(1)).value());
            else if (word.startsWith(QLatin1String("utc:")))
                moveUtc(durationFromString(argument).value());
            else
                act(word);
            scheduler.advance(Duration::zero());
        }
    }

    /// The agent emits heartbeats only on request; each request is logged.
    void answerRequests()
    {
        agent.onRequest = [this] { write(QStringLiteral("request")); };
    }

    [[nodiscard]] QString log() const { return m_words.join(u' '); }

    VirtualClock clock;
    VirtualScheduler scheduler{clock};
    PassiveAgent agent;
    AgentMonitor monitor{scheduler};
    QUuid id = QUuid::createUuid();
    Failure failure;

private:
    void moveUtc(Duration by)
    {
        clock.setUtc(clock.utcNow() + std::chrono::round<std::chrono::milliseconds>(by));
    }

    void act(const QString &word)
    {
        if (word == QLatin1String("start")) {
            monitor.setGeneration(id, ++m_generation);
            Q_EMIT agent.started();
        } else if (word == QLatin1String("ready")) {
            Q_EMIT agent.ready();
        } else if (word == QLatin1String("beat")) {
            Q_EMIT agent.heartbeat();
        } else if (word.startsWith(QLatin1String("probes:"))) {
            setProbes({word.section(u':', 1)});
        } else if (word == QLatin1String("giveUp")) {
            Q_EMIT agent.reportedUnhealthy(QStringLiteral("lost"));
        } else if (word == QLatin1String("fail")) {
            Q_EMIT agent.failed(FailureReason::ProcessCrash, {});
        } else if (word == QLatin1String("stopped")) {
            Q_EMIT agent.stopped();
        } else if (word == QLatin1String("endHealth")) {
            monitor.endHealth(id);
        } else {
            qFatal("no such word: %s", qPrintable(word));
        }
    }

    void write(const QString &word)
    {
        if (const Instant now = clock.now(); now != m_written) {
            m_words.append(durationToString(now.time_since_epoch()));
            m_written = now;
        }
        m_words.append(word);
    }

    quint64 m_generation = 0;
    Instant m_written{};
    QStringList m_words;
};

} // namespace Rekindle
