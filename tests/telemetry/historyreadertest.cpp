// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "stores.h"
#include "testprogram.h"
#include "valuetype.h"

#include <rekindle/telemetry/historyreader.h>
#include <telemetry/hostprocess_p.h>

#include <concepts>
#include <type_traits>

using namespace Rekindle;
using namespace std::chrono_literals;

static_assert(isValue<StoredEvent> && std::equality_comparable<StoredEvent>);
static_assert(isValue<StoredDecision> && std::equality_comparable<StoredDecision>);
static_assert(isValue<StoredRun> && std::equality_comparable<StoredRun>);
static_assert(isValue<HistoryQuery> && isValue<TelemetryOptions>);
static_assert(!std::is_copy_constructible_v<HistoryReader>);

/// Queries of a store.
class HistoryReaderTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_path = m_folder.filePath(QStringLiteral("%1.sqlite").arg(++m_stores)); }

    void returnsNewestRowsInOrder();
    void filtersByAgent();
    void reportsStatesOfRuns();
    void stateIsUnknownWithoutProcStat();
    void readsAndConvertsVersionOne();
    void filtersByType();
    void filtersByTime();
    void returnsDecisions();
    void readsWhileHostWrites();
    void matchesCloudEventsOfUp();
    void findsRowAfterEvent();
    void findsRowBetweenRowsOfOtherHosts();
    void findsNoRowAfterRemovedEvents();
    void returnsPagesWithoutToolCalls();
    void pageHasRowsOfEarlierRunsAndOfOneRun();
    void pageReportsRemovedRows();
    void pageHasBoundedSize();
    void omitsHugeTexts();
    void reportsUnreadableStores();

private:
    [[nodiscard]] static QString sequences(const QList<StoredEvent> &events)
    {
        QStringList words;
        for (const StoredEvent &event : events)
            words.append(QString::number(event.sequence));
        return words.join(u' ');
    }

    /// Writes a run with this many events. Returns its id.
    [[nodiscard]] QString writtenRun(int count) const
    {
        TelemetryStore store({.path = m_path});
        for (int i = 1; i <= count; ++i)
            store.append(numbered(static_cast<quint64>(i)));
        return store.runId();
    }

    QTemporaryDir m_folder;
    QString m_path;
    int m_stores = 0;
};

void HistoryReaderTest::returnsNewestRowsInOrder()
{
    writeEvents({.path = m_path}, 5);
    HistoryReader reader(m_path);
    QCOMPARE(reader.error(), QString());
    QCOMPARE(sequences(reader.events({})), QStringLiteral("1 2 3 4 5"));
    QCOMPARE(sequences(reader.events({.limit = 2})), QStringLiteral("4 5"));
    const StoredEvent last = reader.events({.limit = 1}).front();
    const LifecycleEvent expected = numbered(5);
    QCOMPARE(last.row, qint64{5});
    QCOMPARE(last.type, eventType(expected));
    QCOMPARE(last.agent, header(expected).agent);
    QCOMPARE(last.time, header(expected).time);
    QCOMPARE(last.monotonicTime, header(expected).monotonicTime);
    QCOMPARE(last.data, eventToJson(expected));
    QCOMPARE(QUuid(last.instanceId), header(expected).instanceId);
}

void HistoryReaderTest::filtersByAgent()
{
    {
        TelemetryStore store({.path = m_path});
        for (quint64 i = 1; i <= 6; ++i) {
            AgentStable event = std::get<AgentStable>(numbered(i));
            event.agent = i % 2 ? QStringLiteral("odd") : QStringLiteral("it's even");
            store.append(event);
        }
    }
    HistoryReader reader(m_path);
    QCOMPARE(sequences(reader.events({.agent = QStringLiteral("it's even")})),
             QStringLiteral("2 4 6"));
    QCOMPARE(sequences(reader.events({.agent = QStringLiteral("odd"), .limit = 1})),
             QStringLiteral("5"));
    QCOMPARE(sequences(reader.events({.agent = QStringLiteral("none")})), QString());
    QCOMPARE(reader.agents(), QStringList({QStringLiteral("it's even"), QStringLiteral("odd")}));
}

void HistoryReaderTest::reportsStatesOfRuns()
{
    QString first;
    QString second;
    {
        TelemetryStore store({.path = m_path});
        store.append(numbered(1));
        first = store.runId();
    }
    TelemetryStore store({.path = m_path});
    store.append(numbered(1));
    second = store.runId();
    QVERIFY(written(store));
    QList<StoredRun> runs = HistoryReader(m_path).runs();
    QCOMPARE(runs.size(), 2);
    QCOMPARE(runs[0].run, first);
    QCOMPARE(runs[0].processId, QCoreApplication::applicationPid());
    QCOMPARE(runs[0].begun, header(numbered(1)).time);
    QCOMPARE(runs[0].firstEvent, qint64{1});
    QVERIFY(runs[0].ended && runs[0].state == StoredRun::State::Exited);
    QCOMPARE(runs[1].run, second);
    QCOMPARE(runs[1].firstEvent, qint64{2});
    for (const StoredRun &run : std::as_const(runs)) {
        const QList<StoredEvent> events = HistoryReader(m_path).events({.run = run.run});
        QCOMPARE(events.size(), 1);
        QCOMPARE(events[0].row, run.firstEvent);
        QVERIFY(HistoryReader(m_path).decisions({.run = run.run}).isEmpty());
    }
    QVERIFY(!runs[1].ended && runs[1].state == StoredRun::State::Running);

    // Another process with the same id.
    OwnConnection own(m_path);
    const auto stateWith = [&](const char *change) {
        own.execute(QStringLiteral("CREATE TABLE copy AS SELECT * FROM runs"));
        own.execute(QLatin1String("UPDATE runs SET ") + QLatin1String(change)
                    + QLatin1String(" WHERE id = 2"));
        const StoredRun::State state = HistoryReader(m_path).runs().value(1).state;
        own.execute(QStringLiteral("DELETE FROM runs"));
        own.execute(QStringLiteral("INSERT INTO runs SELECT * FROM copy"));
        own.execute(QStringLiteral("DROP TABLE copy"));
        return state;
    };
    QCOMPARE(stateWith("start_ticks = start_ticks + 1"), StoredRun::State::Vanished);
    QCOMPARE(stateWith("boot = 'another'"), StoredRun::State::Vanished);
    QCOMPARE(stateWith("pid = 4194305"), StoredRun::State::Vanished); // above the maximum
    QCOMPARE(stateWith("pid_space = 'another'"), StoredRun::State::Unknown);
    QCOMPARE(stateWith("first_event = 0"), StoredRun::State::Unknown);
    QCOMPARE(stateWith("pid_space = '', start_ticks = 0"), StoredRun::State::Running);
}

// /proc/PID/stat is empty if the process has just exited or /proc hides it (hidepid).
void HistoryReaderTest::stateIsUnknownWithoutProcStat()
{
    HostProcess host = HostProcess::own();
    const qint64 start = host.startTicks;
    const auto stat = [](char state, qint64 ticks) -> std::optional<ProcessStat> {
        return ProcessStat{.state = state, .startTicks = ticks};
    };
    using Answer = std::optional<bool>;
    QCOMPARE(host.isAliveBy(std::nullopt), Answer());
    QCOMPARE(host.isAliveBy(stat('S', start)), Answer(true));
    QCOMPARE(host.isAliveBy(stat('Z', start)), Answer(false));
    QCOMPARE(host.isAliveBy(stat('S', start + 1)), Answer(false));
    host.startTicks = 0;
    QCOMPARE(host.isAliveBy(stat('S', start)), Answer(true));
    QCOMPARE(host.isAliveBy(std::nullopt), Answer());
}

// The next host that writes to the store converts it.
void HistoryReaderTest::readsAndConvertsVersionOne()
{
    writeEvents({.path = m_path}, 1);
    {
        OwnConnection own(m_path);
        own.execute(QStringLiteral("DROP TABLE inputs"));
        for (const char *column : {"boot", "pid_space", "start_ticks", "first_event", "ended_ms",
                                   "version", "first_audit"})
            own.execute(QLatin1String("ALTER TABLE runs DROP COLUMN ") + QLatin1String(column));
        own.execute(QStringLiteral("PRAGMA user_version = 1"));
    }
    {
        HistoryReader reader(m_path);
        QCOMPARE(reader.error(), QString());
        const QList<StoredRun> runs = reader.runs();
        QCOMPARE(reader.error(), QString());
        QCOMPARE(runs.size(), 1);
        QCOMPARE(runs[0].state, StoredRun::State::Unknown);
        QCOMPARE(runs[0].processId, QCoreApplication::applicationPid());
        QCOMPARE(sequences(reader.events({})), QStringLiteral("1"));
    }
    writeEvents({.path = m_path}, 1);
    const QList<StoredRun> runs = HistoryReader(m_path).runs();
    QCOMPARE(runs.size(), 2);
    QCOMPARE(runs[0].state, StoredRun::State::Unknown);
    QCOMPARE(runs[1].state, StoredRun::State::Exited);
}

void HistoryReaderTest::filtersByType()
{
    {
        TelemetryStore store({.path = m_path});
        for (quint64 i = 1; i <= 4; ++i) {
            AgentStopped stopped;
            static_cast<EventHeader &>(stopped) = header(numbered(i));
            store.append(i % 2 ? LifecycleEvent(stopped) : numbered(i));
        }
    }
    HistoryReader reader(m_path);
    const QString agent = header(numbered(1)).agent;
    QCOMPARE(sequences(reader.events({.type = QStringLiteral("agent.stopped")})),
             QStringLiteral("1 3"));
    QCOMPARE(sequences(reader.events(
                 {.agent = agent, .limit = 1, .type = QStringLiteral("agent.stable")})),
             QStringLiteral("4"));
    QCOMPARE(sequences(reader.events({.type = QStringLiteral("no.such")})), QString());
}

void HistoryReaderTest::filtersByTime()
{
    writeEvents({.path = m_path}, 5, 1min);
    HistoryReader reader(m_path);
    QCOMPARE(sequences(reader.events({.since = header(numbered(0, 3min)).time})),
             QStringLiteral("3 4 5"));
    QCOMPARE(sequences(reader.events({.since = header(numbered(0, 3min + 1ms)).time, .limit = 1})),
             QStringLiteral("5"));
}

void HistoryReaderTest::returnsDecisions()
{
    writeTrail(m_path, 3);
    HistoryReader reader(m_path);
    const QList<StoredDecision> found =
        reader.decisions({.agent = QStringLiteral("web"), .limit = 2});
    QCOMPARE(found.size(), 2);
    QCOMPARE(found[0].row, qint64{4});
    QCOMPARE(found[1].row, qint64{6});
    QVERIFY(found[1].data.contains("\"stderrTail\":[\"line 2\"]"));
    QCOMPARE(found[1].hash.size(), 32);
    QVERIFY(reader.decisions({.agent = QStringLiteral("else")}).isEmpty());
}

void HistoryReaderTest::readsWhileHostWrites()
{
    TelemetryStore store({.path = m_path});
    store.append(numbered(1));
    QVERIFY(written(store));
    HistoryReader reader(m_path);
    QCOMPARE(sequences(reader.events({})), QStringLiteral("1"));
    store.append(numbered(2));
    QVERIFY(written(store));
    QCOMPARE(sequences(reader.events({})), QStringLiteral("1 2"));
}

void HistoryReaderTest::matchesCloudEventsOfUp()
{
    QString source;
    {
        TelemetryStore store({.path = m_path});
        source = QLatin1String("urn:uuid:") + store.runId();
        store.append(numbered(7));
    }
    // The line that `up` writes and the line from the store are identical.
    QCOMPARE(HistoryReader(m_path).events({}).front().toCloudEvent(),
             toCloudEvent(numbered(7), source));
}

void HistoryReaderTest::findsRowAfterEvent()
{
    const QString first = writtenRun(5);
    const QString second = writtenRun(3);
    HistoryReader reader(m_path);
    const auto row = [&](const QString &run, quint64 sequence) {
        return reader.rowAfter(run, sequence).value_or(-1);
    };
    QCOMPARE(row(first, 0), qint64{1});
    QCOMPARE(row(first, 2), qint64{3});
    QCOMPARE(row(first, 5), qint64{6});
    QCOMPARE(row(first, 999), qint64{6});
    QCOMPARE(row(second, 0), qint64{6});
    QCOMPARE(row(second, 2), qint64{8});
    QCOMPARE(row(second, 3), qint64{9});
    QCOMPARE(row(QStringLiteral("unknown"), 1), qint64{-1});
    QCOMPARE(reader.error(), QString());
    for (quint64 sequence = 0; sequence < 3; ++sequence) {
        const StoredEventPage page = reader.eventsFrom(row(second, sequence), second, 10);
        QCOMPARE(page.events.size(), static_cast<qsizetype>(3 - sequence));
        QCOMPARE(page.events.front().sequence, static_cast<qint64>(sequence + 1));
    }
}

void HistoryReaderTest::findsRowBetweenRowsOfOtherHosts()
{
    TelemetryStore one({.path = m_path});
    TelemetryStore other({.path = m_path});
    for (quint64 i = 1; i <= 50; ++i) {
        one.append(numbered(i));
        QVERIFY(written(one));
        for (quint64 j = 0; j < i % 3; ++j)
            other.append(numbered(3 * i + j));
        ToolCallFinished call;
        call.agent = QStringLiteral("a");
        one.appendToolCall(call);
        QVERIFY(written(other));
    }
    QVERIFY(written(one));
    HistoryReader reader(m_path);
    const QList<StoredEvent> events = reader.events({.run = one.runId()});
    QCOMPARE(events.size(), 50);
    for (quint64 i = 0; i < 50; ++i) {
        const std::optional<qint64> row = reader.rowAfter(one.runId(), i);
        QVERIFY(row);
        const StoredEventPage page = reader.eventsFrom(*row, one.runId(), 1);
        QCOMPARE(page.events.front().sequence, static_cast<qint64>(i + 1));
    }
}

void HistoryReaderTest::findsNoRowAfterRemovedEvents()
{
    const QString run = writtenRun(5);
    OwnConnection(m_path).execute(QStringLiteral("DELETE FROM events WHERE id <= 3"));
    HistoryReader reader(m_path);
    QVERIFY(!reader.rowAfter(run, 0));
    QVERIFY(!reader.rowAfter(run, 2));
    QCOMPARE(reader.rowAfter(run, 3), std::optional<qint64>(4));
    QCOMPARE(reader.rowAfter(run, 4), std::optional<qint64>(5));
}

void HistoryReaderTest::returnsPagesWithoutToolCalls()
{
    TelemetryStore store({.path = m_path});
    for (quint64 i = 1; i <= 5; ++i) {
        store.append(numbered(i));
        ToolCallFinished call;
        call.agent = QStringLiteral("a");
        store.appendToolCall(call);
    }
    QVERIFY(written(store));
    HistoryReader reader(m_path);
    StoredEventPage page = reader.eventsFrom(0, store.runId(), 3);
    QCOMPARE(sequences(page.events), QStringLiteral("1 2 3"));
    QVERIFY(!page.isLast);
    QCOMPARE(page.removedRows, qint64{0});
    page = reader.eventsFrom(page.nextRow, store.runId(), 3);
    QCOMPARE(sequences(page.events), QStringLiteral("4 5"));
    QVERIFY(page.isLast);
    QCOMPARE(page.nextRow, qint64{11});
    page = reader.eventsFrom(page.nextRow, store.runId(), 3);
    QVERIFY(page.events.isEmpty() && page.isLast);
    QCOMPARE(page.removedRows, qint64{0});
}

// Another host writes to the store at the same time as the last one.
void HistoryReaderTest::pageHasRowsOfEarlierRunsAndOfOneRun()
{
    TelemetryStore other({.path = m_path});
    TelemetryStore own({.path = m_path});
    for (quint64 i = 1; i <= 4; ++i) {
        other.append(numbered(10 + i));
        QVERIFY(written(other));
        if (i < 2)
            continue;
        own.append(numbered(i));
        QVERIFY(written(own));
    }
    HistoryReader reader(m_path);
    QCOMPARE(sequences(reader.eventsFrom(0, own.runId(), 100).events),
             QStringLiteral("11 12 2 3 4"));
    QCOMPARE(sequences(reader.eventsFrom(0, QStringLiteral("none"), 100).events),
             QStringLiteral("11 12 2 13 3 14 4"));
}

void HistoryReaderTest::pageReportsRemovedRows()
{
    const QString run = writtenRun(9);
    HistoryReader reader(m_path);
    const StoredEventPage first = reader.eventsFrom(0, run, 2);
    QCOMPARE(first.nextRow, qint64{3});
    OwnConnection(m_path).execute(QStringLiteral("DELETE FROM events WHERE id <= 6"));
    const StoredEventPage second = reader.eventsFrom(first.nextRow, run, 2);
    QCOMPARE(second.removedRows, qint64{4});
    QCOMPARE(sequences(second.events), QStringLiteral("7 8"));
    // A new store of the same name.
    const StoredEventPage third = reader.eventsFrom(1000, run, 2);
    QCOMPARE(third.removedRows, qint64{1});
    QCOMPARE(sequences(third.events), QStringLiteral("7 8"));
}

void HistoryReaderTest::pageHasBoundedSize()
{
    TelemetryStore store({.path = m_path});
    for (quint64 i = 1; i <= 4; ++i) {
        AgentStable event = std::get<AgentStable>(numbered(i));
        event.agent = QString(100'000, u'x');
        store.append(event);
    }
    QVERIFY(written(store));
    HistoryReader reader(m_path);
    const StoredEventPage page = reader.eventsFrom(0, store.runId(), 100);
    QCOMPARE(page.events.size(), 3);
    QVERIFY(!page.isLast);
    QCOMPARE(reader.eventsFrom(page.nextRow, store.runId(), 100).events.size(), 1);
}

void HistoryReaderTest::omitsHugeTexts()
{
    writeEvents({.path = m_path}, 2);
    OwnConnection(m_path).execute(QStringLiteral("UPDATE events SET agent = hex(zeroblob(9000000)),"
                                                 " data = hex(zeroblob(9000000)) WHERE id = 1"));
    HistoryReader reader(m_path);
    const QList<StoredEvent> events = reader.events({});
    QCOMPARE(sequences(events), QStringLiteral("1 2"));
    QCOMPARE(events.constFirst().agent, QString());
    QCOMPARE(events.constFirst().data, QByteArray());
    QCOMPARE(events.constLast().data, eventToJson(numbered(2)));
}

void HistoryReaderTest::reportsUnreadableStores()
{
    HistoryReader none(QStringLiteral("/nowhere/s.sqlite"));
    QVERIFY(!none.error().isEmpty());
    QVERIFY(none.events({}).isEmpty());
    QVERIFY(none.decisions({}).isEmpty());
    QVERIFY(none.agents().isEmpty());
    QVERIFY(!none.error().isEmpty());

    QFile garbage(m_path);
    QVERIFY(garbage.open(QIODevice::WriteOnly));
    garbage.write(QByteArray(9000, '?'));
    garbage.close();
    QVERIFY(!HistoryReader(m_path).error().isEmpty());
}

REKINDLE_TEST(HistoryReaderTest)
#include "historyreadertest.moc"
