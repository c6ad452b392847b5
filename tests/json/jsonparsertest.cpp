// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"
#include "testrow.h"

#include "json/jsonparser.h"

#include <random>

using namespace Rekindle;

namespace {

QString messages(const Parsed<JsonNode> &parsed) { return parsed.messages().join(u'\n'); }

QString places(const JsonNode &node)
{
    QString text = QStringLiteral("%1:%2 %3")
                       .arg(node.position.line)
                       .arg(node.position.column)
                       .arg(node.describe());
    for (const JsonNode &child : node.children)
        text += u'\n' + places(child);
    return text;
}

using Lines = QList<QList<uint>>;

Lines characters(const QByteArray &text)
{
    Lines split;
    for (const QByteArray &line : text.split('\n'))
        split.append(QString::fromUtf8(line).toUcs4());
    return split;
}

// Every position is the position of the first character of its value.
void comparePositions(const JsonNode &node, const Lines &text)
{
    QVERIFY(node.position.line >= 1 && node.position.line <= text.size());
    const QList<uint> &line = text.at(node.position.line - 1);
    QVERIFY2(node.position.column >= 1 && node.position.column <= line.size(),
             qPrintable(node.describe()));
    const char32_t c = line.at(node.position.column - 1);
    const bool isObject = node.kind == JsonNode::Kind::Object;
    if (isObject || node.kind == JsonNode::Kind::Array)
        QCOMPARE(c, isObject ? U'{' : U'[');
    else
        QCOMPARE(c, char32_t(node.describe().front().unicode()));
    for (const JsonNode &child : node.children)
        comparePositions(child, text);
}

const char sample[] =
    "{ \"a\" : [1, -2.5e1 ,\"x\\\"y,:]\",null],\r\n\t\"\xC3\xA4\\u00e4\":{\"b\":true}\n"
    ",\"c\" :{ } , \"d\":\n[ ],\"e\":\"\xF0\x9F\x94\xA5\",\"f\":false}";

} // namespace

class JsonParserTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyValueHasItsPosition();
    void valuesMatchTheText();
    void faults_data();
    void faults();
    void readsComments();
    void faultsWithComments_data();
    void faultsWithComments();
    void enforcesLimits();
    void handlesCorruptedTexts();
};

void JsonParserTest::everyValueHasItsPosition()
{
    const QByteArray text(sample);
    const Parsed<JsonNode> parsed = parseJson(text);
    QVERIFY2(parsed, qPrintable(messages(parsed)));
    comparePositions(*parsed.value, characters(text));
    QCOMPARE(places(*parsed.value->member(u"a")),
             QStringLiteral("1:9 an array\n1:10 1\n1:13 -2.5e1\n1:21 \"x\"y,:]\"\n1:31 null"));
    const JsonNode &last = parsed.value->children.back();
    QCOMPARE(last.name, QStringLiteral("f"));
    QCOMPARE(last.namePosition, (JsonPosition{4, 13}));
    QCOMPARE(last.position, (JsonPosition{4, 17}));
}

void JsonParserTest::valuesMatchTheText()
{
    const QByteArray text(sample);
    const Parsed<JsonNode> parsed = parseJson(text);
    QVERIFY(parsed);
    QVERIFY(parseJson("[\"\xEF\xBB\xBF\"]")); // in a string, an ordinary character
    QCOMPARE(parsed.value->toJsonValue().toObject(), QJsonDocument::fromJson(text).object());
    const Parsed<JsonNode> numbers = parseJson(
        "[9223372036854775807, 9223372036854775808, -9223372036854775808, 5.0, 1e3, 1.5]");
    QVERIFY(numbers);
    const auto integer = [&](std::size_t i) { return numbers.value->children[i].integer; };
    QCOMPARE(integer(0), std::optional<qint64>(std::numeric_limits<qint64>::max()));
    QCOMPARE(integer(1), std::optional<qint64>());
    QCOMPARE(integer(2), std::optional<qint64>(std::numeric_limits<qint64>::min()));
    QCOMPARE(integer(3), std::optional<qint64>(5));
    QCOMPARE(integer(4), std::optional<qint64>(1000));
    QCOMPARE(integer(5), std::optional<qint64>());
}

void JsonParserTest::faults_data()
{
    const Rows<QByteArray, QString> row("text", "expected");
    row("nothing", "", "1:1: expected a value, found the end of the text");
    row("blanks only", " \n\t\r\n", "3:1: expected a value, found the end of the text");
    row("not UTF-8", "{\n \"a\": \"\xC3(\"}", "2:8: not UTF-8");
    row("truncated UTF-8", "\"\xE2\x82", "1:2: not UTF-8");
    row("overlong UTF-8", "\"\xC0\x80\"", "1:2: not UTF-8");
    row("UTF-8 surrogate", "\"\xED\xA0\x80\"", "1:2: not UTF-8");
    row("UTF-8 beyond", "\"\xF4\x90\x80\x80\"", "1:2: not UTF-8");
    row("UTF-16", QByteArray("\xFF\xFE{\0}\0", 6), "1:1: not UTF-8");
    row("byte order mark alone", "\xEF\xBB\xBF",
        "1:1: expected a value, found the end of the text");
    row("null character", QByteArray("{}\n\0{}", 6),
        "2:1: expected a JSON text, found a null character");
    row("null character in a string", QByteArray("\"\0\"", 3),
        "1:2: expected a JSON text, found a null character");
    row("open object", "{",
        "1:2: expected a name in double quotes or \"}\", found the end of the text");
    row("open array", "[1", "1:3: expected \",\" or \"]\", found the end of the text");
    row("comma at the end", "[1,\n]", "2:1: expected a value, found \"]\"");
    row("comma at the end of an object", "{\"a\":1,}",
        "1:8: expected a name in double quotes, found \"}\"");
    row("two commas", "[1,,2]", "1:4: expected a value, found \",\"");
    row("no comma", "{\"a\":1 \"b\":2}", "1:8: expected \",\" or \"}\", found \"b\"");
    row("no comma, long name", "{\"a\":1 \"" + QByteArray(50, 'b') + "\":2}",
        "1:8: expected \",\" or \"}\", found a string");
    row("wrong bracket", "{\"a\":[1}", "1:8: expected \",\" or \"]\", found \"}\"");
    row("no colon", "{\"a\" 1}", "1:6: expected \":\", found \"1\"");
    row("no value", "{\"a\":}", "1:6: expected a value, found \"}\"");
    row("name without quotes", "{a:1}",
        "1:2: expected a name in double quotes or \"}\", found \"a\"");
    row("single quotes", "{'a':1}",
        "1:2: expected a name in double quotes or \"}\", found \"'\" (JSON strings stand in double "
        "quotes)");
    row("comment", "{\n // note\n}",
        "2:2: expected a name in double quotes or \"}\", found \"/\" (JSON has no comments)");
    row("NaN", "{\"a\": NaN}", "1:7: expected a value, found \"NaN\"");
    row("Infinity", "[-Infinity]", "1:2: expected a value or \"]\", found \"-Infinity\"");
    row("Python's True", "[True]", "1:2: expected a value or \"]\", found \"True\"");
    row("truncated word", "[nul]", "1:2: expected a value or \"]\", found \"nul\"");
    row("word with more", "[nullx]", "1:6: expected \",\" or \"]\", found \"x\"");
    row("too large a number", "[1,\n 1e400]",
        "2:2: expected a number in the range of a double, found \"1e400\"");
    row("leading zero", "[01]", "1:3: expected \",\" or \"]\", found \"1\"");
    row("hexadecimal", "[0x10]", "1:3: expected \",\" or \"]\", found \"x10\"");
    row("plus", "[+1]", "1:2: expected a value or \"]\", found \"+1\"");
    row("point without digits", "[1.]", "1:2: expected a value or \"]\", found \"1.\"");
    row("smart quotes", "[\xE2\x80\x9C]", "1:2: expected a value or \"]\", found \"\xE2\x80\x9C\"");
    row("more after the end", "{} {}", "1:4: expected the end of the text, found \"{\"");
    row("string without an end", "[\"abc", "1:6: expected a valid string: missing closing quote");
    row("line end in a string", "[\"ab\ncd\"]",
        "1:5: expected a valid string: control character U+000A (LF) must be escaped to \\u000A or "
        "\\n");
    row("unknown escape", "{\"a\":\"b\\q\"}",
        "1:9: expected a valid string: forbidden character after backslash");
    row("short escape", "[\"\\u12g4\"]",
        "1:7: expected a valid string: '\\u' must be followed by 4 hex digits");
    row("half a pair", "[\"\\ud800\"]",
        "1:9: expected a valid string: surrogate U+D800..U+DBFF must be followed by "
        "U+DC00..U+DFFF");
    row("bad escape in a name", "{\"\\x\":1}",
        "1:4: expected a valid string: forbidden character after backslash");
    row("duplicates, all of them", "{\"a\":1,\n\"b\":[{\"c\":1,\"c\":2}],\n \"a\":3}",
        "2:13: /b/0/c: duplicate key \"c\" in this object; remove or rename one of them\n"
        "3:2: /a: duplicate key \"a\" in this object; remove or rename one of them");
    row("duplicate by an escape", "{\"a/b\":1, \"a\\u002fb\":2}",
        "1:11: /a~1b: duplicate key \"a/b\" in this object; remove or rename one of them");
}

void JsonParserTest::faults()
{
    QFETCH(const QByteArray, text);
    QFETCH(const QString, expected);
    const Parsed<JsonNode> parsed = parseJson(text);
    QVERIFY(!parsed);
    QCOMPARE(messages(parsed), expected);
}

void JsonParserTest::readsComments()
{
    const QByteArray text("// \xC3\xA4 [\r\n{ /* \" \xF0\x9F\x94\xA5 \" */ \"a\": [ 1, // {\n"
                          " \"//no, /*comment*/,]\", /**/ ] , /*,\n*/ } // end");
    for (const QByteArray &mark : {QByteArray(), QByteArray("\xEF\xBB\xBF")}) {
        const Parsed<JsonNode> parsed =
            parseJson(QByteArray(mark + text), JsonSyntax::WithComments);
        QVERIFY2(parsed, qPrintable(messages(parsed)));
        comparePositions(*parsed.value, characters(text));
        QCOMPARE(places(*parsed.value->member(u"a")),
                 QStringLiteral("2:20 an array\n2:22 1\n3:2 \"//no, /*comment*/,]\""));
    }
    QVERIFY(!parseJson(text));
    QVERIFY(parseJson("\xEF\xBB\xBF{}"));
    QVERIFY(parseJson("\xEF\xBB\xBF\xEF\xBB\xBF{}"));
}

void JsonParserTest::faultsWithComments_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char *name, const QByteArray &text, const QByteArray &expected) {
        QTest::newRow(name) << text << QString::fromUtf8(expected);
    };
    const QByteArray unclosed =
        ": expected \"*/\" at the end of this comment, found the end of the text";
    row("comment only", "// nothing", "1:11: expected a value, found the end of the text");
    row("unclosed", "{\n \"a\": 1 /* note\n}\n", "2:9" + unclosed);
    row("unclosed after the end", "{} /*", "1:4" + unclosed);
    row("half an opening", "{} /*/", "1:4" + unclosed);
    row("not UTF-8", "{} // \xFF", "1:7: not UTF-8");
    row("null character", QByteArray("{} // \0", 8),
        "1:7: expected a JSON text, found a null character");
    row("one slash", "{ / note\n}",
        "1:3: expected a name in double quotes or \"}\", found \"/\" (comments begin with // or "
        "/*)");
    row("number sign", "{\n# note\n}",
        "2:1: expected a name in double quotes or \"}\", found \"#\" (comments begin with // or "
        "/*)");
    row("two commas", "[1,,]", "1:4: expected a value, found \",\"");
    row("comma without a value", "[,]", "1:2: expected a value or \"]\", found \",\"");
    row("comma for a value", "{\"a\":,}", "1:6: expected a value, found \",\"");
    row("comma at the end", "{},", "1:3: expected the end of the text, found \",\"");
    row("after a comment", "{ /* \xC3\xA4 */ \"a\": nul }",
        "1:16: expected a value, found \"nul\"");
}

void JsonParserTest::faultsWithComments()
{
    QFETCH(const QByteArray, text);
    QFETCH(const QString, expected);
    const Parsed<JsonNode> parsed = parseJson(text, JsonSyntax::WithComments);
    QVERIFY(!parsed);
    QCOMPARE(messages(parsed), expected);
}

void JsonParserTest::enforcesLimits()
{
    const auto nested = [](int depth) -> QByteArray {
        return QByteArray(depth, '[') + QByteArray(depth, ']');
    };
    QVERIFY(parseJson(nested(64)));
    QCOMPARE(
        messages(parseJson(nested(65))),
        QStringLiteral("1:65: %1: nested deeper than 64").arg(QStringLiteral("/0").repeated(63)));
    QVERIFY(!parseJson(QByteArray(4'000'000, '[')));
    QVERIFY(!parseJson(QByteArrayLiteral("{\"a\":").repeated(1'000'000)));

    const auto list = [](int size) -> QByteArray {
        return '[' + QByteArrayLiteral("0,").repeated(size - 2) + "0]";
    };
    QVERIFY(parseJson(list(maxJsonValues)));
    QCOMPARE(messages(parseJson(list(maxJsonValues + 1))),
             QStringLiteral("1:1000000: more than 500000 values"));

    const auto blanks = [](qsizetype size) -> QByteArray {
        return QByteArray(size - 2, ' ') + "{}";
    };
    QVERIFY(parseJson(blanks(maxJsonSize)));
    QCOMPARE(messages(parseJson(blanks(maxJsonSize + 1))),
             QStringLiteral("more than 8388608 bytes"));
}

// Each changed text is either accepted, with correct positions, or has a fault with a position.
void JsonParserTest::handlesCorruptedTexts()
{
    std::mt19937 random(1); // NOLINT(*-msc51-cpp): the same texts each time
    const QByteArray bytes("{}[],:\"\\ \n0123456789.eE+-ntfu\x80\xC3\xFF//*");
    const QByteArray original(sample);
    for (int round = 0; round < 5'000; ++round) {
        QByteArray text = original;
        for (auto changes = random() % 4; changes > 0; --changes) {
            const auto at = static_cast<qsizetype>(random() % static_cast<unsigned>(text.size()));
            const char byte = bytes[random() % static_cast<unsigned>(bytes.size())];
            if (random() % 3 == 0)
                text.remove(at, 1);
            else if (random() % 2 == 0)
                text.insert(at, byte);
            else
                text[at] = byte;
        }
        const Parsed<JsonNode> parsed = parseJson(text);
        QCOMPARE(parsed.value.has_value(), parsed.faults.isEmpty());
        if (parsed)
            comparePositions(*parsed.value, characters(text));
        else
            QVERIFY2(parsed.faults.front().line > 0, text.constData());
        const Parsed<JsonNode> loose = parseJson(text, JsonSyntax::WithComments);
        QVERIFY(loose || !parsed);
        if (loose)
            comparePositions(*loose.value, characters(text));
        else
            QVERIFY2(loose.faults.front().line > 0, text.constData());
    }
}

REKINDLE_TEST(JsonParserTest)
#include "jsonparsertest.moc"
