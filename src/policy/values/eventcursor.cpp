// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "policy/internal/eventcursor.h"

#include <algorithm>

namespace Rekindle {

std::optional<EventCursor> EventCursor::of(const QString &text)
{
    const qsizetype colon = text.indexOf(u':');
    const QStringView digits = QStringView(text).mid(colon + 1);
    const bool isNumber =
        std::all_of(digits.begin(), digits.end(), [](QChar c) { return c >= u'0' && c <= u'9'; });
    bool isInRange = false;
    const quint64 sequence = digits.toULongLong(&isInRange);
    if (colon <= 0 || !isNumber || !isInRange)
        return std::nullopt;
    return EventCursor{text.left(colon), sequence};
}

QString EventCursor::text() const { return run + u':' + QString::number(sequence); }

} // namespace Rekindle
