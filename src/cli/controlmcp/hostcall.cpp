// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "hostcall_p.h"

#include "cli/client/hostaddress_p.h"
#include "control/internal/messagejson.h"

#include <QJsonDocument>

#include <utility>

namespace Rekindle {

namespace {

// The end of the connection is reported by failed(), with its cause.
QString textOf(const ControlError &error)
{
    const QJsonObject data = QJsonDocument::fromJson(error.data).object();
    const auto names = fromJson<QStringList>(data[QLatin1String("candidates")]);
    return names.isEmpty()
        ? error.message
        : QStringLiteral("%1 (agents: %2)").arg(error.message, names.join(QLatin1String(", ")));
}

} // namespace

HostCall::HostCall(HostRequest request, Scheduler &scheduler, QObject *parent)
    : QObject(parent)
    , m_request(std::move(request))
    , m_limit(scheduler, [this] {
        fail(QStringLiteral("the host has not responded in time; its event loop may hang"));
    })
{
    connect(&m_client, &ControlClient::opened, this, &HostCall::begin);
    connect(&m_client, &ControlClient::failed, this,
            [this](ControlClient::Cause, const QString &message) { fail(message); });
    connect(&m_client, &ControlClient::eventReceived, this, &HostCall::takeEvent);
    connect(&m_client, &ControlClient::eventsMissed, this,
            [this](qint64 count, const QString &from, const QString &to) {
                m_gap = {{QStringLiteral("from"), from},
                         {QStringLiteral("to"), to},
                         {QStringLiteral("count"), count}};
            });
    connect(&m_client, &ControlClient::eventsEnded, this, &HostCall::takeEnd);
}

void HostCall::start(const QString &address)
{
    m_limit.armIn(m_request.limit);
    if (const QString fault = openHost(m_client, address); !fault.isEmpty())
        QMetaObject::invokeMethod(this, [this, fault] { fail(fault); }, Qt::QueuedConnection);
}

// With the cursor before the request, recent_events returns its effects, too.
void HostCall::begin()
{
    if (!m_request.needsCursor) {
        sendRequest();
        return;
    }
    auto agents = fromJson<QStringList>(m_request.params[QLatin1String("agents")]);
    if (const QString agent = m_request.params[QLatin1String("agent")].toString(); !agent.isEmpty())
        agents.append(agent);
    m_client.listAgents(agents).then([this](const ControlResult<HostStatus> &host) {
        m_cursor = host.value.cursor;
        host ? sendRequest() : takeReply({.error = host.error});
    });
}

void HostCall::sendRequest()
{
    m_client.request(m_request.method, m_request.params).then([this](const Reply &reply) {
        takeReply(reply);
    });
}

void HostCall::takeReply(const Reply &reply)
{
    if (reply.error) {
        if (reply.error->code != ControlError::Code::NotConnected)
            fail(textOf(*reply.error));
        return;
    }
    if (m_request.eventLimit) {
        m_cursor = reply.value[QLatin1String("cursor")].toString(); // the events follow
        return;
    }
    QJsonObject members = reply.value.isArray()
        ? QJsonObject{{QStringLiteral("results"), reply.value}}
        : reply.value.toObject();
    if (m_request.needsCursor)
        members[QLatin1String("cursor")] = m_cursor;
    succeed(members);
}

void HostCall::takeEvent(const ControlEvent &event)
{
    const bool isFull = m_events.size() >= *m_request.eventLimit;
    m_hasMore = m_hasMore || (isFull && m_request.hasCursor);
    if (m_hasMore)
        return;
    if (isFull)
        m_events.removeFirst();
    m_events.append(QJsonDocument::fromJson(event.json).object());
    m_cursor = event.cursor;
}

void HostCall::takeEnd(const QString &cursor)
{
    QJsonObject result{{QStringLiteral("events"), m_events},
                       {QStringLiteral("cursor"), m_hasMore ? m_cursor : cursor},
                       {QStringLiteral("more"), m_hasMore}};
    if (!m_gap.isEmpty())
        result[QLatin1String("gap")] = m_gap;
    succeed(result);
}

void HostCall::succeed(const QJsonObject &result)
{
    if (!std::exchange(m_isDone, true))
        Q_EMIT succeeded(result);
}

void HostCall::fail(const QString &why)
{
    if (!std::exchange(m_isDone, true))
        Q_EMIT failed(why);
}

} // namespace Rekindle
