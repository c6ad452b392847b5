// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "mergedlists_p.h"

#include "mcp/jsonrpc/errorcodes_p.h"
#include "mcp/tools/toolcallrules_p.h"
#include "wire/messagewriter_p.h"

#include <algorithm>
#include <functional>

namespace Rekindle {

namespace {

// Templates have no notification of their own.
ListKind announcedAs(ListKind kind)
{
    return kind == ListKind::ResourceTemplates ? ListKind::Resources : kind;
}

} // namespace

MergedLists::MergedLists(GatewayContext &context, GatewayCatalog &catalog)
    : m_context(context)
    , m_catalog(catalog)
    , m_readings(context.servers.size())
{
}

MergedLists::Reading &MergedLists::readingOf(int server, ListKind kind)
{
    return m_readings[static_cast<std::size_t>(server)][kind];
}

bool MergedLists::isKnown(int server, ListKind kind) const
{
    const GatewayServer &listed = m_context.at(server);
    return listed.phase == GatewayServer::Phase::Open
        && (!listed.offers[kind] || m_readings[static_cast<std::size_t>(server)][kind].isKnown);
}

// No request waits for a server whose handshake has failed, or that has exited. If it is ready
// later, list_changed announces its lists.
bool MergedLists::isSettled(int server, ListKind kind) const
{
    const GatewayServer &listed = m_context.at(server);
    return listed.phase == GatewayServer::Phase::Open ? !listed.isReady || isKnown(server, kind)
                                                      : !listed.why.isEmpty();
}

// Also if its last start has failed and another process runs. Between two starts, a call is refused
// with the reason.
bool MergedLists::mayStillCome(int server, ListKind kind) const
{
    const GatewayServer &listed = m_context.at(server);
    return listed.phase == GatewayServer::Phase::Handshaking
        ? listed.isRunning || listed.why.isEmpty()
        : listed.phase == GatewayServer::Phase::Open && !isSettled(server, kind);
}

bool MergedLists::mustWait(ListKind kind, int end) const
{
    for (int i = 0; i < std::min(end, m_context.serverCount()); ++i) {
        const auto &handshakeAt = m_context.at(i).handshakeAt;
        if (handshakeAt && m_context.now < *handshakeAt + m_context.options.listTime
            && !isSettled(i, kind))
            return true;
    }
    return false;
}

void MergedLists::answer(ListKind kind, const MessageId &id)
{
    m_views[announcedAs(kind)] = {true, false};
    m_context.toClient(
        makeResult(id.json(), listResult(kind, m_catalog.items(kind), m_context.revision)));
    if (const QStringList names = m_catalog.takeNewNames(); !names.isEmpty())
        m_context.note(-1,
                       QStringLiteral("several servers use the same names; new names: ")
                           + names.join(QLatin1String(", ")));
}

// The gateway provides only notifications about lists.
void MergedLists::listen(const QByteArray &line, const MessagePeek &peek)
{
    const JsonSpan requested = jsonMember(line, peek.params, "notifications");
    QByteArray granted;
    for (const ListKind kind : announcedLists) {
        if (requestsListChanged(requested.of(line), kind))
            granted += (granted.isEmpty() ? "\"" : ",\"") + QByteArray(listName(kind).data())
                + "ListChanged\":true";
    }
    granted = '{' + granted + '}';
    m_listeners.insert(peek.id, granted);
    const QByteArray params =
        '{' + subscriptionMeta(peek.id) + R"(,"notifications":)" + granted + '}';
    m_context.toClient(
        makeNotification(QLatin1String("notifications/subscriptions/acknowledged"), params));
    for (const ListKind kind : announcedLists) {
        if (m_views[kind].hasChanged) // between the client's list request and this
            announce(kind);
    }
}

void MergedLists::readAll(int server)
{
    for (const ListKind kind : allLists) {
        Reading &reading = readingOf(server, kind);
        reading.isCurrent = false;
        if (m_context.at(server).offers[kind]) {
            reading.giveUpAt = m_context.now + m_context.handshakeTime(server);
            read(server, kind);
        } else if (m_catalog.set(server, kind, {})) {
            announce(kind);
        }
    }
}

bool MergedLists::areKnown(int server) const
{
    return std::ranges::all_of(allLists, [&](ListKind kind) { return isKnown(server, kind); });
}

// The only list without a capability of its own: some servers exit because they do not know it. If
// other lists were in flight, the server may have exited because of them.
void MergedLists::serverExited(int server)
{
    auto &readings = m_readings[static_cast<std::size_t>(server)].values;
    for (Reading &reading : readings) {
        reading.failures = 0;
        reading.retryAt.reset();
        reading.giveUpAt.reset();
    }
    Reading &templates = readingOf(server, ListKind::ResourceTemplates);
    const auto active = std::count_if(readings.begin(), readings.end(),
                                      [](const Reading &reading) { return reading.isActive; });
    const bool isExpected = std::exchange(templates.isExitExpected, false);
    if (!templates.isActive || active > 1 || isExpected || m_context.isClientClosed)
        return;
    templates.isSkipped = true;
    m_context.note(server,
                   QStringLiteral("exited during resources/templates/list; the list is not "
                                  "requested again until restart_server is called"));
}

void MergedLists::restartRequested(int server)
{
    Reading &templates = readingOf(server, ListKind::ResourceTemplates);
    templates.isSkipped = false;
    templates.isExitExpected = templates.isActive;
}

bool MergedLists::notified(int server, const QByteArray &method)
{
    for (const ListKind kind : announcedLists) {
        if (method != QByteArrayView(listChangedMethod(kind)))
            continue;
        if (m_context.at(server).isInitialized) {
            if (readingOf(server, kind).isCurrent)
                readingOf(server, kind).giveUpAt = m_context.now + m_context.handshakeTime(server);
            if (kind == ListKind::Resources)
                read(server, ListKind::ResourceTemplates);
            read(server, kind);
        }
        return true;
    }
    return false;
}

// The lists of a process that is not ready are read after its handshake.
void MergedLists::read(int server, ListKind kind)
{
    if (!m_context.at(server).isReady)
        return;
    Reading &reading = readingOf(server, kind);
    if (reading.isActive) {
        reading.isStale = true;
        return;
    }
    if (reading.isSkipped) {
        reading.isKnown = true;
        return;
    }
    reading.isActive = true;
    reading.isStale = false;
    reading.retryAt.reset();
    reading.reader.clear();
    requestPage(server, kind, {});
}

void MergedLists::requestPage(int server, ListKind kind, const QByteArray &cursor)
{
    const QByteArray params = cursor.isEmpty() ? QByteArray() : "{\"cursor\":" + cursor + '}';
    m_context.request(server, listMethod(kind), params,
                      std::bind_front(&MergedLists::answered, this, server, kind));
}

void MergedLists::answered(int server, ListKind kind, const QByteArray &line,
                           const MessagePeek &peek, const QString &why)
{
    std::optional<ListPage> page;
    if (peek.kind == MessagePeek::Kind::Result)
        page = readListPage(kind, peek.result.of(line));
    else if (jsonMember(line, peek.error, "code").of(line)
             == QByteArray::number(ErrorCode::methodNotFound))
        page.emplace(); // the server has no such list
    if (!page) {
        fail(server, kind, why.isEmpty() ? QStringLiteral("the result is not a list") : why);
        return;
    }
    Reading &reading = readingOf(server, kind);
    const ListReader::Step step = reading.reader.add(*page);
    if (step == ListReader::Step::NextPage) {
        requestPage(server, kind, page->nextCursor);
        return;
    }
    if (step == ListReader::Step::Endless)
        m_context.note(server, QString(listMethod(kind)) + QLatin1String(" has no last page"));
    std::vector<ListItem> items = reading.reader.items();
    if (kind == ListKind::Tools) {
        const ToolSelection selection = m_context.options.tools.value(server);
        std::erase_if(items, [&selection](const ListItem &tool) {
            return !selection.contains(QString::fromUtf8(tool.key));
        });
    }
    if (m_catalog.set(server, kind, std::move(items)))
        announce(kind);
    if (kind == ListKind::Tools)
        m_context.at(server).why.clear();
    reading.isCurrent = true;
    reading.failures = 0;
    reading.giveUpAt.reset();
    end(server, kind);
}

// The entries of the last successful reading stay. Another request follows; if the server has
// exited, after its next handshake. Templates have no capability of their own, so they may be
// missing.
void MergedLists::fail(int server, ListKind kind, const QString &why)
{
    GatewayServer &failed = m_context.at(server);
    Reading &reading = readingOf(server, kind);
    const QString text = QString(listMethod(kind)) + QLatin1String(" failed: ") + why;
    if (kind == ListKind::ResourceTemplates || !failed.offers[kind]) {
        end(server, kind);
        return;
    }
    if (reading.failures == 0)
        m_context.note(server, text);
    if (!failed.isReady || reading.isStale) {
        reading.isActive = false;
        read(server, kind);
        return;
    }
    reading.isActive = false;
    ++reading.failures;
    if (kind == ListKind::Tools)
        failed.why = text;
    const std::optional<Duration> delay =
        retryDelay(m_context.options.policies.value(server), reading.failures - 1);
    if (delay && m_context.now + *delay < reading.giveUpAt.value_or(Instant::min()))
        reading.retryAt = m_context.now + *delay;
    else
        giveUp(server, kind, text);
}

// Without its tools, the start of the server has failed.
void MergedLists::giveUp(int server, ListKind kind, const QString &why)
{
    Reading &reading = readingOf(server, kind);
    reading.retryAt.reset();
    reading.giveUpAt.reset();
    if (kind == ListKind::Tools && !reading.isCurrent)
        m_context.failServer(server, why);
    else if (!reading.isActive)
        end(server, kind);
}

void MergedLists::timePassed()
{
    for (int i = 0; i < m_context.serverCount(); ++i) {
        for (const ListKind kind : allLists) {
            const Reading &reading = readingOf(i, kind);
            if (reading.retryAt.value_or(Instant::max()) <= m_context.now)
                read(i, kind);
            else if (reading.giveUpAt.value_or(Instant::max()) <= m_context.now)
                giveUp(i, kind,
                       QString(listMethod(kind)) + QLatin1String(" had no response in time"));
        }
    }
}

std::optional<Instant> MergedLists::nextDeadline() const
{
    std::optional<Instant> next;
    for (const Readings &readings : m_readings) {
        for (const Reading &reading : readings.values)
            next = earlier(next, earlier(reading.retryAt, reading.giveUpAt));
    }
    return next;
}

void MergedLists::end(int server, ListKind kind)
{
    Reading &reading = readingOf(server, kind);
    reading.reader.clear();
    reading.isActive = false;
    reading.isKnown = m_context.at(server).phase == GatewayServer::Phase::Open;
    if (reading.isStale)
        read(server, kind);
}

// Announces only the first change after each list request of the client.
void MergedLists::announce(ListKind kind)
{
    kind = announcedAs(kind);
    ClientView &view = m_views[kind];
    if (!view.isCurrent)
        return;
    if (!m_context.isModern()) {
        view.isCurrent = false;
        m_context.toClient(makeNotification(listChangedMethod(kind)));
        return;
    }
    for (auto listener = m_listeners.cbegin(); listener != m_listeners.cend(); ++listener) {
        if (!requestsListChanged(listener.value(), kind))
            continue;
        view.isCurrent = false;
        m_context.toClient(makeNotification(
            listChangedMethod(kind), QByteArray('{' + subscriptionMeta(listener.key()) + '}')));
    }
    view.hasChanged = view.isCurrent; // for later subscriptions
}

} // namespace Rekindle
