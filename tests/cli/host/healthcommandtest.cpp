// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commandrun.h"
#include "testprogram.h"

#include <csignal>

using namespace Rekindle;

/// Health probes of `rekindle up`.
class HealthCommandTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void exampleIsInTheManual();
    void exampleRecoversHungWorker();
    void examplesOfThePageAreValid();
};

void HealthCommandTest::exampleIsInTheManual()
{
    const QString example = QStringLiteral(REKINDLE_SOURCE "/examples/2-health/health.json");
    CompletedRun check(words("check", example));
    const QByteArray quoted = "```json\n" + readFile(example) + "```\n";
    QVERIFY(readFile(QStringLiteral(REKINDLE_SOURCE "/docs/health.md")).contains(quoted));
}

// The worker hangs, is killed and restarted.
void HealthCommandTest::exampleRecoversHungWorker()
{
    const QTemporaryDir folder;
    const QString store = folder.filePath(QStringLiteral("s.sqlite"));
    StartedRun run(words("up", REKINDLE_SOURCE "/examples/2-health/health.json", "--store", store));
    QVERIFY(waitUntil([&] {
        return eventTypes(run.wholeLines(), QStringLiteral("worker"))
                   .count(QLatin1String("agent.ready"))
            >= 2;
    }));
    const QByteArray lines = run.wholeLines();
    // Another program may use the port of the web server.
    const QJsonObject failure =
        eventData(lines, "agent.failed", QStringLiteral("worker")).constLast();
    QCOMPARE(failure[QLatin1String("reason")].toString(), QStringLiteral("HealthCheckFailed"));
    const QStringList types = eventTypes(lines, QStringLiteral("worker"));
    QVERIFY(types.indexOf(QStringLiteral("health.changed"))
            < types.indexOf(QStringLiteral("agent.failed")));
    QCOMPARE(run.endBy(SIGTERM), 0);

    // `explain` shows the reason.
    CompletedRun explain(words("explain", "worker", "--limit", "1", "--store", store));
    const QString text = QString::fromUtf8(explain.output());
    for (const char *expected :
         {"  failure  HealthCheckFailed: health probe heartbeat failed 1 time in a row",
          "  health   Unhealthy, consecutive probe failures: 2; last results:\n",
          ": no answer within 1s\n"})
        VERIFY_CONTAINS(text, QLatin1String(expected));
    CompletedRun history(words("history", "worker", "--store", store));
    VERIFY_CONTAINS(history.output(),
                    "unhealthy, consecutive probe failures: 1 (heartbeat: no answer "
                    "within 500ms)");
}

// Each block of the page that is marked as a configuration.
void HealthCommandTest::examplesOfThePageAreValid()
{
    const QString page =
        QString::fromUtf8(readFile(QStringLiteral(REKINDLE_SOURCE "/docs/health.md")));
    const QTemporaryDir folder;
    int checked = 0;
    const QStringList parts = page.split(QStringLiteral("\n## "));
    for (const QString &part : parts) {
        const QString marked = part.section(QStringLiteral("<!-- agent -->\n```json\n"), 1);
        if (marked.isEmpty())
            continue;
        const QString agent = marked.section(QStringLiteral("```"), 0, 0);
        const QString path = writeFile(folder.path(), QStringLiteral("%1.json").arg(++checked),
                                       QStringLiteral("{\"agents\": [%1]}").arg(agent).toUtf8());
        CompletedRun check(words("check", path));
        QVERIFY2(!check.error().contains("warning"), check.error().constData());
    }
    QCOMPARE(checked, 8);
}

REKINDLE_TEST(HealthCommandTest)
#include "healthcommandtest.moc"
