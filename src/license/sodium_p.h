// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QByteArrayView>

#include <optional>
#include <sodium.h>

namespace Rekindle {

/// Initializes libsodium. Returns whether it can be used. Thread-safe.
[[nodiscard]] inline bool sodiumIsReady()
{
    static const bool ready = sodium_init() >= 0;
    return ready;
}

[[nodiscard]] inline const unsigned char *bytesOf(QByteArrayView view)
{
    return reinterpret_cast<const unsigned char *>(view.data());
}

/// Decodes base64 with padding; nullopt for any other representation of the same bytes.
[[nodiscard]] inline std::optional<QByteArray> fromStrictBase64(const QByteArray &text)
{
    const auto result =
        QByteArray::fromBase64Encoding(text, QByteArray::AbortOnBase64DecodingErrors);
    // Qt accepts missing padding and unused bits that are set.
    if (!result || (*result).toBase64() != text)
        return {};
    return *result;
}

} // namespace Rekindle
