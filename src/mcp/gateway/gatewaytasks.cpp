// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "gatewaytasks_p.h"

#include "mcp/jsonrpc/jsonedit_p.h"
#include "mcp/proxy/servertasks_p.h"
#include "wire/messagewriter_p.h"

#include <algorithm>
#include <functional>

namespace Rekindle {

namespace {

constexpr std::size_t maximumTasks = 1000; // of one server
constexpr QLatin1String listTasksMethod{"tasks/list"};

} // namespace

GatewayTasks::GatewayTasks(GatewayContext &context, const GatewayCatalog &catalog)
    : m_context(context)
    , m_catalog(catalog)
    , m_order(context.servers.size())
{
}

// Ids.

QByteArray GatewayTasks::clientId(int server, const QByteArray &id)
{
    if (const auto added = m_ids.add({server, id}, m_catalog.prefix(server))) {
        m_isAnyRenamed = m_isAnyRenamed || *added != id;
        std::deque<QByteArray> &order = m_order[static_cast<std::size_t>(server)];
        order.push_back(id);
        if (order.size() > maximumTasks) {
            m_ids.remove({server, order.front()});
            order.pop_front();
        }
    }
    return m_ids.nameOf(server, id);
}

QByteArray GatewayTasks::withClientIds(int server, const QByteArray &line,
                                       std::initializer_list<JsonSpan> tasks)
{
    JsonEdit edit(line);
    for (const JsonSpan task : tasks) {
        const auto id = jsonStringText(jsonMember(line, task, "taskId").of(line));
        if (!id || id->isEmpty())
            continue;
        if (const QByteArray name = clientId(server, *id); name != *id)
            edit.setMember(task, "taskId", jsonText(QString::fromUtf8(name)));
    }
    return edit.result();
}

// Messages can be large, so they are searched only if an id was replaced.
JsonSpan GatewayTasks::relatedTask(const QByteArray &line, JsonSpan object) const
{
    if (!m_isAnyRenamed)
        return {};
    return jsonMember(line, jsonMember(line, object, "_meta"),
                      "io.modelcontextprotocol/related-task");
}

QByteArray GatewayTasks::result(int server, const QByteArray &method, const QByteArray &line,
                                const MessagePeek &peek)
{
    JsonSpan task;
    if (method == "tools/call")
        task = createdTask(line, peek);
    else if (method == "tasks/get" || method == "tasks/cancel")
        task = peek.result;
    return withClientIds(server, line, {task, relatedTask(line, peek.result)});
}

QByteArray GatewayTasks::message(int server, const QByteArray &line, const MessagePeek &peek)
{
    const bool isStatus = peek.method == "notifications/tasks/status";
    return withClientIds(server, line,
                         {isStatus ? peek.params : JsonSpan{}, relatedTask(line, peek.params)});
}

// Lists.

void GatewayTasks::list(const MessageId &id)
{
    const auto listing = std::make_shared<Listing>();
    listing->id = id;
    listing->deadline = m_context.now + m_context.options.listTime;
    m_listings.push_back(listing);
    for (int i = 0; i < m_context.serverCount(); ++i) {
        if (!m_context.at(i).isReady || !m_context.at(i).listsTasks)
            continue;
        ++listing->awaited;
        requestPage(listing, i, {});
    }
    if (listing->awaited == 0)
        answer(*listing);
    removeAnswered();
}

void GatewayTasks::requestPage(const ListingPointer &listing, int server, const QByteArray &cursor)
{
    const QByteArray params = cursor.isEmpty() ? QByteArray() : "{\"cursor\":" + cursor + '}';
    m_context.request(server, listTasksMethod, params,
                      std::bind_front(&GatewayTasks::pageAnswered, this, listing, server));
}

void GatewayTasks::pageAnswered(const ListingPointer &listing, int server, const QByteArray &line,
                                const MessagePeek &peek, const QString &why)
{
    if (listing->isAnswered)
        return;
    std::optional<ListPage> page;
    if (peek.kind == MessagePeek::Kind::Result)
        page = readListPage("tasks", "taskId", peek.result.of(line));
    if (page && listing->readers[server].add(*page) == ListReader::Step::NextPage) {
        requestPage(listing, server, page->nextCursor);
        return;
    }
    if (!page)
        m_context.note(server,
                       QString(listTasksMethod) + QLatin1String(" failed: ")
                           + (why.isEmpty() ? QStringLiteral("the result is not a list") : why));
    if (--listing->awaited == 0)
        answer(*listing);
    removeAnswered();
}

void GatewayTasks::answer(Listing &listing)
{
    QByteArray tasks;
    for (const auto &[server, reader] : listing.readers) {
        for (const ListItem &item : reader.items())
            tasks += (tasks.isEmpty() ? "" : ",")
                + withClientIds(server, item.json, {{0, item.json.size()}});
    }
    m_context.toClient(makeResult(listing.id.json(), QByteArray(R"({"tasks":[)" + tasks + "]}")));
    listing.isAnswered = true;
}

void GatewayTasks::removeAnswered()
{
    std::erase_if(m_listings, [](const ListingPointer &listing) { return listing->isAnswered; });
}

void GatewayTasks::cancelList(const MessageId &id)
{
    for (const ListingPointer &listing : m_listings)
        listing->isAnswered = listing->isAnswered || listing->id == id;
    removeAnswered();
}

void GatewayTasks::timePassed()
{
    for (const ListingPointer &listing : m_listings) {
        if (listing->deadline <= m_context.now)
            answer(*listing);
    }
    removeAnswered();
}

std::optional<Instant> GatewayTasks::nextDeadline() const
{
    std::optional<Instant> next;
    for (const ListingPointer &listing : m_listings)
        next = earlier(next, listing->deadline);
    return next;
}

} // namespace Rekindle
