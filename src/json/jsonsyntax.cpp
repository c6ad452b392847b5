// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "jsonsyntax_p.h"

namespace Rekindle {

namespace {

QLatin1String describe(JsonExpected expected, bool inObject)
{
    switch (expected) {
    case JsonExpected::Value:
        return QLatin1String("a value");
    case JsonExpected::ValueOrEnd:
        return QLatin1String("a value or \"]\"");
    case JsonExpected::NameOrEnd:
        return QLatin1String("a name in double quotes or \"}\"");
    case JsonExpected::Name:
        return QLatin1String("a name in double quotes");
    case JsonExpected::Colon:
        return QLatin1String("\":\"");
    case JsonExpected::CommaOrEnd:
        return inObject ? QLatin1String(R"("," or "}")") : QLatin1String(R"("," or "]")");
    case JsonExpected::EndOfText:
        return QLatin1String("the end of the text");
    }
    return {};
}

bool isStringWelcome(JsonExpected expected)
{
    return expected != JsonExpected::Colon && expected != JsonExpected::CommaOrEnd
        && expected != JsonExpected::EndOfText;
}

QLatin1String hint(char c)
{
    if (c == '/' || c == '#')
        return QLatin1String(" (JSON has no comments)");
    if (c == '\'')
        return QLatin1String(" (JSON strings stand in double quotes)");
    return {};
}

// Skips the separator that the parser had read before it stopped.
JsonExpected passSeparator(JsonCursor &cursor, JsonExpected expected, bool inObject)
{
    cursor.skipBlanks();
    const bool colon = expected == JsonExpected::Colon && cursor.peek() == ':';
    const bool comma = expected == JsonExpected::CommaOrEnd && cursor.peek() == ',';
    if (!colon && !comma)
        return expected;
    cursor.step();
    cursor.skipBlanks();
    return comma && inObject ? JsonExpected::Name : JsonExpected::Value;
}

bool isEscape(JsonCursor cursor)
{
    if (cursor.peek() != 'u')
        return !cursor.atEnd() && QByteArrayView("\"\\/bfnrt").contains(cursor.peek());
    for (int digit = 0; digit < 4; ++digit) {
        cursor.step();
        if (!QByteArrayView("0123456789abcdefABCDEF").contains(cursor.peek()))
            return false;
    }
    return true;
}

// The cursor is at the opening quote of a string that the parser rejected.
JsonSyntaxFault explainString(JsonCursor cursor)
{
    const JsonPosition start = cursor.position();
    for (cursor.step(); !cursor.atEnd() && cursor.peek() != '"'; cursor.step()) {
        const auto byte = static_cast<unsigned char>(cursor.peek());
        if (byte == '\n' || byte == '\r')
            return {cursor.position(),
                    QStringLiteral("found the end of the line in a string, "
                                   "expected a closing quote or \"\\n\"")};
        if (byte < 0x20)
            return {cursor.position(),
                    QStringLiteral("found a control character in a string, expected \"\\u%1\"")
                        .arg(byte, 4, 16, QLatin1Char('0'))};
        if (byte != '\\')
            continue;
        const JsonPosition escape = cursor.position();
        cursor.step();
        if (!isEscape(cursor))
            return {escape,
                    QStringLiteral("found an unknown escape in a string, expected one of "
                                   "\\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX")};
    }
    if (cursor.atEnd())
        return {start, QStringLiteral("found a string without an end, expected a closing quote")};
    return {start, QStringLiteral("found half of a surrogate pair in a string, expected both")};
}

} // namespace

JsonSyntaxFault explainSyntax(JsonCursor cursor, JsonExpected expected, bool inObject,
                              bool numberTooLarge)
{
    expected = passSeparator(cursor, expected, inObject);
    if (numberTooLarge)
        return {cursor.position(),
                QStringLiteral("found %1, expected a number that a double can hold")
                    .arg(cursor.describe())};
    if (cursor.peek() == '"' && isStringWelcome(expected))
        return explainString(cursor);
    return {cursor.position(),
            QStringLiteral("found %1, expected %2%3")
                .arg(cursor.describe(), describe(expected, inObject), hint(cursor.peek()))};
}

} // namespace Rekindle
