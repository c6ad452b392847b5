// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "outgoingrequests_p.h"

#include "mcp/jsonrpc/mcpmembers_p.h"
#include "wire/messagewriter_p.h"

#include <QJsonDocument>

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

constexpr QLatin1String versionKey("io.modelcontextprotocol/protocolVersion");
constexpr QLatin1String infoKey("io.modelcontextprotocol/clientInfo");
constexpr QLatin1String capabilitiesKey("io.modelcontextprotocol/clientCapabilities");

QByteArray paramsText(const QJsonObject &params)
{
    return params.isEmpty() ? QByteArray() : QJsonDocument(params).toJson(QJsonDocument::Compact);
}

} // namespace

OutgoingRequests::OutgoingRequests(MessageChannel &channel, Scheduler &scheduler,
                                   const McpClientOptions &options)
    : m_channel(channel)
    , m_scheduler(scheduler)
    , m_options(options)
    , m_pending(scheduler)
{
}

QJsonObject OutgoingRequests::withMeta(QJsonObject params) const
{
    QJsonObject meta = params.value(QLatin1String("_meta")).toObject();
    meta.insert(versionKey, modernVersion);
    meta.insert(infoKey,
                QJsonObject{{QLatin1String("name"), m_options.name},
                            {QLatin1String("version"), m_options.version}});
    meta.insert(capabilitiesKey, QJsonObject());
    params.insert(QLatin1String("_meta"), meta);
    return params;
}

qint64 OutgoingRequests::send(const QString &method, QJsonObject params, const CallOptions &options,
                              Answered answered)
{
    const qint64 id = m_pending.nextId();
    if (method == QLatin1String("tools/call")) {
        QJsonObject meta = params.value(QLatin1String("_meta")).toObject();
        meta.insert(QLatin1String("progressToken"), id);
        params.insert(QLatin1String("_meta"), meta);
    }
    if (isModern())
        params = withMeta(std::move(params));
    const qint64 sentAs = m_channel.send(
        makeRequest(QByteArray::number(id), QLatin1String(method.toLatin1()), paramsText(params)));
    if (sentAs < 0) {
        const McpError busy{.kind = McpError::Kind::Busy,
                            .message = QStringLiteral("Too many bytes are waiting to be written")};
        const McpError closed{.kind = McpError::Kind::NotReady,
                              .message = QStringLiteral("There is no connection to the server")};
        answered({m_channel.isOpen() ? busy : closed, {}});
        return 0;
    }
    const bool isCancellable = method != QLatin1String("initialize"); // forbidden by MCP
    Requests::Request &pending =
        m_pending.add(id, std::move(answered),
                      [this, id] {
                          giveUp(id, McpError::Kind::Timeout,
                                 QStringLiteral("The server did not answer in time"));
                      },
                      {.options = options, .isCancellable = isCancellable, .sentAs = sentAs});
    if (options.timeout > Duration{0}) {
        pending.end = m_scheduler.now() + options.longest;
        armDeadline(pending);
    }
    return id;
}

// Adds to a timeout which request was not answered.
void OutgoingRequests::sendForHandshake(QLatin1String method, const QJsonObject &params,
                                        Answered answered)
{
    const Duration within = m_options.handshakeTimeout;
    send(method, params, {.timeout = within, .longest = within},
         [answered = std::move(answered), method, within](McpAnswer answer) {
             if (answer.error && answer.error->kind == McpError::Kind::Timeout)
                 answer.error->message = QStringLiteral("The server did not answer %1 within %2")
                                             .arg(method, durationToString(within));
             answered(answer);
         });
}

void OutgoingRequests::armDeadline(Requests::Request &pending)
{
    pending.deadline.arm(std::min(m_scheduler.now() + pending.options.timeout, pending.end));
}

bool OutgoingRequests::notify(const QString &method, const QJsonObject &params)
{
    return m_channel.send(makeNotification(QLatin1String(method.toLatin1()), paramsText(params)))
        >= 0;
}

void OutgoingRequests::answer(qint64 id, const McpAnswer &answer)
{
    if (const auto pending = m_pending.take(id))
        pending->answered(answer);
}

void OutgoingRequests::cancel(qint64 id)
{
    giveUp(id, McpError::Kind::Cancelled, QStringLiteral("The caller canceled the request"));
}

void OutgoingRequests::giveUp(qint64 id, McpError::Kind kind, const QString &why)
{
    const auto pending = m_pending.take(id);
    if (!pending)
        return;
    if (pending->isCancellable)
        notify(QStringLiteral("notifications/cancelled"),
               {{QLatin1String("requestId"), id}, {QLatin1String("reason"), why}});
    pending->answered({McpError{.kind = kind,
                                .message = why,
                                .wasWritten = pending->sentAs <= m_channel.lastWritten()},
                       {}});
}

void OutgoingRequests::progress(const QJsonObject &params)
{
    const QJsonValue token = params.value(QLatin1String("progressToken"));
    Requests::Request *const found =
        token.isDouble() ? m_pending.find(token.toInteger(-1)) : nullptr;
    const QJsonValue value = params.value(QLatin1String("progress"));
    if (!found || !value.isDouble())
        return;
    Requests::Request &pending = *found;
    if (pending.progress && value.toDouble() <= *pending.progress)
        return; // late or invalid, because the protocol requires progress to grow
    pending.progress = value.toDouble();
    if (pending.deadline.isArmed())
        armDeadline(pending);
    // A copy, because the callback may cancel the call.
    const std::function<void(const McpProgress &)> callback = pending.options.onProgress;
    if (!callback)
        return;
    McpProgress progress{value.toDouble(), std::nullopt,
                         params.value(QLatin1String("message")).toString()};
    if (const QJsonValue total = params.value(QLatin1String("total")); total.isDouble())
        progress.total = total.toDouble();
    callback(progress);
}

void OutgoingRequests::failOldest(McpError error)
{
    const auto pending = m_pending.takeOldest();
    error.wasWritten = pending->sentAs <= m_channel.lastWritten();
    pending->answered({std::move(error), {}});
}

} // namespace Rekindle
