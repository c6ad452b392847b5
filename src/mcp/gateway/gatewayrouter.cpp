// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "gatewayrouter_p.h"

#include "mcp/jsonrpc/errorcodes_p.h"
#include "mcp/jsonrpc/jsonedit_p.h"
#include "mcp/jsonrpc/mcpmembers_p.h"
#include "wire/messagewriter_p.h"

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

constexpr qsizetype maximumWaiting = 1000;
constexpr qsizetype maximumWaitingBytes = qsizetype{32} * 1024 * 1024;
constexpr qsizetype maximumNameShown = 200;

// A call of something that no server has waits at most this long for servers that are starting.
constexpr Duration callTime = std::chrono::seconds(20);

QByteArray textOf(const QByteArray &line, JsonSpan object, QByteArrayView name)
{
    return jsonStringText(jsonMember(line, object, name).of(line)).value_or(QByteArray());
}

// Where a request names its entry.
JsonSpan referenceOf(const QByteArray &line, const MessagePeek &peek)
{
    return peek.method == "completion/complete" ? jsonMember(line, peek.params, "ref")
                                                : peek.params;
}

// The list that contains the entry of a request.
std::optional<ListKind> kindOf(const QByteArray &line, const MessagePeek &peek)
{
    if (peek.method == "tools/call")
        return ListKind::Tools;
    if (peek.method == "prompts/get")
        return ListKind::Prompts;
    if (peek.method == "resources/read" || peek.method == "resources/subscribe"
        || peek.method == "resources/unsubscribe")
        return ListKind::Resources;
    if (peek.method != "completion/complete")
        return std::nullopt;
    return textOf(line, referenceOf(line, peek), "type") == "ref/prompt"
        ? ListKind::Prompts
        : ListKind::ResourceTemplates;
}

bool isAboutTask(const QByteArray &method)
{
    return method == "tasks/get" || method == "tasks/result" || method == "tasks/cancel";
}

QByteArray entryOf(ListKind kind, const QByteArray &line, const MessagePeek &peek)
{
    const bool hasName = kind == ListKind::Tools || kind == ListKind::Prompts;
    return textOf(line, referenceOf(line, peek), hasName ? "name" : "uri");
}

// Members that modern clients require, and legacy servers do not send.
QByteArray modernResult(const QByteArray &method, const QByteArray &line, const MessagePeek &peek)
{
    JsonEdit edit(line);
    if (!jsonMember(line, peek.result, "resultType").isPresent())
        edit.setMember(peek.result, "resultType", "\"complete\"");
    if (method == "resources/read") {
        edit.setMember(peek.result, "ttlMs", "0");
        edit.setMember(peek.result, "cacheScope", "\"private\"");
    }
    return edit.result();
}

} // namespace

GatewayRouter::GatewayRouter(GatewayContext &context, GatewayCatalog &catalog, MergedLists &lists,
                             GatewayTools &tools, GatewayTasks &tasks)
    : m_context(context)
    , m_catalog(catalog)
    , m_lists(lists)
    , m_tools(tools)
    , m_tasks(tasks)
    , m_waiting(maximumWaiting, maximumWaitingBytes)
{
}

bool GatewayRouter::needsMoreServers(const QByteArray &line, const MessagePeek &peek)
{
    if (listRequestedBy(peek.method))
        return true;
    const auto kind = kindOf(line, peek);
    if (!kind)
        return false;
    // Before the first list, an earlier server in the file may have an entry of this name.
    return !m_catalog.isListed(*kind) || !m_catalog.ownerOf(*kind, entryOf(*kind, line, peek));
}

bool GatewayRouter::handle(const QByteArray &line, const MessagePeek &peek, Instant arrived)
{
    if (m_routed.contains(peek.id)) {
        m_context.refuse(peek.id, ErrorCode::invalidRequest,
                         QStringLiteral("Invalid request: the previous request with this id is "
                                        "not answered yet"));
        return true;
    }
    if (const auto kind = kindOf(line, peek)) {
        route(*kind, line, peek, arrived);
        return true;
    }
    if (m_context.isLegacy() && isAboutTask(peek.method)) {
        routeToTask(line, peek);
        return true;
    }
    const bool listsTasks = m_context.isLegacy() && peek.method == "tasks/list";
    const auto list = listRequestedBy(peek.method);
    if (!list && !listsTasks)
        return false;
    if (jsonMember(line, peek.params, "cursor").of(line).startsWith('"')) {
        m_context.refuse(peek.id, ErrorCode::invalidParams,
                         QStringLiteral("Invalid params: there is only one page"));
    } else if (listsTasks) {
        m_tasks.list(peek.id);
    } else if (m_lists.mustWait(*list)) {
        hold(line, peek, arrived, Instant::max()); // until the list time has passed
    } else {
        m_lists.answer(*list, peek.id);
    }
    return true;
}

void GatewayRouter::hold(const QByteArray &line, const MessagePeek &peek, Instant arrived,
                         Instant until)
{
    ClientRequest request = ClientRequest::of(line, peek);
    request.order = ++m_lastOrder;
    request.arrived = arrived;
    request.heldUntil = until;
    if (m_waiting.hasRoomFor(request))
        m_waiting.add(std::move(request));
    else
        m_context.refuse(peek.id, unavailableCode(),
                         QStringLiteral("Too many requests wait until the servers have started"));
}

int GatewayRouter::unavailableCode() const
{
    return ProxyRefusal{.revision = m_context.revision}.code();
}

void GatewayRouter::resume()
{
    for (const ClientRequest &request : m_waiting.takeAll())
        (void)handle(request.line, MessagePeek::at(request.line), request.arrived);
}

void GatewayRouter::cancel(const QByteArray &line, const MessageId &id)
{
    if (m_waiting.take(id))
        return;
    m_tasks.cancelList(id);
    const auto routed = m_routed.constFind(id);
    if (routed == m_routed.cend())
        return;
    m_context.forward(routed->server, line);
    m_routed.erase(routed);
}

void GatewayRouter::clientClosed()
{
    for (const ClientRequest &request : m_waiting.takeAll())
        m_context.refuse(request.id, unavailableCode(), QStringLiteral("The session has ended"));
}

void GatewayRouter::route(ListKind kind, const QByteArray &line, const MessagePeek &peek,
                          Instant arrived)
{
    const QByteArray name = entryOf(kind, line, peek);
    std::optional<GatewayCatalog::Owner> owner;
    if (const auto subscribed = m_subscribed.constFind(name);
        peek.method == "resources/unsubscribe" && subscribed != m_subscribed.cend()) {
        owner = GatewayCatalog::Owner{*subscribed, name}; // even if another server lists it now
        m_subscribed.erase(subscribed);
    } else {
        owner = m_catalog.ownerOf(kind, name);
        // Before the first list, an earlier server in the file may have an entry of this name.
        if (owner && !m_catalog.isListed(kind) && m_lists.mustWait(kind, owner->server)
            && m_context.now < arrived + callTime)
            owner.reset();
    }
    if (!owner) {
        holdForServers(kind, line, peek, arrived);
        return;
    }
    if (owner->server == m_context.serverCount()) {
        m_tools.call(owner->key, line, peek);
        return;
    }
    if (peek.method == "resources/subscribe")
        m_subscribed.insert(name, owner->server);
    if (owner->key == name) {
        send(owner->server, line, peek, arrived);
        return;
    }
    // Only tools and prompts are renamed.
    const QByteArray ownName = jsonText(QString::fromUtf8(owner->key));
    send(owner->server, withMember(line, referenceOf(line, peek), "name", ownName), peek, arrived);
}

// Until a server that is starting has it, at most for the call timeout of all these servers.
void GatewayRouter::holdForServers(ListKind kind, const QByteArray &line, const MessagePeek &peek,
                                   Instant arrived)
{
    std::optional<Duration> longest; // without servers
    for (int i = 0; i < m_context.serverCount(); ++i) {
        const auto mayHaveIt = [this, i](ListKind list) { return m_lists.mayStillCome(i, list); };
        if (mayHaveIt(kind)
            || (kind == ListKind::Resources && mayHaveIt(ListKind::ResourceTemplates)))
            longest = std::max(longest.value_or(Duration{0}),
                               m_context.options.callTimeouts.value(i, Duration::max()));
    }
    if (!longest && m_lists.mustWait(kind)) // for a server that is not connected yet
        longest = Duration::max();
    const Instant until = arrived + std::min(longest.value_or(Duration{0}), callTime);
    if (m_context.now < until) {
        hold(line, peek, arrived, until);
    } else if (longest && *longest <= m_context.now - arrived) {
        m_context.toClient(ProxyRefusal{.id = peek.id,
                                        .reason = ProxyRefusal::Reason::HeldTimedOut,
                                        .revision = m_context.revision}
                               .toJson());
    } else {
        refuseUnknown(kind, entryOf(kind, line, peek), peek);
    }
}

void GatewayRouter::routeToTask(const QByteArray &line, const MessagePeek &peek)
{
    const QByteArray id = textOf(line, peek.params, "taskId");
    const auto owner = m_tasks.ownerOf(id);
    if (!owner) {
        m_context.refuse(peek.id, ErrorCode::invalidParams,
                         QStringLiteral("Unknown task: ")
                             + QString::fromUtf8(id.left(maximumNameShown)));
        return;
    }
    const QByteArray ownId = jsonText(QString::fromUtf8(owner->key));
    send(owner->server, owner->key == id ? line : withMember(line, peek.params, "taskId", ownId),
         peek, m_context.now);
}

void GatewayRouter::send(int server, const QByteArray &line, const MessagePeek &peek,
                         Instant arrived)
{
    // `peek` may describe the line before a name in it was replaced.
    const auto severity =
        m_context.isModern() ? severityOf(logLevelOf(line, MessagePeek::at(line))) : std::nullopt;
    m_routed.insert(peek.id, {server, peek.method, severity});
    m_context.forward(server, line, arrived);
}

void GatewayRouter::refuseUnknown(ListKind kind, const QByteArray &name, const MessagePeek &peek)
{
    const bool isResource = kind == ListKind::Resources;
    const QString what = isResource            ? QStringLiteral("Resource not found: ")
        : kind == ListKind::Tools              ? QStringLiteral("Unknown tool: ")
        : peek.method == "completion/complete" ? QStringLiteral("Unknown reference: ")
                                               : QStringLiteral("Unknown prompt: ");
    m_context.refuse(peek.id,
                     isResource && m_context.isLegacy() ? ErrorCode::resourceNotFound
                                                        : ErrorCode::invalidParams,
                     what + QString::fromUtf8(name.left(maximumNameShown)) + missingServers(kind));
}

// The entry may be one of theirs.
QString GatewayRouter::missingServers(ListKind kind) const
{
    QString text;
    for (int i = 0; i < m_context.serverCount(); ++i) {
        const GatewayServer &server = m_context.at(i);
        if (m_lists.isKnown(i, kind))
            continue;
        const bool isStarting = server.isRunning && server.why.isEmpty();
        text += QStringLiteral("; server %1 is %2")
                    .arg(server.name, QLatin1String(isStarting ? "still starting" : "not ready"));
        if (!server.why.isEmpty())
            text += QLatin1String(" (") + server.why + u')';
    }
    return text;
}

void GatewayRouter::answered(int server, const QByteArray &line, const MessagePeek &peek)
{
    const auto routed = m_routed.constFind(peek.id);
    if (routed == m_routed.cend() || routed->server != server)
        return; // of a request that was cancelled
    if (peek.kind != MessagePeek::Kind::Result)
        m_context.toClient(line);
    else if (m_context.isModern())
        m_context.toClient(modernResult(routed->method, line, peek));
    else
        m_context.toClient(m_tasks.result(server, routed->method, line, peek));
    m_routed.erase(routed);
}

void GatewayRouter::refused(int server, ProxyRefusal refusal)
{
    const auto routed = m_routed.constFind(refusal.id);
    if (routed == m_routed.cend() || routed->server != server)
        return;
    m_routed.erase(routed);
    refusal.revision = m_context.revision;
    refusal.server = m_context.at(server).name;
    m_context.toClient(refusal.toJson());
}

bool GatewayRouter::requestsMessage(int server, const QByteArray &line,
                                    const MessagePeek &peek) const
{
    const auto severity = severityOf(jsonMember(line, peek.params, "level").of(line));
    return severity && std::any_of(m_routed.begin(), m_routed.end(), [&](const Routed &routed) {
               return routed.server == server && routed.severity && *routed.severity <= *severity;
           });
}

} // namespace Rekindle
