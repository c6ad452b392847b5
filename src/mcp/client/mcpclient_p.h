// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "handshake_p.h"
#include "mcp/jsonrpc/messagepeek_p.h"

#include <QHash>
#include <QPointer>

#include <map>

namespace Rekindle {

/// What a client has asked, until it is answered; what it hears, sorted.
class McpClient::Private
{
public:
    Private(McpClient &client, MessageChannel &channel, Scheduler &scheduler,
            McpClientOptions options);

    /// How a request waits. No timeout (0): for as long as there is a connection.
    struct Waiting
    {
        CallOptions options{};
        bool cancellable = true;
        bool counts = true;
    };

    void open();

    /// The id; 0 if it could not be sent, and `answered` was called.
    qint64 send(const QString &method, QJsonObject params, const Waiting &waiting,
                McpLink::Answered answered);
    bool notify(const QString &method, const QJsonObject &params);
    void cancel(qint64 id);

    template<typename Answer>
    QFuture<Answer> promise(const QString &method, const QJsonObject &params,
                            const CallOptions &options);

    void received(const QByteArray &line);
    void receivedTooLong(const QByteArray &first, const QByteArray &last, qint64 size);
    void lost(const McpError &error);

    [[nodiscard]] bool isModern() const { return m_sentEra == McpEra::Modern; }

    McpClient &q;
    MessageChannel &m_channel;
    Scheduler &m_scheduler;
    const McpClientOptions m_options;
    ServerFacts m_facts;
    QHash<QString, RequestHandler> m_handlers;
    bool m_isReady = false;
    std::optional<Instant> m_opened; ///< while the handshake is under way
    int m_uncounted = 0;

    struct Pending
    {
        Pending(Scheduler &scheduler, const Waiting &how, Deadline::Callback late)
            : waiting(how)
            , deadline(scheduler, std::move(late))
        {
        }

        Waiting waiting;
        Deadline deadline;
        Instant end{};
        double progress = 0;
        bool hasProgress = false;
        qint64 sentAs = 0;
        McpLink::Answered answered;
    };
    std::map<qint64, std::unique_ptr<Pending>> m_pending;

private:
    void answer(const QByteArray &line, const MessagePeek &peek);
    void takeRequest(const QByteArray &line, const MessagePeek &peek);
    void takeNotification(const QByteArray &line, const MessagePeek &peek);
    void takeProgress(const QJsonObject &params);
    void settle(qint64 id, const McpAnswer &answer);
    void giveUp(qint64 id, McpError::Kind kind, const QString &why);
    void armDeadline(Pending &pending);
    [[nodiscard]] QJsonObject withMeta(QJsonObject params) const;
    [[nodiscard]] std::unique_ptr<Pending> take(qint64 id);
    void handshakeDone(const std::optional<McpError> &error);
    void listen();
    void listToolsAgain();

    McpLink m_link;
    std::optional<Handshake> m_handshake;
    std::optional<ToolListing> m_listing;
    bool m_isListing = false;
    bool m_listAgain = false;
    McpEra m_sentEra = McpEra::Legacy;
    qint64 m_lastId = 0;
};

} // namespace Rekindle
