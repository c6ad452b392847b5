// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/scheduler.h>
#include <rekindle/mcp/calloptions.h>
#include <rekindle/mcp/mcptool.h>
#include <rekindle/mcp/messagechannel.h>
#include <rekindle/mcp/toolresult.h>

#include <QFuture>
#include <QJsonObject>
#include <QList>
#include <QObject>

#include <functional>
#include <memory>
#include <optional>

namespace Rekindle {

/// Which protocol revision a client uses (spec 9).
enum class McpEra {
    Legacy, ///< up to 2025-11-25: begins with initialize
    Modern, ///< 2026-07-28: no handshake, every request contains its version
    Auto,   ///< Legacy; Modern if the server answers initialize with an error
};

/// What a client reports about itself, and the timeout of its handshake.
struct McpClientOptions
{
    McpEra era = McpEra::Auto;
    QString name = QStringLiteral("rekindle");
    QString version = QStringLiteral("0.1.0");
    QJsonObject capabilities{}; ///< capabilities of the client, sent unchanged

    /// Time for each request of the handshake and of a repeated list; more than 0.
    Duration handshakeTimeout = std::chrono::seconds(30);
};

/// The client side of one MCP server: handshake, tools and calls. Supports legacy and modern
/// revisions.
///
/// Ids are integers and are never reused, not even over several connections. A response that is
/// late, repeated or unexpected is ignored. When the channel is lost, every pending request is
/// answered at once. Lines that are not messages are skipped (noise()).
///
/// Use it from the thread it lives in. Any method may be called from any slot or continuation, and
/// the client may be deleted there.
class REKINDLE_MCP_EXPORT McpClient : public QObject
{
    Q_OBJECT

public:
    /// Answers a request of the server: with a result, or with an error of kind Refused.
    using RequestHandler = std::function<McpAnswer(const QJsonObject &params)>;

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

    /// Returns the revision in use after the handshake; Auto before that.
    [[nodiscard]] McpEra era() const;

    // As reported by the server in the handshake. They are unchanged after a loss of the channel.
    [[nodiscard]] QString protocolVersion() const;
    [[nodiscard]] QJsonObject serverInfo() const;
    [[nodiscard]] QJsonObject serverCapabilities() const;
    [[nodiscard]] QList<McpTool> tools() const;

    /// Calls a tool. Never blocks and never throws. The future contains a ToolResult or is
    /// canceled. QFuture::cancel() may be called from any thread; it sends a cancellation to the
    /// server.
    QFuture<ToolResult> call(const QString &tool, const QJsonObject &arguments = {},
                             const CallOptions &options = {});

    /// Sends any other request. `params` has the form that the protocol defines.
    QFuture<McpAnswer> request(const QString &method, const QJsonObject &params = {},
                               const CallOptions &options = {});

    /// Sends a notification. Returns false if it cannot be sent.
    bool notify(const QString &method, const QJsonObject &params = {});

    /// Checks that the server answers. Legacy: ping; modern: server/discover.
    QFuture<McpAnswer> probe(Duration timeout);

    /// Sets the handler for requests of the server, for example roots/list or
    /// sampling/createMessage. Ping needs no handler. Methods without a handler are answered with
    /// -32601. An empty handler removes the current one.
    void setRequestHandler(const QString &method, RequestHandler handler);

    /// Returns how many requests have no response yet.
    [[nodiscard]] int pendingCount() const;

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
