// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "stores.h"
#include "testprogram.h"

#include <rekindle/telemetry/audittrail.h>

using namespace Rekindle;

/// A host that is killed loses at most the last batch.
class StoreKillTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void losesAtMostOneBatch();
};

namespace {

constexpr int patience = 30'000;
constexpr int rounds = 20;
constexpr qint64 batch = 1'000;

struct Progress
{
    QString run;
    qint64 emitted = 0;
    qint64 flushed = 0;
    int lines = 0;
};

void read(QProcess &host, Progress &progress)
{
    while (host.canReadLine()) {
        const QList<QByteArray> words = host.readLine().trimmed().split(' ');
        ++progress.lines;
        if (words[0] == "run")
            progress.run = QString::fromLatin1(words[1]);
        else
            (words[0] == "emitted" ? progress.emitted : progress.flushed) = words[1].toLongLong();
    }
}

} // namespace

void StoreKillTest::losesAtMostOneBatch()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("s.sqlite"));
    QRandomGenerator random(20'261'121);
    AuditHead head;
    for (int round = 0; round < rounds; ++round) {
        QProcess host;
        host.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        host.start(QStringLiteral(REKINDLE_STOREHOST), {path});
        QVERIFY(host.waitForStarted(patience));
        Progress progress;
        const int lines = random.bounded(2, 60);
        while (progress.lines < lines) {
            QVERIFY(host.canReadLine() || host.waitForReadyRead(patience));
            read(host, progress);
        }
        QTest::qWait(random.bounded(5)); // kill it at any point of its work
        host.kill();
        QVERIFY(host.waitForFinished(patience));
        read(host, progress);
        QVERIFY(progress.emitted > 0);

        // The reader recovers the log, as the next host does.
        const AuditReport report = AuditTrail::verify(path, head);
        QVERIFY2(report.error.isEmpty(), qPrintable(report.error));
        QVERIFY2(!report.fault, report.fault ? qPrintable(report.fault->what) : "");
        head = report.head;
        OwnConnection own(path);
        QCOMPARE(own.rows(QStringLiteral("PRAGMA integrity_check")),
                 QStringList(QStringLiteral("ok")));
        const QString ofThisRun =
            QStringLiteral(" FROM events JOIN runs ON runs.id = run_id WHERE run = '%1'")
                .arg(progress.run);
        const qint64 stored = own.number(QStringLiteral("SELECT count(*)") + ofThisRun);
        QCOMPARE(own.number(QStringLiteral("SELECT coalesce(max(seq), 0)") + ofThisRun), stored);
        QVERIFY2(stored >= progress.flushed, qPrintable(QString::number(stored)));
        QVERIFY2(stored >= progress.emitted - batch, qPrintable(QString::number(stored)));
        // Events and decisions of a batch are written together.
        QCOMPARE(own.number(QStringLiteral("SELECT count(*)") + ofThisRun
                            + QStringLiteral(" AND type = 'agent.failed'")),
                 own.number(QStringLiteral(
                                "SELECT count(*) FROM audit WHERE kind = 'decision' AND run = '%1'")
                                .arg(progress.run)));
    }
    QVERIFY(head.row > rounds);
}

REKINDLE_TEST(StoreKillTest)
#include "storekilltest.moc"
