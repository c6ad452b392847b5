// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "mcp/gateway/gatewaysession_p.h"
#include "mcp/jsonrpc/mcpmembers_p.h"

#include "properties.h"
#include "sessionstage.h"
#include "testprogram.h"

#include <deque>

using namespace Rekindle;

namespace {

constexpr int serverCount = 3;

// Random traffic of a client and three servers through a gateway session. Each request must get one
// response, and a name must always mean the same tool.
class GatewayTraffic final : private SessionStage<GatewaySession>
{
public:
    GatewayTraffic()
        : SessionStage(options())
    {
        (void)client(
            R"({"jsonrpc":"2.0","id":"open","method":"initialize","params":{"protocolVersion":"2025-11-25"}})");
        (void)client(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    }

    [[nodiscard]] const QString &fault() const { return m_fault; }
    [[nodiscard]] int answers() const { return m_answers; }
    [[nodiscard]] qsizetype names() const { return m_meanings.size(); }

    void step(std::uint32_t number)
    {
        const std::uint32_t choice = number >> 4;
        const int server = static_cast<int>(choice % serverCount);
        switch (number % 10) {
        case 0:
            request("tools/list", "{}");
            return;
        case 1:
        case 2:
            request("tools/call", R"({"name":")" + nameOf(choice) + R"("})");
            return;
        case 3:
            restart(server);
            return;
        case 4:
            serverWrites(server, toolsChanged);
            return;
        case 5:
            if (!m_open.isEmpty())
                cancel(m_open.keys().at(static_cast<qsizetype>(choice) % m_open.size()));
            return;
        case 6:
            (void)pass(std::chrono::milliseconds(choice % 1000));
            return;
        default:
            answerOldest(server, choice / serverCount);
        }
    }

    // The servers answer all requests.
    void finish()
    {
        (void)pass(std::chrono::seconds(10));
        for (int round = 0; round < 100; ++round) {
            for (int i = 0; i < serverCount; ++i) {
                while (!m_work[static_cast<std::size_t>(i)].empty() && m_fault.isEmpty())
                    answerOldest(i, 1);
            }
        }
        (void)closeClient();
        if (!m_open.isEmpty() && m_fault.isEmpty())
            m_fault = QLatin1String("no response to ") + QString::fromUtf8(m_open.firstKey());
    }

private:
    struct Work
    {
        QByteArray id;
        QByteArray method;
    };

    static GatewayOptions options()
    {
        GatewayOptions options;
        options.servers = {QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")};
        return options;
    }

    static QByteArray nameOf(std::uint32_t choice)
    {
        static const std::array<const char *, 8> all{
            "x", "y", "z", "a__x", "b__x", "c__y", "restart_server", "nothing"};
        return all[choice % all.size()];
    }

    void serverWrites(int server, const QByteArray &line)
    {
        session().serverLine(server, line, now());
        (void)actions();
    }

    // The same digits as text and as a number are two ids.
    void request(const QByteArray &method, const QByteArray &params)
    {
        QByteArray id = QByteArray::number(m_nextId / 2);
        if (m_nextId++ % 2 != 0)
            id = '"' + id + '"';
        m_open.insert(id, method);
        (void)client(R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":")" + method + R"(","params":)"
                     + params + '}');
    }

    void cancel(const QByteArray &id)
    {
        m_open.remove(id);
        m_cancelled.insert(id);
        (void)client(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)"
                     + id + "}}");
    }

    // Some of x, y and z; the title contains the server.
    static QByteArray tools(int server, std::uint32_t choice)
    {
        QByteArray items;
        for (const char *tool : {"x", "y", "z"}) {
            choice /= 2;
            if (choice % 2 != 0)
                continue;
            const QByteArray owner = QByteArray::number(server) + tool;
            items += QByteArray(items.isEmpty() ? "" : ",")
                + QByteArray(R"({"name":"TOOL","title":"OWNER"})")
                      .replace("TOOL", tool)
                      .replace("OWNER", owner);
        }
        return R"({"tools":[)" + items + "]}";
    }

    // An invalid response that a proxy session forwards.
    static QByteArray invalidAnswer(const QByteArray &id, const QByteArray &result,
                                    std::uint32_t choice)
    {
        const QByteArray end = R"("id":)" + id + R"(,"result":)" + result;
        switch (choice % 5) {
        case 0:
            return '{' + end + '}'; // without a version
        case 1:
            return R"({"jsonrpc":"2.0","error":null,)" + end + '}';
        case 2:
            return R"({"jsonrpc":"2.0",)" + end + R"(,"x":NaN})";
        case 3:
            return R"({"jsonrpc":"2.0",)" + end + R"(,"result":{}})";
        default:
            return R"({"jsonrpc":"2.0",)" + end + ",\"x\":\"\x01\"}";
        }
    }

    // The proxy session holds the client's calls and refuses the gateway's own requests, except
    // initialize.
    void restart(int server)
    {
        session().serverExited(server, now());
        std::deque<Work> &work = m_work[static_cast<std::size_t>(server)];
        for (const Work &lost : std::exchange(work, {})) {
            if (lost.method != "tools/list") {
                work.push_back(lost);
                continue;
            }
            ProxyRefusal refusal;
            refusal.id = MessageId::ofJson(lost.id);
            session().serverRefused(server, refusal, now());
        }
        session().serverStarted(server, now());
        session().handshakeReplayed(server, R"({"tools":{}})", now());
        (void)actions();
    }

    // The id that a lenient client reads.
    static QByteArray idOf(const QByteArray &line)
    {
        const MessagePeek peek = MessagePeek::at(line);
        const MessageId id = MessageId::ofJson(peek.idValue.of(line));
        return id.isPresent() ? id.json() : MessagePeek::atEnds(line, line).id.json();
    }

    void answerOldest(int server, std::uint32_t choice)
    {
        std::deque<Work> &work = m_work[static_cast<std::size_t>(server)];
        if (work.empty())
            return;
        const Work next = work.front();
        work.pop_front();
        QByteArray result = R"({"content":[]})";
        if (next.method == "initialize")
            result = R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{}}})";
        else if (next.method == "tools/list")
            result = tools(server, choice);
        QByteArray line = R"({"jsonrpc":"2.0","id":)" + next.id + R"(,"result":)" + result + '}';
        if (choice % 5 == 0)
            line = R"({"jsonrpc":"2.0","id":)" + next.id
                + R"(,"error":{"code":-32000,"message":"m","data":{"source":"rekindle"}}})";
        else if (choice % 7 == 0)
            line = invalidAnswer(next.id, result, choice / 7);
        serverWrites(server, line);
        if (choice % 3 == 0)
            serverWrites(server, line); // repeated
    }

    QString textOf(const GatewayAction &action) override
    {
        if (action.kind == GatewayAction::Kind::ToClient)
            clientGets(action.bytes);
        else if (action.kind == GatewayAction::Kind::ToServer)
            serverGets(action.server, action.bytes);
        else if (action.kind == GatewayAction::Kind::RestartServer)
            session().restartDecided(action.server, true, now());
        return {};
    }

    void serverGets(int server, const QByteArray &line)
    {
        const MessagePeek peek = MessagePeek::at(line);
        std::deque<Work> &all = m_work[static_cast<std::size_t>(server)];
        if (peek.method.endsWith("/list") && peek.method != "tools/list")
            m_fault = QLatin1String("a list that is not offered: ") + QString::fromUtf8(line);
        if (peek.kind == MessagePeek::Kind::Request)
            all.push_back({peek.id.json(), peek.method});
        else if (peek.method == "notifications/cancelled")
            std::erase_if(
                all, [&](const Work &one) { return one.id == requestIdOf(line, peek).json(); });
    }

    void clientGets(const QByteArray &line)
    {
        const MessagePeek peek = MessagePeek::at(line);
        const QByteArray id = idOf(line);
        if (!peek.method.isEmpty() || id == "\"open\"")
            return;
        ++m_answers;
        const QByteArray method = m_open.take(id);
        if (method.isEmpty() && !m_cancelled.remove(id))
            m_fault = QLatin1String("a response without a request: ") + QString::fromUtf8(line);
        if (method != "tools/list")
            return;
        const auto textOf = [](const QByteArray &item, const char *key) {
            return jsonMember(item, {0, item.size()}, key).of(item).toByteArray();
        };
        const std::vector<QByteArray> items =
            jsonItems(jsonMember(line, peek.result, "tools").of(line));
        // A server that is listed for the first time can take names over.
        for (const QByteArray &item : items) {
            const char server = textOf(item, "title").at(1);
            if (!m_listedServers.contains(server))
                m_meanings.clear();
            m_listedServers.insert(server);
        }
        QSet<QByteArray> seen;
        for (const QByteArray &item : items) {
            const auto text = [&](const char *key) { return textOf(item, key); };
            const QByteArray name = text("name");
            if (seen.contains(name))
                m_fault = QLatin1String("a repeated name: ") + QString::fromUtf8(line);
            seen.insert(name);
            if (m_meanings.value(name, text("title")) != text("title"))
                m_fault = QLatin1String("a name with another meaning: ") + QString::fromUtf8(line);
            m_meanings.insert(name, text("title"));
        }
    }

    quint64 m_nextId = 0;
    QMap<QByteArray, QByteArray> m_open; ///< methods by id
    QSet<QByteArray> m_cancelled;
    std::array<std::deque<Work>, serverCount> m_work;
    QSet<char> m_listedServers;
    QHash<QByteArray, QByteArray> m_meanings; ///< of the names of tools
    int m_answers = 0;
    QString m_fault;
};

} // namespace

class GatewayModelTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void answersEveryRequestExactlyOnce()
    {
        verifyTraces("each request gets one answer, and a name means one tool", 2000, 300,
                     [](std::uint32_t) { return GatewayTraffic(); });
    }

    // The property above depends on them.
    void tracesReachAllSituations()
    {
        GatewayTraffic traffic;
        for (std::uint32_t i = 0; i < 10000; ++i)
            traffic.step(i * 2654435761U >> 1);
        QVERIFY2(traffic.fault().isEmpty(), qPrintable(traffic.fault()));
        QVERIFY2(traffic.answers() > 1000, qPrintable(QString::number(traffic.answers())));
        QVERIFY2(traffic.names() > 6, qPrintable(QString::number(traffic.names())));
    }
};

REKINDLE_TEST(GatewayModelTest)
#include "gatewaymodeltest.moc"
