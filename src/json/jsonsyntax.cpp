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

} // namespace

JsonSyntaxFault explainSyntax(JsonCursor cursor, JsonExpected expected, bool inObject,
                              bool numberTooLarge)
{
    expected = passSeparator(cursor, expected, inObject);
    if (numberTooLarge)
        return {cursor.position(),
                QStringLiteral("expected a number in the range of a double, found %1")
                    .arg(cursor.describe())};
    return {cursor.position(),
            QStringLiteral("expected %1, found %2%3")
                .arg(describe(expected, inObject), cursor.describe(), hint(cursor.peek()))};
}

} // namespace Rekindle
