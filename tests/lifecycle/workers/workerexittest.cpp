// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"

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
    QTest::addColumn<QByteArrayList>("outputs");
    QTest::addColumn<QByteArray>("errors");
    QTest::addColumn<int>("times");
    const QByteArray destroyed = "worker destroyed\n";
    // A worker that is well has the time for its destructor. The order in which things end differs
    // from run to run.
    QTest::newRow("runs") << QByteArrayList{destroyed} << QByteArray() << 20;
    QTest::newRow("kept") << QByteArrayList{destroyed} << QByteArray() << 20;
    QTest::newRow("abandoned") << QByteArrayList{{}}
                               << QByteArray(
                                      "rekindle.worker: Worker thread \"busy\" abandoned: it did "
                                      "not end within 1ms\n")
                               << 20;
    // The application waits a second for it.
    QTest::newRow("hangs") << QByteArrayList{{}} << QByteArray() << 2;
    QTest::newRow("kept-hangs") << QByteArrayList{{}} << QByteArray() << 2;
    QTest::newRow("late") << QByteArrayList{{}, destroyed} << QByteArray() << 2;
}

void WorkerExitTest::ends()
{
    QFETCH(QByteArrayList, outputs);
    QFETCH(QByteArray, errors);
    QFETCH(int, times);
    for (int i = 0; i < times; ++i) {
        QProcess host;
        host.start(QStringLiteral(REKINDLE_WORKEREXITHOST),
                   {QString::fromLatin1(QTest::currentDataTag())});
        QVERIFY(host.waitForFinished(30'000));
        QCOMPARE(host.readAllStandardError(), errors);
        QCOMPARE(host.exitStatus(), QProcess::NormalExit);
        QCOMPARE(host.exitCode(), 0);
        QVERIFY(outputs.contains(host.readAllStandardOutput()));
    }
}

REKINDLE_TEST(WorkerExitTest)
#include "workerexittest.moc"
