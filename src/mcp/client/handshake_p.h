// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/mcp/mcpclient.h>

#include "mcp/jsonrpc/mcplist_p.h"

#include <functional>
#include <optional>

namespace Rekindle {

/// How the steps below send. `answered` is called at most once.
struct McpLink
{
    using Answered = std::function<void(const McpAnswer &)>;

    std::function<void(QLatin1String method, const QJsonObject &params, Answered answered)> request;
    std::function<void(QLatin1String method)> notify;
    std::function<void(McpEra era)> useEra; ///< of everything that is sent from now on
};

/// Requests tools/list with all pages.
class ToolListing
{
public:
    /// The error, if any, and the tools.
    using Done = std::function<void(const std::optional<McpError> &, const QList<McpTool> &)>;

    explicit ToolListing(const McpLink &link)
        : m_link(link)
    {
    }

    /// Must not be called again before `done` was called.
    void start(Done done);

private:
    void requestPage(const QString &cursor);
    void answered(const McpAnswer &answer);
    void finish(const std::optional<McpError> &error);

    const McpLink &m_link;
    Done m_done;
    QList<McpTool> m_tools;
    ListReader m_pages; // checks only the cursors
};

/// What a server reported about itself.
struct ServerFacts
{
    McpEra era = McpEra::Auto;
    QString protocolVersion;
    QJsonObject info;
    QJsonObject capabilities;
    QList<McpTool> tools;
};

/// The handshake with a legacy or modern server (spec 9).
class Handshake
{
public:
    using Done = std::function<void(const std::optional<McpError> &)>;

    Handshake(const McpLink &link, const McpClientOptions &options, ServerFacts &facts);

    void start(Done done);

private:
    void initialize();
    void initialized(const McpAnswer &answer);
    void discover();
    void discovered(const McpAnswer &answer);
    void storeFacts(const QJsonObject &result);
    void listTools();
    void fail(QString message);

    const McpLink &m_link;
    const McpClientOptions &m_options;
    ServerFacts &m_facts;
    ToolListing m_listing;
    Done m_done;
    std::optional<McpError> m_refusal; // the error of initialize
};

inline constexpr QLatin1String modernVersion("2026-07-28");
inline constexpr QLatin1String newestLegacyVersion("2025-11-25");

} // namespace Rekindle
