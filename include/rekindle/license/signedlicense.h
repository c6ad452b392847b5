// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/json/parsed.h>
#include <rekindle/license/licenseclaims.h>
#include <rekindle/license/licensepublickey.h>
#include <rekindle/license/licensesecretkey.h>

#include <QByteArray>
#include <QByteArrayView>
#include <QObject>
#include <QString>

#include <chrono>
#include <optional>

namespace Rekindle {

/// The conditions that a license is verified against.
struct LicenseCheck
{
    LicensePublicKey publicKey{};

    /// The host's application id. nullopt accepts every audience; only tools need this.
    std::optional<QString> audience{};

    UtcTime now{};

    /// The latest known time, if the host stores it. See SignedLicense.
    std::optional<UtcTime> latestSeen{};
};

/// The result of verifying a license.
struct LicenseVerdict
{
    Q_GADGET_EXPORT(REKINDLE_LICENSE_EXPORT)
    Q_CLASSINFO("RegisterEnumClassesUnscoped", "false")

public:
    /// Why a license file is rejected.
    enum class Refusal {
        Missing,       ///< the file does not exist
        Unreadable,    ///< it cannot be read, or is not a regular file
        TooLarge,      ///< more than SignedLicense::maxFileSize
        Malformed,     ///< empty, truncated, or not byte for byte in the form that issue() writes
        WrongKey,      ///< signed with another key than the trusted one
        BadSignature,  ///< changed after it was signed
        WrongAudience, ///< for another application
        UnknownTier,   ///< a tier that this version does not support
        ClockSetBack,  ///< the clock shows a time that is known to have passed
        NotYetValid,   ///< notBefore is in the future
        Expired,       ///< expires has passed
    };
    Q_ENUM(Refusal)

    /// nullopt if the license is accepted.
    std::optional<Refusal> refusal{};

    /// The licensee, or why the license is rejected; a sentence without a period.
    QString text{};

    /// The claims, if the signature is valid. Also set if the license is rejected because of its
    /// audience or its times.
    std::optional<LicenseClaims> claims{};

    [[nodiscard]] bool isAccepted() const { return !refusal; }
};

/// Returns the name of the refusal: "Missing", "WrongKey", ...
[[nodiscard]] REKINDLE_LICENSE_EXPORT QString toText(LicenseVerdict::Refusal refusal);

/// Issues and verifies signed license files (spec 7): JSON claims with an Ed25519 signature, in the
/// format of docs/licensing.md. A file is accepted only if it is byte for byte what issue() writes
/// for its claims and signature. A changed bit can therefore never result in another valid license.
///
/// A license is rejected if the clock is more than `clockTolerance` before its issuedAt or before
/// the latest known time. Within the tolerance, validity is determined by the latest known time.
/// Thread-safe. Never throws.
namespace SignedLicense {

inline constexpr qsizetype maxFileSize = qsizetype{64} * 1024;

/// Covers wrong time zones and daylight saving time.
inline constexpr std::chrono::milliseconds clockTolerance = std::chrono::hours(24);

/// Returns the bytes of a license file; faults if the claims are invalid.
[[nodiscard]] REKINDLE_LICENSE_EXPORT Parsed<QByteArray> issue(const LicenseClaims &claims,
                                                               const LicenseSecretKey &key);

/// Verifies the bytes of a license file.
[[nodiscard]] REKINDLE_LICENSE_EXPORT LicenseVerdict verify(QByteArrayView file,
                                                            const LicenseCheck &check);

/// Reads and verifies a file. Blocks while it reads, but never on a pipe or a device.
[[nodiscard]] REKINDLE_LICENSE_EXPORT LicenseVerdict verifyFile(const QString &path,
                                                                const LicenseCheck &check);

} // namespace SignedLicense

} // namespace Rekindle
