// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "gatewaycatalog_p.h"
#include "gatewaycontext_p.h"
#include "mcp/restart/serverhistory_p.h"

#include <QHash>

#include <deque>
#include <vector>

namespace Rekindle {

/// The gateway's own tools, which restart one of its servers and verify that. In the catalog they
/// come after the tools of all servers and are named by the same rule.
class GatewayTools
{
public:
    GatewayTools(GatewayContext &context, GatewayCatalog &catalog);

    void call(const QByteArray &name, const QByteArray &line, const MessagePeek &peek);
    void restartDecided(int server, bool isAccepted, const QString &whyGivenUp);
    void serverDescribed(int server, const RestartRecord &record);

private:
    struct VerifyCall
    {
        MessageId id{};
        UtcTime since{};
    };

    void callRestart(int server, const QByteArray &line, const MessagePeek &peek);
    void callVerify(int server, const QByteArray &line, const MessagePeek &peek);
    [[nodiscard]] std::optional<int> serverOf(const QByteArray &line, const MessagePeek &peek);
    void answer(const MessageId &id, const QString &text, bool isError);

    GatewayContext &m_context;
    QHash<int, std::vector<MessageId>> m_restartCalls; // by server
    std::deque<VerifyCall> m_verifyCalls;              // one for each description to come
};

} // namespace Rekindle
