// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "stores.h"
#include "testprogram.h"

#include <rekindle/telemetry/audittrail.h>

using namespace Rekindle;
using namespace std::chrono_literals;

/// Removal of old rows, and the hash chain of the remaining rows.
class RetentionTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_path = m_folder.filePath(QStringLiteral("%1.sqlite").arg(++m_stores)); }

    void removesOldRows();
    void chainRemainsValidAcrossCheckpoints();
    void detectsRemovalWithoutCheckpoint();
    void limitsSize();
    void zeroDisablesLimits();
    void clockChangeRemovesNothing();

private:
    QTemporaryDir m_folder;
    QString m_path;
    int m_stores = 0;
};

void RetentionTest::removesOldRows()
{
    {
        TelemetryStore store({.path = m_path, .batchRows = 100, .maxAge = 1h});
        for (quint64 i = 1; i <= 500; ++i)
            store.append(numbered(i, std::chrono::minutes(i)));
        QVERIFY(written(store));
        // The rows that became old with the first batch are removed after the next batch.
        store.append(numbered(501, std::chrono::minutes(501)));
        QVERIFY(written(store));
    }
    OwnConnection own(m_path);
    const qint64 first = own.number(QStringLiteral("SELECT min(seq) FROM events"));
    QVERIFY2(first > 300 && first <= 441, qPrintable(QString::number(first)));
    QCOMPARE(own.number(QStringLiteral("SELECT count(*) FROM events")), 502 - first);
}

void RetentionTest::chainRemainsValidAcrossCheckpoints()
{
    AuditHead early;
    for (int run = 0; run < 3; ++run) {
        Engine engine;
        engine.clock.advance(std::chrono::hours(3 * run));
        TelemetryStore store({.path = m_path, .batchRows = 10, .maxAge = 1h});
        store.attach(engine.evaluator);
        for (int i = 0; i < 200; ++i) {
            engine.crash();
            if (i % 20 == 0) {
                engine.scheduler.advance(11min);
                QVERIFY(written(store));
            }
        }
        QVERIFY(written(store));
        const AuditReport report = AuditTrail::verify(m_path);
        QVERIFY2(report.isIntact(), report.fault ? qPrintable(report.fault->what) : "");
        if (run == 0)
            early = report.head;
    }
    const AuditReport report = AuditTrail::verify(m_path);
    QVERIFY(report.removedThrough > 100);
    QVERIFY(report.rows < 500);
    // A head whose row has been removed cannot be verified.
    QVERIFY(early.row < report.removedThrough);
    QVERIFY(AuditTrail::verify(m_path, early).isIntact());
}

void RetentionTest::detectsRemovalWithoutCheckpoint()
{
    chainRemainsValidAcrossCheckpoints();
    const qint64 removed = AuditTrail::verify(m_path).removedThrough;
    OwnConnection own(m_path);
    own.execute(QStringLiteral("UPDATE audit_head SET removed_through = %1").arg(removed + 3));
    own.execute(QStringLiteral("DELETE FROM audit WHERE id <= %1").arg(removed + 3));
    const AuditReport report = AuditTrail::verify(m_path);
    QVERIFY(report.fault);
    QCOMPARE(report.fault->row, removed + 3);
}

void RetentionTest::limitsSize()
{
    constexpr qint64 limit = 512 * 1024;
    {
        Engine engine;
        TelemetryStore store({.path = m_path, .batchRows = 100, .maxBytes = limit});
        store.attach(engine.evaluator);
        for (int i = 0; i < 1500; ++i) {
            engine.crash({QString(300, u'x')});
            if (i % 50 == 0)
                QVERIFY(written(store));
        }
    }
    // A pass takes place after at least 1,000 rows, which can be up to a megabyte.
    QVERIFY2(QFileInfo(m_path).size() < limit + 1024 * 1024,
             qPrintable(QString::number(QFileInfo(m_path).size())));
    OwnConnection own(m_path);
    QVERIFY(own.number(QStringLiteral("SELECT count(*) FROM events")) > 100);
    QVERIFY(own.number(QStringLiteral("SELECT count(*) FROM audit")) > 100);
    // The newest rows remain.
    QCOMPARE(own.number(QStringLiteral("SELECT max(seq) - min(seq) + 1 FROM events")),
             own.number(QStringLiteral("SELECT count(*) FROM events")));
    QVERIFY(AuditTrail::verify(m_path).isIntact());
}

void RetentionTest::zeroDisablesLimits()
{
    writeEvents({.path = m_path, .batchRows = 100, .maxAge = 0min, .maxBytes = 0}, 3000, 1h);
    OwnConnection own(m_path);
    QCOMPARE(own.number(QStringLiteral("SELECT count(*) FROM events")), qint64{3000});
}

// By the wall clock the rows are a day old, by the monotonic clock they are minutes old.
void RetentionTest::clockChangeRemovesNothing()
{
    {
        TelemetryStore store({.path = m_path, .batchRows = 100, .maxAge = 2h});
        quint64 sequence = 0;
        for (const std::chrono::hours jump : {0h, 24h, -24h}) {
            for (int i = 0; i < 1200; ++i) {
                AgentStable event = std::get<AgentStable>(numbered(++sequence));
                event.monotonicTime += sequence * 10ms;
                event.time += jump;
                store.append(event);
            }
            QVERIFY(written(store));
        }
    }
    OwnConnection own(m_path);
    QCOMPARE(own.number(QStringLiteral("SELECT count(*) FROM events WHERE seq <= 2400")),
             qint64{2400});
}

REKINDLE_TEST(RetentionTest)
#include "retentiontest.moc"
