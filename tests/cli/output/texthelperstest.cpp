// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/output/texthelpers_p.h"
#include "testprogram.h"

#include <QTest>

#include <csignal>

using namespace Rekindle;
using namespace std::chrono_literals;

/// Readable durations, lists and counts.
class TextHelpersTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void durations_data();
    void durations();
    void lists();
    void failures();
    void terminals_data();
    void terminals();
};

void TextHelpersTest::durations_data()
{
    QTest::addColumn<qint64>("nanoseconds");
    QTest::addColumn<QString>("text");
    const auto row = [](Duration duration, const char *text) {
        QTest::newRow(text) << qint64{duration.count()} << QString::fromLatin1(text);
    };
    row(0s, "0s");
    row(750ms, "750ms");
    row(1s, "1s");
    row(1937ms, "1.94s");
    row(12s + 340ms, "12.3s");
    row(5min, "5m");
    row(5min + 12s, "5m 12s");
    row(2h - 1s, "2h");
    row(2h + 5min, "2h 5m");
    row(49h, "2d 1h");
}

void TextHelpersTest::durations()
{
    QFETCH(qint64, nanoseconds);
    QTEST(readable(Duration(nanoseconds)), "text");
}

void TextHelpersTest::lists()
{
    QCOMPARE(listed({}), QString());
    QCOMPARE(listed({QStringLiteral("a"), QStringLiteral("b")}), QStringLiteral("a, b"));
    QStringList many(22, QStringLiteral("a"));
    many[19] = QStringLiteral("last");
    QVERIFY(listed(many).endsWith(QLatin1String(", a, last and 2 more")));
}

void TextHelpersTest::failures()
{
    FailureDetail detail;
    detail.message = QStringLiteral("Program x was not found");
    detail.exitCode = 127;
    QCOMPARE(failureText(FailureReason::InitializationFailed, detail),
             QStringLiteral("InitializationFailed: Program x was not found"));
    detail.processId = 1234;
    QCOMPARE(failureText(FailureReason::ProcessCrash, detail),
             QStringLiteral("ProcessCrash: exit code 127"));
    detail.exitCode.reset();
    detail.signal = SIGSEGV;
    QCOMPARE(failureText(FailureReason::ProcessCrash, detail),
             QStringLiteral("ProcessCrash: SIGSEGV"));
    QCOMPARE(failureText(FailureReason::Unknown, {}), QStringLiteral("Unknown"));
}

void TextHelpersTest::terminals_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QByteArray>("shown");
    const auto row = [](const char *name, const QByteArray &line, const QByteArray &shown) {
        QTest::newRow(name) << line << shown;
    };
    row("plain", "a\tb \xc3\xa4", "a\tb \xc3\xa4");
    row("color", "\x1b[1;31mred", "\x1b[1;31mred\x1b[0m");
    row("clear screen", "a\x1b[2Jb", "ab");
    row("cursor", "\x1b[5Aup", "up");
    row("return and bell", "a\rb\a", "ab");
    row("title", "\x1b]0;x\a", "0;x");
    row("cut off", "a\x1b[3", "a");
    row("escape at the end", "a\x1b", "a");
    row("beyond ASCII",
        "a\xc2\x9b"
        "2Jb",
        "a2Jb");
}

void TextHelpersTest::terminals()
{
    QFETCH(QByteArray, line);
    QTEST(forTerminal(line), "shown");
}

REKINDLE_TEST(TextHelpersTest)
#include "texthelperstest.moc"
