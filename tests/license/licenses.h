// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/license/signedlicense.h>

#include <QFile>
#include <QTest>

namespace Rekindle {

/// 2026-01-01T00:00:00Z, the start of VirtualClock.
inline constexpr UtcTime newYear{std::chrono::seconds(1767225600)};

inline const QString ownAudience = QStringLiteral("com.example.writer");

/// A license for Teams, valid in 2026.
[[nodiscard]] inline LicenseClaims claimsOfTheYear()
{
    return {.id = QStringLiteral("L-1"),
            .licensee = QStringLiteral("ACME \u00e9ditions \"GmbH\""),
            .audience = ownAudience,
            .tier = LicenseTier::Teams,
            .issuedAt = newYear,
            .notBefore = newYear,
            .expires = newYear + std::chrono::days(365)};
}

/// A key that is the same in all runs.
[[nodiscard]] inline LicenseSecretKey keyNumber(char number)
{
    const QByteArray text =
        "rekindle-license-secret-key:" + QByteArray(32, number).toBase64() + '\n';
    return std::move(*LicenseSecretKey::fromText(text).value);
}

[[nodiscard]] inline QByteArray issued(const LicenseClaims &claims)
{
    return SignedLicense::issue(claims, keyNumber(1)).value.value_or(QByteArray());
}

/// The conditions of the tests' host, in February.
[[nodiscard]] inline LicenseCheck ownCheck()
{
    return {keyNumber(1).publicKey(), ownAudience, newYear + std::chrono::days(31), {}};
}

inline void putFile(const QString &path, const QByteArray &bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    QCOMPARE(file.write(bytes), bytes.size());
}

} // namespace Rekindle
