// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "commandrun.h"

#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

using namespace Rekindle;

/// What `rekindle plan` shows.
class PlanTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void golden_data();
    void golden();
    void theBreakerIsInTheJson();
    void theDrawingIsWellFormed();
    void tellsWhatIsOdd();
    void endsWhereItIsTold();

private:
    QTemporaryDir m_folder;
};

void PlanTest::golden_data()
{
    QTest::addColumn<QString>("policy");
    QTest::addColumn<QString>("ending");
    for (const char *policy : {"default", "otp", "watchdog"}) {
        const QString name = QString::fromLatin1(policy);
        QTest::addRow("%s, text", policy) << name << QStringLiteral("txt");
        QTest::addRow("%s, json", policy) << name << QStringLiteral("json");
    }
}

void PlanTest::golden()
{
    QFETCH(QString, policy);
    QFETCH(QString, ending);
    QStringList arguments{QStringLiteral("plan"), policy};
    if (ending == QLatin1String("json"))
        arguments.append(QStringLiteral("--json"));
    CommandRun run(arguments);
    QCOMPARE(run.complete(), 0);
    QCOMPARE(run.error(), QByteArray());
    const QByteArray expected = readFile(
        QStringLiteral(REKINDLE_SOURCE "/tests/cli/golden/plan-%1.%2").arg(policy, ending));
    QVERIFY(!expected.isEmpty());
    const QByteArray found = run.output();
    if (found != expected) {
        const QList<QByteArray> lines = found.split('\n');
        const QList<QByteArray> expectedLines = expected.split('\n');
        for (qsizetype i = 0; i < qMin(lines.size(), expectedLines.size()); ++i)
            QCOMPARE(lines[i], expectedLines[i]);
    }
    QCOMPARE(found, expected);
}

// Failures 1 to 4 give attempts 1 to 4, the fifth opens the breaker, its timeout leads to the
// probe.
void PlanTest::theBreakerIsInTheJson()
{
    CommandRun run({QStringLiteral("plan"), QStringLiteral("default"), QStringLiteral("--json")});
    QCOMPARE(run.complete(), 0);
    const QJsonObject plan = QJsonDocument::fromJson(run.output()).object();
    const QJsonArray steps = plan[QLatin1String("steps")].toArray();
    QStringList kinds;
    for (const QJsonValue &step : steps)
        kinds.append(step[QLatin1String("kind")].toString());
    QCOMPARE(kinds.mid(0, 6),
             words("restart", "restart", "restart", "restart", "breakerOpens", "probe"));
    const QJsonValue opens = steps[4];
    QCOMPARE(opens[QLatin1String("failure")].toInt(), 5);
    QCOMPARE(opens[QLatin1String("delayMs")].toDouble(), 300'000.0);
    QCOMPARE(steps[5][QLatin1String("attempt")].toInt(), 5);
    QCOMPARE(steps[5][QLatin1String("elapsedMs")].toDouble(), 315'000.0);
    QCOMPARE(plan[QLatin1String("end")].toString(), QStringLiteral("exhausted"));
}

void PlanTest::theDrawingIsWellFormed()
{
    const QString path = m_folder.filePath(QStringLiteral("plan.svg"));
    CommandRun run(
        {QStringLiteral("plan"), QStringLiteral("default"), QStringLiteral("--svg"), path});
    QCOMPARE(run.complete(), 0);
    QXmlStreamReader reader(readFile(path));
    int rectangles = 0;
    while (!reader.atEnd()) {
        if (reader.readNext() == QXmlStreamReader::StartElement
            && reader.name() == QLatin1String("rect"))
            ++rectangles;
    }
    QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
    QCOMPARE(rectangles, 1 + 2 * 4); // the ground, and two for each of four delays
}

void PlanTest::tellsWhatIsOdd()
{
    CommandRun run({QStringLiteral("plan"), QStringLiteral("tool-call")});
    QCOMPARE(run.complete(), 0);
    const QByteArray error = run.error();
    QVERIFY2(error.contains("/circuitBreaker/threshold: warning: 5 is never reached"),
             error.constData());
}

void PlanTest::endsWhereItIsTold()
{
    CommandRun run({QStringLiteral("plan"), QStringLiteral("stdio-backend"),
                    QStringLiteral("--attempts"), QStringLiteral("3"), QStringLiteral("--json")});
    QCOMPARE(run.complete(), 0);
    const QJsonObject plan = QJsonDocument::fromJson(run.output()).object();
    QCOMPARE(plan[QLatin1String("attempts")].toInt(), 3);
    QCOMPARE(plan[QLatin1String("end")].toString(), QStringLiteral("goesOn"));
    QVERIFY(plan[QLatin1String("totalRetryTimeMs")].isNull());
}

QTEST_GUILESS_MAIN(PlanTest)
#include "plantest.moc"
