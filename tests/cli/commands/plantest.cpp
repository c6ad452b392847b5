// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commandrun.h"
#include "testprogram.h"

#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

using namespace Rekindle;

/// `rekindle plan`.
class PlanTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void matchesGoldenFile_data();
    void matchesGoldenFile();
    void drawsValidSvg();
    void printsWarnings();
    void policyNone();
    void limitsAttempts();
    void printsTotals_data();
    void printsTotals();
    void appliesTier();
    void jsonContainsTier();

private:
    QTemporaryDir m_folder;
};

void PlanTest::matchesGoldenFile_data()
{
    QTest::addColumn<QString>("policy");
    QTest::addColumn<QString>("ending");
    for (const char *policy : {"default", "otp", "watchdog"}) {
        const QString name = QString::fromLatin1(policy);
        QTest::addRow("%s, text", policy) << name << QStringLiteral("txt");
        QTest::addRow("%s, json", policy) << name << QStringLiteral("json");
    }
}

void PlanTest::matchesGoldenFile()
{
    QFETCH(QString, policy);
    QFETCH(QString, ending);
    QStringList arguments{QStringLiteral("plan"), policy};
    if (ending == QLatin1String("json"))
        arguments.append(QStringLiteral("--json"));
    CompletedRun run(arguments);
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

void PlanTest::drawsValidSvg()
{
    const QString path = m_folder.filePath(QStringLiteral("plan.svg"));
    CompletedRun run(
        {QStringLiteral("plan"), QStringLiteral("default"), QStringLiteral("--svg"), path});
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

void PlanTest::printsWarnings()
{
    CompletedRun run({QStringLiteral("plan"), QStringLiteral("tool-call")});
    const QByteArray error = run.error();
    VERIFY_CONTAINS(error, "/circuitBreaker/threshold: warning: 5 is never reached");
}

void PlanTest::policyNone()
{
    CompletedRun run({QStringLiteral("plan"), QStringLiteral("none")});
    QVERIFY2(run.output().startsWith("none: none, no restarts\nlicense tier "),
             run.output().constData());
}

void PlanTest::limitsAttempts()
{
    CompletedRun run({QStringLiteral("plan"), QStringLiteral("stdio-backend"),
                      QStringLiteral("--attempts"), QStringLiteral("3"), QStringLiteral("--json")});
    const QJsonObject plan = QJsonDocument::fromJson(run.output()).object();
    QCOMPARE(plan[QLatin1String("attempts")].toInt(), 3);
    QCOMPARE(plan[QLatin1String("end")].toString(), QStringLiteral("goesOn"));
    QVERIFY(plan[QLatin1String("totalRetryTimeMs")].isNull());
}

// The total is the time until the last row, then the time until the end.
void PlanTest::printsTotals_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("ending");
    QTest::newRow("all") << words("default")
                         << QByteArray("  5m         half-open trial       30m 15s\n"
                                       "         failure 11: given up after 10 restarts\n\n"
                                       "Total: 30m 15s from the first failure to the last (5m 3s "
                                       "without the circuit breaker)\n");
    QTest::newRow("some") << words("default", "--attempts", "3")
                          << QByteArray("      3  4s         3s .. 5s              7s\n"
                                        "         and 7 more\n\n"
                                        "Total: 7s for the 3 attempts shown; 7 more, 30m 15s in "
                                        "total (5m 3s without the circuit breaker)\n");
    QTest::newRow("one") << words(R"({"type": "linear", "initialDelay": "1s", "maxRetries": 2,
 "circuitBreaker": "off"})",
                                  "--attempts", "1")
                         << QByteArray("Total: 1s for the 1 attempt shown; 1 more, 3s in total\n");
    QTest::newRow("without end") << words("watchdog", "--attempts", "4")
                                 << QByteArray("         and so on, without limit\n\n"
                                               "Total: 8s for the 4 attempts shown\n");
}

void PlanTest::printsTotals()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, ending);
    CompletedRun run(words("plan") + arguments);
    const QByteArray output = run.output();
    QVERIFY2(output.endsWith(ending), output.constData());
}

// The schedule is that of the permitted policy type.
void PlanTest::appliesTier()
{
    CompletedRun all(words("plan", "default"));
    QVERIFY(all.output().contains("\nlicense tier Enterprise permits it\n"));
    CompletedRun linear(words("plan", "default", "--tier", "WriterPro"));
    QVERIFY2(linear.output().startsWith("default: linear, 10 consecutive restarts"),
             linear.output().constData());
    QVERIFY(linear.output().contains(
        "\nlicense tier WriterPro does not permit exponential restarts; using linear\n"));
    QVERIFY(linear.output().contains("\n      3  3s "));
    CompletedRun none(words("plan", "default", "--tier", "Core"));
    QVERIFY(none.output().contains("\nlicense tier Core does not permit exponential restarts; "
                                   "restarts are disabled\n"));
    QVERIFY(
        none.output().contains("failure 1: not restarted: the license tier permits no restarts\n"));
}

void PlanTest::jsonContainsTier()
{
    CompletedRun run(words("plan", "default", "--tier", "WriterPro", "--json"));
    const QJsonObject plan = QJsonDocument::fromJson(run.output()).object();
    QCOMPARE(plan[QLatin1String("tier")].toString(), QStringLiteral("WriterPro"));
    QCOMPARE(plan[QLatin1String("requestedType")].toString(), QStringLiteral("exponential"));
    QCOMPARE(plan[QLatin1String("policy")][QLatin1String("type")].toString(),
             QStringLiteral("linear"));
}

REKINDLE_TEST(PlanTest)
#include "plantest.moc"
