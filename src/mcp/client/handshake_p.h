// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/mcp/mcpclient.h>

#include <QSet>

#include <functional>
#include <optional>

namespace Rekindle {

/// How the steps below send. An answer is given exactly once, or never if all is over.
struct McpLink
{
    using Answered = std::function<void(const McpAnswer &)>;

    std::function<void(QLatin1String method, const QJsonObject &params, Answered answered)> request;
    std::function<void(QLatin1String method)> notify;
    std::function<void(McpEra era)> useEra; ///< for what is sent from here on
};

/// Reads tools/list, page by page.
class ToolListing
{
public:
    /// Nothing or the error; then the tools.
    using Done = std::function<void(const std::optional<McpError> &, const QList<McpTool> &)>;

    explicit ToolListing(const McpLink &link)
        : m_link(link)
    {
    }

    /// Not again before it is done.
    void start(Done done);

private:
    static constexpr int mostPages = 1000;

    void ask(const QString &cursor);
    void answered(const McpAnswer &answer);
    void finish(const std::optional<McpError> &error);

    const McpLink &m_link;
    Done m_done;
    QList<McpTool> m_tools;
    QSet<QString> m_cursors;
};

/// What a server has told about itself.
struct ServerFacts
{
    McpEra era = McpEra::Auto;
    QString protocolVersion;
    QJsonObject info;
    QJsonObject capabilities;
    QList<McpTool> tools;
};

/// The handshake of either era (spec 9).
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
    void takeFacts(const QJsonObject &result);
    void listTools();
    void fail(QString message);

    const McpLink &m_link;
    const McpClientOptions &m_options;
    ServerFacts &m_facts;
    ToolListing m_listing;
    Done m_done;
    std::optional<McpError> m_refusal; // of initialize
};

inline constexpr QLatin1String modernVersion("2026-07-28");
inline constexpr QLatin1String newestLegacyVersion("2025-11-25");

} // namespace Rekindle
