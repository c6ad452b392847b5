// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/license/licensepublickey.h>

#include <optional>

namespace Rekindle {

/// What licences are signed with. It belongs to the vendor and is never shipped. Moved, not
/// copied; its memory is wiped when it goes.
class REKINDLE_LICENSE_EXPORT LicenseSecretKey
{
public:
    /// A new one from the system's secure random source; nothing if there is no such source.
    [[nodiscard]] static std::optional<LicenseSecretKey> generate();

    /// Reads "rekindle-license-secret-key:" and 44 characters of base64, the seed of the key, with
    /// or without a line's end. Everything else is a fault; no message shows what was found.
    [[nodiscard]] static Parsed<LicenseSecretKey> fromText(QByteArrayView text);

    /// Reads that from a file, a regular one of at most 64 KiB. That others may read it is a
    /// warning. Blocks for as long as that takes.
    [[nodiscard]] static Parsed<LicenseSecretKey> fromFile(const QString &path);

    ~LicenseSecretKey();
    LicenseSecretKey(LicenseSecretKey &&other) noexcept;
    LicenseSecretKey &operator=(LicenseSecretKey &&other) noexcept;
    Q_DISABLE_COPY(LicenseSecretKey)

    [[nodiscard]] LicensePublicKey publicKey() const;

    /// What fromText() reads; one line with its end. The caller keeps it secret.
    [[nodiscard]] QByteArray toText() const;

    /// An Ed25519 signature of these bytes, 64 of them.
    [[nodiscard]] QByteArray sign(QByteArrayView message) const;

private:
    using Bytes = std::array<unsigned char, 64>; ///< the seed and the public key

    LicenseSecretKey() = default;

    Bytes m_bytes{};
};

} // namespace Rekindle
