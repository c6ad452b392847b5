// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "mcp/gateway/gatewaysession_p.h"

#include "properties.h"
#include "testprogram.h"

#include <QTest>

#include <deque>

using namespace Rekindle;

namespace {

// One number is one step of a trace, so that a trace shrinks to the steps that matter.
using Trace = std::vector<std::uint32_t>;

constexpr int serverCount = 3;

// A client and three servers that do what they like around a gateway session, which has to keep
// that each request gets one answer, and that a name means one tool for ever.
class World
{
public:
    World()
        : m_session(options())
    {
        client(
            R"({"jsonrpc":"2.0","id":"open","method":"initialize","params":{"protocolVersion":"2025-11-25"}})");
        client(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
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
            ask("tools/list", "{}");
            return;
        case 1:
        case 2:
            ask("tools/call", R"({"name":")" + nameOf(choice) + R"("})");
            return;
        case 3:
            m_session.serverStarted(server, m_now);
            take();
            return;
        case 4:
            say(server, R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})");
            return;
        case 5:
            if (!m_asked.isEmpty())
                cancel(m_asked.keys().at(static_cast<qsizetype>(choice) % m_asked.size()));
            return;
        case 6:
            pass(std::chrono::milliseconds(choice % 1000));
            return;
        default:
            answerOldest(server, choice / serverCount);
        }
    }

    // Everybody does his duty from here on.
    void finish()
    {
        pass(std::chrono::seconds(10));
        for (int round = 0; round < 100; ++round) {
            for (int i = 0; i < serverCount; ++i) {
                while (!m_work[static_cast<std::size_t>(i)].empty() && m_fault.isEmpty())
                    answerOldest(i, 1);
            }
        }
        m_session.clientClosed(m_now);
        take();
        if (!m_asked.isEmpty() && m_fault.isEmpty())
            m_fault = QLatin1String("no answer to ") + QString::fromUtf8(m_asked.firstKey());
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

    void client(const QByteArray &line)
    {
        m_session.clientLine(line, m_now);
        take();
    }

    void say(int server, const QByteArray &line)
    {
        m_session.serverLine(server, line, m_now);
        take();
    }

    // Ids of both kinds that look alike.
    void ask(const QByteArray &method, const QByteArray &params)
    {
        QByteArray id = QByteArray::number(m_nextId / 2);
        if (m_nextId++ % 2 != 0)
            id = '"' + id + '"';
        m_asked.insert(id, method);
        client(R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":")" + method + R"(","params":)"
               + params + '}');
    }

    void cancel(const QByteArray &id)
    {
        m_asked.remove(id);
        m_cancelled.insert(id);
        client(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" + id
               + "}}");
    }

    void pass(Duration time)
    {
        const Instant end = m_now + time;
        for (auto next = m_session.nextDeadline(); next && *next <= end;
             next = m_session.nextDeadline()) {
            m_now = *next;
            m_session.timePassed(m_now);
            take();
        }
        m_now = end;
    }

    // Some of x, y and z, which say whose they are.
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

    // Nearly right, as a proxy session passes it on.
    static QByteArray oddAnswer(const QByteArray &id, const QByteArray &result,
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

    static bool isForeignList(const QByteArray &method)
    {
        return method.endsWith("/list") && method != "tools/list";
    }

    // The id that a client makes out which reads all of those.
    static QByteArray idOf(const QByteArray &line)
    {
        const MessagePeek peek = MessagePeek::at(line);
        const MessageId id = MessageId::ofJson(peek.idValue.of(line));
        return id.isPresent() ? id.json() : MessagePeek::atEnds(line, line).id.json();
    }

    void answerOldest(int server, std::uint32_t choice)
    {
        std::deque<Work> &work = m_work[static_cast<std::size_t>(server)];
        // A new process is asked for lists that these servers do not have.
        while (!work.empty() && isForeignList(work.front().method)) {
            const QByteArray id = work.front().id;
            work.pop_front();
            say(server,
                R"({"jsonrpc":"2.0","id":)" + id
                    + R"(,"error":{"code":-32601,"message":"Method not found"}})");
        }
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
            line = oddAnswer(next.id, result, choice / 7);
        say(server, line);
        if (choice % 3 == 0)
            say(server, line); // twice
    }

    void take()
    {
        for (const GatewayAction &action : m_session.takeActions()) {
            if (action.kind == GatewayAction::Kind::ToClient)
                hear(action.bytes);
            else if (action.kind == GatewayAction::Kind::ToServer)
                work(action.server, action.bytes);
            else if (action.kind == GatewayAction::Kind::RestartServer)
                m_session.restartDecided(action.server, true, m_now);
        }
    }

    void work(int server, const QByteArray &line)
    {
        const MessagePeek peek = MessagePeek::at(line);
        std::deque<Work> &all = m_work[static_cast<std::size_t>(server)];
        if (peek.kind == MessagePeek::Kind::Request)
            all.push_back({peek.id.json(), peek.method});
        else if (peek.method == "notifications/cancelled")
            std::erase_if(
                all, [&](const Work &one) { return one.id == requestIdOf(line, peek).json(); });
    }

    void hear(const QByteArray &line)
    {
        const MessagePeek peek = MessagePeek::at(line);
        const QByteArray id = idOf(line);
        if (!peek.method.isEmpty() || id == "\"open\"")
            return;
        ++m_answers;
        const QByteArray method = m_asked.take(id);
        if (method.isEmpty() && !m_cancelled.remove(id))
            m_fault = QLatin1String("an answer to nothing: ") + QString::fromUtf8(line);
        if (method != "tools/list")
            return;
        QSet<QByteArray> seen;
        for (const QByteArray &item : jsonItems(jsonMember(line, peek.result, "tools").of(line))) {
            const auto text = [&](const char *key) {
                return jsonMember(item, {0, item.size()}, key).of(item).toByteArray();
            };
            const QByteArray name = text("name");
            if (seen.contains(name))
                m_fault = QLatin1String("a name twice: ") + QString::fromUtf8(line);
            seen.insert(name);
            if (m_meanings.value(name, text("title")) != text("title"))
                m_fault = QLatin1String("a name with another meaning: ") + QString::fromUtf8(line);
            m_meanings.insert(name, text("title"));
        }
    }

    GatewaySession m_session;
    Instant m_now{std::chrono::hours(1)};
    quint64 m_nextId = 0;
    QMap<QByteArray, QByteArray> m_asked; // and not answered: the method, by id
    QSet<QByteArray> m_cancelled;
    std::array<std::deque<Work>, serverCount> m_work;
    QHash<QByteArray, QByteArray> m_meanings; // of the names of tools
    int m_answers = 0;
    QString m_fault;
};

} // namespace

class GatewayModelTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyRequestGetsExactlyOneAnswer()
    {
        verifyProperty("each request gets one answer, and a name means one tool", 2000, [] {
            const auto number = rc::gen::resize(100, rc::gen::inRange(0U, 1U << 31));
            const Trace trace = *rc::gen::resize(300, rc::gen::container<Trace>(number));
            World world;
            for (const std::uint32_t step : trace) {
                if (world.fault().isEmpty())
                    world.step(step);
            }
            if (world.fault().isEmpty())
                world.finish();
            if (!world.fault().isEmpty())
                RC_FAIL(world.fault().toStdString());
        });
    }

    // The property above is worth as much as its traces.
    void theTracesAreWorthSomething()
    {
        World world;
        for (std::uint32_t i = 0; i < 10000; ++i)
            world.step(i * 2654435761U >> 1);
        QVERIFY2(world.fault().isEmpty(), qPrintable(world.fault()));
        QVERIFY2(world.answers() > 1000, qPrintable(QString::number(world.answers())));
        QVERIFY2(world.names() > 6, qPrintable(QString::number(world.names())));
    }
};

REKINDLE_TEST(GatewayModelTest)
#include "gatewaymodeltest.moc"
