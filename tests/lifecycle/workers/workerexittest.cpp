// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"
#include "testrow.h"

using namespace Rekindle;

// The exit of a host while its worker runs or hangs: workerexithost.cpp.
class WorkerExitTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void exitsWithWorker_data();
    void exitsWithWorker();
};

void WorkerExitTest::exitsWithWorker_data()
{
    const Rows<QByteArrayList, QByteArray, int> row("outputs", "errors", "times");
    const QByteArray destroyed = "worker destroyed\n";
    // A healthy worker is destroyed in time. Repeated, because the order of the exit varies.
    row("runs", QByteArrayList{destroyed}, {}, 20);
    row("kept", QByteArrayList{destroyed}, {}, 20);
    row("abandoned", QByteArrayList{{}},
        "rekindle.worker: Worker thread \"busy\" abandoned: it did "
        "not end within 1ms\n",
        20);
    // The application waits one second for the thread.
    row("hangs", QByteArrayList{{}}, {}, 2);
    row("kept-hangs", QByteArrayList{{}}, {}, 2);
    row("late", QByteArrayList{{}, destroyed}, {}, 2);
}

void WorkerExitTest::exitsWithWorker()
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
