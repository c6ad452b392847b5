// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/scheduler.h>
#include <rekindle/mcp/mcpprotocol.h>
#include <rekindle/mcp/mcptool.h>
#include <rekindle/mcp/messagechannel.h>
#include <rekindle/mcp/toolresult.h>

#include <QFuture>
#include <QJsonObject>
#include <QList>
#include <QObject>
#include <QString>

#include <functional>
#include <memory>
#include <optional>

namespace Rekindle {

/// What a client reports about itself, and the timeout of its handshake.
struct McpClientOptions
{
    /// Unknown: Legacy, or Modern if the server answers initialize with an error.
    McpProtocol::Revision revision = McpProtocol::Revision::Unknown;

    QString name = QStringLiteral("rekindle");
    QString version = QStringLiteral("0.1.0");

    /// Time for each request of the handshake and of a repeated list; more than 0.
    Duration handshakeTimeout = std::chrono::seconds(30);
};

/// Progress of a request (notifications/progress).
struct McpProgress
{
    double progress = 0; ///< greater than in every earlier notification of the request
    std::optional<double> total{};
    QString message{};
};

/// Timeouts of a request, and a callback for its progress.
struct CallOptions
{
    /// Time from the request, or from its last progress, to the response; more than 0.
    Duration timeout = std::chrono::seconds(60);

    /// Time from the request to the response, regardless of progress; at least `timeout`.
    Duration longest = std::chrono::minutes(10);

    /// Called for each progress notification, in the thread of the client. Not called after the
    /// response.
    std::function<void(const McpProgress &)> onProgress{};
};

/// The client side of one MCP server: handshake, tools and calls. Supports legacy and modern
/// revisions.
///
/// Ids are integers and are never reused, not even over several connections. A response that is
/// late, repeated or unexpected is ignored. When the channel is lost, every pending request is
/// answered at once. Lines that are not messages are skipped (noise()). A ping of the server is
/// answered; its other requests are answered with -32601.
///
/// Use it from the thread it lives in. Any method may be called from any slot or continuation, and
/// the client may be deleted there.
class REKINDLE_MCP_EXPORT McpClient : public QObject
{
    Q_OBJECT

public:
    /// Both `channel` and `scheduler` must outlive the client.
    McpClient(MessageChannel &channel, Scheduler &scheduler, McpClientOptions options = {},
              QObject *parent = nullptr);
    ~McpClient() override;

    /// Starts the handshake over an open channel. Legacy: initialize, notifications/initialized,
    /// tools/list with all pages. Modern: server/discover, tools/list. Emits ready() or failed().
    /// Must not be called again before the channel was lost.
    void open();

    [[nodiscard]] bool isReady() const;

    /// Returns for how long the handshake has been in progress; nothing if it is not.
    [[nodiscard]] std::optional<Duration> handshakeTime() const;

    /// Returns the revision in use after the handshake; Unknown before that.
    [[nodiscard]] McpProtocol::Revision revision() const;

    // As reported by the server in the handshake. They are unchanged after a loss of the channel.
    [[nodiscard]] QString protocolVersion() const;
    [[nodiscard]] QJsonObject serverInfo() const;
    [[nodiscard]] QList<McpTool> tools() const;

    /// Calls a tool. Never blocks and never throws. The future contains a ToolResult or is
    /// canceled. QFuture::cancel() may be called from any thread; it sends a cancellation to the
    /// server.
    QFuture<ToolResult> call(const QString &tool, const QJsonObject &arguments = {},
                             const CallOptions &options = {});

    /// Sends any other request. `params` has the form that the protocol defines.
    QFuture<McpAnswer> request(const QString &method, const QJsonObject &params = {},
                               const CallOptions &options = {});

    /// Checks that the server answers. Legacy: ping; modern: server/discover.
    QFuture<McpAnswer> probe(Duration timeout);

Q_SIGNALS:
    void ready();
    /// The handshake failed. The channel may still be open.
    void failed(const Rekindle::McpError &error);
    /// tools() has changed.
    void toolsChanged();
    /// A notification of the server, except progress and cancellation.
    void notified(const QString &method, const QJsonObject &params);
    /// A line that is not a message: its first bytes, and the fault.
    void noise(const QByteArray &line, const QString &why);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
