// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QByteArrayView>

#include <optional>
#include <sodium.h>

namespace Rekindle {

/// Whether libsodium can be used; it starts it. Thread-safe.
[[nodiscard]] inline bool sodiumIsReady()
{
    static const bool ready = sodium_init() >= 0;
    return ready;
}

[[nodiscard]] inline const unsigned char *bytesOf(QByteArrayView view)
{
    return reinterpret_cast<const unsigned char *>(view.data());
}

/// Base64 with padding, in the one form in which it is written; nothing if it is anything else.
[[nodiscard]] inline std::optional<QByteArray> fromStrictBase64(const QByteArray &text)
{
    const auto result =
        QByteArray::fromBase64Encoding(text, QByteArray::AbortOnBase64DecodingErrors);
    // Qt lets pass what has no padding, or bits set that stand for nothing.
    if (!result || (*result).toBase64() != text)
        return {};
    return *result;
}

} // namespace Rekindle
