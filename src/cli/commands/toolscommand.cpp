// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/options/policyoptions_p.h"
#include "cli/options/retryoption_p.h"
#include "cli/options/toolsargument_p.h"
#include "cli/output/exitcode_p.h"
#include "cli/output/messages_p.h"
#include "cli/runs/toolssession_p.h"
#include "commandgroup_p.h"
#include "commandline_p.h"

#include <CLI/CLI.hpp>

#include <utility>

namespace Rekindle {

namespace {

constexpr char examples[] =
    "Starts an MCP server, asks it, and ends it. What is not sure to have failed for good is "
    "tried\n"
    "again, by a policy and within one deadline, and what happens is told on stderr.\n"
    "\n"
    "Examples:\n"
    "  rekindle tools list -- npx -y @modelcontextprotocol/server-everything\n"
    "  rekindle tools call echo '{\"message\": \"hi\"}' -- ./server --stdio\n";

constexpr char listExamples[] =
    "A line for each tool: its name, what its annotations say, and its description, cut to the\n"
    "terminal; - says nothing of itself and so is never called twice unless asked for.\n"
    "\n"
    "Examples:\n"
    "  rekindle tools list -- npx -y @modelcontextprotocol/server-everything\n"
    "  rekindle tools list --json -- ./server --stdio | jq '.[].inputSchema'\n"
    "\n"
    "Exit codes: 0 listed; 1 stdout cannot be written; 64 usage; 69 the server gave an error,\n"
    "died or could not be started; 78 the policy has a fault; 124 the deadline; 127 and 126 the\n"
    "server's program was not found or is not executable; 128 + N signal N, Ctrl-C for example.\n";

constexpr char callExamples[] =
    "The tool's text goes to stdout, what happens to stderr, the server's own stderr too. JSON is "
    "an\n"
    "object with the tool's arguments, - reads it from stdin; without it there are none. An "
    "attempt\n"
    "that fails is made again where that is safe (--retry), and each tool has a circuit breaker:\n"
    "--repeat shows it at work. The server is started at the first call, and again where it died.\n"
    "\n"
    "Examples:\n"
    "  rekindle tools call echo '{\"message\": \"hi\"}' -- ./server --stdio\n"
    "  rekindle tools call search - --deadline 10s -- python3 server.py < query.json\n"
    "  rekindle tools call flaky --retry always --repeat 8 --circuit-breaker 2:30s -- ./server\n"
    "  rekindle tools call read '{}' --restart-on-exit --store calls.sqlite -- ./server\n"
    "\n"
    "Exit codes: 0 answered; 1 stdout cannot be written; 2 the tool says that it has failed; 64\n"
    "usage, JSON that is none included; 69 the server gave an error, died, did not answer or "
    "could\n"
    "not be started; 75 the circuit breaker is open; 78 the policy has a fault; 124 the deadline;\n"
    "127 and 126 the server's program was not found or is not executable; 128 + N signal N, "
    "Ctrl-C\n"
    "for example. Of several calls it is that of the last one.\n";

// Both subcommands; one that calls takes a tool.
class ToolsSubcommand final : public Command
{
public:
    ToolsSubcommand(const ProgramArguments &program, bool calls)
        : m_program(program)
        , m_calls(calls)
    {
    }

    void addTo(CLI::App &parser) override
    {
        CLI::App *command = m_calls ? parser.add_subcommand("call", "Call a tool of a server")
                                    : parser.add_subcommand("list", "List the tools of a server");
        expectProgram(*command, m_program,
                      m_calls ? "rekindle tools call [OPTIONS] NAME [JSON] -- SERVER [ARG...]"
                              : "rekindle tools list [OPTIONS] -- SERVER [ARG...]",
                      "server");
        command->footer(m_calls ? callExamples : listExamples);
        m_policy.addTo(*command);
        if (m_calls)
            addCallOptions(*command);
        addTimeLimit(*command, "--deadline", m_deadline,
                     "Of a call over all attempts, waits and starts (default: 5m)");
        addTimeLimit(*command, "--attempt-timeout", m_attemptTimeout,
                     "Of one attempt, from its request or last progress; a start of the server is "
                     "no part of it (default: 1m)");
        command->add_flag("--restart-on-exit", m_request.restartOnExit,
                          "Start a server that died anew for the call it failed, once, and make "
                          "the call again if that is safe; a second loss ends the call");
        command->add_flag("--json", m_request.json,
                          m_calls ? "A line of JSON for each call: how it ended, and all of its "
                                    "result"
                                  : "As the server tells them");
        addText(*command, "--events", m_request.events,
                "Append every event of the server as a line of JSON; - is stderr. The folder must "
                "be there",
                "FILE|-");
        command->add_flag("--quiet", m_request.quiet,
                          "Say nothing about attempts and starts, only what came of it");
    }

    int execute(Messages &messages) override
    {
        auto policy = m_policy.resolve(false, messages);
        if (const int *code = std::get_if<int>(&policy))
            return *code;
        m_request.caller.policy = std::get<RestartPolicy>(policy);
        if (m_calls) {
            const auto arguments = toolArguments(m_json, messages);
            if (!arguments)
                return ExitCode::usage;
            m_request.toolArguments = *arguments;
        }
        ToolCallerOptions &caller = m_request.caller;
        caller.deadline = m_deadline.value_or(caller.deadline);
        caller.attemptTimeout = m_attemptTimeout.value_or(caller.attemptTimeout);
        if (m_request.store == QLatin1String("off"))
            m_request.store.clear();
        m_request.program = m_program->front();
        m_request.arguments = m_program->mid(1);
        return ToolsSession(std::move(m_request), messages).run();
    }

private:
    void addCallOptions(CLI::App &command)
    {
        const auto text = [&command](const std::string &name, QString &target,
                                     const std::string &description) {
            return command.add_option_function<std::string>(
                name,
                [&target](const std::string &value) { target = QString::fromStdString(value); },
                description);
        };
        text("name", m_request.tool, "The tool")
            ->required()
            ->type_name("NAME")
            ->check(
                [](const std::string &name) {
                    return std::string(name.empty() ? "found no name" : "");
                },
                "");
        text("arguments", m_json, "Its arguments, a JSON object; - reads it from stdin")
            ->type_name("JSON|-");
        addRetryOption(command, m_request.caller.retry,
                       "Which calls are tried again: those where that is safe, all, also where the "
                       "tool says that it has failed, or none (default: safe)");
        command.add_option("--repeat", m_request.repeat, "So many calls in a row (default: 1)")
            ->check(CLI::Range(1, 1'000'000).description(""))
            ->type_name("N");
        addText(command, "--store", m_request.store,
                "Record the calls in this telemetry store; `rekindle history --calls` shows them "
                "(default: off, none)",
                "FILE|off");
    }

    const ProgramArguments &m_program;
    const bool m_calls;
    PolicyOptions m_policy{QStringLiteral("tool-call"), PolicyOptions::Of::Calls};
    std::optional<Duration> m_deadline;
    std::optional<Duration> m_attemptTimeout;
    QString m_json = QStringLiteral("{}");
    ToolsRequest m_request;
};

} // namespace

std::unique_ptr<Command> makeToolsCommand(const ProgramArguments &program)
{
    std::vector<std::unique_ptr<Command>> commands;
    commands.push_back(std::make_unique<ToolsSubcommand>(program, false));
    commands.push_back(std::make_unique<ToolsSubcommand>(program, true));
    return std::make_unique<CommandGroup>("tools", "List and call the tools of an MCP server",
                                          examples, std::move(commands));
}

} // namespace Rekindle
