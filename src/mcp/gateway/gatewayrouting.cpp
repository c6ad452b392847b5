// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "gatewaysession_p.h"

#include "mcp/jsonrpc/errorcodes_p.h"
#include "mcp/jsonrpc/jsonedit_p.h"
#include "mcp/jsonrpc/messagewriter_p.h"

#include "json/jsonwriter.h"

#include <numeric>

namespace Rekindle {

namespace {

constexpr std::size_t mostWaiting = 1000;
constexpr qsizetype mostWaitingBytes = qsizetype{32} * 1024 * 1024;

QByteArray jsonText(const QByteArray &utf8)
{
    QByteArray text;
    JsonWriter(text).value(QString::fromUtf8(utf8));
    return text;
}

QByteArray textOf(const QByteArray &line, JsonSpan object, QByteArrayView name)
{
    return jsonStringText(jsonMember(line, object, name).of(line)).value_or(QByteArray());
}

JsonSpan subjectPlace(const QByteArray &line, const MessagePeek &peek)
{
    return peek.method == "completion/complete" ? jsonMember(line, peek.params, "ref")
                                                : peek.params;
}

} // namespace

std::optional<GatewayList> GatewaySession::listOf(const QByteArray &method)
{
    for (int i = 0; i < gatewayListCount; ++i) {
        if (method == gatewayListMethod(static_cast<GatewayList>(i)).data())
            return static_cast<GatewayList>(i);
    }
    return std::nullopt;
}

// In which list that is looked up which a request is about.
std::optional<GatewayList> GatewaySession::wantedOf(const QByteArray &line, const MessagePeek &peek)
{
    if (peek.method == "tools/call")
        return GatewayList::Tools;
    if (peek.method == "prompts/get")
        return GatewayList::Prompts;
    if (peek.method == "resources/read" || peek.method == "resources/subscribe"
        || peek.method == "resources/unsubscribe")
        return GatewayList::Resources;
    if (peek.method != "completion/complete")
        return std::nullopt;
    const JsonSpan ref = jsonMember(line, peek.params, "ref");
    return textOf(line, ref, "type") == "ref/prompt" ? GatewayList::Prompts
                                                     : GatewayList::Templates;
}

// There are few that come before servers are up.
void GatewaySession::wait(const QByteArray &line, const MessagePeek &peek)
{
    const qsizetype bytes = std::accumulate(
        m_waiting.cbegin(), m_waiting.cend(), line.size(),
        [](qsizetype sum, const QByteArray &waiting) { return sum + waiting.size(); });
    if (m_waiting.size() < mostWaiting && bytes <= mostWaitingBytes)
        m_waiting.push_back(line);
    else
        refuse(peek.id, m_era == ProtocolEra::Modern ? -31000 : -32000,
               QStringLiteral("Too many requests wait for the servers to come up"));
}

// One that waits comes here again.
void GatewaySession::request(const QByteArray &line, const MessagePeek &peek)
{
    if (m_routed.contains(peek.id)) {
        refuse(peek.id, ErrorCode::invalidRequest,
               QStringLiteral("Invalid request: another one with this id has no answer yet"));
        return;
    }
    if (const auto list = listOf(peek.method)) {
        if (jsonMember(line, peek.params, "cursor").of(line).startsWith('"'))
            refuse(peek.id, ErrorCode::invalidParams,
                   QStringLiteral("Invalid params: there is one page"));
        else if (mustWait(*list))
            wait(line, peek);
        else
            answerList(*list, peek);
    } else if (wantedOf(line, peek)) {
        route(line, peek);
    } else if (peek.method == "logging/setLevel" && m_era == ProtocolEra::Legacy) {
        setLogLevel(line, peek);
    } else if (peek.method == "subscriptions/listen" && m_era == ProtocolEra::Modern) {
        listen(line, peek);
    } else {
        refuse(peek.id, ErrorCode::methodNotFound, QStringLiteral("Method not found"));
    }
}

std::optional<GatewayCatalog::Owner> GatewaySession::ownerOf(GatewayList kind,
                                                             const QByteArray &name)
{
    switch (kind) {
    case GatewayList::Tools:
        return m_catalog.tool(name);
    case GatewayList::Prompts:
        return m_catalog.prompt(name);
    case GatewayList::Resources:
        return m_catalog.resource(name);
    case GatewayList::Templates:
        return m_catalog.resourceTemplate(name);
    }
    return std::nullopt;
}

QByteArray GatewaySession::subjectOf(GatewayList kind, const QByteArray &line,
                                     const MessagePeek &peek)
{
    const bool isByName = kind == GatewayList::Tools || kind == GatewayList::Prompts;
    return textOf(line, subjectPlace(line, peek), isByName ? "name" : "uri");
}

void GatewaySession::route(const QByteArray &line, const MessagePeek &peek)
{
    const GatewayList wanted = *wantedOf(line, peek);
    const QByteArray name = subjectOf(wanted, line, peek);
    // Names are given in the order of the file: not before it is known what there is, or the time
    // for that is over. Those that were given hold.
    std::optional<GatewayCatalog::Owner> owner;
    if (const auto subscribed = m_subscribed.constFind(name);
        peek.method == "resources/unsubscribe" && subscribed != m_subscribed.cend()) {
        owner = GatewayCatalog::Owner{*subscribed, name}; // whoever lists it now
        m_subscribed.erase(subscribed);
    } else if (m_isNamed[static_cast<std::size_t>(wanted)] || !mustWait(wanted)) {
        m_isNamed[static_cast<std::size_t>(wanted)] = true;
        owner = ownerOf(wanted, name);
    }
    if (!owner) {
        const auto mayCome = [this](GatewayList kind) {
            return mustWait(kind) || mayStillCome(kind);
        };
        if (mayCome(wanted)
            || (wanted == GatewayList::Resources && mayCome(GatewayList::Templates)))
            wait(line, peek);
        else
            refuseUnknown(line, peek, QString::fromUtf8(name.left(200)));
        return;
    }
    if (owner->server == serverCount()) {
        callOurs(owner->key, line, peek);
        return;
    }
    if (peek.method == "resources/subscribe")
        m_subscribed.insert(name, owner->server);
    if (owner->key == name) {
        send(owner->server, line, peek);
        return;
    }
    JsonEdit edit(line);
    // Tools and prompts alone have other names here.
    edit.setMember(subjectPlace(line, peek), "name", jsonText(owner->key));
    send(owner->server, edit.result(), peek);
}

void GatewaySession::send(int server, QByteArray line, const MessagePeek &peek)
{
    m_routed.insert(peek.id, {server, peek.method});
    toServer(server, m_era == ProtocolEra::Modern ? withoutModernMeta(line) : std::move(line));
}

void GatewaySession::refuseUnknown(const QByteArray &line, const MessagePeek &peek,
                                   const QString &what)
{
    const GatewayList wanted = *wantedOf(line, peek);
    const bool isResource = wanted == GatewayList::Resources;
    QString text = isResource                  ? QStringLiteral("Resource not found: ")
        : wanted == GatewayList::Tools         ? QStringLiteral("Unknown tool: ")
        : peek.method == "completion/complete" ? QStringLiteral("Unknown reference: ")
                                               : QStringLiteral("Unknown prompt: ");
    text += what + missingServers();
    const bool isLegacy = m_era == ProtocolEra::Legacy;
    refuse(peek.id, isResource && isLegacy ? ErrorCode::resourceNotFound : ErrorCode::invalidParams,
           text);
}

// It may be one of theirs.
QString GatewaySession::missingServers() const
{
    QString text;
    for (const Server &server : m_servers) {
        if (server.phase != Server::Phase::Open)
            text += QStringLiteral("; server %1 is not up%2%3")
                        .arg(server.name, server.why.isEmpty() ? QString() : QStringLiteral(": "),
                             server.why);
    }
    return text;
}

// A server that was greeted in the legacy era may take them for the beginning of the other one.
QByteArray GatewaySession::withoutModernMeta(const QByteArray &line)
{
    const MessagePeek peek = MessagePeek::at(line);
    const QByteArray meta = jsonMember(line, peek.params, "_meta").of(line).toByteArray();
    JsonScanner scanner(meta);
    if (!scanner.enterObject())
        return line;
    QByteArray kept;
    JsonSpan key;
    JsonSpan value;
    while (scanner.nextMember(key, value) == JsonScanner::Step::Member) {
        const auto name = jsonStringText(key.of(meta));
        if (name && name->startsWith("io.modelcontextprotocol/"))
            continue;
        if (!kept.isEmpty())
            kept += ',';
        kept.append(key.of(meta)).append(':').append(value.of(meta));
    }
    JsonEdit edit(line);
    edit.setMember(peek.params, "_meta", '{' + kept + '}');
    return edit.result();
}

} // namespace Rekindle
