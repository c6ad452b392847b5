// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commands/command_p.h"
#include "cli/options/evaluatoroptions_p.h"
#include "cli/options/policyoptions_p.h"
#include "runsession_p.h"

#include <utility>

namespace Rekindle {

namespace {

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
        if (const int code = m_policy.resolve(m_request.policy, readyAtOnce, messages))
            return code;
        m_request.policyFile = m_policy.file();
        warnIfNeverReady(messages);
        if (!isEvaluatorValid(m_request.policy, m_request.host.pluginFolders, messages))
            return ExitCode::configuration;
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
