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
                    QStringLiteral("expected a closing quote or \"\\n\", "
                                   "found the end of the line in a string")};
        if (byte < 0x20)
            return {cursor.position(),
                    QStringLiteral("expected \"\\u%1\", found a control character in a string")
                        .arg(byte, 4, 16, QLatin1Char('0'))};
        if (byte != '\\')
            continue;
        const JsonPosition escape = cursor.position();
        cursor.step();
        if (!isEscape(cursor))
            return {escape,
                    QStringLiteral("expected one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX, "
                                   "found an unknown escape in a string")};
    }
    if (cursor.atEnd())
        return {start,
                QStringLiteral("expected a closing quote, found the end of the file in a string")};
    return {start,
            QStringLiteral("expected both halves of a surrogate pair, found one in a string")};
}

} // namespace

JsonSyntaxFault explainSyntax(JsonCursor cursor, JsonExpected expected, bool inObject,
                              bool numberTooLarge)
{
    expected = passSeparator(cursor, expected, inObject);
    if (numberTooLarge)
        return {cursor.position(),
                QStringLiteral("expected a number in the range of a double, found %1")
                    .arg(cursor.describe())};
    if (cursor.peek() == '"' && isStringWelcome(expected))
        return explainString(cursor);
    return {cursor.position(),
            QStringLiteral("expected %1, found %2%3")
                .arg(describe(expected, inObject), cursor.describe(), hint(cursor.peek()))};
}

} // namespace Rekindle
