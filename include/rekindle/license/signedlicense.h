// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/license/licenseclaims.h>
#include <rekindle/license/licensepublickey.h>
#include <rekindle/license/licensesecretkey.h>
#include <rekindle/policy/parsed.h>

#include <QByteArray>
#include <QByteArrayView>
#include <QString>

#include <chrono>
#include <optional>

namespace Rekindle {

/// Why a licence file is not accepted.
enum class LicenseRefusal {
    Missing,       ///< there is no such file
    Unreadable,    ///< it cannot be opened or read, or is no regular file
    TooLarge,      ///< more than SignedLicense::maxFileSize
    Malformed,     ///< empty, cut off, or not exactly in the form that issue() writes
    WrongKey,      ///< signed with another key than the one that is trusted
    BadSignature,  ///< changed after it was signed
    WrongAudience, ///< for another application
    UnknownTier,   ///< of a tier that this version does not know
    ClockSetBack,  ///< the clock shows a time that is known to be over
    NotYetValid,   ///< notBefore lies ahead
    Expired,       ///< expires has come
};

/// "Missing", "WrongKey", ...
[[nodiscard]] REKINDLE_LICENSE_EXPORT QString toText(LicenseRefusal refusal);

/// What a licence is verified against.
struct LicenseCheck
{
    LicensePublicKey publicKey{};

    /// The host's own application id; nothing accepts a licence for any, for tools only.
    std::optional<QString> audience{};

    UtcTime now{};

    /// The latest time that was ever seen, if the host remembers it. See SignedLicense.
    std::optional<UtcTime> latestSeen{};
};

/// What came out of it.
struct LicenseVerdict
{
    /// Nothing means accepted.
    std::optional<LicenseRefusal> refusal{};

    /// For people, a sentence without an end: who has it, or why it is refused.
    QString text{};

    /// What the licence says, as soon as its signature is known to be good: also of one that is
    /// refused for its audience or its times. Always there if accepted.
    std::optional<LicenseClaims> claims{};

    [[nodiscard]] bool isAccepted() const { return !refusal; }
};

/// Signed licence files (spec 7): the exact bytes of some JSON claims with an Ed25519 signature, as
/// docs/licensing.md has it. A file is accepted only if it is, byte for byte, what issue() makes of
/// its claims and signature; so no changed bit leads to another licence, wherever it is.
///
/// Time cannot go back: a clock that is more than `clockTolerance` before the licence's issuedAt,
/// or before the latest time that was seen, is refused, and up to that tolerance validity is judged
/// by the latest time that was seen. Functions are thread-safe and do not throw.
namespace SignedLicense {

inline constexpr qsizetype maxFileSize = qsizetype{64} * 1024;

/// Wide enough for a wrong time zone or daylight saving; what one could gain by it is a day.
inline constexpr std::chrono::milliseconds clockTolerance = std::chrono::hours(24);

/// The file's bytes; faults where the claims are not valid.
[[nodiscard]] REKINDLE_LICENSE_EXPORT Parsed<QByteArray> issue(const LicenseClaims &claims,
                                                               const LicenseSecretKey &key);

[[nodiscard]] REKINDLE_LICENSE_EXPORT LicenseVerdict verify(QByteArrayView file,
                                                            const LicenseCheck &check);

/// Reads the file first. Blocks for as long as that takes, and never on a pipe or a device.
[[nodiscard]] REKINDLE_LICENSE_EXPORT LicenseVerdict verifyFile(const QString &path,
                                                                const LicenseCheck &check);

} // namespace SignedLicense

} // namespace Rekindle
