// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/license/licensepublickey.h>

#include "base/boundedfile_p.h"
#include "sodium_p.h"

#include <rekindle/license/signedlicense.h>

#include <algorithm>

namespace Rekindle {

namespace {

constexpr char publicKeyLabel[] = "rekindle-license-public-key:";
constexpr qsizetype idBytes = 8;

Parsed<LicensePublicKey> fault(const QString &message)
{
    Parsed<LicensePublicKey> result;
    result.faults.append({{}, message});
    return result;
}

} // namespace

Parsed<LicensePublicKey> LicensePublicKey::fromText(QByteArrayView text)
{
    QByteArray line = text.toByteArray();
    if (line.endsWith('\n'))
        line.chop(1);
    if (line.startsWith("rekindle-license-secret-key:"))
        return fault(QStringLiteral("expected a public key, found a secret key"));
    if (!line.startsWith(publicKeyLabel))
        return fault(
            QStringLiteral("expected a public key: \"%1...\"").arg(QLatin1String(publicKeyLabel)));
    const auto decoded = fromStrictBase64(line.mid(qsizetype(sizeof publicKeyLabel) - 1));
    Bytes bytes{};
    if (!decoded || decoded->size() != qsizetype(size))
        return fault(QStringLiteral("expected 44 characters of base64 after the label"));
    std::copy_n(bytesOf(*decoded), size, bytes.begin());
    if (!sodiumIsReady() || crypto_core_ed25519_is_valid_point(bytes.data()) != 1)
        return fault(QStringLiteral("not a valid Ed25519 public key"));
    Parsed<LicensePublicKey> result;
    result.value = LicensePublicKey(bytes);
    return result;
}

Parsed<LicensePublicKey> LicensePublicKey::fromFile(const QString &path)
{
    const BoundedFile file = BoundedFile::read(path, SignedLicense::maxFileSize);
    Parsed<LicensePublicKey> result = file.isRead() ? fromText(file.bytes) : fault(file.error);
    result.file = path;
    return result;
}

QByteArray LicensePublicKey::toText() const
{
    const QByteArray raw(reinterpret_cast<const char *>(m_bytes.data()), qsizetype(size));
    return publicKeyLabel + raw.toBase64() + '\n';
}

QString LicensePublicKey::id() const
{
    std::array<unsigned char, crypto_hash_sha256_BYTES> hash{};
    crypto_hash_sha256(hash.data(), m_bytes.data(), m_bytes.size());
    const QByteArray begin(reinterpret_cast<const char *>(hash.data()), idBytes);
    return QString::fromLatin1(begin.toHex());
}

} // namespace Rekindle
