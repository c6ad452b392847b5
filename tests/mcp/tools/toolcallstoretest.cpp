// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// Calls of a real server, and what a real store keeps of them.

#include "testprogram.h"

#include <rekindle/lifecycle/timerscheduler.h>
#include <rekindle/mcp/mcpagent.h>
#include <rekindle/mcp/toolcaller.h>
#include <rekindle/telemetry/historyreader.h>
#include <rekindle/telemetry/telemetrystore.h>

#include <QJsonArray>
#include <QJsonDocument>
#include <QPromise>
#include <QTemporaryDir>
#include <QTest>

using namespace Rekindle;
using namespace std::chrono_literals;
using End = ToolCallEnd;

namespace {

/// A server that is started when it is needed.
class OneServer : public ToolBackend
{
public:
    explicit OneServer(Scheduler &scheduler)
        : m_agent(definition(), scheduler)
    {
        connect(&m_agent, &Agent::ready, this, [this] {
            for (QPromise<Start> &promise : std::exchange(m_waiting, {})) {
                promise.addResult(std::nullopt);
                promise.finish();
            }
        });
        connect(&m_agent, &Agent::failed, this, &OneServer::ended);
        connect(&m_agent, &Agent::stopped, this, &OneServer::ended);
    }

    static ProcessDefinition definition()
    {
        ProcessDefinition definition;
        definition.program = QStringLiteral(REKINDLE_MCPSERVER);
        definition.stop = {2s, 2s, 2s};
        return definition;
    }

    [[nodiscard]] QString name() const override { return QStringLiteral("sample"); }
    [[nodiscard]] McpClient &client() override { return m_agent.client(); }
    [[nodiscard]] bool restartsOnExit() const override { return true; }
    QFuture<Start> ensureStarted(Duration) override
    {
        QPromise<Start> &promise = m_waiting.emplace_back();
        promise.start();
        const QFuture<Start> future = promise.future();
        if (client().isReady()) {
            promise.addResult(std::nullopt);
            promise.finish();
            m_waiting.pop_back();
        } else if (!m_agent.isAlive()) {
            m_agent.start();
        }
        return future;
    }
    QFuture<Start> respawn(Duration within) override
    {
        ++respawned;
        if (m_agent.isAlive())
            m_agent.kill();
        return ensureStarted(within);
    }

    void kill() { m_agent.kill(); }

    int respawned = 0;

private:
    void ended()
    {
        if (!m_waiting.empty() && !m_agent.isAlive())
            m_agent.start();
    }

    McpAgent m_agent;
    std::vector<QPromise<Start>> m_waiting;
};

struct Host
{
    explicit Host(const QString &path, ToolCallerOptions options = {})
        : store({.path = path})
        , server(scheduler)
        , caller(server, scheduler, std::move(options))
    {
        QObject::connect(&caller, &ToolCaller::callFinished, &store,
                         &TelemetryStore::appendToolCall);
    }

    std::optional<ToolCallOutcome> call(const char *tool, const QJsonObject &arguments = {})
    {
        const QFuture<ToolCallOutcome> future = caller.call(QString::fromLatin1(tool), arguments);
        if (!QTest::qWaitFor([&] { return future.isFinished(); }, 30000))
            return {};
        return future.result();
    }

    TimerScheduler scheduler;
    TelemetryStore store;
    OneServer server;
    ToolCaller caller;
};

} // namespace

class ToolCallStoreTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theStoreHasARetryCountAboveZero();
    void aCallIsRetriedOnARespawnedServer();
    void whatMayHaveBeenCarriedOutIsNot();
    void breakerOpeningsStandInTheStore();

private:
    [[nodiscard]] QList<StoredEvent> stored() const
    {
        HistoryReader reader(m_path);
        return reader.events({.type = toolCallFinishedType});
    }
    static QJsonObject dataOf(const StoredEvent &event)
    {
        return QJsonDocument::fromJson(event.data).object();
    }

    void init() { m_path = m_folder.filePath(QStringLiteral("%1.sqlite").arg(++m_stores)); }

    QTemporaryDir m_folder;
    QString m_path;
    int m_stores = 0;
};

// S3's own test, with a tool that kills its server each time.
void ToolCallStoreTest::theStoreHasARetryCountAboveZero()
{
    init();
    ToolCallerOptions options;
    options.retry = CallRetry::Always;
    Host host(m_path, options);
    const auto outcome = host.call("crash");
    QVERIFY(outcome.has_value());
    QCOMPARE(outcome->end, End::AttemptsExhausted);
    host.store.close();

    const QList<StoredEvent> events = stored();
    QCOMPARE(events.size(), 1);
    QCOMPARE(events[0].type, QStringLiteral("tool.finished"));
    QCOMPARE(events[0].agent, QStringLiteral("sample"));
    const QJsonObject data = dataOf(events[0]);
    QVERIFY(data[QLatin1String("retries")].toInt() > 0);
    QCOMPARE(data[QLatin1String("tool")].toString(), QStringLiteral("crash"));
    QCOMPARE(data[QLatin1String("end")].toString(), QStringLiteral("AttemptsExhausted"));
    QCOMPARE(data[QLatin1String("failure")].toString(), QStringLiteral("Lost"));
    QCOMPARE(data[QLatin1String("attempts")].toArray().size(), 2);
    QVERIFY(data[QLatin1String("durationMs")].toDouble() > 0);
    QVERIFY(events[0].toCloudEvent().contains(R"("id":"call-1")"));
}

void ToolCallStoreTest::aCallIsRetriedOnARespawnedServer()
{
    init();
    Host host(m_path);
    const auto outcome =
        host.call("die_once", {{QLatin1String("file"), m_folder.filePath(QStringLiteral("died"))}});
    QVERIFY(outcome.has_value());
    QVERIFY2(outcome->succeeded(), qPrintable(toText(outcome->end)));
    QCOMPARE(outcome->retries(), 1);
    QCOMPARE(host.server.respawned, 1);
    // Another time nothing dies, and the store has both.
    QVERIFY(host.call("lookup", {{QLatin1String("message"), QStringLiteral("hi")}})->succeeded());
    host.store.close();
    const QList<StoredEvent> events = stored();
    QCOMPARE(events.size(), 2);
    QCOMPARE(dataOf(events[0])[QLatin1String("retries")].toInt(), 1);
    QCOMPARE(dataOf(events[1])[QLatin1String("retries")].toInt(), 0);
    QCOMPARE(events[1].sequence, 2);
}

void ToolCallStoreTest::whatMayHaveBeenCarriedOutIsNot()
{
    init();
    Host host(m_path);
    const auto outcome = host.call(
        "die_once_writing", {{QLatin1String("file"), m_folder.filePath(QStringLiteral("wrote"))}});
    QVERIFY(outcome.has_value());
    QCOMPARE(outcome->end, End::NotRetryable);
    QCOMPARE(outcome->result.error->kind, McpError::Kind::Lost);
    QCOMPARE(host.server.respawned, 0);
}

void ToolCallStoreTest::breakerOpeningsStandInTheStore()
{
    init();
    ToolCallerOptions options;
    options.attemptTimeout = 50ms;
    options.policy.circuitBreaker->threshold = 2;
    Host host(m_path, options);
    for (int i = 0; i < 3; ++i)
        QVERIFY(host.call("silent").has_value());
    host.store.close();
    const QList<StoredEvent> events = stored();
    QCOMPARE(events.size(), 3);
    QCOMPARE(dataOf(events[0])[QLatin1String("breakerOpened")].toBool(), false);
    QCOMPARE(dataOf(events[1])[QLatin1String("breakerOpened")].toBool(), true);
    QCOMPARE(dataOf(events[1])[QLatin1String("breaker")].toString(), QStringLiteral("Open"));
    QCOMPARE(dataOf(events[2])[QLatin1String("end")].toString(), QStringLiteral("BreakerOpen"));
}

REKINDLE_TEST(ToolCallStoreTest)
#include "toolcallstoretest.moc"
