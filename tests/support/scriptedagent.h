// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/agent.h>
#include <rekindle/lifecycle/scheduler.h>

#include <QStringList>

#include <functional>

namespace Rekindle {

/// The behavior of a ScriptedAgent. `runs` contains one script per start, separated by "|"; the
/// last one repeats. The words of a script are:
///   started ready stopped fail fail:REASON fail:CODE   emit the signal of this name
///   down:NAME   fail with DependencyFailure, and name the dependency
///   exit42   exit and request a restart
///   out:TEXT err:TEXT   write a line
///   stuck    report that it does not exit
///   ask      request a restart and keep running
///   +1s      wait
/// If `onStop` or `onKill` is empty, the agent ignores the call.
struct AgentScript
{
    QString runs = QStringLiteral("started ready");
    QString onStop = QStringLiteral("stopped");
    QString onKill = QStringLiteral("stopped");
    bool isProcess = true; ///< can be bound to the kill deadline
};

/// An agent without a process that runs a script in the scheduler's time.
class ScriptedAgent final : public Agent
{
public:
    /// `report` is called with "START", "STOP" and "KILL", with "TWICE" if the agent is started
    /// while it is running, and with "BOUND", "UNBOUND" and "FENCED".
    ScriptedAgent(
        Scheduler &scheduler, const AgentScript &script,
        std::function<void(const QString &)> report = [](const QString &) {})
        : m_runs(script.runs.split(u'|'))
        , m_onStop(script.onStop)
        , m_onKill(script.onKill)
        , m_isProcess(script.isProcess)
        , m_report(std::move(report))
        , m_pause(scheduler, [this] { continueScript(); })
    {
    }

    void start() override
    {
        m_report(m_alive ? QStringLiteral("TWICE") : QStringLiteral("START"));
        m_alive = true;
        play(m_runs.at(std::min<qsizetype>(m_starts++, m_runs.size() - 1)));
    }
    void stop() override
    {
        m_report(QStringLiteral("STOP"));
        if (!m_onStop.isEmpty())
            play(m_onStop);
    }
    void kill() override
    {
        m_report(QStringLiteral("KILL"));
        if (!m_onKill.isEmpty())
            play(m_onKill);
    }
    /// An agent whose script contains "stuck" limits its stop itself.
    [[nodiscard]] std::optional<Duration> defaultStopTimeout() const override
    {
        return m_onStop.contains(QLatin1String("stuck")) ? std::nullopt
                                                         : Agent::defaultStopTimeout();
    }
    [[nodiscard]] bool setKillDeadlineBound(bool bound) override
    {
        if (m_isProcess)
            m_report(bound ? QStringLiteral("BOUND") : QStringLiteral("UNBOUND"));
        return m_isProcess;
    }
    void setFencingToken(qint64 token) override
    {
        m_token = token;
        m_report(QStringLiteral("FENCED"));
    }
    [[nodiscard]] qint64 fencingToken() const { return m_token; }
    [[nodiscard]] bool isAlive() const override { return m_alive; }
    [[nodiscard]] qint64 processId() const override { return m_alive ? 1000 + m_starts : 0; }

    /// Runs these words now instead of the rest of the script.
    void play(const QString &script)
    {
        m_pause.disarm();
        m_words = script.split(u' ', Qt::SkipEmptyParts);
        continueScript();
    }

private:
    void continueScript()
    {
        while (!m_words.isEmpty()) {
            const QString word = m_words.takeFirst();
            if (word.startsWith(u'+')) {
                m_pause.armIn(durationFromString(QStringView(word).mid(1)).value());
                return;
            }
            perform(word.section(u':', 0, 0), word.section(u':', 1));
        }
    }

    void perform(const QString &word, const QString &argument)
    {
        if (word == QLatin1String("started")) {
            Q_EMIT started();
        } else if (word == QLatin1String("ready")) {
            Q_EMIT ready();
        } else if (word == QLatin1String("out")) {
            Q_EMIT output(AgentOutput::Stream::Output, argument.toUtf8());
        } else if (word == QLatin1String("err")) {
            Q_EMIT output(AgentOutput::Stream::Error, argument.toUtf8());
        } else if (word == QLatin1String("ask")) {
            Q_EMIT restartRequested(QStringLiteral("asked"));
        } else if (word == QLatin1String("exit42")) {
            m_alive = false;
            Q_EMIT restartRequested(QStringLiteral("exit code 42"));
        } else if (word == QLatin1String("stuck")) {
            Q_EMIT stuck();
        } else if (word == QLatin1String("stopped")) {
            m_alive = false;
            Q_EMIT stopped();
        } else if (word == QLatin1String("fail")) {
            emitFailed(argument);
        } else if (word == QLatin1String("down")) {
            m_alive = false;
            Q_EMIT failed(FailureReason::DependencyFailure, {.dependency = argument});
        } else {
            qFatal("unknown word: %s", qPrintable(word));
        }
    }

    void emitFailed(const QString &argument)
    {
        FailureDetail detail;
        detail.message = QStringLiteral("scripted");
        detail.processId = processId();
        bool isCode = false;
        const int code = argument.toInt(&isCode);
        if (isCode)
            detail.exitCode = code;
        m_alive = false;
        Q_EMIT failed(valueOf(failureReasons, argument).value_or(FailureReason::ProcessCrash),
                      detail);
    }

    QStringList m_runs;
    QString m_onStop;
    QString m_onKill;
    bool m_isProcess;
    qint64 m_token = 0;
    QStringList m_words;
    std::function<void(const QString &)> m_report;
    qsizetype m_starts = 0;
    bool m_alive = false;
    Deadline m_pause;
};

} // namespace Rekindle
