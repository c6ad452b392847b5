// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/license/export.h>
#include <rekindle/policy/parsed.h>

#include <QByteArray>
#include <QByteArrayView>
#include <QString>

#include <array>

namespace Rekindle {

/// What licences are verified against: an Ed25519 key that a host has compiled in. A plain value.
class REKINDLE_LICENSE_EXPORT LicensePublicKey
{
public:
    static constexpr std::size_t size = 32;
    using Bytes = std::array<unsigned char, size>;

    /// No key: nothing is verified by it.
    LicensePublicKey() = default;
    explicit LicensePublicKey(const Bytes &bytes)
        : m_bytes(bytes)
    {
    }

    /// Reads "rekindle-license-public-key:" and 44 characters of base64, with or without a line's
    /// end. Everything else is a fault, a point that is none of the curve included.
    [[nodiscard]] static Parsed<LicensePublicKey> fromText(QByteArrayView text);

    /// Reads that from a file, a regular one of at most 64 KiB. Blocks for as long as that takes.
    [[nodiscard]] static Parsed<LicensePublicKey> fromFile(const QString &path);

    /// What fromText() reads; one line with its end.
    [[nodiscard]] QByteArray toText() const;

    /// 16 hexadecimal digits by which people and licence files name the key: the begin of its
    /// SHA-256. Not a secret, and no proof of anything.
    [[nodiscard]] QString id() const;

    [[nodiscard]] bool isNull() const { return m_bytes == Bytes{}; }
    [[nodiscard]] const Bytes &bytes() const { return m_bytes; }

    bool operator==(const LicensePublicKey &) const = default;

private:
    Bytes m_bytes{};
};

} // namespace Rekindle
