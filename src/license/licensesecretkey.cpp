// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/license/licensesecretkey.h>

#include "base/boundedfile_p.h"
#include "sodium_p.h"

#include <rekindle/license/signedlicense.h>

#include <algorithm>

namespace Rekindle {

namespace {

constexpr char secretKeyLabel[] = "rekindle-license-secret-key:";
constexpr std::size_t seedSize = crypto_sign_SEEDBYTES;
static_assert(seedSize + LicensePublicKey::size == crypto_sign_SECRETKEYBYTES);

Parsed<LicenseSecretKey> secretKeyFault(const QString &message)
{
    Parsed<LicenseSecretKey> result;
    result.faults.append({{}, message});
    return result;
}

void wipe(QByteArray &bytes)
{
    sodium_memzero(bytes.data(), static_cast<std::size_t>(bytes.size()));
}

} // namespace

std::optional<LicenseSecretKey> LicenseSecretKey::generate()
{
    if (!sodiumIsReady())
        return {};
    LicenseSecretKey key;
    LicensePublicKey::Bytes publicBytes{};
    crypto_sign_keypair(publicBytes.data(), key.m_bytes.data());
    return key;
}

Parsed<LicenseSecretKey> LicenseSecretKey::fromText(QByteArrayView text)
{
    QByteArray line = text.toByteArray();
    if (line.endsWith('\n'))
        line.chop(1);
    if (line.startsWith("rekindle-license-public-key:"))
        return secretKeyFault(QStringLiteral("expected a secret key, found a public key"));
    if (!line.startsWith(secretKeyLabel))
        return secretKeyFault(
            QStringLiteral("expected a secret key: \"%1...\"").arg(QLatin1String(secretKeyLabel)));
    std::optional<QByteArray> seed =
        fromStrictBase64(line.mid(qsizetype(sizeof secretKeyLabel) - 1));
    wipe(line);
    if (!seed || seed->size() != qsizetype(seedSize) || !sodiumIsReady())
        return secretKeyFault(QStringLiteral("expected 44 characters of base64 after the label"));
    Parsed<LicenseSecretKey> result;
    result.value = LicenseSecretKey();
    LicensePublicKey::Bytes publicBytes{};
    crypto_sign_seed_keypair(publicBytes.data(), result.value->m_bytes.data(), bytesOf(*seed));
    wipe(*seed);
    return result;
}

Parsed<LicenseSecretKey> LicenseSecretKey::fromFile(const QString &path)
{
    BoundedFile file = BoundedFile::read(path, SignedLicense::maxFileSize);
    Parsed<LicenseSecretKey> result =
        file.isRead() ? fromText(file.bytes) : secretKeyFault(file.error);
    wipe(file.bytes);
    result.file = path;
    if (result && file.isReadByOthers) {
        result.warnings.append(
            {{},
             QStringLiteral("other users can read this secret key; run chmod 600"),
             Fault::Severity::Warning});
    }
    return result;
}

LicenseSecretKey::~LicenseSecretKey() { sodium_memzero(m_bytes.data(), m_bytes.size()); }

LicenseSecretKey::LicenseSecretKey(LicenseSecretKey &&other) noexcept
    : m_bytes(other.m_bytes)
{
    sodium_memzero(other.m_bytes.data(), other.m_bytes.size());
}

LicenseSecretKey &LicenseSecretKey::operator=(LicenseSecretKey &&other) noexcept
{
    if (this != &other) {
        m_bytes = other.m_bytes;
        sodium_memzero(other.m_bytes.data(), other.m_bytes.size());
    }
    return *this;
}

LicensePublicKey LicenseSecretKey::publicKey() const
{
    LicensePublicKey::Bytes bytes{};
    std::copy_n(m_bytes.begin() + seedSize, LicensePublicKey::size, bytes.begin());
    return LicensePublicKey(bytes);
}

QByteArray LicenseSecretKey::toText() const
{
    const QByteArray seed(reinterpret_cast<const char *>(m_bytes.data()), qsizetype(seedSize));
    return secretKeyLabel + seed.toBase64() + '\n';
}

QByteArray LicenseSecretKey::sign(QByteArrayView message) const
{
    QByteArray signature(crypto_sign_BYTES, '\0');
    crypto_sign_detached(reinterpret_cast<unsigned char *>(signature.data()), nullptr,
                         bytesOf(message), static_cast<unsigned long long>(message.size()),
                         m_bytes.data());
    return signature;
}

} // namespace Rekindle
