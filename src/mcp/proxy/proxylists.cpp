// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "proxysession_p.h"

#include "mcp/jsonrpc/messagewriter_p.h"

#include <utility>

namespace Rekindle {

namespace {
constexpr qsizetype mostPages = 1000; // of one list
} // namespace

// After a restart the lists that the client has seen are asked for again. Where one is another
// than it was, the client is told, unless the server did so itself.

void ProxySession::beginListChecks()
{
    for (int i = 0; i < listKindCount; ++i) {
        const auto kind = static_cast<ListKind>(i);
        if (!m_listed[static_cast<std::size_t>(i)].isComplete())
            continue;
        if (kind == ListKind::Tools && !m_hasTools)
            finishListCheck(kind, {});
        else
            askForList(kind, {});
    }
}

void ProxySession::askForList(ListKind kind, const QByteArray &cursor)
{
    const QByteArray &meta = m_listMeta[static_cast<std::size_t>(kind)];
    QByteArray params;
    if (!meta.isEmpty())
        params = "\"_meta\":" + meta;
    if (!cursor.isEmpty())
        params += (params.isEmpty() ? "" : ",") + QByteArray("\"cursor\":") + cursor;
    if (!params.isEmpty())
        params = '{' + params + '}';
    const MessageId id = newId();
    m_own.insert(id, {OwnRequest::Purpose::List, kind, cursor.isEmpty()});
    toServer(makeRequest(id.json(), listMethod(kind), params));
}

void ProxySession::checkListPage(const OwnRequest &request, const QByteArray &line,
                                 const MessagePeek &peek)
{
    std::optional<ListPage> page;
    if (peek.kind == MessagePeek::Kind::Result)
        page = readListPage(request.kind, peek.result.of(line));
    if (!page) {
        giveUpListCheck(request.kind);
        return;
    }
    ListCheck &check = m_checking[static_cast<std::size_t>(request.kind)];
    if (request.isFirstPage)
        check.cursors.clear();
    if (check.reader.take(*page, request.isFirstPage)) {
        finishListCheck(request.kind, check.reader.entries());
    } else if (check.cursors.contains(page->nextCursor) || check.cursors.size() >= mostPages) {
        note(QString(listMethod(request.kind)) + QLatin1String(" does not come to an end"));
        giveUpListCheck(request.kind);
    } else {
        check.cursors.insert(page->nextCursor);
        askForList(request.kind, page->nextCursor);
    }
}

void ProxySession::giveUpListCheck(ListKind kind)
{
    m_checking[static_cast<std::size_t>(kind)] = {};
    if (kind == ListKind::Tools)
        settleTools();
}

void ProxySession::finishListCheck(ListKind kind, const ListedEntries &entries)
{
    m_checking[static_cast<std::size_t>(kind)].cursors.clear();
    ListReader &listed = m_listed[static_cast<std::size_t>(kind)];
    const bool isFirst = !listed.isComplete(); // the client has not asked yet
    const bool isChanged = isFirst || listed.entries() != entries;
    if (isChanged)
        (void)listed.take({entries, {}}, true);
    if (kind == ListKind::Tools) {
        compareTools(entries);
        m_toolsBefore.reset();
    }
    if (isChanged && !isFirst && !std::exchange(m_announced[static_cast<std::size_t>(kind)], true))
        announceChange(kind);
    if (kind == ListKind::Tools)
        settleTools();
}

// Whoever lists first after a restart, the client or the proxy.
void ProxySession::compareTools(const ListedEntries &entries)
{
    if (!m_toolsBefore)
        return;
    m_record.toolsAdded = namesMissingIn(*m_toolsBefore, entries);
    m_record.toolsRemoved = namesMissingIn(entries, *m_toolsBefore);
}

// What a modern client says about itself, for a request of ours; its progress tokens are its own.
QByteArray ProxySession::metaForUs(QByteArrayView line, const MessagePeek &peek)
{
    const QByteArrayView meta = jsonMember(line, peek.params, "_meta").of(line);
    JsonScanner scanner(meta);
    if (!scanner.enterObject())
        return {};
    QByteArray members;
    JsonSpan key;
    JsonSpan value;
    while (scanner.nextMember(key, value) == JsonScanner::Step::Member) {
        if (jsonStringIs(key.of(meta), "progressToken"))
            continue;
        if (!members.isEmpty())
            members += ',';
        members.append(key.of(meta)).append(':').append(value.of(meta));
    }
    return '{' + members + '}';
}

void ProxySession::announceChange(ListKind kind)
{
    if (m_era != ProtocolEra::Modern) {
        toClient(makeNotification(listChangedMethod(kind)));
        return;
    }
    // There it goes to the subscriptions that have asked for it.
    const QByteArray wanted = QByteArray(listName(kind).data()) + "ListChanged";
    for (const auto &[order, request] : m_inFlight.all()) {
        if (request.role != Role::Listen)
            continue;
        const MessagePeek peek = MessagePeek::at(request.line);
        const JsonSpan kinds = jsonMember(request.line, peek.params, "notifications");
        if (jsonMember(request.line, kinds, wanted).of(request.line) != "true")
            continue;
        const QByteArray params =
            R"({"_meta":{"io.modelcontextprotocol/subscriptionId":)" + request.id.json() + "}}";
        toClient(makeNotification(listChangedMethod(kind), params));
    }
}

} // namespace Rekindle
