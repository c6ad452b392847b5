// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "properties.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/policy/timepoint.h>

using namespace Rekindle;
using namespace std::chrono_literals;

class TimePointTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void durations_data();
    void durations();
    void rejectsInvalidDurations_data();
    void rejectsInvalidDurations();
    void durationsSurviveTheRoundTrip();
    void readableDurations_data();
    void readableDurations();
    void millisecondsAreFractions();
    void rfc3339IsUtcWithMilliseconds();
    void rfc3339IsWhatQtWrites();
    void rfc3339IsRead();
    void localTextIsInTheLocalTimeZone();
};

void TimePointTest::durations_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("microseconds");
    QTest::addColumn<QString>("written");
    const auto row = [](const char *text, Duration value, const char *written = nullptr) {
        QTest::newRow(text) << QString::fromLatin1(text) << qint64(value / 1us)
                            << QString::fromLatin1(written ? written : text);
    };
    row("0s", 0s);
    row("0ms", 0s, "0s");
    row("500ms", 500ms);
    row("250ms", 250ms);
    row("0.5ms", 500us);
    row("1s", 1s);
    row("1.5s", 1500ms);
    row("1500ms", 1500ms, "1.5s");
    row("61.25s", 61250ms);
    row("90s", 90s);
    row("1.5m", 90s, "90s");
    row("5m", 5min);
    row("300s", 5min, "5m");
    row("1h", 1h);
    row("36h", 36h);
    row("7d", 7 * 24h);
    row("0.000001s", 1us, "0.001ms");
    row("10000d", 10'000 * 24h);
    row("007s", 7s, "7s");
}

void TimePointTest::durations()
{
    QFETCH(QString, text);
    QFETCH(qint64, microseconds);
    QFETCH(QString, written);
    const std::optional<Duration> value = durationFromString(text);
    QVERIFY(value);
    QCOMPARE(*value, Duration(std::chrono::microseconds(microseconds)));
    QCOMPARE(durationToString(*value), written);
}

void TimePointTest::rejectsInvalidDurations_data()
{
    const Rows<QString> row("text");
    const auto rows = {"",     " ",      "1",    "5",    "s",
                       "ms",   "-1s",    "+1s",  "1 s",  " 1s",
                       "1s ",  "1S",     "1sec", "1us",  "1ns",
                       "1w",   "1m30s",  ".5s",  "1.s",  "1..5s",
                       ".s",   "1e3s",   "0x1s", "1,5s", "nan s",
                       "infs", "10001d", "1.5",  "1ss",  "99999999999999999999999999999999999999d"};
    for (const char *text : rows)
        row(text);
    row("digits of another script", "\u0661s");
    row("four hundred digits", QString(400, u'9') + u's');
}

void TimePointTest::rejectsInvalidDurations()
{
    QFETCH(QString, text);
    QVERIFY(!durationFromString(text));
}

void TimePointTest::durationsSurviveTheRoundTrip()
{
    verifyProperty("read(write(d)) is d, down to a microsecond", 2000, [] {
        const auto upTo = *rc::gen::element<std::int64_t>(1'000, 1'000'000, 60'000'000,
                                                          7LL * 24 * 3600 * 1'000'000);
        const Duration duration = std::chrono::microseconds(
            *rc::gen::resize(100, rc::gen::inRange<std::int64_t>(0, upTo)));
        RC_ASSERT(durationFromString(durationToString(duration)) == duration);
    });
}

void TimePointTest::readableDurations_data()
{
    QTest::addColumn<qint64>("nanoseconds");
    QTest::addColumn<QString>("text");
    const auto row = [](Duration duration, const char *text) {
        QTest::newRow(text) << qint64{duration.count()} << QString::fromLatin1(text);
    };
    row(0s, "0s");
    row(1us, "1ms");
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

void TimePointTest::readableDurations()
{
    QFETCH(qint64, nanoseconds);
    QTEST(readable(Duration(nanoseconds)), "text");
}

void TimePointTest::millisecondsAreFractions()
{
    QCOMPARE(toMilliseconds(1500us), 1.5);
    QCOMPARE(toMilliseconds(-2s), -2000.0);
}

void TimePointTest::rfc3339IsUtcWithMilliseconds()
{
    QCOMPARE(toRfc3339(UtcTime{1763687989261ms}), QStringLiteral("2025-11-21T01:19:49.261Z"));
    QCOMPARE(toRfc3339(UtcTime{}), QStringLiteral("1970-01-01T00:00:00.000Z"));
}

void TimePointTest::rfc3339IsWhatQtWrites()
{
    const auto theirs = [](std::int64_t time) {
        return QDateTime::fromMSecsSinceEpoch(time).toUTC().toString(Qt::ISODateWithMs);
    };
    const auto ours = [](std::int64_t time) {
        return toRfc3339(UtcTime(std::chrono::milliseconds(time)));
    };
    constexpr std::int64_t year1 = -62135596800000;
    constexpr std::int64_t year10000 = 253402300800000;
    for (const std::int64_t time : {year1, std::int64_t(-1), year10000 - 1,
                                    std::int64_t(1709251199999) /* a 29th of February */})
        QCOMPARE(ours(time), theirs(time));
    for (const std::int64_t time : {year1 - 1, year10000})
        QVERIFY(ours(time).isEmpty());
    verifyProperty("any time of the years 1 to 9999", 2000, [&] {
        const auto time = *rc::gen::resize(100, rc::gen::inRange<std::int64_t>(year1, year10000));
        RC_ASSERT(ours(time) == theirs(time));
    });
}

void TimePointTest::rfc3339IsRead()
{
    const auto read = [](const char *text) {
        const std::optional<UtcTime> time = utcTimeFromRfc3339(QString::fromLatin1(text));
        return time ? time->time_since_epoch().count() : -1;
    };
    QCOMPARE(read("2025-11-21T01:19:49.261Z"), 1763687989261);
    QCOMPARE(read("2025-11-21T01:19:49Z"), 1763687989000);
    QCOMPARE(read("2025-11-21T01:19:49.5Z"), 1763687989500);
    QCOMPARE(read("2025-11-21T03:19:49+02:00"), 1763687989000);
    QCOMPARE(read("2025-11-20T19:49:49-05:30"), 1763687989000);
    QCOMPARE(read("1970-01-01T00:00:00Z"), 0);
    QCOMPARE(read("9999-12-31T23:59:59.999Z"), 253402300799999);
    QCOMPARE(read("2024-02-29T00:00:00Z"), 1709164800000);
    for (const char *text :
         {"", "2025-11-21", "2025-11-21T01:19:49", "2025-11-21 01:19:49Z", "2025-11-21t01:19:49z",
          "2025-11-21T01:19Z", "2025-02-29T00:00:00Z", "2025-13-01T00:00:00Z",
          "2025-11-21T24:00:00Z", "2025-11-21T01:19:60Z", "2025-11-21T01:19:49.Z",
          "2025-11-21T01:19:49.2611Z", " 2025-11-21T01:19:49Z", "2025-11-21T01:19:49Z\n",
          "1969-12-31T23:59:59Z", "+2025-11-21T01:19:49Z", "2025-11-21T01:19:49+2:00"})
        QVERIFY2(read(text) == -1, text);
    QVERIFY(!utcTimeFromRfc3339(QStringLiteral("2025-11-21T01:19:4\u0669Z")));
}

void TimePointTest::localTextIsInTheLocalTimeZone()
{
    qputenv("TZ", "EAST-02:30");
    QCOMPARE(toLocalText(UtcTime(1s + 5ms)), QStringLiteral("1970-01-01 02:30:01.005"));
}

REKINDLE_TEST(TimePointTest)
#include "timepointtest.moc"
