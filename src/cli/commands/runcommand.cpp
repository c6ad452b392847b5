// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/options/evaluatoroptions_p.h"
#include "cli/options/policyoptions_p.h"
#include "cli/options/readyoption_p.h"
#include "cli/output/exitcode_p.h"
#include "cli/output/messages_p.h"
#include "cli/runs/runsession_p.h"
#include "commandline_p.h"

#include <CLI/CLI.hpp>

#include <utility>

namespace Rekindle {

namespace {

constexpr char examples[] =
    "stdin, stdout and stderr are the program's own; rekindle speaks on stderr. Exit 0 of the\n"
    "program is an end, 42 asks for a restart, anything else is a failure. SIGINT, SIGTERM and\n"
    "SIGHUP to rekindle stop the program and then rekindle; a second one kills it. On a terminal\n"
    "Ctrl-C goes to the program, as under a shell, and ends both: it has 5 s for its SIGINT, then\n"
    "SIGTERM follows; a second Ctrl-C kills it. It is not started again, whatever its exit code.\n"
    "A program that SIGPIPE ends is not started again where nobody reads its stdout (| head).\n"
    "Started with SIGINT ignored (sh -c '... &'), rekindle leaves it ignored. With --ready line:\n"
    "stdout passes through rekindle line by line; else nothing stands in between.\n"
    "\n"
    "Examples:\n"
    "  rekindle run -- ./server --port 8080\n"
    "  rekindle run --max-retries 5 --initial-delay 200ms -- ./worker\n"
    "  rekindle run --policy watchdog --events events.jsonl -- python3 tool.py\n"
    "  rekindle run --ready line:listening --circuit-breaker 3:30s -- ./server\n"
    "\n"
    "Exit codes: 0 the program ended well or a stop was asked for; 64 usage; 78 the policy has a\n"
    "fault; 127 and 126 the program was not found or is not executable; if it was given up, its\n"
    "own code, 128 + N where signal N ended it; 141 nobody reads its stdout any more.\n";

class RunCommand final : public Command
{
public:
    explicit RunCommand(const ProgramArguments &program)
        : m_program(program)
    {
    }

    void addTo(CLI::App &parser) override
    {
        CLI::App *command = parser.add_subcommand("run", "Supervise one program");
        expectProgram(*command, m_program, "rekindle run [OPTIONS] -- PROGRAM [ARG...]", "program");
        command->footer(examples);
        m_policy.addTo(*command);
        addReadyOption(*command, m_request.process.readiness);
        addText(*command, "--events", m_request.events,
                "Append every event as a line of JSON; - is stderr. The folder must be there",
                "FILE|-");
        m_request.license.addTo(*command);
        addEvaluatorOption(*command, m_request.pluginFolders);
        command->add_flag("--quiet", m_request.quiet, "Say nothing about failures and restarts");
    }

    int execute(Messages &messages) override
    {
        const bool readyAtOnce = m_request.process.readiness.kind == Readiness::Kind::Now;
        auto policy = m_policy.resolve(readyAtOnce, messages);
        if (const int *code = std::get_if<int>(&policy))
            return *code;
        m_request.policy = std::get<RestartPolicy>(policy);
        m_request.policyFile = m_policy.file();
        warnOfReadyTooLate(messages);
        const QList<Fault> faults = evaluatorFaults(m_request.policy, m_request.pluginFolders);
        for (const Fault &fault : faults)
            messages.say(QLatin1String("policy: ") + fault.toString());
        if (hasErrors(faults))
            return ExitCode::configuration;
        m_request.process.program = m_program->front();
        m_request.process.arguments = m_program->mid(1);
        return RunSession(std::move(m_request), messages).run();
    }

private:
    void warnOfReadyTooLate(Messages &messages) const
    {
        const Readiness &ready = m_request.process.readiness;
        const Duration most = m_request.policy.startTimeout;
        if (ready.kind != Readiness::Kind::Alive || ready.aliveFor < most)
            return;
        messages.say(QStringLiteral("--ready: warning: found alive:%1, but the policy's "
                                    "startTimeout of %2 ends each start before; allowed less, or "
                                    "a policy with a longer startTimeout")
                         .arg(durationToString(ready.aliveFor), durationToString(most)));
    }

    const ProgramArguments &m_program;
    PolicyOptions m_policy;
    RunRequest m_request;
};

} // namespace

std::unique_ptr<Command> makeRunCommand(const ProgramArguments &program)
{
    return std::make_unique<RunCommand>(program);
}

} // namespace Rekindle
