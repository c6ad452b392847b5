// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "mcp/gateway/gatewaysession_p.h"

#include <QByteArray>
#include <QStringList>

namespace Rekindle {

/// A gateway session on a stage: lines and moments go in, and what it wants done comes out as text,
/// one line for each action: `C <line>` to the client, `0 <line>` to the first server, and so on;
/// `restart 0`, `fail 0`, `describe 0`, `note`. Its own ids are "gateway-1" and so on.
class GatewayStage
{
public:
    explicit GatewayStage(const QStringList &servers, bool inject = false,
                          const QSet<int> &onDemand = {})
        : m_session(options(servers, inject, onDemand))
    {
    }

    QStringList client(const QByteArray &line)
    {
        m_session.clientLine(line, m_now);
        return actions();
    }
    QStringList closeClient()
    {
        m_session.clientClosed(m_now);
        return actions();
    }
    QStringList server(int index, const QByteArray &line)
    {
        m_session.serverLine(index, line, m_now);
        return actions();
    }
    /// Its proxy session refuses a request: the server is not running and restarts in 1.5 s.
    QStringList refuse(int index, const QByteArray &id)
    {
        ProxyRefusal refusal;
        refusal.id = MessageId::ofJson(id);
        refusal.restartIn = std::chrono::milliseconds(1500);
        m_session.serverRefused(index, refusal, m_now);
        return actions();
    }
    QStringList start(int index)
    {
        m_session.serverStarted(index, m_now);
        return actions();
    }
    /// Its process has ended.
    void end(int index) { m_session.serverGone(index, m_now); }
    QStringList decide(int index, bool accepted)
    {
        m_session.restartDecided(index, accepted, m_now);
        return actions();
    }

    /// Time passes, and the session is told at each of its deadlines.
    QStringList pass(Duration time)
    {
        const Instant end = m_now + time;
        QStringList all;
        for (auto next = m_session.nextDeadline(); next && *next <= end;
             next = m_session.nextDeadline()) {
            m_now = *next;
            m_session.timePassed(m_now);
            all += actions();
        }
        m_now = end;
        return all;
    }

    /// The client's initialize and its end, with all servers started before.
    QStringList openLegacy()
    {
        QStringList all = client(
            R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"roots":{}},"clientInfo":{"name":"c","version":"1"}}})");
        all += client(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
        return all;
    }

    /// A server's handshake, up to the end of its list of tools; `tools` is JSON with commas. What
    /// comes of that last line.
    QStringList come(int index, const QByteArray &tools)
    {
        const QByteArray initialize = idOf(index, "initialize");
        (void)server(
            index,
            R"({"jsonrpc":"2.0","id":)" + initialize
                + R"(,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}})");
        return server(index,
                      R"({"jsonrpc":"2.0","id":)" + idOf(index, "tools/list")
                          + R"(,"result":{"tools":[)" + tools + "]}}");
    }

    /// The id of the last request of that method that a server was sent.
    [[nodiscard]] QByteArray idOf(int index, const QByteArray &method) const
    {
        return m_ids.value({index, method});
    }

    [[nodiscard]] GatewaySession &session() { return m_session; }

private:
    static GatewayOptions options(const QStringList &servers, bool inject,
                                  const QSet<int> &onDemand)
    {
        GatewayOptions options;
        options.servers = servers;
        options.inject = inject;
        options.onDemand = onDemand;
        return options;
    }

    QStringList actions()
    {
        QStringList texts;
        for (const GatewayAction &action : m_session.takeActions()) {
            switch (action.kind) {
            case GatewayAction::Kind::ToClient:
                texts.append(QLatin1String("C ") + QString::fromUtf8(action.bytes));
                break;
            case GatewayAction::Kind::ToServer: {
                const MessagePeek peek = MessagePeek::at(action.bytes);
                m_ids.insert({action.server, peek.method}, peek.id.json());
                texts.append(QStringLiteral("%1 %2")
                                 .arg(action.server)
                                 .arg(QString::fromUtf8(action.bytes)));
                break;
            }
            case GatewayAction::Kind::RestartServer:
                texts.append(QStringLiteral("restart %1").arg(action.server));
                break;
            case GatewayAction::Kind::DescribeServer:
                texts.append(QStringLiteral("describe %1").arg(action.server));
                break;
            case GatewayAction::Kind::FailServer:
                texts.append(QStringLiteral("fail %1").arg(action.server));
                break;
            case GatewayAction::Kind::Note:
                texts.append(QStringLiteral("note"));
                break;
            }
        }
        return texts;
    }

    GatewaySession m_session;
    Instant m_now{std::chrono::hours(1)};
    QHash<std::pair<int, QByteArray>, QByteArray> m_ids;
};

/// What the tests write and read.
namespace GatewayTexts {

inline const QStringList twoNames{QStringLiteral("one"), QStringLiteral("two")};

inline QByteArray request(const char *id, const char *method, const char *params = "{}")
{
    return QByteArray(R"({"jsonrpc":"2.0","id":)") + id + R"(,"method":")" + method
        + R"(","params":)" + params + '}';
}

// What the client lists, in order.
inline QStringList listed(const QStringList &actions, const char *member = "tools",
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
    return names;
}

inline QString only(const QStringList &actions)
{
    return actions.size() == 1 ? actions.front() : actions.join(u'\n');
}

inline constexpr char listChanged[] =
    R"(C {"jsonrpc":"2.0","method":"notifications/tools/list_changed"})";
} // namespace GatewayTexts
} // namespace Rekindle
