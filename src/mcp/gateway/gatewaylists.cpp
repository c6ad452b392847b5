// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "gatewaysession_p.h"

#include "mcp/jsonrpc/messagewriter_p.h"

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

constexpr qsizetype mostPages = 1000;                        // of one list
constexpr qsizetype mostBytes = qsizetype{32} * 1024 * 1024; // of all its pages
constexpr QByteArrayView methodNotFound = "-32601";

// Templates have no notification of their own.
GatewayList announcedAs(GatewayList kind)
{
    return kind == GatewayList::Templates ? GatewayList::Resources : kind;
}

} // namespace

// A server that has failed once is not waited for again: its tools come by list_changed.
bool GatewaySession::isSettled(const Server &server, GatewayList kind) const
{
    const auto index = static_cast<std::size_t>(kind);
    if (server.phase != Server::Phase::Open)
        return !server.why.isEmpty();
    return !server.offers[index] || server.readings[index].isKnown;
}

bool GatewaySession::mustWait(GatewayList kind) const
{
    return std::any_of(m_servers.begin(), m_servers.end(), [&](const Server &server) {
        return server.greetedAt && m_now < *server.greetedAt + m_options.listTime
            && !isSettled(server, kind);
    });
}

// One on demand is started by those who call it, and takes its time.
bool GatewaySession::mayStillCome(GatewayList kind) const
{
    return std::any_of(m_options.onDemand.begin(), m_options.onDemand.end(), [&](int i) {
        const Server &server = m_servers[static_cast<std::size_t>(i)];
        return server.greetedAt && m_now < *server.greetedAt + m_options.callTime
            && !isSettled(server, kind);
    });
}

void GatewaySession::resume()
{
    for (const QByteArray &line : std::exchange(m_waiting, {}))
        request(line, MessagePeek::at(line));
}

void GatewaySession::answerList(GatewayList kind, const MessagePeek &peek)
{
    m_isListed[static_cast<std::size_t>(announcedAs(kind))] = true;
    m_hasChanged[static_cast<std::size_t>(announcedAs(kind))] = false;
    m_isNamed[static_cast<std::size_t>(kind)] = true;
    QByteArray result =
        "{\"" + QByteArray(gatewayListMember(kind).data()) + "\":[" + m_catalog.items(kind) + ']';
    if (m_era == ProtocolEra::Modern)
        result += R"(,"resultType":"complete","ttlMs":0,"cacheScope":"private")";
    toClient(makeResult(peek.id.json(), QByteArray(result + '}')));
    if (const QStringList names = m_catalog.takeNewNames(); !names.isEmpty())
        note(-1,
             QStringLiteral("renamed, as other servers have these names: ")
                 + names.join(QLatin1String(", ")));
}

void GatewaySession::readList(int server, GatewayList kind)
{
    Reading &reading = at(server).readings[static_cast<std::size_t>(kind)];
    if (reading.isGoingOn) {
        reading.isStale = true;
        return;
    }
    reading.isGoingOn = true;
    reading.isStale = false;
    reading.entries.clear();
    reading.cursors.clear();
    reading.bytes = 0;
    askForPage(server, kind, {});
}

// Another process may have other lists, or have some for the first time; one that failed with the
// process before may be read now.
void GatewaySession::readAgain(int server)
{
    m_own.removeIf([server](QHash<MessageId, OwnRequest>::iterator own) {
        return own->server == server && own->purpose == OwnRequest::Purpose::List;
    });
    for (int i = 0; i < gatewayListCount; ++i) {
        at(server).readings[static_cast<std::size_t>(i)].isGoingOn = false;
        readList(server, static_cast<GatewayList>(i));
    }
}

void GatewaySession::askForPage(int server, GatewayList kind, const QByteArray &cursor)
{
    const MessageId id = newId();
    m_own.insert(id, {server, OwnRequest::Purpose::List, kind});
    const QByteArray params = cursor.isEmpty() ? QByteArray() : "{\"cursor\":" + cursor + '}';
    toServer(server, makeRequest(id.json(), gatewayListMethod(kind), params));
}

void GatewaySession::pageRead(int server, GatewayList kind, const QByteArray &line,
                              const MessagePeek &peek)
{
    Reading &reading = at(server).readings[static_cast<std::size_t>(kind)];
    std::optional<GatewayPage> page;
    if (peek.kind == MessagePeek::Kind::Result)
        page = readGatewayPage(kind, peek.result.of(line));
    else if (jsonMember(line, peek.error, "code").of(line) == methodNotFound)
        page.emplace(); // it has none of these
    if (!page) {
        const auto why = jsonStringText(jsonMember(line, peek.error, "message").of(line));
        readingFailed(server, kind, QString::fromUtf8(why.value_or("it is no list")));
        return;
    }
    reading.bytes += line.size();
    std::move(page->entries.begin(), page->entries.end(), std::back_inserter(reading.entries));
    if (!page->nextCursor.isEmpty() && !reading.cursors.contains(page->nextCursor)
        && reading.cursors.size() < mostPages && reading.bytes < mostBytes) {
        reading.cursors.insert(page->nextCursor);
        askForPage(server, kind, page->nextCursor);
        return;
    }
    if (!page->nextCursor.isEmpty())
        note(server, QString(gatewayListMethod(kind)) + QLatin1String(" does not come to an end"));
    finishReading(server, kind);
}

// What it had before stays: it may be on its way back.
void GatewaySession::readingFailed(int server, GatewayList kind, const QString &why)
{
    const auto index = static_cast<std::size_t>(kind);
    Reading &reading = at(server).readings[index];
    reading.isGoingOn = false;
    reading.isKnown = true;
    if (kind != GatewayList::Templates && at(server).offers[index])
        note(server, QString(gatewayListMethod(kind)) + QLatin1String(" has failed: ") + why);
    if (reading.isStale)
        readList(server, kind);
    resume();
}

void GatewaySession::finishReading(int server, GatewayList kind)
{
    Reading &reading = at(server).readings[static_cast<std::size_t>(kind)];
    reading.isGoingOn = false;
    reading.isKnown = true;
    if (m_catalog.set(server, kind, std::exchange(reading.entries, {})))
        announce(kind);
    if (reading.isStale)
        readList(server, kind);
    resume();
}

// Once, until the client has asked again.
void GatewaySession::announce(GatewayList kind)
{
    kind = announcedAs(kind);
    bool &isListed = m_isListed[static_cast<std::size_t>(kind)];
    if (!isListed)
        return;
    if (m_era != ProtocolEra::Modern) {
        isListed = false;
        toClient(makeNotification(gatewayListChangedMethod(kind)));
        return;
    }
    const QByteArray wanted = QByteArray(gatewayListMember(kind).data()) + "ListChanged";
    for (auto listener = m_listening.cbegin(); listener != m_listening.cend(); ++listener) {
        const QByteArray &granted = listener.value();
        if (!jsonMember(granted, {0, granted.size()}, wanted).isPresent())
            continue;
        const QByteArray params =
            R"({"_meta":{"io.modelcontextprotocol/subscriptionId":)" + listener.key().json() + "}}";
        isListed = false;
        toClient(makeNotification(gatewayListChangedMethod(kind), params));
    }
    m_hasChanged[static_cast<std::size_t>(kind)] = isListed; // for those who listen later
}

} // namespace Rekindle
