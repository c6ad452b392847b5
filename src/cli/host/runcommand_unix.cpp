// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/signalname_p.h"
#include "cli/commands/command_p.h"
#include "cli/options/evaluatoroptions_p.h"
#include "cli/options/policyoptions_p.h"
#include "cli/options/storechoice_p.h"
#include "cli/output/terminal_p.h"
#include "hostsession_p.h"

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

struct RunRequest
{
    HostOptions host;
    ProcessDefinition process;
    RestartPolicy policy;
    QString policyFile; ///< from which the policy was read, or empty
};

/// Supervises one program with the stdin, stdout and stderr of this process.
class RunSession final : public HostSession
{
public:
    RunSession(RunRequest request, Messages &messages)
        : HostSession(request.host,
                      // Without the arguments: programs that are run once with each would leave a
                      // store for each.
                      storeOfProgram(QLatin1String("run-") + agentNameOf(request.process.program),
                                     {request.process.program}),
                      messages)
        , m_request(std::move(request))
        , m_name(agentNameOf(m_request.process.program))
        , m_exitDeadline(m_supervision.scheduler(), [this] { m_supervision.endAll(); })
    {
    }

    /// Runs the event loop; returns the exit code.
    int run()
    {
        followLicense();
        checkFiles(filesWith(filesRead({m_request.policyFile}, QStringLiteral("the policy file"))),
                   m_messages);
        warnWithoutStateFolder();
        openEvents();
        openStore();
        addProgram();
        listen();
        m_supervision.startAll();
        runEventLoop();
        if (m_output)
            m_output->finish(); // before the store is closed, which a slow disk delays
        closeStore();
        return exitCode();
    }

private:
    void addProgram()
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
            throw CommandFailure{ExitCode::usage};
        if (process.readiness.kind == Readiness::Kind::Line)
            forwardOutput();
    }

    void forwardOutput()
    {
        m_output = OutputChannel::to(STDOUT_FILENO, outputBacklog);
        if (!m_output)
            return;
        connect(m_output.get(), &OutputChannel::failed, this, [this](const QString &reason) {
            m_messages.say(QStringLiteral("stdout: %1; output of %2 is lost").arg(reason, m_name));
        });
        connect(m_agent, &Agent::output, this, [this](AgentOutput::Stream, const QByteArray &line) {
            m_output->write(line + '\n');
        });
    }

    void listen()
    {
        if (m_request.process.sharesTerminal) {
            watchSignals({SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGCHLD});
            connect(&m_supervision.policyEvaluator(), &RestartPolicyEvaluator::agentFailed, this,
                    &RunSession::onFailure);
            connect(&m_supervision.policyEvaluator(), &RestartPolicyEvaluator::restartRequested,
                    this, &RunSession::stopAfterKey);
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

    void onSignal(int number) override
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

    // Ctrl-C stops the program and this process, whatever the program does with SIGINT. The program
    // has received the signal already, and gets as much time to exit as after SIGTERM.
    void onKey(int signalNumber)
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

    void reportStop(const QString &cause, bool again)
    {
        if (!m_narrator)
            return;
        m_narrator->mute();
        m_messages.say((again ? QStringLiteral("%1: killing (%2)")
                              : QStringLiteral("%1: stopping (%2); repeat to kill"))
                           .arg(m_name, cause));
    }

    void onFailure(const AgentFailed &event)
    {
        stopAfterKey();
        if (isBySignal(event.detail, SIGINT) || event.detail.signal == SIGQUIT)
            stopQuietly();
    }

    // As in `PROGRAM | head -1`: every further start would fail in the same way.
    void stopIfUnread(const AgentFailed &event)
    {
        if (m_supervision.isEnding() || !isBySignal(event.detail, SIGPIPE)
            || !isUnread(STDOUT_FILENO))
            return;
        m_isUnread = true;
        stopQuietly();
    }

    // After Ctrl-C, the program is not restarted, whatever its exit code and its policy.
    void stopAfterKey()
    {
        m_signals->read(); // the key that ended the program may still be unread
        if (m_exitDeadline.isArmed())
            stopQuietly();
    }

    void stopQuietly()
    {
        m_exitDeadline.disarm();
        if (m_supervision.isEnding())
            return;
        if (m_narrator)
            m_narrator->mute();
        m_supervision.endAll();
    }

    [[nodiscard]] int exitCode() const
    {
        if (m_isUnread)
            return ExitCode::bySignal(SIGPIPE);
        if (m_supervision.isEnding() || m_supervision.tally().givenUp() == 0)
            return ExitCode::fine;
        return m_agent->lastExitStatus().value_or(ExitCode::givenUp);
    }

    RunRequest m_request;
    const QString m_name;
    ProcessAgent *m_agent = nullptr;
    Deadline m_exitDeadline;                 ///< for the exit of a program that got SIGINT by a key
    std::unique_ptr<OutputChannel> m_output; ///< only with readiness by line
    bool m_isUnread = false;                 ///< stopped because the reader of stdout has exited
};

class RunCommand final : public Command
{
public:
    void addOptions(CLI::App &command) override
    {
        expectProgram(command, "rekindle run [OPTIONS] -- PROGRAM [ARG...]", "program");
        m_policy.addTo(command);
        addReady(command, m_request.process.readiness);
        addText(command, "--store", m_request.host.store,
                "Record events and decisions in FILE (default: run-PROGRAM-HASH.sqlite in "
                "${XDG_STATE_HOME:-~/.local/state}/rekindle)",
                "FILE|off");
        m_request.host.addTo(command);
    }

    int execute(Messages &messages) override
    {
        const bool readyAtOnce = m_request.process.readiness.kind == Readiness::Kind::Now;
        m_request.policy = m_policy.resolve(readyAtOnce, messages);
        m_request.policyFile = m_policy.file();
        warnIfNeverReady(messages);
        checkEvaluator(m_request.policy, m_request.host.pluginFolders, messages);
        m_request.process.program = program()->front();
        m_request.process.arguments = program()->mid(1);
        return RunSession(std::move(m_request), messages).run();
    }

private:
    void warnIfNeverReady(Messages &messages) const
    {
        const Readiness &ready = m_request.process.readiness;
        const Duration most = m_request.policy.startTimeout;
        if (ready.kind != Readiness::Kind::Alive || ready.aliveFor < most)
            return;
        messages.say(
            QStringLiteral("--ready: warning: alive:%1 is not reached, because the policy's "
                           "startTimeout is %2")
                .arg(durationToString(ready.aliveFor), durationToString(most)));
    }

    PolicyOptions m_policy;
    RunRequest m_request;
};

} // namespace

const CommandRow runCommand{
    .name = "run",
    .summary = "Supervise one program",
    .help =
        R"(The program has rekindle's stdin, stdout and stderr; messages of rekindle go to stderr. With
--ready line:REGEX, stdout passes through rekindle line by line.

Exit code 0 of the program ends the command, 42 requests a restart, and any other code is a
failure. If SIGPIPE terminates the program and stdout has no reader (| head), it is not
restarted.

SIGINT, SIGTERM and SIGHUP stop the program and rekindle; a second signal kills the program.
SIGUSR1 opens the file of --events again, for logrotate.
On a terminal, Ctrl-C sends SIGINT to the program. If it has not exited after 5 s, SIGTERM
follows; a second Ctrl-C kills it. After Ctrl-C it is not restarted, whatever its exit code.
If rekindle is started with SIGINT ignored (sh -c '... &'), SIGINT stays ignored.

Examples:
  rekindle run -- ./server --port 8080
  rekindle run --max-retries 5 --initial-delay 200ms -- ./worker
  rekindle run --policy watchdog --events events.jsonl -- python3 tool.py
  rekindle run --ready line:listening --circuit-breaker 3:30s -- ./server
  rekindle run --store server.sqlite -- ./server
)",
    .exitCodes = {{0, "the program exited with 0, or a stop was requested"},
                  {1, nullptr},
                  {78,
                   "invalid policy or license key, no state folder for --license, or an output "
                   "file\nexists that rekindle did not write"},
                  {126, "the program is not executable"},
                  {127, "the program was not found"},
                  {141, "stdout has no reader"}},
    .note = "If the program was given up: its own exit code, or 128 + N after signal N.\n",
    .make = makeCommand<RunCommand>,
};

} // namespace Rekindle
