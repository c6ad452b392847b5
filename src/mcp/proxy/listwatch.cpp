// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "listwatch_p.h"

#include "mcp/jsonrpc/jsonedit_p.h"
#include "wire/messagewriter_p.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

// The session requests lists itself after this time, unless the new server's own list_changed or
// the client's own tools/list comes first.
constexpr Duration settleTime = std::chrono::milliseconds(300);

bool hasRepeatableHint(QByteArrayView tool)
{
    const JsonSpan annotations = jsonMember(tool, {0, tool.size()}, "annotations");
    return jsonMember(tool, annotations, "readOnlyHint").of(tool) == "true"
        || jsonMember(tool, annotations, "idempotentHint").of(tool) == "true";
}

// Equal for entries that differ only in the order of members or in white space.
std::size_t digestOf(const QByteArray &entry)
{
    const QJsonDocument json = QJsonDocument::fromJson(entry);
    return json.isObject() ? qHash(json.object()) : qHash(entry);
}

} // namespace

ListWatch::ListWatch(ProxyContext &context, ServerHistory &history,
                     const InFlightRequests &inFlight, const HandshakeReplay &handshake)
    : m_context(context)
    , m_history(history)
    , m_inFlight(inFlight)
    , m_handshake(handshake)
{
}

void ListWatch::setMeta(ListKind kind, QByteArrayView line, const MessagePeek &peek)
{
    // The progress token belongs to the client's request.
    m_lists[kind].meta =
        withoutMembers(jsonMember(line, peek.params, "_meta").of(line),
                       [](const QByteArray &name) { return name == "progressToken"; });
}

ListWatch::Entries ListWatch::entriesOf(ListKind kind, const std::vector<ListItem> &items)
{
    Entries entries;
    for (const ListItem &item : items)
        entries.insert(
            item.key,
            {digestOf(item.json), kind == ListKind::Tools && hasRepeatableHint(item.json)});
    return entries;
}

void ListWatch::clientRead(ListKind kind, const std::optional<ListPage> &page, bool isFirst)
{
    if (!page)
        return;
    List &list = m_lists[kind];
    if (isFirst)
        list.reading.clear();
    list.reading.insert(entriesOf(kind, page->items));
    if (!page->nextCursor.isEmpty())
        return;
    list.entries = std::exchange(list.reading, {});
    list.isComplete = true;
    if (kind == ListKind::Tools)
        compareTools();
}

bool ListWatch::areToolsExpected() const
{
    if (m_context.phase != ProxyContext::Phase::Live || m_isToolsReadingDone
        || m_lists[ListKind::Tools].isComplete || !m_handshake.offers(ListKind::Tools))
        return false;
    return m_context.isModern() ? hasToolsMeta() : m_handshake.isInitializedSent();
}

// A client that sends everything at once may not have a response to its initialize yet.
bool ListWatch::canReadTools() const
{
    return areToolsExpected() && (m_context.isModern() || m_handshake.isAccepted());
}

bool ListWatch::hasTool(const QByteArray &name) const
{
    return m_lists[ListKind::Tools].entries.contains(name);
}

bool ListWatch::isToolRepeatable(const QByteArray &name) const
{
    return m_lists[ListKind::Tools].entries.value(name).isRepeatable;
}

void ListWatch::serverStarted()
{
    cancel();
    for (List &list : m_lists.values)
        list.isAnnounced = false;
    m_areToolsRequested = false;
    m_isToolsReadingDone = false;
}

void ListWatch::scheduleChecks()
{
    const bool hasRead = std::any_of(m_lists.values.begin(), m_lists.values.end(),
                                     [](const List &list) { return list.isComplete; });
    if (hasRead)
        m_checkAt = m_context.now + settleTime;
}

void ListWatch::serverExited()
{
    cancel();
    if (m_lists[ListKind::Tools].isComplete)
        m_toolsBefore = m_lists[ListKind::Tools].entries;
}

void ListWatch::cancel()
{
    m_requests.clear();
    m_checkAt.reset();
}

void ListWatch::noteAnnouncement(const QByteArray &method)
{
    for (const ListKind kind : announcedLists) {
        if (method == QByteArrayView(listChangedMethod(kind)))
            m_lists[kind].isAnnounced = true;
    }
}

void ListWatch::readToolsLater()
{
    const ProxyOptions &options = m_context.options;
    const bool isNeeded = options.inject || options.retry == CallRetry::Safe
        || options.calls.retry == CallRetry::Safe;
    if (isNeeded && canReadTools() && !m_areToolsRequested && !m_toolsAt)
        m_toolsAt = m_context.now + settleTime;
}

void ListWatch::readTools()
{
    m_toolsAt.reset();
    if (canReadTools() && !std::exchange(m_areToolsRequested, true))
        request(ListKind::Tools);
}

void ListWatch::finishToolsReading()
{
    m_isToolsReadingDone = true;
    m_toolsAt.reset();
}

bool ListWatch::timePassed()
{
    if (m_toolsAt && *m_toolsAt <= m_context.now)
        readTools();
    if (!m_checkAt || *m_checkAt > m_context.now)
        return false;
    m_checkAt.reset();
    bool haveToolsEnded = false;
    for (const ListKind kind : announcedLists) {
        if (!m_lists[kind].isComplete)
            continue;
        if (m_handshake.offers(kind)) {
            request(kind);
        } else {
            finishCheck(kind, {});
            haveToolsEnded = haveToolsEnded || kind == ListKind::Tools;
        }
    }
    return haveToolsEnded;
}

void ListWatch::request(ListKind kind, const QByteArray &cursor)
{
    List &list = m_lists[kind];
    if (cursor.isEmpty())
        list.check.clear();
    const QByteArray &meta = list.meta;
    QByteArray params;
    if (!meta.isEmpty())
        params = "\"_meta\":" + meta;
    if (!cursor.isEmpty())
        params += (params.isEmpty() ? "" : ",") + QByteArray("\"cursor\":") + cursor;
    if (!params.isEmpty())
        params = '{' + params + '}';
    const MessageId id = m_context.newId();
    m_requests.insert(id, kind);
    m_context.toServer(makeRequest(id.json(), listMethod(kind), params));
}

bool ListWatch::answered(const QByteArray &line, const MessagePeek &peek)
{
    const ListKind kind = m_requests.take(peek.id);
    ListReader &check = m_lists[kind].check;
    std::optional<ListPage> page;
    if (peek.kind == MessagePeek::Kind::Result)
        page = readListPage(kind, peek.result.of(line));
    if (page) {
        switch (check.add(*page)) {
        case ListReader::Step::NextPage:
            request(kind, page->nextCursor);
            return false;
        case ListReader::Step::Complete:
            finishCheck(kind, entriesOf(kind, check.items()));
            break;
        case ListReader::Step::Endless:
            m_context.note(QString(listMethod(kind)) + QLatin1String(" has no last page"));
            break;
        }
    }
    check.clear();
    return kind == ListKind::Tools;
}

void ListWatch::finishCheck(ListKind kind, const Entries &entries)
{
    List &list = m_lists[kind];
    const bool wasKnown = std::exchange(list.isComplete, true);
    const bool isChanged = wasKnown && list.entries != entries;
    list.entries = entries;
    if (kind == ListKind::Tools) {
        compareTools();
        m_toolsBefore.reset();
    }
    if (isChanged && !std::exchange(list.isAnnounced, true))
        announce(kind);
}

// Called after the client or the session has read all tools.
void ListWatch::compareTools()
{
    if (!m_toolsBefore)
        return;
    const Entries &entries = m_lists[ListKind::Tools].entries;
    m_history.record().toolsAdded = missing(*m_toolsBefore, entries);
    m_history.record().toolsRemoved = missing(entries, *m_toolsBefore);
}

QStringList ListWatch::missing(const Entries &in, const Entries &of)
{
    QStringList names;
    for (auto entry = of.begin(); entry != of.end(); ++entry) {
        if (!in.contains(entry.key()))
            names.append(QString::fromUtf8(entry.key()));
    }
    return names;
}

void ListWatch::announce(ListKind kind)
{
    if (!m_context.isModern()) {
        m_context.toClient(makeNotification(listChangedMethod(kind)));
        return;
    }
    // Modern clients get it in the subscriptions that requested it.
    for (const auto &[order, request] : m_inFlight.all()) {
        if (request.role != ClientRequest::Role::Listen)
            continue;
        const MessagePeek peek = MessagePeek::at(request.line);
        const JsonSpan notifications = jsonMember(request.line, peek.params, "notifications");
        if (!requestsListChanged(notifications.of(request.line), kind))
            continue;
        const QByteArray params = '{' + subscriptionMeta(request.id) + '}';
        m_context.toClient(makeNotification(listChangedMethod(kind), params));
    }
}

} // namespace Rekindle
