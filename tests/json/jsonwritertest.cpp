// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "properties.h"
#include "testprogram.h"

#include "json/jsonwriter.h"

#include <nlohmann/json.hpp>

#include <bit>
#include <cstdint>
#include <limits>

using namespace Rekindle;
using Json = nlohmann::ordered_json;

/// nlohmann_json reads back what the writer writes, and writes the same text.
class JsonWriterTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anyText();
    void anyLatin1();
    void numbers_data();
    void numbers();
    void anyDouble();
    void anyMilliseconds();
    void anyInteger();
    void structure();
    void severalLines();
};

namespace {

QByteArray written(auto value)
{
    QByteArray out("before ");
    JsonWriter(out).value(value);
    return out.startsWith("before ") ? out.mid(7) : QByteArray();
}

// The text as readers receive it: an unpaired surrogate becomes U+FFFD.
std::u32string withoutSurrogates(const QString &text)
{
    std::u32string points;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar unit = text[i];
        const bool isPair =
            unit.isHighSurrogate() && i + 1 < text.size() && text[i + 1].isLowSurrogate();
        if (isPair)
            points += QChar::surrogateToUcs4(unit, text[++i]);
        else
            points += unit.isSurrogate() ? U'\ufffd' : char32_t(unit.unicode());
    }
    return points;
}

void checkText(const QString &text)
{
    const QByteArray out = written(QStringView(text));
    const std::u32string points = withoutSurrogates(text);
    const std::string utf8 =
        QString::fromUcs4(points.data(), qsizetype(points.size())).toStdString();
    RC_ASSERT(Json::parse(out.toStdString()).get<std::string>() == utf8);
    RC_ASSERT(out.toStdString() == Json(utf8).dump());
}

} // namespace

void JsonWriterTest::anyText()
{
    verifyProperty("a text reads back", 3000, [] {
        // With equal probabilities, the small ranges would be rare.
        const auto unit = rc::gen::weightedOneOf<std::uint16_t>(
            {{3, rc::gen::inRange<std::uint16_t>(0, 0x80)},
             {1,
              rc::gen::element<std::uint16_t>(0, 0x1f, 0x7f, 0x80, 0x7ff, 0x800, 0x2028, 0xd7ff,
                                              0xe000, 0xfffd, 0xffff)},
             {2, rc::gen::inRange<std::uint16_t>(0xd800, 0xdc00)},
             {2, rc::gen::inRange<std::uint16_t>(0xdc00, 0xe000)},
             {1, rc::gen::inRange<std::uint16_t>(0, 0xffff)}});
        QString text;
        for (const std::uint16_t value : *rc::gen::container<std::vector<std::uint16_t>>(unit))
            text += QChar(value);
        checkText(text);
    });
}

void JsonWriterTest::anyLatin1()
{
    for (int letter = 0; letter < 256; ++letter) {
        const char byte = static_cast<char>(letter);
        const QByteArray fromLatin1 = written(QLatin1String(&byte, 1));
        QCOMPARE(fromLatin1, written(QStringView(QString(QChar(letter)))));
        QCOMPARE(fromLatin1.toStdString(), Json(QString(QChar(letter)).toStdString()).dump());
    }
}

void JsonWriterTest::numbers_data()
{
    QTest::addColumn<double>("number");
    QTest::addColumn<QByteArray>("json");
    const auto row = [](const char *json, double number) {
        QTest::newRow(json) << number << QByteArray(json);
    };
    row("0.0", 0);
    row("-0.0", -0.0);
    row("1500.0", 1500);
    row("0.25", 0.25);
    row("0.1", 0.1);
    row("-2000.5", -2000.5);
    row("0.0001", 1e-4);
    row("1e-05", 1e-5);
    row("999999999999999.0", 999999999999999.0);
    row("1e+15", 1e15);
    row("1.7976931348623157e+308", std::numeric_limits<double>::max());
    row("2.2250738585072014e-308", std::numeric_limits<double>::min());
    row("5e-324", std::numeric_limits<double>::denorm_min());
    row("null", std::numeric_limits<double>::infinity());
    QTest::newRow("NaN") << std::numeric_limits<double>::quiet_NaN() << QByteArray("null");
}

void JsonWriterTest::numbers()
{
    QFETCH(double, number);
    QFETCH(QByteArray, json);
    QCOMPARE(written(number), json);
}

void JsonWriterTest::anyDouble()
{
    verifyProperty("a number reads back exactly", 5000, [] {
        const auto bits =
            *rc::gen::resize(1000, rc::gen::arbitrary<std::uint64_t>()) * 0x9e3779b97f4a7c15U;
        const auto number = std::bit_cast<double>(bits);
        const Json read = Json::parse(written(number).toStdString());
        RC_ASSERT(read.is_null() == !std::isfinite(number));
        if (std::isfinite(number)) {
            RC_ASSERT(read.is_number_float());
            RC_ASSERT(std::bit_cast<std::uint64_t>(read.get<double>()) == bits);
        }
    });
}

// Durations are written as these numbers.
void JsonWriterTest::anyMilliseconds()
{
    verifyProperty("milliseconds are written as nlohmann writes them", 5000, [] {
        const auto upTo =
            *rc::gen::element<std::int64_t>(10, 1'000, 1'000'000, 1'000'000'000, 1LL << 60);
        const auto nanoseconds = *rc::gen::resize(100, rc::gen::inRange<std::int64_t>(0, upTo));
        const double number = static_cast<double>(nanoseconds) / 1e6;
        const QByteArray out = written(number);
        const std::string theirs = Json(number).dump();
        RC_ASSERT(Json::parse(out.toStdString()).get<double>() == number);
        // nlohmann_json sometimes writes one digit more than the shortest text.
        RC_ASSERT(out.toStdString() == theirs || std::size_t(out.size()) < theirs.size());
    });
}

void JsonWriterTest::anyInteger()
{
    QCOMPARE(written(std::numeric_limits<qint64>::min()), QByteArray("-9223372036854775808"));
    QCOMPARE(written(std::numeric_limits<quint64>::max()), QByteArray("18446744073709551615"));
    QCOMPARE(written(0), QByteArray("0"));
    QCOMPARE(written(true), QByteArray("true"));
    QCOMPARE(written(false), QByteArray("false"));
    verifyProperty("an integer reads back", 500, [](std::int64_t number) {
        RC_ASSERT(Json::parse(written(number).toStdString()).get<std::int64_t>() == number);
    });
}

void JsonWriterTest::structure()
{
    QByteArray out;
    JsonWriter json(out);
    json.beginObject();
    json.key(QLatin1String("none"));
    json.beginArray();
    json.endArray();
    json.key(QLatin1String("some"));
    json.beginArray();
    json.value(1);
    json.beginObject();
    json.endObject();
    json.null();
    json.endArray();
    json.key(QLatin1String("text"));
    json.beginText();
    json.addPlain(QLatin1String("a/"));
    json.addText(QStringView(u"\"b\""));
    json.endText();
    json.endObject();
    const QByteArray expected = R"({"none":[],"some":[1,{},null],"text":"a/\"b\""})";
    QCOMPARE(out, expected);
}

void JsonWriterTest::severalLines()
{
    for (const char *json : {"1", "{}", "[]", "{\"a\":[],\"b\":{},\"c\":[[],{}]}",
                             "{\"a\":[1,{\"b\":\"x\\\"{,:[\\\\\"},[null]],\"c\":{\"d\":true}}"})
        QCOMPARE(onLines(json), QByteArray::fromStdString(Json::parse(json).dump(2)));
}

REKINDLE_TEST(JsonWriterTest)
#include "jsonwritertest.moc"
