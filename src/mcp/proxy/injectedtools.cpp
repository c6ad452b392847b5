// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "injectedtools_p.h"

#include "mcp/jsonrpc/jsonedit_p.h"
#include "mcp/jsonrpc/mcplist_p.h"
#include "wire/messagewriter_p.h"

#include "json/jsonwriter.h"

namespace Rekindle::InjectedTools {

namespace {

constexpr char restartDefinition[] =
    R"({"name":"restart_server","title":"Restart the server","description":"Restarts this MCP server, for example to load changed code. The session continues without a new connection or handshake. Calls wait until the new server is ready.","inputSchema":{"type":"object","properties":{"reason":{"type":"string","description":"Why, for the log"}},"required":["reason"]},"annotations":{"readOnlyHint":false,"destructiveHint":false,"idempotentHint":false,"openWorldHint":false}})";

constexpr char verifyDefinition[] =
    R"({"name":"verify_server_restarted","title":"Verify that the server was restarted","description":"Reports whether this MCP server was restarted after a point in time, and how.","inputSchema":{"type":"object","properties":{"since_timestamp":{"type":"string","description":"ISO 8601; a restart after this time counts"}},"required":["since_timestamp"]},"annotations":{"readOnlyHint":true,"openWorldHint":false}})";

QByteArray structured(const RestartRecord &record, bool restarted)
{
    return jsonObject([&](JsonWriter &json) {
        json.member("restarted", restarted);
        json.member("generation", record.server.generation);
        json.member("running", record.isRunning);
        json.member("current_pid", record.isRunning ? record.server.processId : 0);
        json.member("previous_pid", record.oldProcessId);
        json.member("started_at", toRfc3339(record.server.time));
        json.member("handshake_done", record.handshakeDone);
        if (record.lastRestart) {
            json.member("restart_timestamp", toRfc3339(record.lastRestart->timestamp));
            json.member("reason", record.lastRestart->reason);
            json.member("exit_code", record.lastRestart->exitCode);
            json.member("method", record.lastRestart->method);
        }
        if (record.lastExit)
            json.member("last_end", record.lastExit->description());
        json.member("tools_added", record.toolsAdded);
        json.member("tools_removed", record.toolsRemoved);
    });
}

} // namespace

QByteArray definitions(bool restart, bool verify)
{
    QByteArray text;
    if (restart)
        text += restartDefinition;
    if (restart && verify)
        text += ',';
    if (verify)
        text += verifyDefinition;
    return text;
}

QByteArray addedTo(const QByteArray &line, const MessagePeek &peek, McpProtocol::Revision revision,
                   const QByteArray &definitions)
{
    JsonEdit edit(line);
    edit.append(jsonMember(line, peek.result, "tools"), definitions);
    // The client must request the list again after a restart.
    if (revision == McpProtocol::Revision::Modern)
        edit.setMember(peek.result, "ttlMs", "0");
    return edit.result();
}

QByteArray withListChanged(const QByteArray &line, const MessagePeek &peek, bool offersTools)
{
    JsonEdit edit(line);
    const JsonSpan capabilities = jsonMember(line, peek.result, "capabilities");
    if (!capabilities.isPresent()) {
        if (offersTools)
            edit.setMember(peek.result, "capabilities", R"({"tools":{"listChanged":true}})");
        return edit.result();
    }
    for (const ListKind kind : announcedLists) {
        const QByteArrayView name(listName(kind).data(), listName(kind).size());
        const JsonSpan capability = jsonMember(line, capabilities, name);
        if (capability.isPresent())
            edit.setMember(capability, "listChanged", "true");
        else if (kind == ListKind::Tools && offersTools)
            edit.setMember(capabilities, name, R"({"listChanged":true})");
    }
    return edit.result();
}

QByteArray toolAnswer(const MessageId &id, McpProtocol::Revision revision, const QString &text,
                      bool isError, QByteArrayView structured)
{
    const QByteArray result = jsonObject([&](JsonWriter &json) {
        json.array("content", QStringList(text), [&json](const QString &each) {
            json.object([&] {
                json.member("type", "text");
                json.member("text", each);
            });
        });
        if (revision == McpProtocol::Revision::Modern)
            json.member("resultType", "complete");
        json.member("isError", isError);
        if (!structured.isEmpty()) {
            json.key("structuredContent");
            json.json(structured);
        }
    });
    return makeResult(id.json(), result);
}

std::optional<QString> argument(const QByteArray &line, const MessagePeek &peek,
                                QByteArrayView name)
{
    const JsonSpan arguments = jsonMember(line, peek.params, "arguments");
    const auto text = jsonStringText(jsonMember(line, arguments, name).of(line));
    if (!text)
        return std::nullopt;
    return QString::fromUtf8(*text);
}

QByteArray verified(const MessageId &id, McpProtocol::Revision revision,
                    const RestartRecord &record, const RestartVerdict &verdict)
{
    QString text = verdict.text;
    if (!record.isRunning)
        text += QLatin1String(". The server is not running")
            + (record.lastExit ? QLatin1String(": it ") + record.lastExit->description()
                               : QString());
    else if (verdict.isRestarted && !record.handshakeDone)
        text += QLatin1String(". The new server has not finished its handshake yet");
    return toolAnswer(id, revision, text, !verdict.isRestarted,
                      structured(record, verdict.isRestarted));
}

} // namespace Rekindle::InjectedTools
