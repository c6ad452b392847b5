// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "control/session/controlconnection_p.h"
#include "json/jsonobjectreader.h"

#include <rekindle/json/parsed.h>

#include <QPointer>
#include <QStringList>

#include <memory>
#include <optional>

namespace Rekindle {

class ControlCalls;

/// The response to a request. Nothing if it follows later, or if a slot of the host has deleted the
/// server.
using ControlReply = std::optional<ControlResponse>;

/// A request of a client, which reads its parameters. One that is missing, wrong or not read is a
/// fault.
class ControlRequest
{
public:
    /// `server` may be deleted by a slot of the host.
    ControlRequest(std::shared_ptr<ControlConnection> connection, const ControlCall &call,
                   ControlCalls &calls, QObject *server);
    Q_DISABLE_COPY_MOVE(ControlRequest)

    ControlCalls &host; ///< deleted with the server
    const std::shared_ptr<ControlConnection> client;
    const MessageId id;
    const QString method;

private:
    const QPointer<QObject> m_server;
    const Parsed<JsonNode> m_parsed;
    JsonFaults m_faults;
    QStringList m_names;

public:
    JsonObjectReader params;
    QString reason{}; ///< of an operator; read it with readReason()

    [[nodiscard]] bool isServerAlive() const { return !m_server.isNull(); }

    /// A text that is required and not empty.
    [[nodiscard]] QString text(const QString &key);
    /// The texts of an array; none if it is missing.
    [[nodiscard]] QStringList texts(const QString &key);
    /// The required name of an agent.
    [[nodiscard]] QString agent();
    /// The names of agents.
    [[nodiscard]] QStringList agents(const QString &key, bool isRequired = false);
    void readReason();

    /// The fault in the parameters, or in the names of agents. Call it after the last parameter.
    [[nodiscard]] std::optional<ControlError> fault();

    /// The event of the request, with its reason.
    [[nodiscard]] OperatorAction action() const;
};

} // namespace Rekindle
