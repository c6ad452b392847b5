// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "listwatch_p.h"

#include "mcp/jsonrpc/jsonedit_p.h"
#include "mcp/jsonrpc/messagewriter_p.h"

#include <nlohmann/json.hpp>

#include <QCryptographicHash>

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

using Json = nlohmann::json;

bool isTrue(const Json &object, const char *key)
{
    const auto member = object.find(key);
    return member != object.end() && member->is_boolean() && member->get<bool>();
}

bool hasRepeatableHint(const Json &entry)
{
    const auto annotations = entry.find("annotations");
    return annotations != entry.end() && annotations->is_object()
        && (isTrue(*annotations, "readOnlyHint") || isTrue(*annotations, "idempotentHint"));
}

// Equal for entries that differ only in the order of members or in white space.
QByteArray digestOf(const Json &entry, const QByteArray &bytes)
{
    const std::string text = entry.is_discarded() ? bytes.toStdString() : entry.dump();
    return QCryptographicHash::hash(
        QByteArrayView(text.data(), static_cast<qsizetype>(text.size())), QCryptographicHash::Sha1);
}

} // namespace

ListWatch::ListWatch(ProxyContext &context, ServerHistory &history,
                     const InFlightRequests &inFlight)
    : m_context(context)
    , m_history(history)
    , m_inFlight(inFlight)
{
}

void ListWatch::setMeta(ListKind kind, QByteArrayView line, const MessagePeek &peek)
{
    // The progress token belongs to the client's request.
    of(kind).meta = withoutMembers(jsonMember(line, peek.params, "_meta").of(line),
                                   [](const QByteArray &name) { return name == "progressToken"; });
}

bool ListWatch::hasToolsMeta() const { return !of(ListKind::Tools).meta.isEmpty(); }

ListWatch::Entries ListWatch::entriesOf(ListKind kind, const std::vector<ListItem> &items)
{
    Entries entries;
    for (const ListItem &item : items) {
        const Json entry = Json::parse(item.json.begin(), item.json.end(), nullptr, false);
        entries.insert(
            item.key,
            {digestOf(entry, item.json), kind == ListKind::Tools && hasRepeatableHint(entry)});
    }
    return entries;
}

void ListWatch::clientRead(ListKind kind, const std::optional<ListPage> &page, bool isFirst)
{
    if (!page)
        return;
    List &list = of(kind);
    if (isFirst)
        list.reading.clear();
    list.reading.insert(entriesOf(kind, page->items));
    if (!page->nextCursor.isEmpty())
        return;
    list.entries = std::exchange(list.reading, {});
    list.isComplete = true;
    if (kind == ListKind::Tools)
        compareTools(list.entries);
}

bool ListWatch::hasTool(const QByteArray &name) const
{
    return of(ListKind::Tools).entries.contains(name);
}

bool ListWatch::isToolRepeatable(const QByteArray &name) const
{
    return of(ListKind::Tools).entries.value(name).isRepeatable;
}

void ListWatch::serverStarted()
{
    cancel();
    for (List &list : m_lists) {
        list.check.clear();
        list.isAnnounced = false;
    }
}

void ListWatch::scheduleChecks()
{
    const bool hasRead = std::any_of(m_lists.begin(), m_lists.end(),
                                     [](const List &list) { return list.isComplete; });
    if (hasRead)
        m_checkAt = m_context.now + m_context.options.settleTime;
}

void ListWatch::serverEnded()
{
    cancel();
    if (of(ListKind::Tools).isComplete)
        m_toolsBefore = of(ListKind::Tools).entries;
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
            of(kind).isAnnounced = true;
    }
}

bool ListWatch::timePassed(bool serverHasTools)
{
    if (!m_checkAt || *m_checkAt > m_context.now)
        return false;
    m_checkAt.reset();
    bool haveToolsEnded = false;
    for (const ListKind kind : announcedLists) {
        if (!of(kind).isComplete)
            continue;
        if (kind != ListKind::Tools || serverHasTools) {
            request(kind);
        } else {
            finishCheck(kind, {});
            haveToolsEnded = true;
        }
    }
    return haveToolsEnded;
}

void ListWatch::request(ListKind kind, const QByteArray &cursor)
{
    const QByteArray &meta = of(kind).meta;
    QByteArray params;
    if (!meta.isEmpty())
        params = "\"_meta\":" + meta;
    if (!cursor.isEmpty())
        params += (params.isEmpty() ? "" : ",") + QByteArray("\"cursor\":") + cursor;
    if (!params.isEmpty())
        params = '{' + params + '}';
    const MessageId id = m_context.newId();
    m_requests.insert(id, {kind, cursor.isEmpty()});
    m_context.toServer(makeRequest(id.json(), listMethod(kind), params));
}

bool ListWatch::answered(const QByteArray &line, const MessagePeek &peek)
{
    const OwnRequest own = m_requests.take(peek.id);
    ListReader &check = of(own.kind).check;
    if (own.isFirstPage)
        check.clear();
    std::optional<ListPage> page;
    if (peek.kind == MessagePeek::Kind::Result)
        page = readListPage(own.kind, peek.result.of(line));
    if (page) {
        switch (check.add(*page)) {
        case ListReader::Step::NextPage:
            request(own.kind, page->nextCursor);
            return false;
        case ListReader::Step::Complete:
            finishCheck(own.kind, entriesOf(own.kind, check.items()));
            break;
        case ListReader::Step::Endless:
            m_context.note(QString(listMethod(own.kind)) + QLatin1String(" has no last page"));
            break;
        }
    }
    check.clear();
    return own.kind == ListKind::Tools;
}

void ListWatch::finishCheck(ListKind kind, const Entries &entries)
{
    List &list = of(kind);
    const bool wasKnown = std::exchange(list.isComplete, true);
    const bool isChanged = !wasKnown || list.entries != entries;
    if (isChanged) {
        list.entries = entries;
        list.reading.clear();
    }
    if (kind == ListKind::Tools) {
        compareTools(entries);
        m_toolsBefore.reset();
    }
    if (isChanged && wasKnown && !std::exchange(list.isAnnounced, true))
        announce(kind);
}

// Whether the client or the session reads the tools first after a restart.
void ListWatch::compareTools(const Entries &entries)
{
    if (!m_toolsBefore)
        return;
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
