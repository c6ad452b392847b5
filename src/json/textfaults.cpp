// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "textfaults.h"

#include "jsoncursor_p.h"

#include <algorithm>

namespace Rekindle {

QByteArrayView withoutByteOrderMark(QByteArrayView text)
{
    const QByteArrayView mark("\xEF\xBB\xBF");
    while (text.startsWith(mark)) // a second one can come from joined files
        text = text.sliced(mark.size());
    return text;
}

Fault faultAt(QByteArrayView text, qsizetype offset, const QString &message)
{
    JsonCursor cursor(text);
    cursor.skipTo(offset);
    const JsonPosition position = cursor.position();
    return {.message = message, .line = position.line, .column = position.column};
}

std::optional<Fault> encodingFault(QByteArrayView text, const QString &kind)
{
    if (!text.isValidUtf8()) {
        // Decoding replaces what is invalid, so that the texts differ from there on.
        const QByteArray valid = QString::fromUtf8(text).toUtf8();
        const auto [invalid, replacement] = std::mismatch(text.begin(), text.end(), valid.begin());
        return faultAt(text, invalid - text.begin(), QStringLiteral("not UTF-8"));
    }
    if (const qsizetype zero = text.indexOf('\0'); zero >= 0)
        return faultAt(text, zero, QStringLiteral("expected %1, found a null character").arg(kind));
    return std::nullopt;
}

} // namespace Rekindle
