// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "control/calls/controlrequest_p.h"

#include "control/calls/statuscalls_p.h"
#include "json/jsonparser.h"

#include <utility>

namespace Rekindle {

namespace {

const JsonNode noParams;

} // namespace

ControlRequest::ControlRequest(std::shared_ptr<ControlConnection> connection,
                               const ControlCall &call, const StatusCalls &agents, QObject *server)
    : client(std::move(connection))
    , id(call.id)
    , method(QString::fromUtf8(call.method.value_or(QByteArray())))
    , m_server(server)
    , m_agents(agents)
    , m_parsed(parseJson(call.params))
    , params(JsonPlace(m_parsed ? *m_parsed.value : noParams, {}, m_faults))
{
}

QString ControlRequest::text(const QString &key)
{
    const std::optional<JsonPlace> place = params.required(key);
    return place ? place->textNotEmpty().value_or(QString()) : QString();
}

QStringList ControlRequest::texts(const std::optional<JsonPlace> &array)
{
    QStringList texts;
    const auto items = array ? array->items() : std::nullopt;
    for (const JsonPlace &each : items.value_or(std::vector<JsonPlace>()))
        texts.append(each.textNotEmpty().value_or(QString()));
    return texts;
}

QString ControlRequest::agent() { return m_names.emplaceBack(text(QStringLiteral("agent"))); }

QStringList ControlRequest::agents(const std::optional<JsonPlace> &array)
{
    return m_names = texts(array);
}

void ControlRequest::readReason()
{
    constexpr qsizetype longest = 1000;
    const std::optional<JsonPlace> place = params.member(QStringLiteral("reason"));
    if (place)
        reason = place->text().value_or(QString());
    if (reason.size() > longest)
        place->fault(QStringLiteral("expected at most %1 characters, found %2")
                         .arg(longest)
                         .arg(reason.size()));
}

std::optional<ControlError> ControlRequest::fault()
{
    params.finish();
    const QList<Fault> faults = m_parsed ? m_faults.result(true).faults : m_parsed.faults;
    return faults.isEmpty() ? m_agents.faultIn(m_names) : std::optional(invalidParams(faults));
}

OperatorAction ControlRequest::action() const
{
    OperatorAction action;
    action.request = method;
    action.reason = reason;
    action.userId = client->peer().userId;
    action.clientProcessId = client->peer().processId;
    action.program = client->peer().program;
    return action;
}

} // namespace Rekindle
