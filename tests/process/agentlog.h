// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/timerscheduler.h>
#include <rekindle/process/processagent.h>

#include <QTest>

namespace Rekindle {

/// A definition of the chaos agent that is ready immediately.
inline ProcessDefinition chaos(const QStringList &commands)
{
    ProcessDefinition definition;
    definition.program = QStringLiteral(REKINDLE_CHAOSAGENT);
    definition.arguments = commands;
    definition.readiness.kind = Readiness::Kind::Now;
    return definition;
}

/// The same, with the commands as words. "%1" is replaced by `file`.
inline ProcessDefinition chaos(const char *commands, const QString &file = {})
{
    const QString text = QString::fromLatin1(commands).replace(QLatin1String("%1"), file);
    return chaos(text.split(u' ', Qt::SkipEmptyParts));
}

/// Splits the text of several entries of an AgentLog at ", ".
inline QStringList listOf(const char *entries)
{
    return QString::fromLatin1(entries).split(QLatin1String(", "));
}

/// An agent and its signals as text, in order.
class AgentLog : public QObject
{
public:
    explicit AgentLog(ProcessDefinition definition)
        : agent(std::move(definition), scheduler)
    {
        connect(&agent, &Agent::started, this, [this] { add(QStringLiteral("started")); });
        connect(&agent, &Agent::ready, this, [this] { add(QStringLiteral("ready")); });
        connect(&agent, &Agent::stopped, this, [this] { add(QStringLiteral("stopped")); });
        connect(&agent, &Agent::failed, this,
                [this](FailureReason reason, const FailureDetail &detail) {
                    failure = {reason, detail};
                    add(QStringLiteral("failed ") + toText(reason));
                });
        connect(&agent, &Agent::restartRequested, this, [this](const QString &reason) {
            add(QStringLiteral("restart requested: ") + reason);
        });
        connect(&agent, &ProcessAgent::stuck, this, [this] { add(QStringLiteral("stuck")); });
        connect(&agent, &Agent::output, this,
                [this](AgentOutput::Stream stream, const QByteArray &line) {
                    add((stream == AgentOutput::Stream::Output ? QStringLiteral("out ")
                                                               : QStringLiteral("err "))
                        + QString::fromUtf8(line));
                });
    }

    /// Whether the entry appears within 30 s, after the first `from` entries.
    bool waitFor(const QString &entry, qsizetype from = 0)
    {
        return QTest::qWaitFor([&] { return entries.indexOf(entry, from) >= 0; }, 30000);
    }

    /// Whether the current start ends within 30 s.
    bool waitForEnd()
    {
        return QTest::qWaitFor([this] { return !agent.isAlive(); }, 30000);
    }

    /// Whether a new start ends within 30 s.
    bool run()
    {
        agent.start();
        return waitForEnd();
    }

    TimerScheduler scheduler;
    ProcessAgent agent;
    QStringList entries;
    Failure failure;

private:
    void add(const QString &entry) { entries.push_back(entry); }
};

} // namespace Rekindle
