// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// Reads any bytes as a license: as a file, and as claims with a valid signature. For each
// license, only the file that issue() writes is accepted.

#include "fuzztarget.h"

#include "license/signedlicense_p.h"

using namespace Rekindle;

namespace {

const LicenseSecretKey &secretKey()
{
    // The seed is 32 zero bytes.
    static const auto key = LicenseSecretKey::fromText(
        "rekindle-license-secret-key:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=");
    require(key.value.has_value(), "the key is rejected");
    return *key.value;
}

LicenseCheck checkAt(UtcTime now) { return {.publicKey = secretKey().publicKey(), .now = now}; }

void check(const QByteArray &file)
{
    const LicenseVerdict verdict = SignedLicense::verify(file, checkAt({}));
    require(!verdict.text.isEmpty(), "a verdict has no text");
    if (!verdict.claims) {
        require(!verdict.isAccepted(), "a license without claims is accepted");
        return;
    }
    require(!hasErrors(validate(*verdict.claims)), "invalid claims are accepted");
    require(SignedLicense::issue(*verdict.claims, secretKey()).value == file,
            "a file in another form is accepted");
    (void)SignedLicense::verify(file, checkAt(verdict.claims->notBefore));
}

} // namespace

void fuzzOne(QByteArrayView bytes)
{
    const QByteArray input = bytes.toByteArray();
    check(input);
    check(SignedLicense::seal(input, secretKey()));
    (void)LicensePublicKey::fromText(input);
    (void)LicenseSecretKey::fromText(input);
}
