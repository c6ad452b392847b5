// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "json/jsonscanner.h"
#include "properties.h"
#include "randomjson.h"
#include "testprogram.h"
#include "testrow.h"

#include <array>

using namespace Rekindle;

/// Compares the scanner with another parser.
class JsonScannerTest : public QObject
{
    Q_OBJECT

    static bool takes(QByteArrayView text)
    {
        JsonScanner scanner(text);
        if (!scanner.skipValue())
            return false;
        scanner.skipBlanks();
        return scanner.isAtEnd();
    }

private Q_SLOTS:
    void checksGrammar_data();
    void checksGrammar();
    void limitsDepth();
    void scansStringsOfAnyLength();
    void acceptsAnyText();
    void rejectsFaults();
    void findsMembers();
    void unescapesStrings();
};

void JsonScannerTest::checksGrammar_data()
{
    const Rows<QByteArray, bool> row("text", "taken");
    for (const char *good :
         {"0", "-0", "10.5e-3", "1E+2", "true", "false", "null", "\"\"", "\"\\u00e9\\\"\\/\"", "[]",
          "{}", " [ 1 , { \"a\" : [ ] } ] ", "\t\r\n1", "\"\xff\xc3\"", "\"\x7f\"",
          "{\"a\":1,\"a\":2}", "[[],[[]],{}]"})
        row(good, QByteArray(good), true);
    for (const char *bad :
         {"",          " ",          "-",         "01",    "1.",      ".5",        "1e",
          "+1",        "tru",        "truee",     "nul",   "NaN",     "Infinity",  "'a'",
          "\"",        "\"a",        "\"\\\"",    "\"\\",  "\"\\x\"", "\"\\u\"",   "\"\\u12g4\"",
          "\"\n\"",    "\"\t\"",     "[",         "]",     "[1",      "[1,",       "[1,]",
          "[,1]",      "[1 2]",      "{",         "}",     "{\"a\"",  "{\"a\":",   "{\"a\":1",
          "{\"a\":1,", "{\"a\":1,}", "{,}",       "{a:1}", "{1:2}",   "{\"a\" 1}", "[}",
          "{]",        "[1}",        "{\"a\":1]", "1 2",   "{} {}",   "// c\n1",   "\xef\xbb\xbf{}",
          "\xff"})
        row(bad, QByteArray(bad), false);
    row("NUL", QByteArray("\0", 1), false);
    row("NUL behind", QByteArray("{}\0", 3), false);
    row("NUL in a string", QByteArray("\"a\0b\"", 5), false);
    row("NUL as an escape", QByteArray("\"\\\0\"", 4), false);
}

void JsonScannerTest::checksGrammar()
{
    QFETCH(QByteArray, text);
    QTEST(takes(text), "taken");
}

void JsonScannerTest::limitsDepth()
{
    const auto nested = [](int levels) -> QByteArray {
        return QByteArray(levels, '[') + QByteArray(levels, ']');
    };
    QVERIFY(takes(nested(JsonScanner::greatestDepth)));
    QVERIFY(!takes(nested(JsonScanner::greatestDepth + 1)));
    QVERIFY(!takes(QByteArray(10'000'000, '[')));
    QByteArray objects;
    for (int i = 0; i < 2000; ++i)
        objects += "{\"a\":";
    QVERIFY(!takes(objects));
}

// The scanner reads words of several bytes; the end of a string can be anywhere in them.
void JsonScannerTest::scansStringsOfAnyLength()
{
    for (int size = 0; size < 70; ++size) {
        for (const unsigned char byte :
             {0x00, 0x1f, 0x20, 0x21, 0x23, 0x5b, 0x5d, 0x7f, 0x80, 0xa2, 0xdc, 0xff}) {
            for (int place = 0; place < size; ++place) {
                QByteArray text = '"' + QByteArray(size, 'x') + '"';
                text[place + 1] = static_cast<char>(byte);
                QCOMPARE(takes(QByteArray(text)), byte >= 0x20);
            }
        }
        const QByteArray plain(size, static_cast<char>(0x80));
        QVERIFY(takes(QByteArray('"' + plain + '"')));
        QVERIFY(takes(QByteArray('"' + plain + "\\\"" + plain + '"')));
        QVERIFY(!takes(QByteArray('"' + plain + "\\\"")));
        QVERIFY(!takes(QByteArray('"' + plain)));
    }
}

void JsonScannerTest::acceptsAnyText()
{
    verifyProperty("any text", 2000, [](const std::vector<std::uint8_t> &bytes) {
        RandomJson random(bytes);
        const std::string text = random.written(random.value());
        RC_ASSERT(takes(QByteArrayView(text.data(), qsizetype(text.size()))));
    });
}

void JsonScannerTest::rejectsFaults()
{
    constexpr int runs = 5000;
    int refused = 0;
    verifyProperty("any text with a fault", runs, [&](const std::vector<std::uint8_t> &bytes) {
        RandomJson random(bytes);
        std::string text = random.written(random.object());
        static constexpr char others[] = "{}[]\",:\\0 9e.-+tu\n\0x";
        for (int i = 1 + random.byte() % 2; i > 0 && !text.empty(); --i) {
            const std::size_t place = (random.byte() * 256u + random.byte()) % text.size();
            if (random.chance(50))
                text.erase(place, 1);
            else
                text[place] = others[random.byte() % (sizeof others - 1)];
        }
        // Only the other parser requires valid UTF-8 and limits the range of numbers.
        const QByteArrayView view(text.data(), qsizetype(text.size()));
        RC_PRE(view.isValidUtf8());
        const bool valid = nlohmann::json::accept(text);
        refused += valid ? 0 : 1;
        RC_ASSERT(takes(view) == valid);
    });
    QVERIFY2(refused > runsHere(runs) / 5, qPrintable(QString::number(refused)));
}

void JsonScannerTest::findsMembers()
{
    verifyProperty("members", 2000, [](const std::vector<std::uint8_t> &bytes) {
        RandomJson random(bytes);
        const RandomJson::Json object = random.object();
        const std::string text = random.written(object);
        const QByteArrayView view(text.data(), qsizetype(text.size()));
        const JsonSpan whole{0, view.size()};
        for (const auto &[name, value] : object.items()) {
            const JsonSpan found =
                jsonMember(view, whole, QByteArrayView(name.data(), qsizetype(name.size())));
            RC_ASSERT(found.isPresent());
            RC_ASSERT(RandomJson::Json::parse(found.of(view).toByteArray().toStdString()) == value);
        }
        RC_ASSERT(!jsonMember(view, whole, "there is no such member").isPresent());
    });
    const QByteArrayView twice(R"({"a":1,"\u0061":2})");
    QCOMPARE(jsonMember(twice, {0, twice.size()}, "a").of(twice), QByteArrayView("2"));
    QVERIFY(!jsonMember("[1]", {0, 3}, "a").isPresent());
    QVERIFY(!jsonMember("{}", {}, "a").isPresent());
    // Several members in one scan
    const QByteArrayView line(R"([{"b":1,"c":{"a":0},"a":"x"}])");
    std::array<NamedSpan, 3> members{{{"a"}, {"none"}, {"b"}}};
    jsonMembers(line, {1, line.size() - 2}, members);
    QCOMPARE(members[0].value.of(line), QByteArrayView("\"x\""));
    QVERIFY(!members[1].value.isPresent());
    QCOMPARE(members[2].value.of(line), QByteArrayView("1"));
    // None are present if the object is malformed.
    jsonMembers(R"({"a":1,"b":})", {0, 12}, members);
    QVERIFY(!members[0].value.isPresent());
}

void JsonScannerTest::unescapesStrings()
{
    verifyProperty("texts of strings", 2000, [](const std::vector<std::uint8_t> &bytes) {
        RandomJson random(bytes);
        const std::string text = random.text();
        const std::string json = random.written(text);
        const auto read = jsonStringText(QByteArrayView(json.data(), qsizetype(json.size())));
        RC_ASSERT(read.has_value());
        RC_ASSERT(read->toStdString() == text);
    });
    QVERIFY(!jsonStringText("5"));
    QVERIFY(!jsonStringText("\"a\" "));
    QVERIFY(!jsonStringText("\"a\",\"b\""));
}

REKINDLE_TEST(JsonScannerTest)
#include "jsonscannertest.moc"
