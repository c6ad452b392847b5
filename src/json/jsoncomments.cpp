// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "jsoncomments_p.h"

#include "jsoncursor_p.h"
#include "textfaults.h"

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

std::optional<Fault> removeComments(QByteArrayView text, QByteArray &json)
{
    json.reserve(text.size());
    qsizetype comma = -1;  // where the last token is in the result, if it is a comma after a value
    bool hasValue = false; // whether the last token ends a value
    for (qsizetype at = 0; at < text.size();) {
        const QByteArrayView rest = text.sliced(at);
        if (isComment(rest)) {
            const std::optional<qsizetype> size = commentSize(rest);
            if (!size)
                return faultAt(text, at,
                               QStringLiteral("expected \"*/\" at the end of this comment, found "
                                              "the end of the text"));
            json += blanksFor(rest.first(*size));
            at += *size;
            continue;
        }
        const QByteArrayView token = rest.first(tokenSize(rest));
        const char first = token.front();
        const bool isClosing = first == ']' || first == '}';
        if (isClosing && comma >= 0)
            json[comma] = ' ';
        if (!isBlank(first)) {
            comma = first == ',' && hasValue ? json.size() : -1;
            hasValue = first != ',' && first != ':' && first != '[' && first != '{';
        }
        json += token;
        at += token.size();
    }
    return std::nullopt;
}

} // namespace Rekindle
