// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "gatewaytasks_p.h"

#include "mcp/jsonrpc/jsonedit_p.h"
#include "mcp/proxy/servertasks_p.h"
#include "wire/messagewriter_p.h"

#include <algorithm>
#include <functional>
#include <utility>

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
    const quint64 number = ++m_lastListing;
    Listing &listing = m_listings[number];
    listing.id = id;
    listing.deadline = m_context.now + m_context.options.listTime;
    for (int i = 0; i < m_context.serverCount(); ++i) {
        if (!m_context.at(i).isReady || !m_context.at(i).listsTasks)
            continue;
        ++listing.awaited;
        requestPage(number, i, {});
    }
    if (listing.awaited == 0)
        answer(number);
}

void GatewayTasks::requestPage(quint64 listing, int server, const QByteArray &cursor)
{
    const QByteArray params = cursor.isEmpty() ? QByteArray() : "{\"cursor\":" + cursor + '}';
    m_context.request(server, listTasksMethod, params,
                      std::bind_front(&GatewayTasks::pageAnswered, this, listing, server));
}

void GatewayTasks::pageAnswered(quint64 listing, int server, const QByteArray &line,
                                const MessagePeek &peek, const QString &why)
{
    const auto open = m_listings.find(listing);
    if (open == m_listings.end())
        return;
    std::optional<ListPage> page;
    if (peek.kind == MessagePeek::Kind::Result)
        page = readListPage("tasks", "taskId", peek.result.of(line));
    if (page && open->second.readers[server].add(*page) == ListReader::Step::NextPage) {
        requestPage(listing, server, page->nextCursor);
        return;
    }
    if (!page)
        m_context.note(server,
                       QString(listTasksMethod) + QLatin1String(" failed: ")
                           + (why.isEmpty() ? QStringLiteral("the result is not a list") : why));
    if (--open->second.awaited == 0)
        answer(listing);
}

void GatewayTasks::answer(quint64 listing)
{
    const Listing answered = std::move(m_listings.extract(listing).mapped());
    QByteArray tasks;
    for (const auto &[server, reader] : answered.readers) {
        for (const ListItem &item : reader.items())
            tasks += (tasks.isEmpty() ? "" : ",")
                + withClientIds(server, item.json, {{0, item.json.size()}});
    }
    m_context.toClient(makeResult(answered.id.json(), QByteArray(R"({"tasks":[)" + tasks + "]}")));
}

void GatewayTasks::cancelList(const MessageId &id)
{
    std::erase_if(m_listings, [&id](const auto &open) { return open.second.id == id; });
}

void GatewayTasks::timePassed()
{
    while (nextDeadline().value_or(Instant::max()) <= m_context.now)
        answer(m_listings.begin()->first);
}

std::optional<Instant> GatewayTasks::nextDeadline() const
{
    // All have the same list time.
    return m_listings.empty() ? std::nullopt : std::optional(m_listings.begin()->second.deadline);
}

} // namespace Rekindle
