// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <QProcess>
#include <QtTest>

// What becomes of a host that ends while its worker does not: workerexithost.cpp.
class WorkerExitTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void ends_data();
    void ends();
};

void WorkerExitTest::ends_data()
{
    QTest::addColumn<QByteArray>("output");
    const QByteArray destroyed = "worker destroyed\n";
    // A worker that is well has the time for its destructor.
    QTest::newRow("runs") << destroyed;
    QTest::newRow("hangs") << QByteArray();
    QTest::newRow("aside") << QByteArray();
    QTest::newRow("kept") << QByteArray();
}

void WorkerExitTest::ends()
{
    QFETCH(QByteArray, output);
    // The order in which things end differs from run to run.
    for (int i = 0; i < 20; ++i) {
        QProcess host;
        host.start(QStringLiteral(REKINDLE_WORKEREXITHOST),
                   {QString::fromLatin1(QTest::currentDataTag())});
        QVERIFY(host.waitForFinished(30'000));
        QCOMPARE(host.exitStatus(), QProcess::NormalExit);
        QCOMPARE(host.exitCode(), 0);
        QCOMPARE(host.readAllStandardError(), QByteArray());
        QCOMPARE(host.readAllStandardOutput(), output);
    }
}

QTEST_GUILESS_MAIN(WorkerExitTest)
#include "workerexittest.moc"
