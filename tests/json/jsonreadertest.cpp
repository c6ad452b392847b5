// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"

#include "json/jsonobjectreader.h"
#include "json/jsonparser.h"
#include "json/nearestname.h"

#include <algorithm>
#include <functional>
#include <map>

using namespace Rekindle;
using namespace std::chrono_literals;

class JsonReaderTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void gettersAreStrict_data();
    void gettersAreStrict();
    void missingAndUnknownKeysAreAllReported();
    void faultsAreSortedAndBounded();
    void messagesStayOnOneLine();
    void pointersAreFollowed();
    void nearNamesAreFound();
};

void JsonReaderTest::gettersAreStrict_data()
{
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QString>("getter");
    QTest::addColumn<QString>("expected"); // empty: it is accepted
    const auto row = [](const char *getter, const char *value, const char *expected) {
        QTest::addRow("%s %s", getter, value)
            << QByteArray(value) << QString::fromUtf8(getter) << QString::fromUtf8(expected);
    };
    row("integer", "5", "");
    row("integer", "5.0", "");
    row("integer", "0", "expected a whole number from 1 to 9, found 0");
    row("integer", "10", "expected a whole number from 1 to 9, found 10");
    row("integer", "1.9", "expected a whole number from 1 to 9, found 1.9");
    row("integer", "3000000000", "expected a whole number from 1 to 9, found 3000000000");
    row("integer", "18446744073709551616",
        "expected a whole number from 1 to 9, found 18446744073709551616");
    row("integer", "true", "expected a whole number from 1 to 9, found true");
    row("integer", "\"5\"", "expected a whole number from 1 to 9, found \"5\"");
    row("integer", "null", "expected a whole number from 1 to 9, found null");
    row("number", "1.5", "");
    row("number", "true", "expected a number, found true");
    row("number", "[1]", "expected a number, found an array");
    row("boolean", "true", "");
    row("boolean", "1", "expected true or false, found 1");
    row("boolean", "\"true\"", "expected true or false, found \"true\"");
    row("text", "\"\"", "");
    row("text", "{}", "expected a string, found an object");
    row("text", "\"a\\u0000\"", "expected a string without null characters, found \"a\\u0000\"");
    row("textNotEmpty", "\"\"", "expected a non-empty string, found \"\"");
    row("duration", "\"1.5s\"", "");
    const char *noUnit = R"(expected a text with a unit, such as "500ms", found )";
    row("duration", "500", qPrintable(QString::fromUtf8(noUnit) + u"500"));
    row("duration", "0.5", qPrintable(QString::fromUtf8(noUnit) + u"0.5"));
    row("duration", "\"5\"", qPrintable(QString::fromUtf8(noUnit) + u"\"5\""));
    const char *durations =
        R"(expected a duration such as "500ms", "1.5s", "5m", "1h" or "7d", found )";
    row("duration", "-5", qPrintable(QString::fromUtf8(durations) + u"-5"));
    row("duration", "\"-5s\"", qPrintable(QString::fromUtf8(durations) + u"\"-5s\""));
    row("duration", "\"5 s\"", qPrintable(QString::fromUtf8(durations) + u"\"5 s\""));
    row("duration", "\"soon\"", qPrintable(QString::fromUtf8(durations) + u"\"soon\""));
    row("duration", "\"99999999d\"", qPrintable(QString::fromUtf8(durations) + u"\"99999999d\""));
    row("duration", "null", qPrintable(QString::fromUtf8(durations) + u"null"));
    row("duration up to 1m", "\"61s\"", "expected 1s to 1m, found \"61s\"");
    row("duration up to 1m", "\"999ms\"", "expected 1s to 1m, found \"999ms\"");
    row("one of", "\"red\"", "");
    row("one of", "\"Red\"", "expected one of red, green, found \"Red\"; did you mean \"red\"?");
    row("one of", "\"blue\"", "expected one of red, green, found \"blue\"");
    row("one of", "1", "expected one of red, green, found 1");
    row("items", "[]", "");
    row("items", "{}", "expected an array, found an object");
    row("object", "{}", "");
    row("object", "[]", "expected an object, found an array");
}

void JsonReaderTest::gettersAreStrict()
{
    QFETCH(const QByteArray, value);
    QFETCH(const QString, getter);
    QFETCH(const QString, expected);
    const QByteArray text = "\n " + value;
    const Parsed<JsonNode> parsed = parseJson(text);
    QVERIFY(parsed);
    JsonFaults faults;
    const JsonPlace place(*parsed.value, QStringLiteral("/at"), faults);
    const std::map<QString, std::function<bool()>> getters = {
        {QStringLiteral("integer"), [&] { return place.integer(1, 9).has_value(); }},
        {QStringLiteral("number"), [&] { return place.number().has_value(); }},
        {QStringLiteral("boolean"), [&] { return place.boolean().has_value(); }},
        {QStringLiteral("text"), [&] { return place.text().has_value(); }},
        {QStringLiteral("textNotEmpty"), [&] { return place.textNotEmpty().has_value(); }},
        {QStringLiteral("duration"), [&] { return place.duration().has_value(); }},
        {QStringLiteral("duration up to 1m"), [&] { return place.duration(1s, 1min).has_value(); }},
        {QStringLiteral("one of"),
         [&] { return place.oneOf({QStringLiteral("red"), QStringLiteral("green")}).has_value(); }},
        {QStringLiteral("items"), [&] { return place.items().has_value(); }},
        {QStringLiteral("object"), [&] { return place.wantObject(); }},
    };
    QCOMPARE(getters.at(getter)(), expected.isEmpty());
    const QString found = faults.result(0).messages().join(u'\n');
    QCOMPARE(found, expected.isEmpty() ? QString() : u"2:2: /at: " + expected);
}

void JsonReaderTest::missingAndUnknownKeysAreAllReported()
{
    const Parsed<JsonNode> parsed =
        parseJson("{\"alphq\": 1,\n \"zzz\": 2,\n \"beta\": \"x\",\n \"a/b\": 3}");
    QVERIFY(parsed);
    JsonFaults faults;
    JsonObjectReader reader(JsonPlace(*parsed.value, {}, faults));
    bool beta = true;
    reader.read(QStringLiteral("beta"), beta);
    QVERIFY(!reader.member(QStringLiteral("alpha")));
    QVERIFY(!reader.required(QStringLiteral("gamma")));
    reader.finish();
    QVERIFY(beta);
    QCOMPARE(faults.result(0).messages().join(u'\n'),
             QStringLiteral("1:1: /gamma: missing\n"
                            "1:2: /alphq: unknown key; did you mean \"alpha\"?\n"
                            "2:2: /zzz: unknown key; expected one of beta, alpha, gamma\n"
                            "3:10: /beta: expected true or false, found \"x\"\n"
                            "4:2: /a~1b: unknown key; expected one of beta, alpha, gamma"));
}

void JsonReaderTest::faultsAreSortedAndBounded()
{
    QByteArray text = "{";
    for (int i = 0; i < 5000; ++i)
        text += "\"key" + QByteArray::number(i) + "\": 1,\n";
    text += "\"last\": 1}";
    const Parsed<JsonNode> parsed = parseJson(text);
    QVERIFY(parsed);
    JsonFaults faults;
    JsonObjectReader reader(JsonPlace(*parsed.value, {}, faults));
    reader.finish();
    const QList<Fault> all = faults.result(0).faults;
    QCOMPARE(all.size(), 1000);
    QVERIFY(all.back().message.endsWith(QStringLiteral("(the last of too many faults to list)")));
    QVERIFY(std::is_sorted(all.begin(), all.end(),
                           [](const Fault &a, const Fault &b) { return a.line < b.line; }));
}

// Names and values in messages are escaped and truncated.
void JsonReaderTest::messagesStayOnOneLine()
{
    const QByteArray text = "{\"a\\nFAKE\": 1, \"b\": \"\\u001b[31m\\nFAKE\", \"c\": \""
        + QByteArray(10'000, 'x') + "\"}";
    const Parsed<JsonNode> parsed = parseJson(text);
    QVERIFY(parsed);
    JsonFaults faults;
    JsonObjectReader reader(JsonPlace(*parsed.value, {}, faults));
    bool target = false;
    reader.read(QStringLiteral("b"), target);
    reader.read(QStringLiteral("c"), target);
    reader.finish();
    const QStringList shown = faults.result(0).messages();
    QCOMPARE(shown.size(), 3);
    for (const QString &line : shown) {
        QVERIFY2(line.size() < 200, qPrintable(line));
        QVERIFY(!line.contains(u'\n') && !line.contains(QChar(0x1b)));
    }
}

void JsonReaderTest::pointersAreFollowed()
{
    const Parsed<JsonNode> parsed = parseJson("{\"a\": [1, {\"x/y\": 2}], \"b\": 3}");
    QVERIFY(parsed);
    const JsonNode &root = *parsed.value;
    QCOMPARE(root.nearest(u"").describe(), QStringLiteral("an object"));
    QCOMPARE(root.nearest(u"/a/0").describe(), QStringLiteral("1"));
    QCOMPARE(root.nearest(u"/a/1/x~1y").describe(), QStringLiteral("2"));
    QCOMPARE(root.nearest(u"/a/7").describe(), QStringLiteral("an array"));
    QCOMPARE(root.nearest(u"/b/c/d").describe(), QStringLiteral("3"));
}

void JsonReaderTest::nearNamesAreFound()
{
    const QStringList names{QStringLiteral("maxRetries"), QStringLiteral("maxDelay"),
                            QStringLiteral("type")};
    QCOMPARE(didYouMean(u"maxretries", names), QStringLiteral("; did you mean \"maxRetries\"?"));
    QCOMPARE(didYouMean(u"max_delay", names), QStringLiteral("; did you mean \"maxDelay\"?"));
    QCOMPARE(didYouMean(u"typ", names), QStringLiteral("; did you mean \"type\"?"));
    QCOMPARE(didYouMean(u"colour", names), QString());
    const QStringList commands{QStringLiteral("start"), QStringLiteral("status")};
    QCOMPARE(didYouMean(u"stat", commands), QStringLiteral("; did you mean \"status\"?"));
    QCOMPARE(didYouMean(QString(100'000, u'x'), names), QString());
}

REKINDLE_TEST(JsonReaderTest)
#include "jsonreadertest.moc"
