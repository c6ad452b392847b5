// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "jsoncomments_p.h"

#include "jsoncursor_p.h"

#include <algorithm>

namespace Rekindle {

namespace {

bool isComment(QByteArrayView text) { return text.startsWith("//") || text.startsWith("/*"); }

// The size of the comment at the beginning; nothing if it has no end.
std::optional<qsizetype> commentSize(QByteArrayView text)
{
    const bool isLine = text.startsWith("//");
    const qsizetype end = isLine ? text.indexOf('\n') : text.indexOf("*/", 2);
    if (end < 0)
        return isLine ? std::optional(text.size()) : std::nullopt;
    return isLine ? end : end + 2;
}

// The size of the string or character at the beginning.
qsizetype tokenSize(QByteArrayView text)
{
    qsizetype end = 1;
    if (!text.startsWith('"'))
        return end;
    while (end < text.size() && text[end] != '"')
        end += text[end] == '\\' ? 2 : 1;
    return std::min(end + 1, text.size());
}

// One blank for each character, because columns count characters.
QByteArray blanksFor(QByteArrayView comment)
{
    QByteArray blanks;
    for (const char c : comment) {
        const bool isContinued = (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
        if (!isContinued)
            blanks += c == '\n' || c == '\r' ? c : ' ';
    }
    return blanks;
}

} // namespace

PlainJson withoutComments(QByteArrayView text)
{
    PlainJson result;
    result.text.reserve(text.size());
    qsizetype comma = -1;  // where the last token is in the result, if it is a comma after a value
    bool hasValue = false; // whether the last token ends a value
    for (qsizetype at = 0; at < text.size();) {
        const QByteArrayView rest = text.sliced(at);
        if (isComment(rest)) {
            const std::optional<qsizetype> size = commentSize(rest);
            if (!size) {
                result.unclosed = at;
                return result;
            }
            result.text += blanksFor(rest.first(*size));
            at += *size;
            continue;
        }
        const QByteArrayView token = rest.first(tokenSize(rest));
        const char first = token.front();
        const bool isClosing = first == ']' || first == '}';
        if (isClosing && comma >= 0)
            result.text[comma] = ' ';
        if (!isBlank(first)) {
            comma = first == ',' && hasValue ? result.text.size() : -1;
            hasValue = first != ',' && first != ':' && first != '[' && first != '{';
        }
        result.text += token;
        at += token.size();
    }
    return result;
}

} // namespace Rekindle
