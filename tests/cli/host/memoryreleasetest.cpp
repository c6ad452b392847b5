// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commandrun.h"
#include "cli/host/memoryrelease_p.h"
#include "stage.h"
#include "testprogram.h"

#include <csignal>

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

// Returns the resident file pages (RssFile) of a process, in kB.
qint64 residentFilePages(qint64 process = QCoreApplication::applicationPid())
{
    QFile status(QStringLiteral("/proc/%1/status").arg(process));
    if (!status.open(QIODevice::ReadOnly))
        return 0;
    const QList<QByteArray> lines = status.readAll().split('\n');
    for (const QByteArray &line : lines) {
        if (line.startsWith("RssFile:"))
            return line.mid(8).simplified().split(' ').constFirst().toLongLong();
    }
    return 0;
}

} // namespace

class MemoryReleaseTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!MemoryRelease::isAvailable())
            QSKIP("a sanitizer needs its pages");
    }

    void releasesAfterStartAndAfterChanges()
    {
        Stage stage;
        stage.addFailing(QStringLiteral("a"), QStringLiteral("'maxRetries':1"));
        MemoryRelease release(stage.supervisor.policyEvaluator(), stage.scheduler);
        qint64 before = residentFilePages();
        QVERIFY(before > 0);
        stage.advance(5s);
        QVERIFY2(residentFilePages() < before, qPrintable(QString::number(before)));

        // No timer is armed until an agent changes its state.
        QCOMPARE(stage.scheduler.armedCount(), std::size_t{0});
        stage.play(QStringLiteral("start +3s"));
        QCOMPARE(stage.state(), InstanceState::Exhausted);
        before = residentFilePages();
        stage.advance(5s);
        QVERIFY2(residentFilePages() < before, qPrintable(QString::number(before)));
    }

    void releasesAfterAgentIsStable()
    {
        Stage stage;
        stage.add(QStringLiteral("a"), {QStringLiteral("started ready")},
                  QStringLiteral("'stableAfter':'60s'"));
        MemoryRelease release(stage.supervisor.policyEvaluator(), stage.scheduler);
        stage.play(QStringLiteral("start +30s"));
        QCOMPARE(stage.scheduler.armedCount(), std::size_t{1}); // the time until it is stable
        stage.play(QStringLiteral("+30s"));
        QCOMPARE(stage.scheduler.armedCount(), std::size_t{1}); // the release
        stage.advance(5s);
        QCOMPARE(stage.scheduler.armedCount(), std::size_t{0});
    }

    // Each step waits for the five seconds after the previous one.
    void upReleasesAfterTheLastClient()
    {
        const QTemporaryDir folder;
        // It would also release memory when the agent is stable.
        const QString file =
            writeFile(folder.path(), QStringLiteral("clients.json"),
                      configuration({words("sleep", "1h")},
                                    {{QStringLiteral("stableAfter"), QStringLiteral("1h")}}));
        StartedRun up(words("up", file, "--store", "off", "--state", "off", "--log", "json"));
        QVERIFY(up.waitForOutput("agent.ready"));
        const auto pages = [&up] { return residentFilePages(up.processId()); };
        const qint64 started = pages();
        QVERIFY(waitUntil([&] { return pages() < started / 2; }));
        const CompletedRun status(words("status", "--config", file));
        const qint64 grown = pages();
        QVERIFY(waitUntil([&] { return pages() < grown; }));
        QCOMPARE(up.endBy(SIGTERM), 0);
    }
};

REKINDLE_TEST(MemoryReleaseTest)
#include "memoryreleasetest.moc"
