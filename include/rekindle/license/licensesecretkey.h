// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/license/licensepublickey.h>

#include <optional>

namespace Rekindle {

/// The Ed25519 key that licenses are signed with. It belongs to the vendor and is never shipped.
/// Movable, not copyable; the destructor wipes its memory.
class REKINDLE_LICENSE_EXPORT LicenseSecretKey
{
public:
    /// Generates a key from the system's secure random source; nullopt if there is no such source.
    [[nodiscard]] static std::optional<LicenseSecretKey> generate();

    /// Parses "rekindle-license-secret-key:" and 44 characters of base64 (the seed), with an
    /// optional line feed. Any other text is a fault; no message contains the text.
    [[nodiscard]] static Parsed<LicenseSecretKey> fromText(QByteArrayView text);

    /// Reads the key from a regular file of at most 64 KiB. Warns if other users can read the
    /// file. Blocks while it reads.
    [[nodiscard]] static Parsed<LicenseSecretKey> fromFile(const QString &path);

    ~LicenseSecretKey();
    LicenseSecretKey(LicenseSecretKey &&other) noexcept;
    LicenseSecretKey &operator=(LicenseSecretKey &&other) noexcept;
    Q_DISABLE_COPY(LicenseSecretKey)

    [[nodiscard]] LicensePublicKey publicKey() const;

    /// Returns the text that fromText() parses: one line with a line feed. Keep it secret.
    [[nodiscard]] QByteArray toText() const;

    /// Returns the Ed25519 signature of `message`, 64 bytes.
    [[nodiscard]] QByteArray sign(QByteArrayView message) const;

private:
    using Bytes = std::array<unsigned char, 64>; ///< the seed and the public key

    LicenseSecretKey() = default;

    Bytes m_bytes{};
};

} // namespace Rekindle
