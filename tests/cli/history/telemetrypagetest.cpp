// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/shellblocks.h"
#include "testprogram.h"

#include <algorithm>

using namespace Rekindle;

/// The commands of docs/telemetry.md.
class TelemetryPageTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void commandsOfThePageWork();
};

void TelemetryPageTest::commandsOfThePageWork()
{
    QTemporaryDir folder;
    const ShellBlocks blocks = runShellBlocks(QStringLiteral("telemetry.md"), folder.path());
    QVERIFY2(blocks.fault.isEmpty(), qPrintable(blocks.fault));
    QStringList outputs;
    for (const QByteArray &output : blocks.outputs)
        outputs.append(QString::fromUtf8(output));
    QCOMPARE(outputs.size(), 7);
    // The line of `up` is in the history, with another source.
    const auto dataOf = [](const QString &line) {
        return QJsonDocument::fromJson(line.toUtf8())[QLatin1String("data")];
    };
    const QStringList lines = outputs[0].split(u'\n', Qt::SkipEmptyParts);
    QVERIFY2(dataOf(lines.last()).isObject(), qPrintable(outputs[0]));
    QCOMPARE(
        std::count_if(lines.begin(), lines.end(),
                      [&](const QString &line) { return dataOf(line) == dataOf(lines.last()); }),
        2);
    const QJsonObject decision = jsonLines(outputs[1].section(u'\n', -2).toUtf8()).value(0);
    QVERIFY2(decision[QLatin1String("decision")].isObject(), qPrintable(outputs[1]));
    VERIFY_CONTAINS(outputs[2], "no further events");
    QCOMPARE(outputs[3], QStringLiteral("web ProcessCrash 3\n"));
    const QRegularExpression head(QStringLiteral("^head [0-9]+:[0-9a-f]{64}$"),
                                  QRegularExpression::MultilineOption);
    QVERIFY2(head.match(outputs[4]).hasMatch(), qPrintable(outputs[4]));
    QCOMPARE(head.match(outputs[5]).captured(), head.match(outputs[4]).captured());
    VERIFY_CONTAINS(outputs[6], R"(web command {"command":"start","state":"Stopped"})");
}

REKINDLE_TEST(TelemetryPageTest)
#include "telemetrypagetest.moc"
