// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "hostcall_p.h"

#include "cli/client/hostaddress_p.h"

#include <rekindle/policy/validation.h>

#include <utility>

namespace Rekindle {

namespace {

// The end of the connection is reported by failed(), with its cause.
QString textOf(const ControlClient::Error &error)
{
    QStringList names;
    for (const auto &each : error.data[QLatin1String("candidates")].toArray())
        names.append(each.toString());
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
    connect(&m_client, &ControlClient::notified, this, &HostCall::takeNotification);
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
    QJsonObject params;
    if (const QJsonValue agents = m_request.params[QLatin1String("agents")]; !agents.isUndefined())
        params[QLatin1String("agents")] = agents;
    if (const QJsonValue agent = m_request.params[QLatin1String("agent")]; !agent.isUndefined())
        params[QLatin1String("agents")] = QJsonArray{agent};
    m_client.request(QStringLiteral("agents.list"), params,
                     [this](const QJsonValue &result, const auto &error) {
                         m_cursor = result[QLatin1String("cursor")].toString();
                         error ? takeReply(result, error) : sendRequest();
                     });
}

void HostCall::sendRequest()
{
    m_client.request(
        m_request.method, m_request.params,
        [this](const QJsonValue &result, const auto &error) { takeReply(result, error); });
}

void HostCall::takeReply(const QJsonValue &result, const std::optional<ControlClient::Error> &error)
{
    if (error) {
        if (error->code != ControlClient::Error::notConnected)
            fail(textOf(*error));
        return;
    }
    if (m_request.eventLimit) {
        m_cursor = result[QLatin1String("cursor")].toString(); // the events follow
        return;
    }
    QJsonObject members =
        result.isArray() ? QJsonObject{{QStringLiteral("results"), result}} : result.toObject();
    if (m_request.needsCursor)
        members[QLatin1String("cursor")] = m_cursor;
    succeed(members);
}

void HostCall::takeNotification(const QString &method, const QJsonObject &params)
{
    if (method == QLatin1String("event")) {
        const bool isFull = m_events.size() >= *m_request.eventLimit;
        m_hasMore = m_hasMore || (isFull && m_request.hasCursor);
        if (m_hasMore)
            return;
        if (isFull)
            m_events.removeFirst();
        m_events.append(params[QLatin1String("event")]);
        m_cursor = params[QLatin1String("cursor")].toString();
    } else if (method == QLatin1String("events.gap")) {
        m_gap = params;
    } else if (method == QLatin1String("events.end")) {
        QJsonObject result{{QStringLiteral("events"), m_events},
                           {QStringLiteral("cursor"),
                            m_hasMore ? QJsonValue(m_cursor) : params[QLatin1String("cursor")]},
                           {QStringLiteral("more"), m_hasMore}};
        if (!m_gap.isEmpty())
            result[QLatin1String("gap")] = m_gap;
        succeed(result);
    }
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
