// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "lifecycle/internal/evaluatorport.h"
#include "stage.h"
#include "stores.h"
#include "testprogram.h"

#include <rekindle/telemetry/audittrail.h>
#include <rekindle/telemetry/historyreader.h>

#include <csignal>

using namespace Rekindle;

/// What a store records.
class TelemetryStoreTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_path = m_folder.filePath(QStringLiteral("%1/s.sqlite").arg(++m_stores)); }

    void storesEveryEvent();
    void rowsHaveTheRunOfTheEvaluator();
    void recordsOneEvaluator();
    void storesNoLinesOfAgents();
    void recordsDecisionsInAuditTrail();
    void recordsEvaluatorAnswersInAuditTrail();
    void recordsHealthInAuditTrail();
    void chainsRequestedRestarts();
    void chainsOperatorCommands();
    void commandRowPrecedesDecision();
    void commandIsFirstRowOfHost();
    void queueHoldsStartsOfManyAgents();
    void closeWritesAllRows();
    void twoHostsShareAStore();
    void twoHostsCreateAStore();
    void orderIsIndependentOfTheClock();
    void replacesInvalidCharacters();
    void onlyOwnerCanReadFiles();
    void slotMayDeleteTheStore();
    void threadBlocksSignals();

private:
    QTemporaryDir m_folder;
    QString m_path;
    int m_stores = 0;
};

void TelemetryStoreTest::storesEveryEvent()
{
    Engine engine;
    QList<QByteArray> emitted;
    connect(&engine.evaluator, &RestartPolicyEvaluator::lifecycleEvent, this,
            [&](const LifecycleEvent &event) {
                emitted.append(eventType(event).toUtf8() + '|' + eventToJson(event));
            });
    TelemetryStore store({.path = m_path});
    QSignalSpy opened(&store, &TelemetryStore::opened);
    store.attach(engine.evaluator);
    for (int i = 0; i < 6; ++i)
        engine.crash();
    QVERIFY(written(store));
    QCOMPARE(opened.count(), 1);
    QVERIFY(emitted.size() > 20);

    OwnConnection own(m_path);
    QStringList expected;
    for (const QByteArray &line : std::as_const(emitted))
        expected.append(QString::fromUtf8(line));
    QCOMPARE(own.rows(QStringLiteral("SELECT type, data FROM events ORDER BY id")), expected);
    QCOMPARE(own.number(QStringLiteral("SELECT count(*) FROM events WHERE id = seq AND"
                                       " json_extract(data, '$.monoNs') = mono_ns AND"
                                       " agent = 'web' AND instance = '%1'")
                            .arg(engine.id.toString(QUuid::WithoutBraces))),
             qint64{emitted.size()});
    QCOMPARE(own.rows(QStringLiteral("PRAGMA user_version")), QStringList(QStringLiteral("3")));
    QCOMPARE(own.rows(QStringLiteral("PRAGMA journal_mode")), QStringList(QStringLiteral("wal")));
    QCOMPARE(store.droppedCount(), quint64{0});
}

// Also if earlier rows have another one.
void TelemetryStoreTest::rowsHaveTheRunOfTheEvaluator()
{
    Engine engine;
    TelemetryStore store({.path = m_path});
    const QString before = store.runId();
    store.append(numbered(1));
    QVERIFY(written(store));
    store.attach(engine.evaluator);
    QCOMPARE(store.runId(), engine.evaluator.run());
    engine.crash();
    ToolCallFinished call;
    call.agent = QStringLiteral("web");
    store.appendToolCall(call);
    QVERIFY(written(store));
    const QStringList runs{before, engine.evaluator.run()};
    QCOMPARE(OwnConnection(m_path).rows(QStringLiteral("SELECT run FROM runs ORDER BY id")), runs);
    HistoryReader reader(m_path);
    QCOMPARE(reader.events({.run = before}).size(), 1);
    QCOMPARE(reader.events({.run = runs[1]}).front().sequence, qint64{1});
    QCOMPARE(reader.events({.type = QStringLiteral("tool.finished"), .run = runs[1]}).size(), 1);
    QCOMPARE(reader.decisions({.run = runs[1]}).size(), 1);
}

void TelemetryStoreTest::recordsOneEvaluator()
{
    Engine engine;
    Engine other;
    QVERIFY(engine.evaluator.run() != other.evaluator.run());
    TelemetryStore store({.path = m_path});
    store.attach(engine.evaluator);
    QTest::ignoreMessage(QtCriticalMsg,
                         QRegularExpression(QStringLiteral("already records another evaluator")));
    store.attach(other.evaluator);
    engine.crash();
    other.crash();
    QVERIFY(written(store));
    QCOMPARE(OwnConnection(m_path).rows(QStringLiteral("SELECT DISTINCT instance FROM events")),
             QStringList(engine.id.toString(QUuid::WithoutBraces)));
}

// Only append() stores them.
void TelemetryStoreTest::storesNoLinesOfAgents()
{
    Engine engine;
    TelemetryStore store({.path = m_path});
    store.attach(engine.evaluator);
    engine.evaluator.announce(engine.id, AgentOutput{});
    engine.evaluator.announce(engine.id, HealthChanged{});
    QVERIFY(written(store));
    OwnConnection own(m_path);
    const QString types = QStringLiteral("SELECT type FROM events");
    QCOMPARE(own.rows(types), QStringList{QStringLiteral("health.changed")});
    AgentOutput line;
    line.agent = QStringLiteral("web");
    store.append(line);
    QVERIFY(written(store));
    QCOMPARE(own.rows(types).size(), 2);
}

void TelemetryStoreTest::recordsDecisionsInAuditTrail()
{
    Engine engine;
    QList<RestartDecision> emitted;
    connect(&engine.evaluator, &RestartPolicyEvaluator::decided, this,
            [&](const QUuid &, const RestartDecision &decision) { emitted.append(decision); });
    TelemetryStore store({.path = m_path});
    store.attach(engine.evaluator);
    engine.crash({QStringLiteral("first"), QStringLiteral("last")});
    engine.crash();
    QVERIFY(written(store));
    QCOMPARE(emitted.size(), 2);

    OwnConnection own(m_path);
    QCOMPARE(own.rows(QStringLiteral("SELECT kind, agent, rule, run FROM audit WHERE id = 2")),
             QStringList(QStringLiteral("decision|web|Restart|") + store.runId()));
    const QJsonObject data =
        QJsonDocument::fromJson(
            own.rows(QStringLiteral("SELECT data FROM audit WHERE id = 2")).value(0).toUtf8())
            .object();
    const QJsonObject inputs = data[QLatin1String("inputs")].toObject();
    const QJsonObject failure = data[QLatin1String("failure")].toObject();
    QCOMPARE(data[QLatin1String("delayMs")].toDouble(), toMilliseconds(emitted[0].delay));
    QCOMPARE(inputs[QLatin1String("calculatedDelayMs")].toDouble(), 1000.0);
    QCOMPARE(inputs[QLatin1String("jitter")].toString(), QStringLiteral("symmetric"));
    QCOMPARE(inputs[QLatin1String("draw")].toDouble(), 0.5);
    QCOMPARE(data[QLatin1String("budgetLeft")].toInt(), 999);
    QCOMPARE(failure[QLatin1String("exitCode")].toInt(), 3);
    QCOMPARE(failure[QLatin1String("pid")].toInt(), 4711);
    QCOMPARE(failure[QLatin1String("stderrTail")].toVariant().toStringList(),
             QStringList({QStringLiteral("first"), QStringLiteral("last")}));
}

void TelemetryStoreTest::recordsEvaluatorAnswersInAuditTrail()
{
    Engine engine;
    TelemetryStore store({.path = m_path});
    store.attach(engine.evaluator);
    RestartDecision decision = RestartDecision::restart(std::chrono::seconds(1), 1);
    decision.inputs.draw = 0.25;
    Q_EMIT engine.evaluator.decided(engine.id, decision);
    RestartDecision wouldBe = RestartDecision::noRestart(DecisionRule::EvaluatorRefused);
    wouldBe.inputs.draw = 0.25;
    wouldBe.evaluator = EvaluatorOpinion{QStringLiteral("night"), EvaluatorVerdict::Kind::Refuse,
                                         QStringLiteral("it is late"), std::chrono::seconds(1)};
    Q_EMIT engine.evaluator.shadowDecided(engine.id, decision, wouldBe);
    Q_EMIT engine.evaluator.decided(engine.id, wouldBe);
    QVERIFY(written(store));

    HistoryReader reader(m_path);
    const QList<StoredDecision> decisions = reader.decisions({});
    QCOMPARE(decisions.size(), 2);
    const QList<StoredDecision> shadows = reader.shadowDecisions({});
    QCOMPARE(shadows.size(), 1);
    QCOMPARE(shadows[0].row, 2);
    QCOMPARE(shadows[0].agent, QStringLiteral("web"));
    const QJsonObject shadow = QJsonDocument::fromJson(shadows[0].data).object();
    QCOMPARE(shadow[QLatin1String("rule")].toString(), QStringLiteral("EvaluatorRefused"));
    const QJsonObject opinion{{QStringLiteral("id"), QStringLiteral("night")},
                              {QStringLiteral("answer"), QStringLiteral("refuse")},
                              {QStringLiteral("reason"), QStringLiteral("it is late")},
                              {QStringLiteral("builtInDelayMs"), 1000}};
    QCOMPARE(shadow[QLatin1String("evaluator")].toObject(), opinion);
    QVERIFY(!shadow.contains(QLatin1String("failure")));
    const auto evaluatorOf = [](const StoredDecision &each) {
        return QJsonDocument::fromJson(each.data)[QLatin1String("evaluator")];
    };
    QVERIFY(evaluatorOf(decisions[0]).isUndefined());
    QCOMPARE(evaluatorOf(decisions[1]).toObject(), opinion);
    QVERIFY(AuditTrail::verify(m_path).isIntact());
}

void TelemetryStoreTest::recordsHealthInAuditTrail()
{
    Engine engine;
    AgentHealthStatus health;
    health.state = AgentHealthStatus::State::Unhealthy;
    health.consecutiveMisses = 3;
    const UtcTime at{std::chrono::milliseconds(1763687989261)};
    health.history = {
        {at, true, std::chrono::microseconds(1500), QStringLiteral("status 200"),
         QStringLiteral("http")},
        {at, false, std::chrono::seconds(2), QStringLiteral("no answer"), QStringLiteral("http")}};
    EvaluatorPort(engine.evaluator).setHealthSource([&](const QUuid &) { return health; });
    TelemetryStore store({.path = m_path});
    store.attach(engine.evaluator);
    engine.crash();
    QVERIFY(written(store));
    OwnConnection own(m_path);
    QCOMPARE(
        own.rows(QStringLiteral("SELECT json_extract(data, '$.health') FROM audit WHERE id = 2")),
        QStringList(QStringLiteral(
            R"({"state":"Unhealthy","consecutiveMisses":3,"history":[)"
            R"({"at":"2025-11-21T01:19:49.261Z","probe":"http","ok":true,"tookMs":1.5,)"
            R"("text":"status 200"},)"
            R"({"at":"2025-11-21T01:19:49.261Z","probe":"http","ok":false,"tookMs":2000.0,)"
            R"("text":"no answer"}]})")));
}

void TelemetryStoreTest::closeWritesAllRows()
{
    constexpr int count = 5000;
    {
        TelemetryStore store(
            {.path = m_path, .batchRows = 700, .batchAge = std::chrono::minutes(1)});
        for (quint64 i = 1; i <= count; ++i)
            store.append(numbered(i));
    }
    OwnConnection own(m_path);
    QCOMPARE(own.rows(QStringLiteral("SELECT count(*), min(seq), max(seq) FROM events")),
             QStringList(QStringLiteral("5000|1|5000")));
    QVERIFY(!QFileInfo::exists(m_path + QLatin1String("-wal"))
            || QFileInfo(m_path + QLatin1String("-wal")).size() == 0);
}

void TelemetryStoreTest::twoHostsShareAStore()
{
    {
        Engine one;
        Engine other;
        TelemetryStore first({.path = m_path, .batchRows = 7, .batchAge = {}});
        TelemetryStore second({.path = m_path, .batchRows = 5, .batchAge = {}});
        first.attach(one.evaluator);
        second.attach(other.evaluator);
        for (int i = 0; i < 200; ++i) {
            one.crash();
            other.crash();
            if (i % 50 == 0) {
                QVERIFY(written(first));
                QVERIFY(written(second));
            }
        }
        QVERIFY(written(first));
        QVERIFY(written(second));
        QCOMPARE(first.droppedCount() + second.droppedCount(), quint64{0});
    }
    OwnConnection own(m_path);
    QCOMPARE(own.number(QStringLiteral("SELECT count(DISTINCT run) FROM audit")), qint64{2});
    QCOMPARE(own.rows(QStringLiteral("SELECT count(*), max(id) FROM audit")),
             QStringList(QStringLiteral("800|800")));
    // The chain continues across the hosts.
    QCOMPARE(own.number(QStringLiteral("SELECT count(*) FROM audit a JOIN audit b"
                                       " ON b.id = a.id + 1 AND b.prev = a.hash")),
             qint64{799});
    // The rows of the hosts alternate.
    QVERIFY(own.number(QStringLiteral("SELECT count(*) FROM audit a JOIN audit b"
                                      " ON b.id = a.id + 1 AND b.run <> a.run"))
            > 1);
}

// A store that the other host has not completely created is not rejected.
void TelemetryStoreTest::twoHostsCreateAStore()
{
    for (int round = 0; round < 60; ++round) {
        const QString path = m_folder.filePath(QStringLiteral("made-%1").arg(round));
        TelemetryStore first({.path = path, .batchAge = {}});
        TelemetryStore second({.path = path, .batchAge = {}});
        QStringList faults;
        for (TelemetryStore *store : {&first, &second}) {
            connect(store, &TelemetryStore::failed, this,
                    [&faults](const QString &what) { faults.append(what); });
            store->append(numbered(1));
        }
        QVERIFY2(written(first) && written(second), qPrintable(faults.join(u'\n')));
    }
}

void TelemetryStoreTest::orderIsIndependentOfTheClock()
{
    {
        TelemetryStore store({.path = m_path});
        const auto at = [](quint64 sequence, int days) {
            AgentStable event = std::get<AgentStable>(numbered(sequence));
            event.time += std::chrono::days(days);
            return event;
        };
        store.append(at(1, 0));
        store.append(at(2, 1));
        store.append(at(3, -1));
        store.append(at(4, 0));
    }
    OwnConnection own(m_path);
    QCOMPARE(own.rows(QStringLiteral("SELECT seq FROM events ORDER BY id")).join(u' '),
             QStringLiteral("1 2 3 4"));
    QCOMPARE(own.rows(QStringLiteral("SELECT seq FROM events ORDER BY utc_ms, id")).join(u' '),
             QStringLiteral("3 1 4 2"));
}

void TelemetryStoreTest::replacesInvalidCharacters()
{
    {
        TelemetryStore store({.path = m_path});
        AgentStable event = std::get<AgentStable>(numbered(1));
        event.agent = QStringLiteral("a") + QChar(0xd800) + QChar(u'\0') + QStringLiteral("b");
        store.append(event);
    }
    OwnConnection own(m_path);
    QCOMPARE(own.number(QStringLiteral("SELECT count(*) FROM events WHERE json_valid(data)"
                                       " AND agent GLOB 'a??b'")),
             qint64{1});
}

void TelemetryStoreTest::onlyOwnerCanReadFiles()
{
    TelemetryStore store({.path = m_path});
    store.append(numbered(1));
    QVERIFY(written(store));
    const QFileDevice::Permissions others = QFileDevice::ReadGroup | QFileDevice::WriteGroup
        | QFileDevice::ReadOther | QFileDevice::WriteOther;
    for (const QString &name :
         QStringList{m_path, m_path + QLatin1String("-wal"), QFileInfo(m_path).path()}) {
        QVERIFY(QFileInfo::exists(name));
        QVERIFY2(!(QFileInfo(name).permissions() & others), qPrintable(name));
    }
}

void TelemetryStoreTest::slotMayDeleteTheStore()
{
    auto *store = new TelemetryStore({.path = m_path});
    QPointer<TelemetryStore> alive(store);
    connect(store, &TelemetryStore::opened, store, [store] { delete store; });
    store->append(numbered(1));
    QTRY_VERIFY_WITH_TIMEOUT(alive.isNull(), 30'000);
    OwnConnection own(m_path);
    QCOMPARE(own.number(QStringLiteral("SELECT count(*) FROM events")), qint64{1});
}

// A host may handle signals in a thread of its own.
void TelemetryStoreTest::threadBlocksSignals()
{
    const auto threads = [] {
        const QStringList names =
            QDir(QStringLiteral("/proc/self/task")).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
        return QSet<QString>(names.begin(), names.end());
    };
    const QSet<QString> before = threads();
    TelemetryStore store({.path = m_path});
    QVERIFY(written(store));
    const QSet<QString> added = threads() - before;
    QCOMPARE(added.size(), 1);
    QFile status(QStringLiteral("/proc/self/task/%1/status").arg(*added.begin()));
    QVERIFY(status.open(QIODevice::ReadOnly));
    const QByteArray text = status.readAll();
    const qsizetype mask = text.indexOf("SigBlk:\t");
    QVERIFY(mask > 0);
    const quint64 blocked = text.mid(mask + 8, 16).toULongLong(nullptr, 16);
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGCHLD, SIGUSR1})
        QVERIFY2(blocked & (quint64{1} << (number - 1)), text.constData());
}

void TelemetryStoreTest::chainsRequestedRestarts()
{
    Engine engine;
    TelemetryStore store({.path = m_path});
    store.attach(engine.evaluator);
    const auto launch = [&engine] {
        const quint64 generation = EvaluatorPort(engine.evaluator).beginLaunch(engine.id).value();
        EvaluatorPort(engine.evaluator).reportStarted(engine.id, generation, 4711);
        EvaluatorPort(engine.evaluator).reportReady(engine.id, generation);
        return generation;
    };
    engine.evaluator.start(engine.id);
    const quint64 first = launch();
    QVERIFY(EvaluatorPort(engine.evaluator)
                .reportRestartRequested(engine.id, first, QStringLiteral("new code"), true));
    EvaluatorPort(engine.evaluator).reportStopped(engine.id, first);
    const quint64 second = launch();
    engine.evaluator.restart(engine.id, QStringLiteral("operator"));
    engine.evaluator.restart(engine.id, QStringLiteral("while it stops"));
    EvaluatorPort(engine.evaluator).reportStopped(engine.id, second);
    EvaluatorPort(engine.evaluator)
        .reportFailed(engine.id, EvaluatorPort(engine.evaluator).beginLaunch(engine.id).value(),
                      {});
    engine.evaluator.restart(engine.id, QStringLiteral("while it waits"));
    OperatorAction action;
    action.reason = QStringLiteral("at night");
    engine.evaluator.announce(engine.id, action);
    engine.evaluator.announce(engine.id, ConfigurationApplied{});
    QVERIFY(written(store));

    OwnConnection own(m_path);
    QCOMPARE(own.rows(QStringLiteral("SELECT kind, agent, json_extract(data, '$.reason') FROM audit"
                                     " WHERE kind <> 'decision' ORDER BY id")),
             QStringList({QStringLiteral("command|web|"), QStringLiteral("request|web|new code"),
                          QStringLiteral("request|web|operator"),
                          QStringLiteral("request|web|while it stops"),
                          QStringLiteral("request|web|while it waits"),
                          QStringLiteral("operator|web|at night"),
                          QStringLiteral("configuration|web|")}));
    const AuditReport report = AuditTrail::verify(m_path);
    QVERIFY2(report.isIntact(), qPrintable(report.error));
    QCOMPARE(report.rows, qint64{8});
}

void TelemetryStoreTest::chainsOperatorCommands()
{
    Engine engine;
    RestartPolicyEvaluator &evaluator = engine.evaluator;
    TelemetryStore store({.path = m_path});
    store.attach(evaluator);
    const auto launch = [&] {
        EvaluatorPort(evaluator).reportReady(
            engine.id, EvaluatorPort(evaluator).beginLaunch(engine.id).value());
    };
    evaluator.stop(engine.id); // ignored
    evaluator.start(engine.id);
    launch();
    evaluator.isolateCircuitBreaker(engine.id);
    evaluator.releaseCircuitBreaker(engine.id);
    evaluator.resetCircuitBreaker(engine.id);
    evaluator.restart(engine.id, QStringLiteral("operator")); // has its row "request"
    evaluator.stop(engine.id);
    EvaluatorPort(evaluator).reportStopped(engine.id, 1);
    evaluator.restart(engine.id, QStringLiteral("operator"));
    launch();
    evaluator.retryNow(engine.id);
    evaluator.restart(engine.id, QStringLiteral("operator"));
    evaluator.stop(engine.id, true); // by the host: has no row
    QVERIFY(written(store));

    QStringList rows =
        OwnConnection(m_path).rows(QStringLiteral("SELECT kind, data FROM audit ORDER BY id"));
    for (QString &row : rows) {
        if (row.startsWith(QLatin1String("request")))
            row = QStringLiteral("request");
    }
    QCOMPARE(
        rows,
        QStringList({QStringLiteral(R"(command|{"command":"start","state":"Stopped"})"),
                     QStringLiteral(R"(command|{"command":"isolateBreaker","state":"Running"})"),
                     QStringLiteral(R"(command|{"command":"releaseBreaker","state":"Running"})"),
                     QStringLiteral(R"(command|{"command":"resetBreaker","state":"Running"})"),
                     QStringLiteral("request"),
                     QStringLiteral(R"(command|{"command":"stop","state":"Stopping"})"),
                     QStringLiteral("request"),
                     QStringLiteral(R"(command|{"command":"start","state":"Running"})"),
                     QStringLiteral("request")}));
    QCOMPARE(
        OwnConnection(m_path).number(
            QStringLiteral(
                "SELECT count(*) FROM audit WHERE agent = 'web' AND instance = '%1' AND rule = ''")
                .arg(engine.id.toString(QUuid::WithoutBraces))),
        qint64{9});
    const AuditReport report = AuditTrail::verify(m_path);
    QVERIFY2(report.isIntact(), qPrintable(report.error));
    QCOMPARE(report.rows, qint64{9});
}

void TelemetryStoreTest::commandRowPrecedesDecision()
{
    Engine engine;
    TelemetryStore store({.path = m_path});
    store.attach(engine.evaluator);
    engine.crash();
    engine.evaluator.isolateCircuitBreaker(engine.id);
    QVERIFY(written(store));
    QCOMPARE(OwnConnection(m_path)
                 .rows(QStringLiteral("SELECT coalesce(json_extract(data, '$.command'), kind)"
                                      " FROM audit ORDER BY id"))
                 .join(u' '),
             QStringLiteral("start decision isolateBreaker"));
}

// Rows of the trail alone also belong to a run. Otherwise, the store would later be taken for
// another file.
void TelemetryStoreTest::commandIsFirstRowOfHost()
{
    Engine engine;
    TelemetryStore store({.path = m_path});
    store.attach(engine.evaluator);
    engine.evaluator.start(engine.id);
    QVERIFY(written(store));
    OwnConnection own(m_path);
    QCOMPARE(own.number(QStringLiteral("SELECT count(*) FROM events")), qint64{0});
    QCOMPARE(own.rows(QStringLiteral("SELECT run FROM runs")), QStringList(store.runId()));
    store.close();
    QCOMPARE(own.number(QStringLiteral("SELECT count(*) FROM runs WHERE ended_ms > 0")), qint64{1});
}

// The writer waits, so that the queue holds all rows.
void TelemetryStoreTest::queueHoldsStartsOfManyAgents()
{
    constexpr int count = 4000;
    Stage stage;
    TelemetryStore store(
        {.path = m_path, .batchRows = 100'000, .batchAge = std::chrono::minutes(1)});
    store.attach(stage.supervisor.policyEvaluator());
    for (int i = 0; i < count; ++i)
        stage.add(QStringLiteral("agent-%1").arg(i), {});
    stage.play(QStringLiteral("startAll"));
    QCOMPARE(stage.supervisor.policyEvaluator().activeCount(), qsizetype{count});
    stage.play(QStringLiteral("stopAll"));
    QVERIFY(written(store));
    QCOMPARE(store.droppedCount(), quint64{0});
    OwnConnection own(m_path);
    QCOMPARE(own.rows(QStringLiteral("SELECT json_extract(data, '$.command'), count(*),"
                                     " count(DISTINCT agent) FROM audit GROUP BY 1 ORDER BY 1")),
             QStringList(QStringLiteral("start|4000|4000")));
    QCOMPARE(own.number(QStringLiteral("SELECT count(*) FROM events")), qint64{3 * count});
    QVERIFY(AuditTrail::verify(m_path).isIntact());
}

REKINDLE_TEST(TelemetryStoreTest)
#include "telemetrystoretest.moc"
