// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "jsonwriter.h"

#include "utf8.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>

namespace Rekindle {

namespace {

constexpr char16_t replacement = 0xfffd;

bool isPlain(char16_t unit) { return unit >= 0x20 && unit < 0x80 && unit != u'"' && unit != u'\\'; }

// A value below 0x20, a quotation mark or a backslash.
void appendEscape(QByteArray &out, char16_t unit)
{
    constexpr std::string_view digits = "0123456789abcdef";
    constexpr std::string_view letters = "btn fr"; // from \b to \r; \v has none
    out += '\\';
    if (unit >= 0x20) {
        out += static_cast<char>(unit);
    } else if (unit >= u'\b' && unit <= u'\r' && unit != u'\v') {
        out += letters[unit - u'\b'];
    } else {
        out += "u00";
        out += digits[unit >> 4U];
        out += digits[unit & 0xfU];
    }
}

} // namespace

void JsonWriter::separate()
{
    if (m_needsComma)
        m_out += ',';
    m_needsComma = true;
}

void JsonWriter::open(char bracket)
{
    separate();
    m_out += bracket;
    m_needsComma = false;
}

void JsonWriter::close(char bracket)
{
    m_out += bracket;
    m_needsComma = true;
}

void JsonWriter::key(JsonName name)
{
    separate();
    m_out += '"';
    addPlain(name.text);
    m_out.append("\":", 2);
    m_needsComma = false;
}

void JsonWriter::value(QStringView text)
{
    beginText();
    addText(text);
    endText();
}

void JsonWriter::value(QLatin1String text)
{
    beginText();
    addText(text);
    endText();
}

void JsonWriter::value(bool truth)
{
    separate();
    truth ? m_out.append("true", 4) : m_out.append("false", 5);
}

void JsonWriter::json(QByteArrayView text)
{
    separate();
    m_out.append(text);
}

void JsonWriter::null()
{
    separate();
    m_out.append("null", 4);
}

// QUuid's own functions allocate the text that they return (eventlinebench).
void JsonWriter::value(const QUuid &id)
{
    std::array<char, 36> text{};
    char *at = text.data();
    const auto addHex = [&at](auto number) {
        for (int shift = sizeof number * 8 - 4; shift >= 0; shift -= 4)
            *at++ = "0123456789abcdef"[(number >> shift) & 0xf];
    };
    addHex(id.data1);
    *at++ = '-';
    addHex(id.data2);
    *at++ = '-';
    addHex(id.data3);
    for (int i = 0; i < 8; ++i) {
        if (i == 0 || i == 2)
            *at++ = '-';
        addHex(id.data4[i]);
    }
    beginText();
    addPlain(text.data(), text.size());
    endText();
}

// 0.25, 1500.0, 1e-05, 1.5e+300: plain from 0.0001 to below 1e15.
void JsonWriter::value(double number)
{
    if (!std::isfinite(number)) {
        null();
        return;
    }
    separate();
    const double size = std::abs(number);
    const bool plain = size == 0.0 || (size >= 1e-4 && size < 1e15);
    std::array<char, 32> text{};
    const auto [end, error] =
        std::to_chars(text.data(), text.data() + text.size(), number,
                      plain ? std::chars_format::fixed : std::chars_format::scientific);
    Q_UNUSED(error) // 24 characters are the most
    const auto length = end - text.data();
    m_out.append(text.data(), length);
    if (plain && !std::memchr(text.data(), '.', static_cast<std::size_t>(length)))
        m_out.append(".0", 2);
}

void JsonWriter::value(std::chrono::nanoseconds duration)
{
    value(std::chrono::duration<double, std::milli>(duration).count());
}

void JsonWriter::value(const QStringList &texts)
{
    beginArray();
    for (const QString &text : texts)
        value(QStringView(text));
    endArray();
}

void JsonWriter::value(const QJsonObject &object)
{
    json(QJsonDocument(object).toJson(QJsonDocument::Compact));
}

void JsonWriter::beginText()
{
    separate();
    m_out += '"';
}

void JsonWriter::addCodeUnit(char16_t unit)
{
    if (isPlain(unit))
        m_out += static_cast<char>(unit);
    else if (unit < 0x80)
        appendEscape(m_out, unit);
    else
        appendUtf8(m_out, unit);
}

void JsonWriter::addText(QLatin1String text)
{
    for (const char letter : text)
        addCodeUnit(static_cast<unsigned char>(letter));
}

void JsonWriter::addText(QStringView text)
{
    const qsizetype size = text.size();
    const auto *const end = std::find_if_not(text.begin(), text.end(),
                                             [](QChar unit) { return isPlain(unit.unicode()); });
    const qsizetype plain = end - text.begin();
    const qsizetype at = m_out.size();
    m_out.resize(at + plain);
    std::transform(text.begin(), end, m_out.data() + at,
                   [](QChar unit) { return static_cast<char>(unit.unicode()); });
    for (qsizetype i = plain; i < size; ++i) {
        const char16_t unit = text[i].unicode();
        if (!QChar::isSurrogate(unit)) {
            addCodeUnit(unit);
        } else if (QChar::isHighSurrogate(unit) && i + 1 < size && text[i + 1].isLowSurrogate()) {
            appendUtf8(m_out, QChar::surrogateToUcs4(unit, text[i + 1].unicode()));
            ++i;
        } else {
            appendUtf8(m_out, replacement);
        }
    }
}

QByteArray compactJson(const QJsonValue &value)
{
    // Documents have no other values than arrays and objects.
    const QByteArray list = QJsonDocument(QJsonArray{value}).toJson(QJsonDocument::Compact);
    return list.mid(1, list.size() - 2);
}

QByteArray onLines(QByteArrayView json)
{
    QByteArray text;
    qsizetype depth = 0;
    bool isOpened = false; // the last byte opens an object or array
    bool isInText = false;
    const auto breakLine = [&](int change) {
        depth += change;
        text += '\n' + QByteArray(2 * depth, ' ');
    };
    for (qsizetype i = 0; i < json.size(); ++i) {
        const char c = json[i];
        const bool isClosing = !isInText && (c == '}' || c == ']');
        if (isOpened != isClosing)
            breakLine(isOpened ? 1 : -1);
        text += c;
        if (isInText && c == '\\')
            text += json[++i];
        else if (c == '"')
            isInText = !isInText;
        isOpened = !isInText && (c == '{' || c == '[');
        if (!isInText && c == ',')
            breakLine(0);
        else if (!isInText && c == ':')
            text += ' ';
    }
    return text;
}

} // namespace Rekindle
