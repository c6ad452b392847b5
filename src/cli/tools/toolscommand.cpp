// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commands/command_p.h"
#include "cli/host/hostsession_p.h"
#include "cli/options/policyoptions_p.h"
#include "cli/output/outputchannel_p.h"
#include "cli/output/terminal_p.h"
#include "cli/output/texthelpers_p.h"
#include "toolsnarrator_p.h"
#include "toolstext_p.h"

#include "json/jsonparser.h"

#include <rekindle/lifecycle/fixedlicenseprovider.h>
#include <rekindle/mcp/mcpagent.h>
#include <rekindle/mcp/ondemandserver.h>

#include <QCoreApplication>
#include <QFile>
#include <QJsonDocument>

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <limits>
#include <utility>

namespace Rekindle {

namespace {

struct ToolsRequest
{
    HostOptions host;
    QString program;
    QStringList arguments;
    QString tool; ///< empty: list the tools
    QJsonObject toolArguments;
    int repeat = 1;
    ToolCallerOptions caller;
    bool restartOnExit = false;
    bool json = false;
};

OnDemandOptions serverOptions(const ToolsRequest &request)
{
    OnDemandOptions options;
    options.restartsOnExit = request.restartOnExit;
    return options;
}

// Text of a server must not control the terminal.
QByteArray forStdout(const QByteArray &text)
{
    if (!Terminal::isTerminal(STDOUT_FILENO))
        return text;
    QByteArray shown;
    for (const QByteArray &line : text.split('\n'))
        shown += forTerminal(line) + '\n';
    shown.chop(1);
    return shown;
}

/// Starts a server for requests and stops it afterwards.
class ToolsSession final : public HostSession
{
public:
    ToolsSession(ToolsRequest request, Messages &messages)
        : HostSession(request.host, {}, messages)
        , m_request(std::move(request))
        , m_server(m_supervision.supervisor(), agentNameOf(m_request.program),
                   ProcessDefinition::stdioServer(m_request.program, m_request.arguments),
                   serverOptions(m_request))
        , m_left(m_request.repeat)
    {
        m_supervision.host().setLicense(
            std::make_unique<FixedLicenseProvider>(LicenseTier::Enterprise));
    }

    /// Runs the event loop; returns the exit code.
    int run()
    {
        checkFiles(filesWith({}), m_messages);
        prepare();
        QMetaObject::invokeMethod(this, &ToolsSession::next, Qt::QueuedConnection);
        execute();
        return m_code;
    }

private:
    void prepare()
    {
        openEvents();
        openStore();
        m_caller =
            std::make_unique<ToolCaller>(m_server, m_supervision.scheduler(), m_request.caller);
        if (m_store)
            connect(m_caller.get(), &ToolCaller::callFinished, this,
                    [this](const ToolCallFinished &call) { m_store->appendToolCall(call); });
        m_output = OutputChannel::to(STDOUT_FILENO, std::numeric_limits<qsizetype>::max());
        if (m_output) {
            connect(m_output.get(), &OutputChannel::failed, this, &ToolsSession::outputFailed);
            connect(m_output.get(), &OutputChannel::drained, this, [this] {
                if (std::exchange(m_isWaitingForReader, false))
                    continueOrStop();
            });
        }
        watchSignals({SIGINT, SIGTERM, SIGHUP});
        connect(&m_supervision.supervisor(), &AgentSupervisor::allStopped, this,
                [] { QCoreApplication::exit(); });
        connect(m_caller.get(), &ToolCaller::callFinished, this, &ToolsSession::cancelled);
        if (!m_options.quiet)
            m_toolsNarrator = std::make_unique<ToolsNarrator>(
                m_server, m_supervision.policyEvaluator(), *m_caller, m_messages);
        connect(&m_server.agent(), &McpAgent::errorLine, this,
                [this](const QByteArray &line) { m_messages.write(forTerminal(line) + '\n'); });
    }

    void next()
    {
        if (m_isEnding)
            return;
        if (m_request.tool.isEmpty()) {
            m_caller->listTools().then(
                this, [this](const ToolListOutcome &outcome) { finishRequest(outcome); });
            return;
        }
        m_call = m_caller->call(m_request.tool, m_request.toolArguments);
        m_call.then(this, [this](const ToolCallOutcome &outcome) { finishRequest(outcome); });
    }

    void finishRequest(const ToolListOutcome &outcome)
    {
        if (m_isEnding)
            return;
        m_left = 0;
        m_code = exitCodeOf(outcome);
        reportOutcome(outcome);
        if (outcome.end == ToolCallEnd::Answered) {
            const int width = Terminal::columnsOr(std::numeric_limits<int>::max());
            show(m_request.json ? toolsAsJson(outcome.tools) : toolTable(outcome.tools, width));
        }
        continueOrStop();
    }

    void finishRequest(const ToolCallOutcome &outcome)
    {
        if (m_isEnding)
            return;
        --m_left;
        m_code = exitCodeOf(outcome);
        if (m_request.json)
            show(outcomeAsJson(m_request.tool, outcome));
        else if (!outcome.result.error)
            show(forStdout(resultText(outcome.result)));
        reportOutcome(outcome);
        continueOrStop();
    }

    // Cancels the request in flight and stops the server, after the call has reported its outcome.
    void cancel()
    {
        if (m_call.isRunning()) {
            m_call.cancel();
            return;
        }
        m_caller.reset();
        end();
    }

    void cancelled(const ToolCallFinished &call)
    {
        if (call.end != ToolCallEnd::Cancelled || m_isEnding)
            return;
        if (m_request.json) {
            ToolCallOutcome outcome;
            outcome.end = call.end;
            outcome.attempts = call.attempts;
            outcome.duration = call.duration;
            McpError error;
            error.kind = McpError::Kind::Cancelled;
            error.message = QStringLiteral("The caller canceled the call");
            outcome.result.error = std::move(error);
            show(outcomeAsJson(m_request.tool, outcome));
        }
        if (!m_isEnding)
            end();
    }

    // Does not block, because signals arrive through the event loop.
    void show(const QByteArray &text)
    {
        if (m_output)
            m_output->write(text);
        else
            outputFailed(QStringLiteral("closed"));
    }

    // A closed pipe is not an error, but it ends the calls.
    void outputFailed(const QString &reason)
    {
        if (m_isEnding)
            return;
        m_hasOutput = false;
        if (!m_output || !m_output->isReaderClosed()) {
            m_messages.say(QLatin1String("stdout: ") + reason);
            m_code = ExitCode::outputFailed;
        }
        if (std::exchange(m_isWaitingForReader, false))
            continueOrStop();
    }

    // The output of a call is written before the next call.
    void continueOrStop()
    {
        if (m_isEnding)
            return;
        if (m_hasOutput && m_output && m_output->hasBacklog())
            m_isWaitingForReader = true;
        else if (m_hasOutput && m_left > 0)
            QMetaObject::invokeMethod(this, &ToolsSession::next, Qt::QueuedConnection);
        else
            end();
    }

    // Reported even with --quiet.
    void reportOutcome(const ToolCallOutcome &outcome)
    {
        const bool isReasonReported = m_toolsNarrator && !outcome.attempts.isEmpty();
        const QString text = ToolsNarrator::endText(m_request.tool, outcome, isReasonReported);
        if (!text.isEmpty())
            m_messages.say(text);
        if (const QString rest = unshownContent(outcome.result); !rest.isEmpty() && !m_request.json)
            m_messages.say(QStringLiteral("%1: the result also contains %2; use --json to show it")
                               .arg(m_request.tool, rest));
    }

    void end()
    {
        m_isEnding = true;
        m_toolsNarrator.reset();
        // Queued, so that a cancellation is sent before the stdin of the server is closed.
        QMetaObject::invokeMethod(&m_supervision.supervisor(), &AgentSupervisor::stopAll,
                                  Qt::QueuedConnection);
    }

    // Cancels the request and stops the server.
    void stop(int number) override
    {
        m_code = ExitCode::bySignal(number);
        if (!m_isEnding)
            cancel();
    }

    ToolsRequest m_request;
    OnDemandServer m_server;
    std::unique_ptr<ToolCaller> m_caller;
    QFuture<ToolCallOutcome> m_call;         ///< the last one
    std::unique_ptr<OutputChannel> m_output; ///< null: stdout is closed
    std::unique_ptr<ToolsNarrator> m_toolsNarrator;
    int m_left;
    int m_code = 0;
    bool m_hasOutput = true; ///< false after stdout failed
    bool m_isWaitingForReader = false;
    bool m_isEnding = false;
};

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

// Reads the arguments of a call: a JSON object, or `-` for stdin. Ends the command if it is
// invalid.
QJsonObject toolArguments(const QString &text, Messages &messages)
{
    QByteArray json = text.toUtf8();
    QString place = QStringLiteral("JSON");
    if (text == QLatin1String("-")) {
        place = QStringLiteral("stdin");
        if (const QString fault = readStdin(json); !fault.isEmpty())
            messages.end(ExitCode::usage, QLatin1String("stdin: cannot read: ") + fault);
    }
    // Qt's parser would not report line and column.
    QList<Fault> faults = parseJson(json).faults;
    const QJsonDocument document = QJsonDocument::fromJson(json);
    if (faults.isEmpty() && !document.isObject())
        faults.append(
            {.message = QStringLiteral("expected an object such as {\"message\": \"hi\"}"),
             .line = 1,
             .column = 1});
    messages.sayFaults(faults, place);
    if (!faults.isEmpty())
        throw CommandFailure{ExitCode::usage};
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
        m_request.caller.policy = m_policy.resolve(false, messages);
        if (m_calls)
            m_request.toolArguments = toolArguments(m_json, messages);
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
