// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "jsoncursor_p.h"

namespace Rekindle {

namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }

bool isWordPart(char c)
{
    return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '+'
        || c == '-' || c == '.';
}

bool isContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

} // namespace

void JsonCursor::step()
{
    if (atEnd())
        return;
    const char c = m_text[m_offset++];
    if (c == '\n') {
        ++m_position.line;
        m_position.column = 1;
    } else if (atEnd() || !isContinuation(m_text[m_offset])) {
        ++m_position.column;
    }
}

void JsonCursor::skipTo(qsizetype offset)
{
    while (!atEnd() && m_offset < offset)
        step();
}

void JsonCursor::skipBlanks()
{
    while (isBlank(peek()))
        step();
}

void JsonCursor::skipBlanksAndSeparators()
{
    while (isBlank(peek()) || peek() == ',' || peek() == ':')
        step();
}

void JsonCursor::skipString()
{
    step();
    while (!atEnd() && peek() != '"') {
        if (peek() == '\\')
            step();
        step();
    }
    step();
}

void JsonCursor::skipDigits()
{
    while (isDigit(peek()))
        step();
}

// Follows the grammar exactly: "01" is the number 0, followed by another token.
void JsonCursor::skipNumber()
{
    if (peek() == '-')
        step();
    if (peek() == '0')
        step();
    else
        skipDigits();
    if (peek() == '.') {
        step();
        skipDigits();
    }
    if (peek() == 'e' || peek() == 'E') {
        step();
        if (peek() == '+' || peek() == '-')
            step();
        skipDigits();
    }
}

void JsonCursor::skipWord()
{
    while (isWordPart(peek()))
        step();
}

QString JsonCursor::describe() const
{
    if (atEnd())
        return QStringLiteral("the end of the text");
    JsonCursor end = *this;
    if (peek() == '"') {
        constexpr qsizetype longest = 40;
        end.skipString();
        const QString text = printable(QString::fromUtf8(end.since(m_offset)));
        return text.size() <= longest ? text : QStringLiteral("a string");
    }
    end.skipWord();
    if (end.m_offset == m_offset) {
        do
            end.step();
        while (isContinuation(end.peek()));
    }
    return QLatin1Char('"') + printable(QString::fromUtf8(end.since(m_offset))) + QLatin1Char('"');
}

} // namespace Rekindle
