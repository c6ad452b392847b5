// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>

namespace Rekindle {

/// Appends one code point, which must be none of the surrogates.
inline void appendUtf8(QByteArray &out, char32_t point)
{
    const auto append = [&out](char32_t byte) { out += static_cast<char>(byte); };
    const auto continuation = [&](unsigned shift) { append(0x80U | ((point >> shift) & 0x3fU)); };
    if (point < 0x80) {
        append(point);
        return;
    }
    if (point < 0x800) {
        append(0xc0U | (point >> 6U));
    } else if (point < 0x10000) {
        append(0xe0U | (point >> 12U));
        continuation(6);
    } else {
        append(0xf0U | (point >> 18U));
        continuation(12);
        continuation(6);
    }
    continuation(0);
}

} // namespace Rekindle
