// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commandrun.h"
#include "testprogram.h"

#include <csignal>
#include <memory>

using namespace Rekindle;

/// `rekindle control-mcp` with a real host.
class ControlMcpTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
    void looksAtAgents();
    void continuesEventsWithoutLossOrRepetition();
    void operatesOnlyIfAllowed();
    void reportsHostThatDoesNotRun();
    void cancelsWaits();
    void answersBeforeTheEnd();
    void endsBySignal();

private:
    void startHost();
    void open(const QStringList &options = {});
    void send(const QByteArray &method, const QJsonObject &params);
    /// The next response.
    QJsonObject response();
    QJsonValue call(const char *tool, const QJsonObject &arguments = {});
    static QString textOf(const QJsonValue &result)
    {
        return result[QLatin1String("content")][0][QLatin1String("text")].toString();
    }

    QTemporaryDir m_folder;
    QString m_configuration;
    std::unique_ptr<CommandRun> m_up;
    std::unique_ptr<CommandRun> m_server;
    int m_requests = 0;
    qsizetype m_read = 0; ///< lines of m_server
};

namespace {

const QString webKey = QStringLiteral("web");
QJsonObject webArgument() { return {{QStringLiteral("agent"), webKey}}; }
QJsonObject websArgument() { return {{QStringLiteral("agents"), QJsonArray({webKey})}}; }

bool isError(const QJsonValue &result) { return result[QLatin1String("isError")].toBool(); }
QJsonValue contentOf(const QJsonValue &result)
{
    return result[QLatin1String("structuredContent")];
}

} // namespace

void ControlMcpTest::initTestCase()
{
    qputenv("XDG_RUNTIME_DIR", QFile::encodeName(m_folder.path()));
    m_configuration =
        writeFile(m_folder.path(), QStringLiteral("agents.json"),
                  R"({"agents": [{"name": "web", "kind": "process", "program": "sh", "ready": "now",
            "arguments": ["-c", "echo hello; exec sleep 1000"], "stdout": "lines"}]})");
}

void ControlMcpTest::init() { startHost(); }

void ControlMcpTest::cleanup()
{
    m_server.reset();
    m_up.reset();
}

void ControlMcpTest::startHost()
{
    m_up = std::make_unique<StartedRun>(
        words("up", m_configuration, "--store", "off", "--state", "off"));
    QVERIFY(m_up->waitForOutput("agent.ready"));
}

void ControlMcpTest::open(const QStringList &options)
{
    m_requests = 0;
    m_read = 0;
    m_server =
        std::make_unique<StartedRun>(words("control-mcp", "--config", m_configuration) + options);
    send("initialize", {{QStringLiteral("protocolVersion"), QStringLiteral("2025-11-25")}});
    QCOMPARE(response()[QLatin1String("result")][QLatin1String("protocolVersion")],
             QStringLiteral("2025-11-25"));
}

void ControlMcpTest::send(const QByteArray &method, const QJsonObject &params)
{
    const QJsonObject request{{QStringLiteral("jsonrpc"), QStringLiteral("2.0")},
                              {QStringLiteral("id"), ++m_requests},
                              {QStringLiteral("method"), QString::fromLatin1(method)},
                              {QStringLiteral("params"), params}};
    m_server->write(QJsonDocument(request).toJson(QJsonDocument::Compact) + '\n');
}

QJsonObject ControlMcpTest::response()
{
    const auto lines = [this] { return m_server->wholeLines().split('\n'); };
    if (!waitUntil([&] { return lines().size() > m_read + 1; }))
        return {};
    return QJsonDocument::fromJson(lines().at(m_read++)).object();
}

QJsonValue ControlMcpTest::call(const char *tool, const QJsonObject &arguments)
{
    send("tools/call",
         {{QStringLiteral("name"), QString::fromLatin1(tool)},
          {QStringLiteral("arguments"), arguments}});
    return response()[QLatin1String("result")];
}

void ControlMcpTest::looksAtAgents()
{
    open();
    send("tools/list", {});
    QCOMPARE(response()[QLatin1String("result")][QLatin1String("tools")].toArray().size(), 5);
    const QJsonValue listed = call("list_agents");
    QVERIFY(!isError(listed));
    QCOMPARE(contentOf(listed)[QLatin1String("agents")][0][QLatin1String("agent")], webKey);
    QVERIFY(contentOf(listed)[QLatin1String("cursor")].isString());
    QCOMPARE(QJsonDocument::fromJson(textOf(listed).toUtf8()).object(),
             contentOf(listed).toObject());
    QVERIFY(contentOf(call("explain_agent", webArgument()))[QLatin1String("next")].isString());
    QVERIFY(waitUntil([this] {
        return contentOf(call("read_logs",
                              webArgument()))[QLatin1String("lines")][0][QLatin1String("text")]
            == QStringLiteral("hello");
    }));
    QVERIFY(contentOf(call("read_logs", webArgument()))[QLatin1String("cursor")].isString());
    const QJsonValue unknown =
        call("explain_agent", {{QStringLiteral("agent"), QStringLiteral("wbe")}});
    QVERIFY(isError(unknown));
    QCOMPARE(textOf(unknown), QStringLiteral("no agent named wbe (agents: web)"));
}

void ControlMcpTest::continuesEventsWithoutLossOrRepetition()
{
    open(words("--allow", "operate"));
    const QJsonValue first = contentOf(call("recent_events"));
    QCOMPARE(first[QLatin1String("more")], false);
    const QJsonValue restarted = call("restart", websArgument());
    QVERIFY(!isError(restarted));
    QString cursor = contentOf(restarted)[QLatin1String("cursor")].toString();
    QJsonObject goal = websArgument();
    goal[QLatin1String("for")] = QStringLiteral("ready");
    const QJsonValue ready = call("wait_for", goal);
    QVERIFY(!isError(ready));
    QVERIFY(contentOf(ready)[QLatin1String("cursor")].isString());
    QStringList ids;
    for (bool isMore = true; isMore;) {
        const QJsonValue next = contentOf(call(
            "recent_events", {{QStringLiteral("cursor"), cursor}, {QStringLiteral("limit"), 2}}));
        for (const auto &each : next[QLatin1String("events")].toArray())
            ids.append(each[QLatin1String("id")].toString());
        cursor = next[QLatin1String("cursor")].toString();
        isMore = next[QLatin1String("more")].toBool();
    }
    QVERIFY(ids.size() >= 4); // operator.action, restart.requested, agent.stopped, agent.started
    const int begin =
        first[QLatin1String("events")].toArray().last()[QLatin1String("id")].toString().toInt();
    for (qsizetype i = 0; i < ids.size(); ++i)
        QCOMPARE(ids[i].toLongLong(), begin + 1 + i);
    // Without a cursor, the newest.
    const QJsonValue newest = contentOf(call("recent_events", {{QStringLiteral("limit"), 1}}));
    QCOMPARE(newest[QLatin1String("events")][0][QLatin1String("id")], ids.last());
}

void ControlMcpTest::operatesOnlyIfAllowed()
{
    open();
    const QJsonValue refused = call("stop", websArgument());
    QVERIFY(isError(refused));
    QVERIFY(textOf(refused).contains(QStringLiteral("--allow operate")));
    m_server.reset();
    open(words("--allow", "operate"));
    QJsonObject stop = websArgument();
    stop[QLatin1String("reason")] = QStringLiteral("a test");
    const QJsonValue stopped = contentOf(call("stop", stop));
    QCOMPARE(stopped[QLatin1String("results")][0][QLatin1String("accepted")], true);
    QVERIFY(m_up->waitForOutput("agent.stopped"));
    QVERIFY(m_up->output().contains(R"("reason":"a test")"));
    QVERIFY(!isError(call("start", websArgument())));
    QVERIFY(!isError(call("reset", webArgument())));
}

// The host may be started later, and restarted.
void ControlMcpTest::reportsHostThatDoesNotRun()
{
    QCOMPARE(m_up->endBy(SIGTERM), 0);
    open();
    const QJsonValue missing = call("list_agents");
    QVERIFY(isError(missing));
    QVERIFY2(textOf(missing).contains(QStringLiteral("no host listens")),
             qPrintable(textOf(missing)));
    startHost();
    QVERIFY(!isError(call("list_agents")));
    QCOMPARE(m_up->endBy(SIGKILL), -1);
    QVERIFY(isError(call("list_agents")));
    startHost();
    QVERIFY(!isError(call("list_agents")));
}

void ControlMcpTest::cancelsWaits()
{
    open();
    QJsonObject goal = websArgument();
    goal[QLatin1String("for")] = QStringLiteral("stopped");
    send("tools/call",
         {{QStringLiteral("name"), QStringLiteral("wait_for")},
          {QStringLiteral("arguments"), goal}});
    const int waiting = m_requests;
    QVERIFY(!isError(call("list_agents"))); // a wait delays no other call
    m_server->write(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)"
                    + QByteArray::number(waiting) + "}}\n");
    QVERIFY(!isError(call("list_agents")));
    goal[QLatin1String("timeoutSeconds")] = 0;
    const QJsonValue late = call("wait_for", goal);
    QVERIFY(isError(late));
    QVERIFY2(textOf(late).startsWith(QStringLiteral("not reached within 0")),
             qPrintable(textOf(late)));
}

void ControlMcpTest::answersBeforeTheEnd()
{
    open();
    QJsonObject goal = websArgument();
    goal[QLatin1String("for")] = QStringLiteral("stopped");
    send("tools/call",
         {{QStringLiteral("name"), QStringLiteral("wait_for")},
          {QStringLiteral("arguments"), goal}});
    send("tools/call", {{QStringLiteral("name"), QStringLiteral("list_agents")}});
    QCOMPARE(m_server->endInput(), 0);
    const QList<QByteArray> lines = m_server->output().trimmed().split('\n');
    QCOMPARE(lines.size(), 3);
    QVERIFY(lines[1].contains("the client has closed stdin"));
    QVERIFY(lines[2].contains(R"("agents")"));
}

// Also with an open call.
void ControlMcpTest::endsBySignal()
{
    open();
    QJsonObject goal = websArgument();
    goal[QLatin1String("for")] = QStringLiteral("stopped");
    send("tools/call",
         {{QStringLiteral("name"), QStringLiteral("wait_for")},
          {QStringLiteral("arguments"), goal}});
    QVERIFY(!isError(call("list_agents")));
    QCOMPARE(m_server->endBy(SIGTERM), 0);
    open();
    QCOMPARE(m_server->endBy(SIGINT), 0);
}

REKINDLE_TEST(ControlMcpTest)
#include "controlmcptest.moc"
