// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "stores.h"
#include "testprogram.h"

#include <rekindle/telemetry/audittrail.h>

#include <QProcess>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QtTest>

using namespace Rekindle;

/// A host that is killed at any moment loses the last batch at the most, and never the order.
class StoreKillTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void atRandomMoments();
};

namespace {

constexpr int patience = 30'000;
constexpr int rounds = 20;
constexpr qint64 batch = 1'000;

struct Told
{
    QString run;
    qint64 told = 0;
    qint64 flushed = 0;
    int lines = 0;
};

void read(QProcess &host, Told &told)
{
    while (host.canReadLine()) {
        const QList<QByteArray> words = host.readLine().trimmed().split(' ');
        ++told.lines;
        if (words[0] == "run")
            told.run = QString::fromLatin1(words[1]);
        else
            (words[0] == "told" ? told.told : told.flushed) = words[1].toLongLong();
    }
}

} // namespace

void StoreKillTest::atRandomMoments()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("s.sqlite"));
    QRandomGenerator random(20'261'121);
    AuditHead kept;
    for (int round = 0; round < rounds; ++round) {
        QProcess host;
        host.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        host.start(QStringLiteral(REKINDLE_STOREHOST), {path});
        QVERIFY(host.waitForStarted(patience));
        Told told;
        const int lines = random.bounded(2, 60);
        while (told.lines < lines) {
            QVERIFY(host.canReadLine() || host.waitForReadyRead(patience));
            read(host, told);
        }
        QTest::qWait(random.bounded(5)); // somewhere in the middle of whatever it does
        host.kill();
        QVERIFY(host.waitForFinished(patience));
        read(host, told);
        QVERIFY(told.told > 0);

        // As the next host finds it: the reader recovers the log.
        const AuditReport report = AuditTrail::verify(path, kept);
        QVERIFY2(report.error.isEmpty(), qPrintable(report.error));
        QVERIFY2(!report.fault, report.fault ? qPrintable(report.fault->what) : "");
        kept = report.head;
        OwnConnection own(path);
        QCOMPARE(own.rows(QStringLiteral("PRAGMA integrity_check")),
                 QStringList(QStringLiteral("ok")));
        const QString ofThisRun =
            QStringLiteral(" FROM events JOIN runs ON runs.id = run_id WHERE run = '%1'")
                .arg(told.run);
        const qint64 stored = own.number(QStringLiteral("SELECT count(*)") + ofThisRun);
        QCOMPARE(own.number(QStringLiteral("SELECT coalesce(max(seq), 0)") + ofThisRun), stored);
        QVERIFY2(stored >= told.flushed, qPrintable(QString::number(stored)));
        QVERIFY2(stored >= told.told - batch, qPrintable(QString::number(stored)));
        // Events and decisions of one batch come together.
        QCOMPARE(own.number(QStringLiteral("SELECT count(*)") + ofThisRun
                            + QStringLiteral(" AND type = 'agent.failed'")),
                 own.number(
                     QStringLiteral("SELECT count(*) FROM audit WHERE run = '%1'").arg(told.run)));
    }
    QVERIFY(kept.row > rounds);
}

REKINDLE_TEST(StoreKillTest)
#include "storekilltest.moc"
