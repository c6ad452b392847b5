// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "control/calls/controlrequest_p.h"

#include "control/calls/controlcalls_p.h"
#include "json/jsonparser.h"

#include <utility>

namespace Rekindle {

namespace {

const JsonNode noParams;

} // namespace

ControlRequest::ControlRequest(std::shared_ptr<ControlConnection> connection,
                               const ControlCall &call, ControlCalls &calls, QObject *server)
    : host(calls)
    , client(std::move(connection))
    , id(call.id)
    , method(QString::fromUtf8(call.method.value_or(QByteArray())))
    , m_server(server)
    , m_parsed(parseJson(call.params))
    , params(JsonPlace(m_parsed ? *m_parsed.value : noParams, {}, m_faults))
{
}

QString ControlRequest::text(const QString &key)
{
    const std::optional<JsonPlace> place = params.required(key);
    return place ? place->textNotEmpty().value_or(QString()) : QString();
}

QStringList ControlRequest::texts(const QString &key)
{
    QStringList texts;
    for (const JsonPlace &each : params.items(key))
        texts.append(each.textNotEmpty().value_or(QString()));
    return texts;
}

QString ControlRequest::agent() { return m_names.emplaceBack(text(QStringLiteral("agent"))); }

QStringList ControlRequest::agents(const QString &key, bool isRequired)
{
    if (isRequired)
        static_cast<void>(params.required(key));
    return m_names = texts(key);
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
    return faults.isEmpty() ? host.faultIn(m_names) : std::optional(invalidParams(faults));
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
