// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "runsession_p.h"

#include "cli/options/distinctfiles_p.h"
#include "cli/output/exitcode_p.h"
#include "cli/output/messages_p.h"

#include <rekindle/process/processagent.h>

#include <QCoreApplication>
#include <QFileInfo>

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <utility>

namespace Rekindle {

namespace {

// With readiness by line, all of stdout passes through here, and a slow reader must not lose lines.
constexpr qsizetype outputBacklog = 16 * 1024 * 1024;

// If stdout is a pipe, its reader (for example a pager) uses the terminal too, so the child cannot
// get it.
bool hasTerminalToShare()
{
    struct stat output
    {
    };
    const bool pipes = ::fstat(STDOUT_FILENO, &output) == 0 && S_ISFIFO(output.st_mode);
    return ::isatty(STDIN_FILENO) != 0 && ::tcgetpgrp(STDIN_FILENO) == ::getpgrp() && !pipes;
}

bool isInterrupted(const FailureDetail &detail)
{
    constexpr int interrupted = 128 + SIGINT;
    return detail.signal == SIGINT || detail.signal == SIGQUIT || detail.exitCode == interrupted;
}

bool isByBrokenPipe(const FailureDetail &detail)
{
    constexpr int brokenPipe = 128 + SIGPIPE;
    return detail.signal == SIGPIPE || detail.exitCode == brokenPipe;
}

// Whether the other end of a pipe or a socket is closed.
bool isUnread(int descriptor)
{
    pollfd look{descriptor, POLLOUT, 0};
    return ::poll(&look, 1, 0) == 1 && (look.revents & (POLLERR | POLLHUP)) != 0;
}

} // namespace

RunSession::RunSession(RunRequest request, Messages &messages)
    : m_request(std::move(request))
    , m_messages(messages)
    , m_supervision(messages)
    , m_name(QFileInfo(m_request.process.program).fileName())
    , m_exitDeadline(m_supervision.scheduler(), [this] { m_supervision.endAll(); })
{
    if (m_name.isEmpty())
        m_name = m_request.process.program;
}

RunSession::~RunSession() = default;

int RunSession::run()
{
    auto license = m_request.license.followed(m_supervision.scheduler(), m_messages);
    if (!license)
        return ExitCode::configuration;
    m_supervision.setLicense(std::move(license));
    if (!checkFiles() || !openEvents() || !prepare())
        return ExitCode::usage;
    listen();
    m_supervision.startAll();
    QCoreApplication::exec();
    if (m_output)
        m_output->finish();
    return exitCode();
}

bool RunSession::prepare()
{
    ProcessDefinition &process = m_request.process;
    process.standardInput = StandardInput::Inherit;
    process.standardOutput.kind = OutputTarget::Kind::Inherit;
    process.standardError.kind = OutputTarget::Kind::Inherit;
    process.sharesTerminal = hasTerminalToShare();
    process.inheritsDescriptors = true; // for `rekindle run -- PROGRAM 3<file`
    if (process.readiness.kind == Readiness::Kind::Line) {
        process.standardOutput.kind = OutputTarget::Kind::Lines;
        process.standardOutput.longestLine = OutputTarget::greatestLongestLine;
    }
    m_supervision.setEvaluatorFolders(m_request.pluginFolders);
    m_agent = m_supervision.add(m_name, process, m_request.policy);
    if (!m_agent)
        return false;
    if (process.readiness.kind == Readiness::Kind::Line)
        forwardOutput();
    return true;
}

bool RunSession::checkFiles()
{
    if (m_request.events.isEmpty() || m_request.events == QLatin1String("-"))
        return true;
    QList<UsedFile> files = filesRead(m_request.license.files(), QStringLiteral("a license file"));
    if (!m_request.policyFile.isEmpty())
        files.append({.path = m_request.policyFile, .what = QStringLiteral("the policy file")});
    files.append({.path = m_request.events,
                  .what = QStringLiteral("the events file"),
                  .option = QStringLiteral("--events")});
    return areFilesDistinct(files, m_messages);
}

bool RunSession::openEvents()
{
    if (m_request.events.isEmpty())
        return true;
    m_events = std::make_unique<EventStream>(m_supervision.evaluator(), m_messages,
                                             EventStream::Pace::EachLine);
    return m_events->addNamed(m_request.events);
}

void RunSession::forwardOutput()
{
    m_output = OutputChannel::to(STDOUT_FILENO, outputBacklog);
    if (!m_output)
        return;
    connect(m_output.get(), &OutputChannel::failed, this, [this](const QString &reason) {
        m_messages.say(QStringLiteral("stdout: %1; output of %2 is lost").arg(reason, m_name));
    });
    connect(m_agent, &ProcessAgent::outputLine, this,
            [this](ProcessAgent::Stream, const QByteArray &line) { m_output->write(line + '\n'); });
}

void RunSession::listen()
{
    if (m_request.process.sharesTerminal) {
        m_signals.reset(new SignalWatch({SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGCHLD}));
        connect(&m_supervision.evaluator(), &RestartPolicyEvaluator::agentFailed, this,
                &RunSession::onFailure);
        connect(&m_supervision.evaluator(), &RestartPolicyEvaluator::restartRequested, this,
                &RunSession::onRestartRequest);
        connect(m_signals.get(), &SignalWatch::keyPressed, this, &RunSession::onKey);
    } else {
        m_signals.reset(new SignalWatch({SIGINT, SIGTERM, SIGHUP}));
    }
    if (m_request.process.standardOutput.kind == OutputTarget::Kind::Inherit)
        connect(&m_supervision.evaluator(), &RestartPolicyEvaluator::agentFailed, this,
                &RunSession::stopIfUnread);
    connect(m_signals.get(), &SignalWatch::received, this, &RunSession::onSignal);
    connect(&m_supervision, &Supervision::ended, this, [this] {
        m_signals->read(); // prints the key that was pressed before the program exited
        QCoreApplication::exit();
    });
    if (!m_request.quiet) {
        m_narrator = std::make_unique<Narrator>(
            m_supervision.supervisor(), [this](const QString &text) { m_messages.say(text); });
    }
}

void RunSession::onSignal(int number)
{
    if (number == SIGCHLD) {
        m_agent->followJobControl();
        return;
    }
    const bool again = m_supervision.isEnding();
    reportStop(QLatin1String("SIG") + QString::fromLatin1(::sigabbrev_np(number)), again);
    m_exitDeadline.disarm();
    m_supervision.endAll();
}

// Ctrl-C stops the program and this process, whatever the program does with SIGINT. The program has
// received the signal already, and gets as much time to exit as after SIGTERM.
void RunSession::onKey(int signalNumber)
{
    const bool again = m_supervision.isEnding() || m_exitDeadline.isArmed();
    reportStop(signalNumber == SIGQUIT ? QStringLiteral("Ctrl-\\") : QStringLiteral("Ctrl-C"),
               again);
    if (!again) {
        m_exitDeadline.armIn(m_request.process.stop.terminate);
        return;
    }
    m_exitDeadline.disarm();
    if (!m_supervision.isEnding())
        m_supervision.endAll();
    m_supervision.endAll();
}

void RunSession::reportStop(const QString &cause, bool again)
{
    if (!m_narrator)
        return;
    m_narrator->mute();
    m_messages.say((again ? QStringLiteral("%1: killing (%2)")
                          : QStringLiteral("%1: stopping (%2); repeat to kill"))
                       .arg(m_name, cause));
}

// The key that ended the program may still be unread.
void RunSession::onFailure(const AgentFailed &event)
{
    m_signals->read();
    if (isInterrupted(event.detail))
        stopQuietly();
    else
        stopAfterKey();
}

// As in `PROGRAM | head -1`: every further start would fail in the same way.
void RunSession::stopIfUnread(const AgentFailed &event)
{
    if (m_supervision.isEnding() || !isByBrokenPipe(event.detail) || !isUnread(STDOUT_FILENO))
        return;
    m_isUnread = true;
    stopQuietly();
}

void RunSession::onRestartRequest()
{
    m_signals->read();
    stopAfterKey();
}

// After Ctrl-C, the program is not restarted, whatever its exit code and its policy.
void RunSession::stopAfterKey()
{
    if (m_exitDeadline.isArmed())
        stopQuietly();
}

void RunSession::stopQuietly()
{
    m_exitDeadline.disarm();
    if (m_supervision.isEnding())
        return;
    if (m_narrator)
        m_narrator->mute();
    m_supervision.endAll();
}

int RunSession::exitCode() const
{
    if (m_isUnread)
        return ExitCode::bySignal(SIGPIPE);
    if (m_supervision.isEnding() || m_supervision.tally().givenUp() == 0)
        return ExitCode::fine;
    return m_agent->lastExitStatus().value_or(ExitCode::givenUp);
}

} // namespace Rekindle
