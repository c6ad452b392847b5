// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/mcp/mcpclient.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>

namespace Rekindle {

/// Sends the requests of a client and matches them with their responses. A response, a loss or a
/// timeout may delete the object.
class OutgoingRequests
{
public:
    /// Called at most once.
    using Answered = std::function<void(const McpAnswer &)>;

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
    [[nodiscard]] bool isEmpty() const { return m_pending.empty(); }

    /// Processes a response. Does nothing if the request is not pending.
    void answer(qint64 id, const McpAnswer &answer);

    /// Processes the parameters of notifications/progress.
    void progress(const QJsonObject &params);

    /// Answers the oldest request after a loss of the channel.
    void failOldest(McpError error);

private:
    struct Pending
    {
        Pending(Scheduler &scheduler, CallOptions callOptions, Deadline::Callback late)
            : options(std::move(callOptions))
            , deadline(scheduler, std::move(late))
        {
        }

        CallOptions options;
        Deadline deadline;
        bool isCancellable = true;
        Instant end{};
        std::optional<double> progress;
        qint64 sentAs = 0;
        Answered answered;
    };

    void giveUp(qint64 id, McpError::Kind kind, const QString &why);
    void armDeadline(Pending &pending);
    [[nodiscard]] QJsonObject withMeta(QJsonObject params) const;
    [[nodiscard]] std::unique_ptr<Pending> take(qint64 id);

    MessageChannel &m_channel;
    Scheduler &m_scheduler;
    const McpClientOptions &m_options;
    McpProtocol::Revision m_revision = McpProtocol::Revision::Legacy;
    qint64 m_lastId = 0;
    std::map<qint64, std::unique_ptr<Pending>> m_pending;
};

} // namespace Rekindle
