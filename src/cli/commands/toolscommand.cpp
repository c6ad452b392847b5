// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/options/optiontypes_p.h"
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
    "Starts an MCP server, sends requests to it and stops it. Failed requests are retried by a\n"
    "policy, if that is safe, until a deadline. Messages go to stderr.\n"
    "\n"
    "Examples:\n"
    "  rekindle tools list -- npx -y @modelcontextprotocol/server-everything\n"
    "  rekindle tools call echo '{\"message\": \"hi\"}' -- ./server --stdio\n";

constexpr char listExamples[] =
    "Prints a line for each tool: name, annotations, and description, cut to the width of the\n"
    "terminal. A tool without annotations (-) is not called again unless --retry always is given.\n"
    "\n"
    "Examples:\n"
    "  rekindle tools list -- npx -y @modelcontextprotocol/server-everything\n"
    "  rekindle tools list --json -- ./server --stdio | jq '.[].inputSchema'\n"
    "\n"
    "Exit codes:\n"
    "  0        success\n"
    "  1        stdout cannot be written\n"
    "  64       usage\n"
    "  69       the server returned an error, exited or could not be started\n"
    "  78       invalid policy\n"
    "  124      deadline exceeded\n"
    "  126      the server's program is not executable\n"
    "  127      the server's program was not found\n"
    "  128 + N  signal N, for example Ctrl-C\n";

constexpr char callExamples[] =
    "Prints the text of the result on stdout. Messages and the server's stderr go to stderr. JSON "
    "is\n"
    "an object with the arguments of the tool; - reads it from stdin (default: no arguments). The\n"
    "server is started for the first call, and again after it exited. A failed attempt is "
    "repeated\n"
    "if that is safe (--retry). Each tool has a circuit breaker, which --repeat can demonstrate.\n"
    "\n"
    "Examples:\n"
    "  rekindle tools call echo '{\"message\": \"hi\"}' -- ./server --stdio\n"
    "  rekindle tools call search - --deadline 10s -- python3 server.py < query.json\n"
    "  rekindle tools call flaky --retry always --repeat 8 --circuit-breaker 2:30s -- ./server\n"
    "  rekindle tools call read '{}' --restart-on-exit --store calls.sqlite -- ./server\n"
    "\n"
    "Exit codes:\n"
    "  0        success\n"
    "  1        stdout cannot be written\n"
    "  2        the tool reported an error\n"
    "  64       usage, including invalid JSON\n"
    "  69       the server returned an error, exited, did not respond or could not be started\n"
    "  75       the circuit breaker is open\n"
    "  78       invalid policy\n"
    "  124      deadline exceeded\n"
    "  126      the server's program is not executable\n"
    "  127      the server's program was not found\n"
    "  128 + N  signal N, for example Ctrl-C\n"
    "With --repeat, the exit code is that of the last call.\n";

// Implements both subcommands.
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
                     "Time for a call with all attempts, delays and starts (default: 5m)");
        addTimeLimit(
            *command, "--attempt-timeout", m_attemptTimeout,
            "Time for one attempt, from its request or last progress, without the start of the "
            "server (default: 1m)");
        command->add_flag(
            "--restart-on-exit", m_request.restartOnExit,
            "If the server exits during a call and repeating the call is safe, restart the server "
            "and repeat the call once; a second exit ends the call");
        command->add_flag("--json", m_request.json,
                          m_calls ? "Print a line of JSON for each call with its complete result"
                                  : "Print the tools as JSON, as sent by the server");
        addText(*command, "--events", m_request.events,
                "Append every event of the server as a line of JSON to FILE in an existing folder; "
                "- is stderr",
                "FILE|-");
        command->add_flag("--quiet", m_request.quiet,
                          "Print no messages about attempts and starts, only about the outcome");
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
                    return std::string(name.empty() ? "expected a name, found an empty value" : "");
                },
                "");
        text("arguments", m_json, "JSON object with its arguments; - reads it from stdin")
            ->type_name("JSON|-");
        addRetryOption(
            command, m_request.caller.retry,
            "Which calls are retried: those that are safe to retry, all (even after an error of "
            "the tool), or none (default: safe)");
        command
            .add_option("--repeat", m_request.repeat, "Number of consecutive calls (default: 1)")
            ->check(CLI::Range(1, 1'000'000).description(""))
            ->type_name("N");
        addText(command, "--store", m_request.store,
                "Record the calls in this telemetry store; `rekindle history --calls` shows them "
                "(default: off)",
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
