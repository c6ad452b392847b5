// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "control/calls/operatoraction_p.h"

namespace Rekindle {

OperatorAction operatorAction(ControlMethod method, const ControlPeer &peer)
{
    OperatorAction action;
    action.request = QString::fromLatin1(nameOf(method));
    action.userId = peer.userId;
    action.clientProcessId = peer.processId;
    action.program = peer.program;
    return action;
}

ControlResponse breakerResult(const CommandResult &result, const CircuitBreakerInfo &info)
{
    Json json{{"accepted", bool(result)},
              {"state", toText(info.state).toStdString()},
              {"isolated", info.isolated}};
    if (!result)
        json["noEffect"] = result.reason.toStdString();
    return inlineJson(json);
}

QString readReason(const JsonPlace &place)
{
    constexpr qsizetype longest = 1000;
    QString reason = place.text().value_or(QString());
    if (reason.size() > longest)
        place.fault(QStringLiteral("expected at most %1 characters, found %2")
                        .arg(longest)
                        .arg(reason.size()));
    return reason;
}

} // namespace Rekindle
