// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "jsoncursor_p.h"

#include <algorithm>

namespace Rekindle {

namespace {

bool isWordPart(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'
        || c == '+' || c == '-' || c == '.';
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

QString JsonCursor::describe() const
{
    if (atEnd())
        return QStringLiteral("the end of the text");
    constexpr qsizetype longest = 40;
    const QString text = printable(QString::fromUtf8(rest().first(tokenSize(rest()))));
    if (peek() == '"')
        return text.size() <= longest ? text : QStringLiteral("a string");
    return QLatin1Char('"') + text + QLatin1Char('"');
}

qsizetype tokenSize(QByteArrayView text)
{
    qsizetype end = 1;
    if (text.front() == '"') {
        while (end < text.size() && text[end] != '"')
            end += text[end] == '\\' ? 2 : 1;
        return std::min(end + 1, text.size());
    }
    const auto belongs = isWordPart(text.front()) ? isWordPart : isContinuation;
    while (end < text.size() && belongs(text[end]))
        ++end;
    return end;
}

} // namespace Rekindle
