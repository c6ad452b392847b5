// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "jsoncursor_p.h"

namespace Rekindle {

namespace {

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool isDigit(char c) { return c >= '0' && c <= '9'; }

bool isWordPart(char c)
{
    return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '+'
        || c == '-' || c == '.';
}

bool isContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// Length of the valid UTF-8 sequence at the start of a text that is not empty; 0 if there is none.
// The second byte's bounds keep out overlong forms, surrogates and what lies beyond U+10FFFF.
qsizetype sequenceLength(QByteArrayView text)
{
    const auto byte = [&](qsizetype i) { return static_cast<unsigned char>(text[i]); };
    const unsigned lead = byte(0);
    if (lead < 0x80)
        return 1;
    const qsizetype length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || text.size() < length)
        return 0;
    const unsigned least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const unsigned greatest = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (byte(1) < least || byte(1) > greatest)
        return 0;
    for (qsizetype i = 2; i < length; ++i) {
        if (!isContinuation(text[i]))
            return 0;
    }
    return length;
}

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

// To the letter of the grammar: "01" is the number 0 and then something else.
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
    end.skipWord();
    if (end.m_offset == m_offset)
        end.skipTo(m_offset + sequenceLength(m_text.sliced(m_offset)));
    return QLatin1Char('"') + printable(QString::fromUtf8(end.since(m_offset))) + QLatin1Char('"');
}

qsizetype firstInvalidUtf8(QByteArrayView text)
{
    for (qsizetype offset = 0; offset < text.size();) {
        const qsizetype length = sequenceLength(text.sliced(offset));
        if (length == 0)
            return offset;
        offset += length;
    }
    return -1;
}

} // namespace Rekindle
