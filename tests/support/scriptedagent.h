// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/agent.h>
#include <rekindle/lifecycle/scheduler.h>

#include <QStringList>

#include <functional>

namespace Rekindle {

/// What a ScriptedAgent does. A script is words; `runs` holds one script for each start, with "|"
/// between them, and the last one repeats. Words:
///   started ready stopped fail fail:REASON fail:CODE   signals of these names
///   exit42   it has ended and wants to be started anew
///   out:TEXT err:TEXT   it writes a line
///   ask      it asks for a restart and goes on
///   +1s      time passes
/// An empty `onStop` or `onKill` means that it does not listen.
struct AgentScript
{
    QString runs = QStringLiteral("started ready");
    QString onStop = QStringLiteral("stopped");
    QString onKill = QStringLiteral("stopped");
};

/// An agent without a process that plays a script in the scheduler's time.
class ScriptedAgent final : public Agent
{
public:
    /// `tell` is called with "START", "STOP" and "KILL", and with "TWICE" where it is started
    /// while it is still alive.
    ScriptedAgent(
        Scheduler &scheduler, const AgentScript &script,
        std::function<void(const QString &)> tell = [](const QString &) {})
        : m_runs(script.runs.split(u'|'))
        , m_onStop(script.onStop)
        , m_onKill(script.onKill)
        , m_tell(std::move(tell))
        , m_pause(scheduler, [this] { goOn(); })
    {
    }

    void start() override
    {
        m_tell(m_alive ? QStringLiteral("TWICE") : QStringLiteral("START"));
        m_alive = true;
        play(m_runs.at(std::min<qsizetype>(m_starts++, m_runs.size() - 1)));
    }
    void stop() override
    {
        m_tell(QStringLiteral("STOP"));
        if (!m_onStop.isEmpty())
            play(m_onStop);
    }
    void kill() override
    {
        m_tell(QStringLiteral("KILL"));
        if (!m_onKill.isEmpty())
            play(m_onKill);
    }
    [[nodiscard]] bool isAlive() const override { return m_alive; }
    [[nodiscard]] qint64 processId() const override { return m_alive ? 1000 + m_starts : 0; }

private:
    void play(const QString &script)
    {
        m_pause.disarm();
        m_words = script.split(u' ', Qt::SkipEmptyParts);
        goOn();
    }

    void goOn()
    {
        while (!m_words.isEmpty()) {
            const QString word = m_words.takeFirst();
            if (word.startsWith(u'+')) {
                m_pause.armIn(durationFromString(QStringView(word).mid(1)).value());
                return;
            }
            say(word.section(u':', 0, 0), word.section(u':', 1));
        }
    }

    void say(const QString &word, const QString &argument)
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
        } else if (word == QLatin1String("stopped")) {
            m_alive = false;
            Q_EMIT stopped();
        } else if (word == QLatin1String("fail")) {
            sayFailed(argument);
        } else {
            qFatal("no such word: %s", qPrintable(word));
        }
    }

    void sayFailed(const QString &argument)
    {
        FailureDetail detail;
        detail.message = QStringLiteral("scripted");
        detail.processId = processId();
        bool isCode = false;
        const int code = argument.toInt(&isCode);
        if (isCode)
            detail.exitCode = code;
        m_alive = false;
        Q_EMIT failed(failureReasonFromString(argument).value_or(FailureReason::ProcessCrash),
                      detail);
    }

    QStringList m_runs;
    QString m_onStop;
    QString m_onKill;
    QStringList m_words;
    std::function<void(const QString &)> m_tell;
    qsizetype m_starts = 0;
    bool m_alive = false;
    Deadline m_pause;
};

} // namespace Rekindle
