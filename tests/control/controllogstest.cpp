// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "control/internal/logring.h"
#include "instantagent.h"
#include "socketclient.h"
#include "testprogram.h"

#include <rekindle/control/controlserver.h>
#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/lifecycle/timerscheduler.h>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace Rekindle;

/// logs.read and logs.follow through a real socket, and the ring of lines.
class ControlLogsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void ringLimitsLines();
    void ringLimitsBytes();
    void ringTruncatesLongLines();
    void readsNewestLines();
    void selectsLines();
    void namesProcessOfLines();
    void readsNothingFromSilentAgent();
    void readsEndsOfFiles();
    void readsOneFileOfBothStreams();
    void reportsUnreadableFile();
    void rejectsInvalidRequests_data();
    void rejectsInvalidRequests();
    void followsLines();
    void followsAgentThatWasAddedLater();
    void secondFollowReplacesTheFirst();
    void countsLinesThatSlowClientMisses();
    void forgetsClientThatDisconnects();

private:
    void add(const char *name)
    {
        auto agent = std::make_unique<InstantAgent>();
        m_agents[QLatin1String(name)] = agent.get();
        QVERIFY(m_supervisor->add(QLatin1String(name), std::move(agent)));
    }
    void write(const char *agent, const QByteArray &line,
               AgentOutput::Stream stream = AgentOutput::Stream::Output)
    {
        Q_EMIT m_agents.value(QLatin1String(agent))->output(stream, line);
    }
    [[nodiscard]] std::unique_ptr<SocketClient> connected() const
    {
        auto client = std::make_unique<SocketClient>(m_server->socketPath());
        client->hello();
        static_cast<void>(client->line());
        return client;
    }
    static QStringList textsOf(const QJsonValue &result)
    {
        QStringList texts;
        for (const auto &each : result[QLatin1String("lines")].toArray())
            texts.append(each[QLatin1String("text")].toString());
        return texts;
    }
    static QString textOf(const QJsonObject &notification)
    {
        return notification[QLatin1String("params")][QLatin1String("text")].toString();
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<TimerScheduler> m_scheduler;
    std::unique_ptr<AgentSupervisor> m_supervisor;
    std::unique_ptr<ControlServer> m_server;
    QHash<QString, InstantAgent *> m_agents;
};

void ControlLogsTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_scheduler = std::make_unique<TimerScheduler>();
    m_supervisor = std::make_unique<AgentSupervisor>(*m_scheduler);
    add("a");
    m_server = std::make_unique<ControlServer>(
        *m_supervisor,
        ControlServerOptions{.socketName = QStringLiteral("l"), .folder = m_folder->path()});
    QCOMPARE(m_server->listen(), QString());
}

void ControlLogsTest::cleanup()
{
    m_server.reset();
    m_supervisor.reset();
    m_scheduler.reset();
    m_agents.clear();
}

void ControlLogsTest::ringLimitsLines()
{
    LogRing ring;
    for (int i = 0; i < 1200; ++i)
        ring.add({.text = QByteArray::number(i)});
    QCOMPARE(ring.first(), quint64{200});
    QCOMPARE(ring.end(), quint64{1200});
    QCOMPARE(ring.at(200).text, QByteArray("200"));
    QCOMPARE(ring.at(1199).text, QByteArray("1199"));
}

void ControlLogsTest::ringLimitsBytes()
{
    LogRing ring;
    for (int i = 0; i < 100; ++i)
        ring.add({.text = QByteArray(10'000, 'x')});
    QCOMPARE(ring.end() - ring.first(), quint64{26}); // 256 KiB
}

void ControlLogsTest::ringTruncatesLongLines()
{
    LogRing ring;
    ring.add({.text = QByteArray(1'000'000, 'x')});
    QCOMPARE(ring.at(0).text.size(), LogRing::longestLine);
}

void ControlLogsTest::readsNewestLines()
{
    for (int i = 0; i < 1100; ++i)
        write("a", QByteArray::number(i));
    const auto client = connected();
    client->request(1, "logs.read", R"({"agent":"a","lines":2})");
    const QJsonValue result = client->result();
    QCOMPARE(textsOf(result), (QStringList{QStringLiteral("1098"), QStringLiteral("1099")}));
    QCOMPARE(result[QLatin1String("dropped")].toInt(), 100);
    client->request(2, "logs.read", R"({"agent":"a"})");
    QCOMPARE(textsOf(client->result()).size(), 100);
}

void ControlLogsTest::selectsLines()
{
    write("a", "GET /index");
    write("a", "error: no file", AgentOutput::Stream::Error);
    write("a", "GET /favicon \xff");
    const auto client = connected();
    client->request(1, "logs.read", R"({"agent":"a","match":"GET"})");
    QCOMPARE(textsOf(client->result()),
             (QStringList{QStringLiteral("GET /index"), QStringLiteral("GET /favicon \ufffd")}));
    client->request(2, "logs.read", R"({"agent":"a","streams":["stderr"]})");
    const QJsonValue lines = client->result()[QLatin1String("lines")];
    QCOMPARE(lines.toArray().size(), 1);
    QCOMPARE(lines[0][QLatin1String("stream")], QStringLiteral("stderr"));
    QVERIFY(lines[0][QLatin1String("time")].toString().endsWith(u'Z'));
    client->request(3, "logs.read", R"({"agent":"a","match":"GET","lines":1})");
    QCOMPARE(textsOf(client->result()), QStringList(QStringLiteral("GET /favicon \ufffd")));
}

void ControlLogsTest::namesProcessOfLines()
{
    write("a", "from a thread");
    InstantAgent *const agent = m_agents[QStringLiteral("a")];
    for (const qint64 pid : {4711, 4712}) {
        agent->pid = pid;
        write("a", "from a process");
    }
    agent->pid = 0; // it has exited
    const auto client = connected();
    client->request(1, "logs.read", R"({"agent":"a"})");
    const QJsonValue lines = client->result()[QLatin1String("lines")];
    QVERIFY(lines[0][QLatin1String("pid")].isUndefined());
    QCOMPARE(lines[1][QLatin1String("pid")].toInt(), 4711);
    QCOMPARE(lines[2][QLatin1String("pid")].toInt(), 4712);
}

void ControlLogsTest::readsNothingFromSilentAgent()
{
    const auto client = connected();
    client->request(1, "logs.read", R"({"agent":"a"})");
    QCOMPARE(
        client->result().toObject(),
        (QJsonObject{{QStringLiteral("lines"), QJsonArray()}, {QStringLiteral("dropped"), 0}}));
}

void ControlLogsTest::readsEndsOfFiles()
{
    const QString path = m_folder->filePath(QStringLiteral("out.log"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    for (int i = 1; i <= 100'000; ++i)
        file.write("line " + QByteArray::number(i) + '\n');
    file.write("the rest");
    file.close();
    m_agents[QStringLiteral("a")]->files = {{AgentOutput::Stream::Output, path}};
    write("a", "an error", AgentOutput::Stream::Error);
    const auto client = connected();
    client->request(1, "logs.read", R"({"agent":"a","lines":2})");
    const QJsonValue result = client->result();
    QCOMPARE(textsOf(result),
             (QStringList{QStringLiteral("line 100000"), QStringLiteral("the rest"),
                          QStringLiteral("an error")}));
    QCOMPARE(result[QLatin1String("lines")][0].toObject().keys(),
             (QStringList{QStringLiteral("stream"), QStringLiteral("text")}));
    QCOMPARE(result[QLatin1String("files")].toArray(),
             (QJsonArray{QJsonObject{{QStringLiteral("stream"), QStringLiteral("stdout")},
                                     {QStringLiteral("path"), path}}}));
    client->request(2, "logs.read", R"({"agent":"a","match":"99999"})");
    QCOMPARE(textsOf(client->result()), QStringList(QStringLiteral("line 99999")));
    client->request(3, "logs.read", R"({"agent":"a","streams":["stderr"]})");
    QVERIFY(client->result()[QLatin1String("files")].isUndefined());
    client->request(4, "logs.follow", R"({"agent":"a","lines":1})");
    const QJsonValue followed = client->result();
    QCOMPARE(textsOf(followed), QStringList(QStringLiteral("the rest")));
    QCOMPARE(followed[QLatin1String("files")][0][QLatin1String("path")].toString(), path);
    QCOMPARE(textOf(client->message()), QStringLiteral("an error"));
}

void ControlLogsTest::readsOneFileOfBothStreams()
{
    const QString path = m_folder->filePath(QStringLiteral("both.log"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("one\n");
    file.close();
    m_agents[QStringLiteral("a")]->files = {{AgentOutput::Stream::Output, path},
                                            {AgentOutput::Stream::Error, path}};
    const auto client = connected();
    client->request(1, "logs.read", R"({"agent":"a"})");
    QCOMPARE(textsOf(client->result()), QStringList(QStringLiteral("one")));
}

void ControlLogsTest::reportsUnreadableFile()
{
    m_agents[QStringLiteral("a")]->files = {{AgentOutput::Stream::Error, m_folder->path()}};
    const auto client = connected();
    client->request(1, "logs.read", R"({"agent":"a"})");
    const QJsonValue result = client->result();
    QVERIFY(result[QLatin1String("lines")].toArray().isEmpty());
    QCOMPARE(result[QLatin1String("files")][0][QLatin1String("error")],
             QStringLiteral("not a regular file"));
}

void ControlLogsTest::rejectsInvalidRequests_data()
{
    QTest::addColumn<QByteArray>("params");
    QTest::addColumn<int>("code");
    QTest::newRow("no agent") << QByteArray("{}") << -32602;
    QTest::newRow("unknown agent") << QByteArray(R"({"agent":"b"})") << -32001;
    QTest::newRow("lines") << QByteArray(R"({"agent":"a","lines":1001})") << -32602;
    QTest::newRow("stream") << QByteArray(R"({"agent":"a","streams":["out"]})") << -32602;
    QTest::newRow("unknown member") << QByteArray(R"({"agent":"a","grep":"x"})") << -32602;
}

void ControlLogsTest::rejectsInvalidRequests()
{
    QFETCH(const QByteArray, params);
    QFETCH(const int, code);
    const auto client = connected();
    for (const char *method : {"logs.read", "logs.follow"}) {
        client->request(1, method, params);
        QCOMPARE(client->error()[QLatin1String("code")].toInt(), code);
    }
}

void ControlLogsTest::followsLines()
{
    add("b");
    write("a", "one");
    write("a", "two");
    const auto client = connected();
    client->request(1, "logs.follow", R"({"agent":"a","lines":1})");
    QVERIFY(client->result().isObject());
    client->request(2, "logs.follow", R"({"agent":"b"})");
    const QJsonObject first = client->message();
    QCOMPARE(first[QLatin1String("method")], QStringLiteral("logs.line"));
    QCOMPARE(textOf(first), QStringLiteral("two"));
    QVERIFY(client->result().isObject());
    write("b", "three", AgentOutput::Stream::Error);
    const QJsonObject params = client->message()[QLatin1String("params")].toObject();
    QCOMPARE(params[QLatin1String("agent")], QStringLiteral("b"));
    QCOMPARE(params[QLatin1String("stream")], QStringLiteral("stderr"));
    QCOMPARE(params[QLatin1String("text")], QStringLiteral("three"));
}

void ControlLogsTest::followsAgentThatWasAddedLater()
{
    add("late");
    const auto client = connected();
    client->request(1, "logs.follow", R"({"agent":"late"})");
    client->result();
    write("late", "line");
    QCOMPARE(textOf(client->message()), QStringLiteral("line"));
}

void ControlLogsTest::secondFollowReplacesTheFirst()
{
    const auto client = connected();
    client->request(1, "logs.follow", R"({"agent":"a"})");
    client->result();
    client->request(2, "logs.follow", R"({"agent":"a","match":"x"})");
    client->result();
    write("a", "one");
    write("a", "x two");
    QCOMPARE(textOf(client->message()), QStringLiteral("x two"));
}

// The lines and the counts of the gaps add up to all lines.
void ControlLogsTest::countsLinesThatSlowClientMisses()
{
    const auto client = connected();
    client->request(1, "logs.follow", R"({"agent":"a"})");
    client->result();
    constexpr int all = 20'000;
    for (int i = 1; i <= all; ++i) {
        write("a", QByteArray::number(i) + ' ' + QByteArray(200, 'x'));
        if (i % 100 == 0)
            QCoreApplication::processEvents(); // the socket becomes full
    }
    int gaps = 0;
    int last = 0;
    while (last < all) {
        const QJsonObject message = client->message();
        if (message[QLatin1String("method")] == QLatin1String("logs.gap")) {
            ++gaps;
            last += message[QLatin1String("params")][QLatin1String("count")].toInt();
            continue;
        }
        const int number = textOf(message).section(u' ', 0, 0).toInt();
        QCOMPARE(number, last + 1);
        last = number;
    }
    QCOMPARE(last, all);
    QVERIFY(gaps > 0);
}

void ControlLogsTest::forgetsClientThatDisconnects()
{
    {
        const auto client = connected();
        client->request(1, "logs.follow", R"({"agent":"a"})");
        client->result();
    }
    QTRY_COMPARE(m_server->clientCount(), 0);
    write("a", "one");
    QCoreApplication::processEvents();
    const auto client = connected();
    client->request(1, "logs.read", R"({"agent":"a"})");
    QCOMPARE(textsOf(client->result()), QStringList(QStringLiteral("one")));
}

REKINDLE_TEST(ControlLogsTest)
#include "controllogstest.moc"
