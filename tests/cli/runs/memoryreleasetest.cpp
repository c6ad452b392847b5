// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/runs/memoryrelease_p.h"
#include "stage.h"
#include "testprogram.h"

#include <QFile>
#include <QTest>

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

// Returns the resident file pages (RssFile), in kB.
qint64 residentFilePages()
{
    QFile status(QStringLiteral("/proc/self/status"));
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
};

REKINDLE_TEST(MemoryReleaseTest)
#include "memoryreleasetest.moc"
