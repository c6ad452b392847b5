// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "lifecycle/internal/pendingrequests.h"

#include <rekindle/mcp/mcpclient.h>

#include <optional>

namespace Rekindle {

/// Sends the requests of a client and matches them with their responses. A response, a loss or a
/// timeout may delete the object.
class OutgoingRequests
{
    struct Details
    {
        CallOptions options{};
        bool isCancellable = true;
        qint64 sentAs = 0;
        Instant end{};
        std::optional<double> progress{};
    };
    using Requests = PendingRequests<McpAnswer, Details>;

public:
    using Answered = Requests::Answered;

    /// All parameters must outlive the object.
    OutgoingRequests(MessageChannel &channel, Scheduler &scheduler,
                     const McpClientOptions &options);

    /// Sets the revision of everything that is sent from now on.
    void setRevision(McpProtocol::Revision revision) { m_revision = revision; }
    [[nodiscard]] bool isModern() const { return m_revision == McpProtocol::Revision::Modern; }

    /// Returns the id. If the request cannot be sent, calls `answered` and returns 0. A timeout of
    /// 0 means none.
    qint64 send(const QString &method, QJsonObject params, const CallOptions &options,
                Answered answered);
    /// Sends a request of the handshake, with its timeout.
    void sendForHandshake(QLatin1String method, const QJsonObject &params, Answered answered);
    bool notify(const QString &method, const QJsonObject &params = {});
    void cancel(qint64 id);

    [[nodiscard]] bool contains(qint64 id) const { return m_pending.contains(id); }
    [[nodiscard]] bool isEmpty() const { return m_pending.isEmpty(); }

    /// Processes a response. Does nothing if the request is not pending.
    void answer(qint64 id, const McpAnswer &answer);

    /// Processes the parameters of notifications/progress.
    void progress(const QJsonObject &params);

    /// Answers the oldest request after a loss of the channel.
    void failOldest(McpError error);

private:
    void giveUp(qint64 id, McpError::Kind kind, const QString &why);
    void armDeadline(Requests::Request &pending);
    [[nodiscard]] QJsonObject withMeta(QJsonObject params) const;

    MessageChannel &m_channel;
    Scheduler &m_scheduler;
    const McpClientOptions &m_options;
    McpProtocol::Revision m_revision = McpProtocol::Revision::Legacy;
    Requests m_pending;
};

} // namespace Rekindle
