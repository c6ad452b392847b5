// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "stores.h"

#include <rekindle/telemetry/historyreader.h>

#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>

using namespace Rekindle;
using namespace std::chrono_literals;

/// What was stored can be asked for, also while a host writes.
class HistoryReaderTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_path = m_folder.filePath(QStringLiteral("%1.sqlite").arg(++m_stores)); }

    void theNewestOldestFirst();
    void ofOneAgent();
    void since();
    void decisions();
    void whileAHostWrites();
    void asCloudEvents();
    void whatCannotBeRead();

private:
    [[nodiscard]] static QString sequences(const QList<StoredEvent> &events)
    {
        QStringList words;
        for (const StoredEvent &event : events)
            words.append(QString::number(event.sequence));
        return words.join(u' ');
    }

    QTemporaryDir m_folder;
    QString m_path;
    int m_stores = 0;
};

void HistoryReaderTest::theNewestOldestFirst()
{
    {
        TelemetryStore store({.path = m_path});
        for (quint64 i = 1; i <= 5; ++i)
            store.append(numbered(i));
    }
    HistoryReader reader(m_path);
    QCOMPARE(reader.error(), QString());
    QCOMPARE(sequences(reader.events({})), QStringLiteral("1 2 3 4 5"));
    QCOMPARE(sequences(reader.events({.limit = 2})), QStringLiteral("4 5"));
    const StoredEvent last = reader.events({.limit = 1}).front();
    const LifecycleEvent told = numbered(5);
    QCOMPARE(last.row, qint64{5});
    QCOMPARE(last.type, eventType(told));
    QCOMPARE(last.agent, header(told).agent);
    QCOMPARE(last.time, header(told).time);
    QCOMPARE(last.monotonicTime, header(told).monotonicTime);
    QCOMPARE(last.data, eventToJson(told));
    QCOMPARE(QUuid(last.instanceId), header(told).instanceId);
}

void HistoryReaderTest::ofOneAgent()
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

void HistoryReaderTest::since()
{
    {
        TelemetryStore store({.path = m_path});
        for (quint64 i = 1; i <= 5; ++i)
            store.append(numbered(i, i * 1min));
    }
    HistoryReader reader(m_path);
    QCOMPARE(sequences(reader.events({.since = header(numbered(0, 3min)).time})),
             QStringLiteral("3 4 5"));
    QCOMPARE(sequences(reader.events({.since = header(numbered(0, 3min + 1ms)).time, .limit = 1})),
             QStringLiteral("5"));
}

void HistoryReaderTest::decisions()
{
    writeTrail(m_path, 3);
    HistoryReader reader(m_path);
    const QList<StoredDecision> found =
        reader.decisions({.agent = QStringLiteral("web"), .limit = 2});
    QCOMPARE(found.size(), 2);
    QCOMPARE(found[0].row, qint64{2});
    QCOMPARE(found[1].row, qint64{3});
    QVERIFY(found[1].data.contains("\"stderrTail\":[\"line 2\"]"));
    QCOMPARE(found[1].hash.size(), 32);
    QVERIFY(reader.decisions({.agent = QStringLiteral("else")}).isEmpty());
}

void HistoryReaderTest::whileAHostWrites()
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

void HistoryReaderTest::asCloudEvents()
{
    QString source;
    {
        TelemetryStore store({.path = m_path});
        source = QLatin1String("urn:uuid:") + store.runId();
        store.append(numbered(7));
    }
    // What `up` writes and what comes out of the store are the same line.
    QCOMPARE(HistoryReader(m_path).events({}).front().toCloudEvent(),
             toCloudEvent(numbered(7), source));
}

void HistoryReaderTest::whatCannotBeRead()
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

QTEST_GUILESS_MAIN(HistoryReaderTest)
#include "historyreadertest.moc"
