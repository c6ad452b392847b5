// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commands/command_p.h"
#include "cli/options/policyoptions_p.h"
#include "toolssession_p.h"

#include "json/jsonparser.h"

#include <QFile>
#include <QJsonDocument>

#include <fcntl.h>
#include <unistd.h>

#include <utility>

namespace Rekindle {

namespace {

// Returns an error, or an empty text.
QString readStdin(QByteArray &text)
{
    // main() puts a write-only descriptor in the place of a closed one.
    if ((::fcntl(STDIN_FILENO, F_GETFL) & O_ACCMODE) == O_WRONLY)
        return QStringLiteral("closed");
    QFile input;
    if (input.open(STDIN_FILENO, QIODevice::ReadOnly))
        text = input.read(maxJsonSize + 1);
    return input.error() == QFileDevice::NoError ? QString() : input.errorString();
}

// Reads the arguments of a call: a JSON object, or `-` for stdin. Reports an error with line and
// column and returns nothing if it is invalid.
std::optional<QJsonObject> toolArguments(const QString &text, Messages &messages)
{
    QByteArray json = text.toUtf8();
    QString place = QStringLiteral("JSON");
    if (text == QLatin1String("-")) {
        place = QStringLiteral("stdin");
        if (const QString fault = readStdin(json); !fault.isEmpty()) {
            messages.say(QLatin1String("stdin: cannot read: ") + fault);
            return {};
        }
    }
    // Qt's parser would not report line and column.
    const Parsed<JsonNode> parsed = parseJson(json);
    if (!parsed) {
        messages.sayFaults(parsed.faults, place);
        return {};
    }
    const QJsonDocument document = QJsonDocument::fromJson(json);
    if (!document.isObject()) {
        messages.sayFaults({{{},
                             QStringLiteral("expected an object such as {\"message\": \"hi\"}"),
                             Fault::Severity::Error,
                             1,
                             1}},
                           place);
        return {};
    }
    return document.object();
}

// Implements both subcommands.
class ToolsSubcommand final : public Command
{
public:
    explicit ToolsSubcommand(bool calls)
        : m_calls(calls)
    {
    }

    void addOptions(CLI::App &command) override
    {
        expectProgram(command,
                      m_calls ? "rekindle tools call [OPTIONS] NAME [JSON] -- SERVER [ARG...]"
                              : "rekindle tools list [OPTIONS] -- SERVER [ARG...]",
                      "server");
        m_policy.addTo(command);
        if (m_calls)
            addCallOptions(command);
        addTimeLimit(command, "--deadline", m_deadline,
                     "Time for a call with all attempts, delays and starts (default: 5m)");
        addTimeLimit(
            command, "--attempt-timeout", m_attemptTimeout,
            "Time for one attempt, from its request or last progress, without the start of the "
            "server (default: 1m)");
        command.add_flag(
            "--restart-on-exit", m_request.restartOnExit,
            "If the server exits during a call and a retry is safe, restart the server and retry "
            "the call once; a second exit ends the call");
        command.add_flag("--json", m_request.json,
                         m_calls ? "Print a line of JSON for each call with its complete result"
                                 : "Print the tools as JSON, as sent by the server");
        addText(command, "--events", m_request.host.events,
                "Append every event of the server as a line of JSON to FILE in an existing folder; "
                "- is stderr",
                "FILE|-");
        command.add_flag("--quiet", m_request.host.quiet,
                         "Print no messages about attempts and starts, only about the outcome");
    }

    int execute(Messages &messages) override
    {
        if (const int code = m_policy.resolve(m_request.caller.policy, false, messages))
            return code;
        if (m_calls) {
            const auto arguments = toolArguments(m_json, messages);
            if (!arguments)
                return ExitCode::usage;
            m_request.toolArguments = *arguments;
        }
        ToolCallerOptions &caller = m_request.caller;
        caller.deadline = m_deadline.value_or(caller.deadline);
        caller.attemptTimeout = m_attemptTimeout.value_or(caller.attemptTimeout);
        m_request.program = program()->front();
        m_request.arguments = program()->mid(1);
        return ToolsSession(std::move(m_request), messages).run();
    }

private:
    void addCallOptions(CLI::App &command)
    {
        addValue(command, "name", "NAME", "The tool", "a name", [this](const QString &text) {
            m_request.tool = text;
            return !text.isEmpty();
        })->required();
        addValue(command, "arguments", "JSON|-",
                 "JSON object with its arguments; - reads it from stdin", "JSON",
                 [this](const QString &text) {
                     m_json = text;
                     return true;
                 });
        addRetry(command, "--retry", m_request.caller.retry,
                 "Which failed calls are retried. safe: those that are safe to retry; always: all, "
                 "even after an error of the tool; never: only those that no server has read "
                 "(default: safe)");
        command
            .add_option("--repeat", m_request.repeat, "Number of consecutive calls (default: 1)")
            ->check(CLI::Range(1, 1'000'000).description(""))
            ->type_name("N");
        addText(command, "--store", m_request.host.store,
                "Record the calls in this telemetry store; `rekindle history --calls` shows them "
                "(default: off)",
                "FILE|off");
        m_request.host.addRecordTo(command);
    }

    const bool m_calls;
    PolicyOptions m_policy{QStringLiteral("tool-call"), PolicyOptions::Of::Calls};
    std::optional<Duration> m_deadline;
    std::optional<Duration> m_attemptTimeout;
    QString m_json = QStringLiteral("{}");
    ToolsRequest m_request;
};

template<bool Calls>
std::unique_ptr<Command> makeToolsCommand()
{
    return std::make_unique<ToolsSubcommand>(Calls);
}

} // namespace

const CommandRow toolsGroup{
    .name = "tools",
    .summary = "List and call the tools of an MCP server",
    .help =
        R"(Starts an MCP server, sends requests to it and stops it. Failed requests are retried by a
policy, if that is safe, until a deadline. Messages go to stderr.

Examples:
  rekindle tools list -- npx -y @modelcontextprotocol/server-everything
  rekindle tools call echo '{"message": "hi"}' -- ./server --stdio
)",
};

const CommandRow toolsListCommand{
    .name = "tools list",
    .summary = "List the tools of a server",
    .help =
        R"(Prints a line for each tool: name, annotations and description. The description is truncated
to the width of the terminal. If a tool has no annotations (-), a call that its server has read
is retried only with --retry always.

Examples:
  rekindle tools list -- npx -y @modelcontextprotocol/server-everything
  rekindle tools list --json -- ./server --stdio | jq '.[].inputSchema'
)",
    .exitCodes = {{69, "the server returned an error, exited or could not be started"},
                  {78, "invalid policy"},
                  {124, "deadline exceeded"},
                  {126, "the server's program is not executable"},
                  {127, "the server's program was not found"},
                  {128, "signal N, for example Ctrl-C"}},
    .make = makeToolsCommand<false>,
};

const CommandRow toolsCallCommand{
    .name = "tools call",
    .summary = "Call a tool of a server",
    .help =
        R"(Prints the text of the result on stdout. Messages and the server's stderr go to stderr. JSON is
an object with the arguments of the tool; - reads it from stdin (default: no arguments). The
server is started for the first call, and again after it has exited. A failed attempt is
retried if that is safe (--retry). Each tool has a circuit breaker; use --repeat to see it open.

Examples:
  rekindle tools call echo '{"message": "hi"}' -- ./server --stdio
  rekindle tools call search - --deadline 10s -- python3 server.py < query.json
  rekindle tools call flaky --retry always --repeat 8 --circuit-breaker 2:30s -- ./server
  rekindle tools call read '{}' --restart-on-exit --store calls.sqlite -- ./server
)",
    .exitCodes = {{2, "the tool reported an error"},
                  {64, "usage, including invalid JSON"},
                  {69,
                   "the server returned an error, exited, did not respond or could not be started"},
                  {75, "the circuit breaker is open"},
                  {78, "invalid policy"},
                  {124, "deadline exceeded"},
                  {126, "the server's program is not executable"},
                  {127, "the server's program was not found"},
                  {128, "signal N, for example Ctrl-C"}},
    .note = "With --repeat, the exit code is that of the last call.\n",
    .make = makeToolsCommand<true>,
};

} // namespace Rekindle
