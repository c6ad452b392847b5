// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "runsession_p.h"

#include "base/signalname_p.h"
#include "cli/options/storechoice_p.h"
#include "cli/output/exitcode_p.h"
#include "cli/output/messages_p.h"
#include "cli/output/terminal_p.h"

#include <rekindle/process/processagent.h>

#include <QCoreApplication>

#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <utility>

namespace Rekindle {

namespace {

// With readiness by line, all of stdout passes through here, and a slow reader must not lose lines.
constexpr qsizetype outputBacklog = qsizetype{16} * 1024 * 1024;

// If stdout is a pipe, its reader (for example a pager) uses the terminal too, so the child cannot
// get it. A background job shares it, too, so that a child that reads it is stopped.
bool hasTerminalToShare()
{
    struct stat output{};
    const bool pipes = ::fstat(STDOUT_FILENO, &output) == 0 && S_ISFIFO(output.st_mode);
    return ::isatty(STDIN_FILENO) != 0 && !pipes;
}

// By the signal itself, or with the exit code of a shell whose program it terminated.
bool isBySignal(const FailureDetail &detail, int number)
{
    return detail.signal == number || detail.exitCode == ExitCode::bySignal(number);
}

} // namespace

RunSession::RunSession(RunRequest request, Messages &messages)
    : HostSession(request.host,
                  // Without the arguments: programs that are run once with each would leave a store
                  // for each.
                  storeOfProgram(QLatin1String("run-") + agentNameOf(request.process.program),
                                 {request.process.program}),
                  messages)
    , m_request(std::move(request))
    , m_name(agentNameOf(m_request.process.program))
    , m_exitDeadline(m_supervision.scheduler(), [this] { m_supervision.endAll(); })
{
}

int RunSession::run()
{
    if (!m_supervision.setLicense(
            m_options.license.followed(m_supervision.scheduler(), m_messages)))
        return ExitCode::configuration;
    const QList<UsedFile> files =
        filesRead({m_request.policyFile}, QStringLiteral("the policy file"));
    if (const int code = checkFiles(filesWith(files), m_messages); code != ExitCode::fine)
        return code;
    warnWithoutStateFolder();
    if (!openEvents() || !openStore() || !prepare())
        return ExitCode::usage;
    listen();
    m_supervision.startAll();
    runEventLoop();
    if (m_output)
        m_output->finish(); // before the store is closed, which a slow disk delays
    closeStore();
    return exitCode();
}

bool RunSession::prepare()
{
    ProcessDefinition &process = m_request.process;
    process.standardInput = ProcessDefinition::StandardInput::Inherit;
    process.standardOutput.kind = OutputTarget::Kind::Inherit;
    process.standardError.kind = OutputTarget::Kind::Inherit;
    process.sharesTerminal = hasTerminalToShare();
    process.inheritsDescriptors = true; // for `rekindle run -- PROGRAM 3<file`
    if (process.readiness.kind == Readiness::Kind::Line) {
        process.standardOutput.kind = OutputTarget::Kind::Lines;
        process.standardOutput.longestLine = OutputTarget::greatestLongestLine;
    }
    m_agent = m_supervision.add(m_name, process, m_request.policy);
    if (!m_agent)
        return false;
    if (process.readiness.kind == Readiness::Kind::Line)
        forwardOutput();
    return true;
}

void RunSession::forwardOutput()
{
    m_output = OutputChannel::to(STDOUT_FILENO, outputBacklog);
    if (!m_output)
        return;
    connect(m_output.get(), &OutputChannel::failed, this, [this](const QString &reason) {
        m_messages.say(QStringLiteral("stdout: %1; output of %2 is lost").arg(reason, m_name));
    });
    connect(m_agent, &Agent::output, this,
            [this](AgentOutput::Stream, const QByteArray &line) { m_output->write(line + '\n'); });
}

void RunSession::listen()
{
    if (m_request.process.sharesTerminal) {
        watchSignals({SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGCHLD});
        connect(&m_supervision.policyEvaluator(), &RestartPolicyEvaluator::agentFailed, this,
                &RunSession::onFailure);
        connect(&m_supervision.policyEvaluator(), &RestartPolicyEvaluator::restartRequested, this,
                &RunSession::stopAfterKey);
        connect(m_signals.get(), &SignalWatch::keyPressed, this, &RunSession::onKey);
    } else {
        watchSignals({SIGINT, SIGTERM, SIGHUP});
    }
    if (m_request.process.standardOutput.kind == OutputTarget::Kind::Inherit)
        connect(&m_supervision.policyEvaluator(), &RestartPolicyEvaluator::agentFailed, this,
                &RunSession::stopIfUnread);
    connect(&m_supervision, &Supervision::ended, this, [this] {
        m_signals->read(); // prints the key that was pressed before the program exited
        QCoreApplication::exit();
    });
    narrate();
}

void RunSession::onSignal(int number)
{
    if (number == SIGCHLD) {
        m_agent->followJobControl();
        return;
    }
    const bool again = m_supervision.isEnding();
    reportStop(signalName(number), again);
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

void RunSession::onFailure(const AgentFailed &event)
{
    stopAfterKey();
    if (isBySignal(event.detail, SIGINT) || event.detail.signal == SIGQUIT)
        stopQuietly();
}

// As in `PROGRAM | head -1`: every further start would fail in the same way.
void RunSession::stopIfUnread(const AgentFailed &event)
{
    if (m_supervision.isEnding() || !isBySignal(event.detail, SIGPIPE) || !isUnread(STDOUT_FILENO))
        return;
    m_isUnread = true;
    stopQuietly();
}

// After Ctrl-C, the program is not restarted, whatever its exit code and its policy.
void RunSession::stopAfterKey()
{
    m_signals->read(); // the key that ended the program may still be unread
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
