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

/// Which protocol is spoken (spec 9).
enum class McpEra {
    Legacy, ///< up to 2025-11-25: opens with initialize
    Modern, ///< 2026-07-28: no handshake, every request carries its version
    Auto,   ///< Legacy, and Modern with a server that answers initialize with an error
};

/// What a client tells a server about itself, and how long it waits for it.
struct McpClientOptions
{
    McpEra era = McpEra::Auto;
    QString name = QStringLiteral("rekindle");
    QString version = QStringLiteral("0.1.0");
    QJsonObject capabilities{}; ///< the client's, as the protocol has them; sent as they are

    /// For each request of the handshake, and of a list that is read anew; more than 0.
    Duration handshakeTimeout = std::chrono::seconds(30);
};

/// The client's side of one MCP server: handshake, tools, calls. Both eras.
///
/// Ids are integers and never used twice, also over several connections. An answer that comes
/// late, twice or unasked is ignored. When the channel is lost, every pending request is answered
/// at once. What is no message at all is passed over (noise()).
///
/// Use it from the thread it lives in. Any method may be called from any slot or continuation,
/// deletion included.
class REKINDLE_MCP_EXPORT McpClient : public QObject
{
    Q_OBJECT

public:
    /// What a handler answers a request of the server with: a result, or an error of kind Refused.
    using RequestHandler = std::function<McpAnswer(const QJsonObject &params)>;

    /// Both must outlive the client.
    McpClient(MessageChannel &channel, Scheduler &scheduler, McpClientOptions options = {},
              QObject *parent = nullptr);
    ~McpClient() override;

    /// Begins the handshake over an open channel: initialize, notifications/initialized,
    /// tools/list with all its pages; modern: server/discover, tools/list. Ends in ready() or
    /// failed(). Not to be called again before the channel was lost.
    void open();

    [[nodiscard]] bool isReady() const;

    /// For how long the handshake has been under way; nothing while it is not.
    [[nodiscard]] std::optional<Duration> handshakeTime() const;

    /// The era that is spoken, once it is ready; Auto before that.
    [[nodiscard]] McpEra era() const;

    // As the server has told in the handshake; they stay as they were after a loss.
    [[nodiscard]] QString protocolVersion() const;
    [[nodiscard]] QJsonObject serverInfo() const;
    [[nodiscard]] QJsonObject serverCapabilities() const;
    [[nodiscard]] QList<McpTool> tools() const;

    /// Calls a tool. Never blocks, never throws: the future has a ToolResult, or is cancelled
    /// (QFuture::cancel() tells the server so, from any thread).
    QFuture<ToolResult> call(const QString &tool, const QJsonObject &arguments = {},
                             const CallOptions &options = {});

    /// Any other request; `params` as the protocol has them.
    QFuture<McpAnswer> request(const QString &method, const QJsonObject &params = {},
                               const CallOptions &options = {});

    /// False if it could not be sent.
    bool notify(const QString &method, const QJsonObject &params = {});

    /// Is it alive? Legacy: ping; modern: server/discover.
    QFuture<McpAnswer> probe(Duration timeout);

    /// Answers requests of the server: roots/list, sampling/createMessage and so on. Ping is
    /// answered without; for what has no handler the answer is -32601. An empty one removes it.
    void setRequestHandler(const QString &method, RequestHandler handler);

    /// How many requests wait for their answers.
    [[nodiscard]] int pendingCount() const;

Q_SIGNALS:
    void ready();
    /// The handshake did not succeed; the channel may still be open.
    void failed(const Rekindle::McpError &error);
    /// tools() are others now.
    void toolsChanged();
    /// Of the server; progress and cancellation are dealt with here and not told.
    void notified(const QString &method, const QJsonObject &params);
    /// A line that is no message; its first bytes, and what it is instead.
    void noise(const QByteArray &line, const QString &why);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
