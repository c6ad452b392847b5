// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "mcp/jsonrpc/mcplist_p.h"
#include "outgoingrequests_p.h"

#include <functional>
#include <optional>

namespace Rekindle {

[[nodiscard]] McpError malformedAnswer(const QString &message);

/// Requests tools/list with all pages.
class ToolListing
{
public:
    using Request = std::function<void(QLatin1String method, const QJsonObject &params,
                                       const OutgoingRequests::Answered &answered)>;
    /// The error, if any, and the tools.
    using Done = std::function<void(const std::optional<McpError> &, const QList<McpTool> &)>;

    explicit ToolListing(Request request)
        : m_request(std::move(request))
    {
    }

    /// Must not be called again before `done` was called.
    void start(Done done);

private:
    void requestPage(const QByteArray &cursor);
    void answered(const McpAnswer &answer);
    void finish(const std::optional<McpError> &error);

    const Request m_request;
    Done m_done;
    ListReader m_pages;
};

/// What a server reported about itself.
struct ServerFacts
{
    McpProtocol::Revision revision = McpProtocol::Revision::Unknown;
    QString protocolVersion;
    QJsonObject info;
    QJsonObject capabilities;
    QList<McpTool> tools;
};

/// The handshake with a legacy or modern server.
class Handshake
{
public:
    using Done = std::function<void(const std::optional<McpError> &)>;

    Handshake(OutgoingRequests &requests, const McpClientOptions &options, ServerFacts &facts);

    void start(Done done);

private:
    void initialize();
    void initialized(const McpAnswer &answer);
    void discover();
    void discovered(const McpAnswer &answer);
    void accept(McpProtocol::Revision revision, const QString &version, const QJsonObject &result);
    void fail(const QString &message);

    OutgoingRequests &m_requests;
    const McpClientOptions &m_options;
    ServerFacts &m_facts;
    ToolListing m_listing;
    Done m_done;
    std::optional<McpError> m_refusal; // the error of initialize
};

} // namespace Rekindle
