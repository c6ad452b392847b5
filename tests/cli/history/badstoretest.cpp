// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commandrun.h"
#include "testprogram.h"

#include <csignal>

using namespace Rekindle;

/// Telemetry stores that cannot be written or read.
class BadStoreTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void retriesUntilWritable();
    void reportsLossAtExit();
    void reportsUnreachableStore();

private:
    [[nodiscard]] QStringList up(const QString &store) const
    {
        return words("up",
                     writeFile(m_folder.path(), QStringLiteral("agents.json"),
                               configuration({words("hang")}, {})),
                     "--state", "off", "--log", "json", "--store", store);
    }

    QTemporaryDir m_folder;
};

// A folder with the name of the store is removed later.
void BadStoreTest::retriesUntilWritable()
{
    const QString store = m_folder.filePath(QStringLiteral("a.sqlite"));
    QVERIFY(QDir().mkdir(store));
    StartedRun run(up(store));
    QVERIFY(run.waitForOutput("agent.ready"));
    const QByteArray begin = "rekindle: store: " + store.toUtf8() + ": ";
    QVERIFY(run.waitForError("; events are queued, retrying\n"));
    QVERIFY2(run.error().startsWith(begin), run.error().constData());

    QVERIFY(QDir().rmdir(store));
    const QByteArray again = begin + "write succeeded again\n";
    QVERIFY2(run.waitForError(again), run.error().constData());
    QCOMPARE(run.endBy(SIGTERM), 0);
    QCOMPARE(run.error().count(begin), 2);
    QVERIFY2(!run.error().contains(" lost"), run.error().constData());

    CompletedRun history(words("history", "--store", store, "--json"));
    QCOMPARE(eventTypes(history.output()), eventTypes(run.output()));
}

void BadStoreTest::reportsLossAtExit()
{
    const QString store = QStringLiteral("/proc/a.sqlite");
    StartedRun run(up(store));
    QVERIFY(run.waitForOutput("agent.ready"));
    QVERIFY(run.waitForError("\n"));
    QCOMPARE(run.endBy(SIGTERM), 0);
    const QByteArray error = run.error();
    QVERIFY2(
        error.startsWith("rekindle: store: /proc/a.sqlite: unable to open database file; events "
                         "are queued, retrying\n"),
        error.constData());
    QVERIFY2(error.endsWith("rekindle: store: dropped 11 rows; `rekindle history` is incomplete\n"),
             error.constData());
    QCOMPARE(jsonLines(run.output()).size(), 3);
}

void BadStoreTest::reportsUnreachableStore()
{
    const QString loop = m_folder.filePath(QStringLiteral("loop.sqlite"));
    QVERIFY(QFile::link(loop, loop));
    for (const QStringList &command :
         {words("history"), words("history", "verify"), words("explain", "a")}) {
        CompletedRun run(command + words("--store", loop), 66);
        QVERIFY2(run.error().endsWith("loop.sqlite: cannot open: Too many levels of symbolic "
                                      "links\n"),
                 run.error().constData());
        CompletedRun both(command + words("--store", loop, "--config", "agents.json"), 64);
    }
}

REKINDLE_TEST(BadStoreTest)
#include "badstoretest.moc"
