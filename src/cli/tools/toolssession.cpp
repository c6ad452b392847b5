// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "toolssession_p.h"

#include "cli/output/exitcode_p.h"
#include "cli/output/messages_p.h"
#include "cli/output/terminal_p.h"
#include "cli/output/texthelpers_p.h"
#include "toolstext_p.h"

#include <rekindle/lifecycle/fixedlicenseprovider.h>
#include <rekindle/mcp/mcpagent.h>
#include <rekindle/mcp/watchdogproxy.h>

#include <QCoreApplication>

#include <unistd.h>

#include <csignal>
#include <limits>
#include <utility>

namespace Rekindle {

namespace {

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

} // namespace

ToolsSession::ToolsSession(ToolsRequest request, Messages &messages)
    : HostSession(request.host, {}, messages)
    , m_request(std::move(request))
    , m_server(m_supervision.supervisor(), agentNameOf(m_request.program),
               ProcessDefinition::stdioServer(m_request.program, m_request.arguments),
               serverOptions(m_request))
    , m_left(m_request.repeat)
{
    m_supervision.setLicense(std::make_unique<FixedLicenseProvider>(LicenseTier::Enterprise));
}

int ToolsSession::run()
{
    if (const int code = checkFiles(filesWith({}), m_messages); code != ExitCode::fine)
        return code;
    if (!prepare())
        return ExitCode::usage;
    QMetaObject::invokeMethod(this, &ToolsSession::next, Qt::QueuedConnection);
    execute();
    return m_code;
}

bool ToolsSession::prepare()
{
    if (!openEvents() || !openStore())
        return false;
    m_caller = std::make_unique<ToolCaller>(m_server, m_supervision.scheduler(), m_request.caller);
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
        m_toolsNarrator = std::make_unique<ToolsNarrator>(m_server, m_supervision.policyEvaluator(),
                                                          *m_caller, m_messages);
    connect(&m_server.agent(), &McpAgent::errorLine, this,
            [this](const QByteArray &line) { m_messages.write(forTerminal(line) + '\n'); });
    return true;
}

void ToolsSession::next()
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

void ToolsSession::finishRequest(const ToolListOutcome &outcome)
{
    if (m_isEnding)
        return;
    m_left = 0;
    m_code = exitCodeOf(outcome);
    reportOutcome(outcome);
    if (outcome.end == ToolCallEnd::Answered) {
        const bool isTerminal = Terminal::isTerminal(STDOUT_FILENO);
        const int width = isTerminal ? Terminal::size().columns : std::numeric_limits<int>::max();
        show(m_request.json ? toolsAsJson(outcome.tools) : toolTable(outcome.tools, width));
    }
    continueOrStop();
}

void ToolsSession::finishRequest(const ToolCallOutcome &outcome)
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
void ToolsSession::cancel()
{
    if (m_call.isRunning()) {
        m_call.cancel();
        return;
    }
    m_caller.reset();
    end();
}

void ToolsSession::cancelled(const ToolCallFinished &call)
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
void ToolsSession::show(const QByteArray &text)
{
    if (m_output)
        m_output->write(text);
    else
        outputFailed(QStringLiteral("closed"));
}

// A closed pipe is not an error, but it ends the calls.
void ToolsSession::outputFailed(const QString &reason)
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
void ToolsSession::continueOrStop()
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
void ToolsSession::reportOutcome(const ToolCallOutcome &outcome)
{
    const bool isReasonReported = m_toolsNarrator && !outcome.attempts.isEmpty();
    const QString text = ToolsNarrator::endText(m_request.tool, outcome, isReasonReported);
    if (!text.isEmpty())
        m_messages.say(text);
    if (const QString rest = unshownContent(outcome.result); !rest.isEmpty() && !m_request.json)
        m_messages.say(QStringLiteral("%1: the result also contains %2; use --json to show it")
                           .arg(m_request.tool, rest));
}

void ToolsSession::end()
{
    m_isEnding = true;
    m_toolsNarrator.reset();
    // Queued, so that a cancellation is sent before the stdin of the server is closed.
    QMetaObject::invokeMethod(&m_supervision.supervisor(), &AgentSupervisor::stopAll,
                              Qt::QueuedConnection);
}

// Cancels the request and stops the server.
void ToolsSession::stop(int number)
{
    m_code = ExitCode::bySignal(number);
    if (!m_isEnding)
        cancel();
}

} // namespace Rekindle
