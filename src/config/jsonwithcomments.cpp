// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "jsonwithcomments_p.h"

#include <algorithm>

namespace Rekindle {

namespace {

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// The size of the comment, string or character at the beginning.
qsizetype firstToken(QByteArrayView text)
{
    qsizetype end = 1;
    if (text.startsWith("//")) {
        end = text.indexOf('\n');
        return end < 0 ? text.size() : end;
    }
    if (text.startsWith("/*"))
        return std::max<qsizetype>(text.indexOf("*/", 2) + 2, 1);
    if (text.startsWith('"')) {
        while (end < text.size() && text[end] != '"')
            end += text[end] == '\\' ? 2 : 1;
        return std::min(end + 1, text.size());
    }
    return end;
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

QByteArray withoutComments(QByteArrayView text)
{
    QByteArray result;
    result.reserve(text.size());
    qsizetype comma = -1; // the position of the last character, apart from blanks, if it is a comma
    bool hasValue = false; // since the last opening bracket
    if (text.startsWith("\xEF\xBB\xBF"))
        text = text.sliced(3);
    while (!text.isEmpty()) {
        const QByteArrayView token = text.first(firstToken(text));
        text = text.sliced(token.size());
        const char first = token.front();
        if (first == '/' && token.size() > 1) {
            result += blanksFor(token);
            continue;
        }
        // A comma without a preceding value is a fault, not a trailing comma.
        if ((first == ']' || first == '}') && comma >= 0 && hasValue)
            result[comma] = ' ';
        if (!isBlank(first)) {
            comma = first == ',' ? result.size() : -1;
            hasValue = first == ',' ? hasValue : first != '[' && first != '{';
        }
        result += token;
    }
    return result;
}

} // namespace Rekindle
