// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "toolsession_p.h"

#include "mcp/jsonrpc/errorcodes_p.h"
#include "mcp/jsonrpc/mcplist_p.h"
#include "mcp/proxy/injectedtools_p.h"
#include "wire/messagewriter_p.h"

#include <rekindle/version.h>

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

using Revision = McpProtocol::Revision;

} // namespace

ToolSession::ToolSession(ServedTools tools)
    : m_tools(std::move(tools))
    , m_reader(*this, ClientLineReader::ServerRequestIds::Unique)
{
}

void ToolSession::clientRequest(const QByteArray &line, const MessagePeek &peek)
{
    const auto refuse = [&](int code, const QString &why, QByteArrayView data = {}) {
        m_lines.push_back(makeError(peek.id.json(), code, why, data));
    };
    const auto respond = [&](const QByteArray &result) {
        m_lines.push_back(makeResult(peek.id.json(), result));
    };
    const Revision revision = isModern(line, peek) ? Revision::Modern : Revision::Legacy;
    const bool isUnsupported = revision == Revision::Modern
        && protocolVersionOf(line, peek) != QByteArrayView(modernVersion);
    if (callOf(peek.id) != m_calls.cend())
        refuse(ErrorCode::invalidRequest,
               QStringLiteral("Invalid request: a call with this id is not answered yet"));
    else if (isUnsupported)
        refuse(ErrorCode::unsupportedProtocolVersion,
               QStringLiteral("Unsupported protocol version"), R"({"supported":["2026-07-28"]})");
    else if (peek.method == "tools/call")
        call(line, peek, revision);
    else if (peek.method == "tools/list")
        respond(listResult(ListKind::Tools, m_tools.definitions, revision));
    else if (peek.method == "server/discover" && revision == Revision::Modern)
        respond(discovered());
    else if (peek.method == "initialize" && revision == Revision::Legacy)
        respond(initialized(line, peek));
    else if (peek.method == "ping")
        respond("{}");
    else
        refuse(ErrorCode::methodNotFound, QStringLiteral("Method not found"));
}

void ToolSession::clientNotification(const QByteArray &line, const MessagePeek &peek)
{
    if (peek.method != "notifications/cancelled")
        return;
    const auto found = callOf(requestIdOf(line, peek));
    if (found == m_calls.cend())
        return;
    m_cancelled.push_back(found.key());
    m_calls.erase(found);
}

void ToolSession::clientLineRejected(const MessageId &id, int code, const QString &why)
{
    m_lines.push_back(makeError(id.json(), code, why));
}

QHash<quint64, ToolSession::OpenCall>::const_iterator ToolSession::callOf(const MessageId &id) const
{
    return std::find_if(m_calls.cbegin(), m_calls.cend(),
                        [&id](const OpenCall &open) { return open.id == id; });
}

// A client that requests another version gets the newest one, as MCP requires.
QByteArray ToolSession::initialized(const QByteArray &line, const MessagePeek &peek) const
{
    const QByteArray requested = protocolVersionOf(line, peek).value_or(QByteArray());
    const QByteArrayView version =
        isLegacyVersion(requested) ? QByteArrayView(requested) : legacyVersions.front();
    return R"({"protocolVersion":")" + version.toByteArray()
        + R"(","capabilities":{"tools":{}},"serverInfo":{"name":"rekindle","title":")"
        + m_tools.title + R"(","version":")" REKINDLE_VERSION_STR R"("}})";
}

QByteArray ToolSession::discovered() const
{
    return R"({"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"rekindle","title":")"
        + m_tools.title
        + R"(","version":")" REKINDLE_VERSION_STR
          R"("}},"resultType":"complete","ttlMs":0,"cacheScope":"private"})";
}

void ToolSession::call(const QByteArray &line, const MessagePeek &peek, Revision revision)
{
    const auto refuse = [&](const QString &why) {
        m_lines.push_back(makeError(peek.id.json(), ErrorCode::invalidParams,
                                    QString(QLatin1String("Invalid params: ") + why)));
    };
    const auto name = jsonStringText(jsonMember(line, peek.params, "name").of(line));
    if (!name) {
        refuse(QStringLiteral("name: expected a string"));
        return;
    }
    const QString tool = QString::fromUtf8(*name);
    if (!m_tools.names.contains(tool)) {
        refuse(QStringLiteral("no tool named %1").arg(tool));
        return;
    }
    const JsonSpan arguments = jsonMember(line, peek.params, "arguments");
    if (arguments.isPresent() && !arguments.of(line).startsWith('{')) {
        refuse(QStringLiteral("arguments: expected an object"));
        return;
    }
    if (m_calls.size() >= maxCalls) {
        m_lines.push_back(InjectedTools::toolAnswer(
            peek.id, revision,
            QStringLiteral("At most %1 calls can be open; wait for their results").arg(maxCalls),
            true));
        return;
    }
    m_calls.insert(++m_lastCall, {peek.id, revision});
    m_new.push_back({m_lastCall, tool,
                     arguments.isPresent() ? arguments.of(line).toByteArray() : QByteArray("{}")});
}

void ToolSession::answer(quint64 call, const QString &text, bool isError, QByteArrayView structured)
{
    const auto found = m_calls.constFind(call);
    if (found == m_calls.constEnd())
        return;
    m_lines.push_back(
        InjectedTools::toolAnswer(found->id, found->revision, text, isError, structured));
    m_calls.erase(found);
}

} // namespace Rekindle
