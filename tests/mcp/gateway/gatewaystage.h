// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "mcp/gateway/gatewaysession_p.h"

#include "sessionstage.h"

#include <QByteArrayList>
#include <QHash>
#include <QtTest>

namespace Rekindle {

inline const QStringList oneName{QStringLiteral("one")};
inline const QStringList twoNames{QStringLiteral("one"), QStringLiteral("two")};

/// The names in a list that the client gets, separated by blanks.
inline QString listed(const QStringList &actions, const char *member = "tools",
                      const char *key = "name")
{
    QStringList names;
    for (const QString &action : actions) {
        const QByteArray line = action.mid(2).toUtf8();
        const MessagePeek peek = MessagePeek::at(line);
        for (const QByteArray &item : jsonItems(jsonMember(line, peek.result, member).of(line)))
            names.append(QString::fromUtf8(
                jsonStringText(jsonMember(item, {0, item.size()}, key).of(item)).value_or("?")));
    }
    return names.join(u' ');
}

inline QString only(const QStringList &actions)
{
    return actions.size() == 1 ? actions.front() : actions.join(u'\n');
}

/// The stage of a gateway session: `C <line>` to the client, `0 <line>` to the first server, and so
/// on; `restart 0`, `fail 0`, `describe 0`, `note`. The gateway's own ids are 1000000001 and so
/// on.
class GatewayStage final : public SessionStage<GatewaySession>
{
public:
    explicit GatewayStage(const QStringList &servers, bool inject = false,
                          const QSet<int> &onDemand = {},
                          Duration listTime = GatewayOptions().listTime)
        : SessionStage(GatewayOptions{
              .servers = servers, .onDemand = onDemand, .inject = inject, .listTime = listTime})
    {
    }

    explicit GatewayStage(const GatewayOptions &options)
        : SessionStage(options)
    {
    }

    QStringList server(int index, const QByteArray &line)
    {
        session().serverLine(index, line, now());
        return actions();
    }
    /// A server responds to the last request of that method.
    QStringList answer(int index, const QByteArray &method, const QByteArray &result)
    {
        return server(index, answerTo(idOf(index, method), result));
    }
    /// The tools of a server change.
    QStringList changeTools(int index, const QByteArray &tools)
    {
        (void)server(index, toolsChanged);
        return answer(index, "tools/list", R"({"tools":[)" + tools + "]}");
    }
    /// The proxy session refuses a request: the server is not running and restarts in 1.5 s.
    QStringList refuse(int index, const QByteArray &id)
    {
        ProxyRefusal refusal;
        refusal.id = MessageId::ofJson(id);
        refusal.restartIn = std::chrono::milliseconds(1500);
        session().serverRefused(index, refusal, now());
        return actions();
    }
    QStringList start(int index)
    {
        session().serverStarted(index, now());
        return actions();
    }
    /// The proxy session has replayed the handshake to a new process.
    QStringList replay(int index, const QByteArray &capabilities = R"({"tools":{}})")
    {
        session().handshakeReplayed(index, capabilities, now());
        return actions();
    }
    /// The process of a server has exited.
    QStringList end(int index)
    {
        session().serverExited(index, now());
        return actions();
    }
    QStringList decide(int index, bool accepted, const QString &whyGivenUp = {})
    {
        session().restartDecided(index, accepted, now(), whyGivenUp);
        return actions();
    }

    /// The client's initialize and initialized.
    QStringList openLegacy()
    {
        QStringList all = client(request(
            "0", "initialize",
            R"({"protocolVersion":"2025-11-25","capabilities":{"roots":{}},"clientInfo":{"name":"c","version":"1"}})"));
        all += client(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
        return all;
    }

    /// The handshake of a server, and its list of tools; `tools` is JSON with commas. Returns the
    /// actions of the list.
    QStringList come(int index, const QByteArray &tools)
    {
        (void)answer(index, "initialize",
                     R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{}}})");
        return answer(index, "tools/list", R"({"tools":[)" + tools + "]}");
    }

    /// The handshake of client and servers; `tools` is the list of each server.
    void open(const QByteArrayList &tools)
    {
        (void)openLegacy();
        for (int i = 0; i < tools.size(); ++i)
            (void)come(i, tools[i]);
    }

    /// The names of the tools that the client gets; empty if the response is missing.
    QString tools(const char *id) { return listed(client(request(id, "tools/list"))); }

    /// The receiver of the only action for a request: `C` if the gateway responds to it.
    QString receiver(const char *id, const char *method, const QByteArray &params)
    {
        return only(client(request(id, method, params))).left(1);
    }

    /// The id of the last request of that method to a server.
    [[nodiscard]] QByteArray idOf(int index, const QByteArray &method) const
    {
        return m_ids.value({index, method});
    }

private:
    QString textOf(const GatewayAction &action) override
    {
        switch (action.kind) {
        case GatewayAction::Kind::ToClient:
            return toClient(action.bytes);
        case GatewayAction::Kind::ToServer: {
            const MessagePeek peek = MessagePeek::at(action.bytes);
            m_ids.insert({action.server, peek.method}, peek.id.json());
            return QStringLiteral("%1 %2").arg(action.server).arg(QString::fromUtf8(action.bytes));
        }
        case GatewayAction::Kind::RestartServer:
            return QStringLiteral("restart %1").arg(action.server);
        case GatewayAction::Kind::DescribeServer:
            return QStringLiteral("describe %1").arg(action.server);
        case GatewayAction::Kind::FailServer:
            return QStringLiteral("fail %1").arg(action.server);
        case GatewayAction::Kind::Note:
            return QStringLiteral("note");
        }
        return {};
    }

    QHash<std::pair<int, QByteArray>, QByteArray> m_ids;
};

} // namespace Rekindle
