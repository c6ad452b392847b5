// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "handshake_p.h"

#include "mcp/jsonrpc/mcpmembers_p.h"

#include <QJsonArray>

#include <functional>
#include <utility>

namespace Rekindle {

McpError malformedAnswer(const QString &message)
{
    return {.kind = McpError::Kind::InvalidAnswer, .message = message, .wasWritten = true};
}

void ToolListing::start(Done done)
{
    m_done = std::move(done);
    m_pages.clear();
    requestPage({});
}

void ToolListing::requestPage(const QByteArray &cursor)
{
    QJsonObject params;
    if (const auto text = jsonStringText(cursor))
        params.insert(QLatin1String("cursor"), QString::fromUtf8(*text));
    m_request(listMethod(ListKind::Tools), params,
              [this](const McpAnswer &answer) { answered(answer); });
}

void ToolListing::answered(const McpAnswer &answer)
{
    if (answer.error) {
        finish(answer.error);
        return;
    }
    const std::optional<ListPage> page = readListPage(ListKind::Tools, answer.resultText);
    if (!page) {
        finish(malformedAnswer(QStringLiteral("The response to tools/list contains no tools")));
        return;
    }
    switch (m_pages.add(*page)) {
    case ListReader::Step::NextPage:
        requestPage(page->nextCursor);
        return;
    case ListReader::Step::Complete:
        finish(std::nullopt);
        return;
    case ListReader::Step::Endless:
        finish(malformedAnswer(QStringLiteral("tools/list has endless pages")));
        return;
    }
}

void ToolListing::finish(const std::optional<McpError> &error)
{
    // The callback may delete this object or start it again.
    const Done done = std::exchange(m_done, nullptr);
    QList<McpTool> tools;
    for (const ListItem &item : m_pages.items()) {
        if (const auto tool = McpTool::fromJson(item.json))
            tools.append(*tool);
    }
    m_pages.clear();
    done(error, tools);
}

Handshake::Handshake(OutgoingRequests &requests, const McpClientOptions &options,
                     ServerFacts &facts)
    : m_requests(requests)
    , m_options(options)
    , m_facts(facts)
    , m_listing(std::bind_front(&OutgoingRequests::sendForHandshake, &requests))
{
}

void Handshake::start(Done done)
{
    m_done = std::move(done);
    if (m_options.revision == McpProtocol::Revision::Modern)
        discover();
    else
        initialize();
}

void Handshake::initialize()
{
    m_requests.setRevision(McpProtocol::Revision::Legacy);
    m_requests.sendForHandshake(
        QLatin1String("initialize"),
        {{QLatin1String("protocolVersion"), QString::fromLatin1(legacyVersions.front())},
         {QLatin1String("capabilities"), QJsonObject()},
         {QLatin1String("clientInfo"),
          QJsonObject{{QLatin1String("name"), m_options.name},
                      {QLatin1String("version"), m_options.version}}}},
        [this](const McpAnswer &answer) { initialized(answer); });
}

void Handshake::initialized(const McpAnswer &answer)
{
    if (answer.error) {
        if (m_options.revision == McpProtocol::Revision::Unknown
            && answer.error->kind == McpError::Kind::Refused) {
            m_refusal = answer.error;
            discover();
            return;
        }
        std::exchange(m_done, nullptr)(answer.error);
        return;
    }
    const QString version = answer.result.value(QLatin1String("protocolVersion")).toString();
    if (!isLegacyVersion(version.toUtf8())) {
        fail(QStringLiteral("The server requires the unsupported protocol version \"%1\"")
                 .arg(version));
        return;
    }
    m_requests.notify(QStringLiteral("notifications/initialized"));
    accept(McpProtocol::Revision::Legacy, version, answer.result);
}

void Handshake::discover()
{
    m_requests.setRevision(McpProtocol::Revision::Modern);
    m_requests.sendForHandshake(QLatin1String("server/discover"), {},
                                [this](const McpAnswer &answer) { discovered(answer); });
}

void Handshake::discovered(const McpAnswer &answer)
{
    if (answer.error) {
        // The first error is the better reason, unless the server has exited.
        const bool isLost = answer.error->kind == McpError::Kind::Lost;
        std::exchange(m_done, nullptr)(m_refusal && !isLost ? m_refusal : answer.error);
        return;
    }
    const QJsonArray versions = answer.result.value(QLatin1String("supportedVersions")).toArray();
    if (!versions.contains(QString(modernVersion))) {
        fail(QStringLiteral("The server does not support protocol version 2026-07-28"));
        return;
    }
    accept(McpProtocol::Revision::Modern, modernVersion, answer.result);
}

void Handshake::accept(McpProtocol::Revision revision, const QString &version,
                       const QJsonObject &result)
{
    m_facts.revision = revision;
    m_facts.protocolVersion = version;
    m_facts.info = result.value(QLatin1String("serverInfo")).toObject();
    m_facts.capabilities = result.value(QLatin1String("capabilities")).toObject();
    if (!m_facts.capabilities.contains(QLatin1String("tools"))) {
        m_facts.tools.clear();
        std::exchange(m_done, nullptr)(std::nullopt);
        return;
    }
    m_listing.start([this](const std::optional<McpError> &error, const QList<McpTool> &tools) {
        if (!error)
            m_facts.tools = tools;
        std::exchange(m_done, nullptr)(error);
    });
}

void Handshake::fail(const QString &message)
{
    std::exchange(m_done, nullptr)(malformedAnswer(message));
}

} // namespace Rekindle
