// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/json/parsed.h>
#include <rekindle/license/export.h>

#include <QByteArray>
#include <QByteArrayView>
#include <QString>

#include <array>

namespace Rekindle {

/// The Ed25519 key that licenses are verified with. A value type; hosts compile it in.
class REKINDLE_LICENSE_EXPORT LicensePublicKey
{
public:
    static constexpr std::size_t size = 32;
    using Bytes = std::array<unsigned char, size>;

    /// Creates a null key, which verifies nothing.
    LicensePublicKey() = default;
    explicit LicensePublicKey(const Bytes &bytes)
        : m_bytes(bytes)
    {
    }

    /// Parses "rekindle-license-public-key:" and 44 characters of base64, with an optional line
    /// feed. Any other text is a fault, and so is a point that is not on the curve.
    [[nodiscard]] static Parsed<LicensePublicKey> fromText(QByteArrayView text);

    /// Reads the key from a regular file of at most 64 KiB. Blocks while it reads.
    [[nodiscard]] static Parsed<LicensePublicKey> fromFile(const QString &path);

    /// Returns the text that fromText() parses: one line with a line feed.
    [[nodiscard]] QByteArray toText() const;

    /// Returns the id of the key: the first 16 hexadecimal digits of its SHA-256. License files
    /// contain it. It is not secret and proves nothing.
    [[nodiscard]] QString id() const;

    [[nodiscard]] bool isNull() const { return m_bytes == Bytes{}; }
    [[nodiscard]] const Bytes &bytes() const { return m_bytes; }

    bool operator==(const LicensePublicKey &) const = default;

private:
    Bytes m_bytes{};
};

} // namespace Rekindle
