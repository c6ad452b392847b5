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
    void limitsAttempts();
    void appliesTier();
    void showsPolicyOfConfiguration();

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
        QStringLiteral(REKINDLE_SOURCE "/tests/policy/plan/golden/plan-%1.%2").arg(policy, ending));
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

void PlanTest::limitsAttempts()
{
    CompletedRun run({QStringLiteral("plan"), QStringLiteral("stdio-backend"),
                      QStringLiteral("--attempts"), QStringLiteral("3"), QStringLiteral("--json")});
    const QJsonObject plan = QJsonDocument::fromJson(run.output()).object();
    QCOMPARE(plan[QLatin1String("attempts")].toInt(), 3);
}

// The schedule is that of the permitted policy type.
void PlanTest::appliesTier()
{
    CompletedRun run(words("plan", "default", "--tier", "WriterPro"));
    QVERIFY2(run.output().startsWith("default: linear, 10 consecutive restarts"),
             run.output().constData());
}

void PlanTest::showsPolicyOfConfiguration()
{
    const QString path = m_folder.filePath(QStringLiteral("agents.jsonc"));
    const CompletedRun init(words("init", path));
    CompletedRun plan(words("plan", "patient", "--config", path));
    VERIFY_CONTAINS(plan.output(), "patient");
    CompletedRun unknown(words("plan", "nightly", "--config", path), 78);
    VERIFY_CONTAINS(unknown.error(), "/policies: expected a policy named nightly, found patient");
    CompletedRun missing(words("plan", "patient", "--config", path + QLatin1String(".no")), 78);
    VERIFY_CONTAINS(missing.error(), "agents.jsonc.no");
}

REKINDLE_TEST(PlanTest)
#include "plantest.moc"
