// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "messageid_p.h"

#include "json/jsonscanner.h"

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

// -?(0|[1-9][0-9]*)
bool isInteger(QByteArrayView text)
{
    const QByteArrayView digits = text.startsWith('-') ? text.sliced(1) : text;
    if (digits.isEmpty() || (digits.size() > 1 && digits.front() == '0'))
        return false;
    return std::all_of(digits.begin(), digits.end(),
                       [](char byte) { return byte >= '0' && byte <= '9'; });
}

} // namespace

MessageId MessageId::ofJson(QByteArrayView value)
{
    MessageId id;
    if (isInteger(value)) {
        id.m_type = Type::Integer;
        id.m_json = value.toByteArray();
        id.m_meaning = value == QByteArrayView("-0") ? QByteArrayLiteral("0") : id.m_json;
    } else if (std::optional<QByteArray> text = jsonStringText(value)) {
        id.m_type = Type::String;
        id.m_json = value.toByteArray();
        id.m_meaning = *std::move(text);
    }
    return id;
}

} // namespace Rekindle
