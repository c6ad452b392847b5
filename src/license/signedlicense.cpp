// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "signedlicense_p.h"

#include "sodium_p.h"
#include "json/jsonobjectreader.h"
#include "json/jsonparser.h"
#include <rekindle/json/enumnames.h>

#include <algorithm>

namespace Rekindle {

namespace {

constexpr std::array<EnumName<LicenseVerdict::Refusal>, 11> refusalNames = {{
    {LicenseVerdict::Refusal::Missing, QLatin1String("Missing")},
    {LicenseVerdict::Refusal::Unreadable, QLatin1String("Unreadable")},
    {LicenseVerdict::Refusal::TooLarge, QLatin1String("TooLarge")},
    {LicenseVerdict::Refusal::Malformed, QLatin1String("Malformed")},
    {LicenseVerdict::Refusal::WrongKey, QLatin1String("WrongKey")},
    {LicenseVerdict::Refusal::BadSignature, QLatin1String("BadSignature")},
    {LicenseVerdict::Refusal::WrongAudience, QLatin1String("WrongAudience")},
    {LicenseVerdict::Refusal::UnknownTier, QLatin1String("UnknownTier")},
    {LicenseVerdict::Refusal::ClockSetBack, QLatin1String("ClockSetBack")},
    {LicenseVerdict::Refusal::NotYetValid, QLatin1String("NotYetValid")},
    {LicenseVerdict::Refusal::Expired, QLatin1String("Expired")},
}};

constexpr int format = 1;

// The parts of a license file.
struct Envelope
{
    QString keyId;
    QByteArray claims;
    QByteArray signature;

    [[nodiscard]] QByteArray toBytes() const
    {
        return R"({"format":)" + QByteArray::number(format) + R"(,"key":")" + keyId.toLatin1()
            + R"(","claims":")" + claims.toBase64() + R"(","signature":")" + signature.toBase64()
            + "\"}\n";
    }
};

// The prefix prevents the use of a signature that was made with the same key for another purpose.
QByteArray signedBytes(const QByteArray &claims)
{
    return "rekindle license " + QByteArray::number(format) + '\n' + claims;
}

LicenseVerdict refuse(LicenseVerdict::Refusal refusal, const QString &text,
                      const std::optional<LicenseClaims> &claims = {})
{
    return {refusal, text, claims};
}

void readBase64(JsonObjectReader &object, QAnyStringView name, QByteArray &bytes)
{
    const auto place = object.required(name);
    const std::optional<QString> text = place ? place->text() : std::nullopt;
    const auto found = text ? fromStrictBase64(text->toLatin1()) : std::nullopt;
    bytes = found.value_or(QByteArray());
    if (text && !found)
        place->fault("expected base64");
}

Parsed<Envelope> readEnvelope(QByteArrayView file)
{
    return readParsed(parseJson(file), [](const JsonPlace &place) {
        Envelope envelope;
        readObject(place, [&envelope](JsonObjectReader &object) {
            int known = format;
            object.readRequired("format", known, format, format);
            if (const auto key = object.required("key"))
                envelope.keyId = key->text().value_or(QString());
            readBase64(object, "claims", envelope.claims);
            readBase64(object, "signature", envelope.signature);
        });
        return envelope;
    });
}

bool isSignatureValid(const Envelope &envelope, const LicensePublicKey &key)
{
    const QByteArray message = signedBytes(envelope.claims);
    return envelope.signature.size() == qsizetype(crypto_sign_BYTES)
        && crypto_sign_verify_detached(bytesOf(envelope.signature), bytesOf(message),
                                       static_cast<unsigned long long>(message.size()),
                                       key.bytes().data())
        == 0;
}

LicenseVerdict checkTimes(const LicenseClaims &claims, const LicenseCheck &check)
{
    const UtcTime known = std::max(claims.issuedAt, check.latestSeen.value_or(claims.issuedAt));
    if (check.now < known - SignedLicense::clockTolerance) {
        const bool isState = check.latestSeen && *check.latestSeen > claims.issuedAt;
        return refuse(LicenseVerdict::Refusal::ClockSetBack,
                      QStringLiteral("the clock was set back: it shows %1, before %2 (%3)")
                          .arg(toRfc3339(check.now), toRfc3339(known),
                               isState ? QStringLiteral("the latest known time")
                                       : QStringLiteral("when the license was issued")),
                      claims);
    }
    const UtcTime now = std::max(check.now, check.latestSeen.value_or(check.now));
    if (now < claims.notBefore)
        return refuse(LicenseVerdict::Refusal::NotYetValid,
                      QStringLiteral("it is valid from %1").arg(toRfc3339(claims.notBefore)),
                      claims);
    if (claims.expires && now >= *claims.expires)
        return refuse(LicenseVerdict::Refusal::Expired,
                      QStringLiteral("it expired at %1").arg(toRfc3339(*claims.expires)), claims);
    return {{},
            QStringLiteral("%1, licensed to %2, %3")
                .arg(toText(claims.tier), claims.licensee,
                     claims.expires ? QLatin1String("until ") + toRfc3339(*claims.expires)
                                    : QStringLiteral("never expires")),
            claims};
}

} // namespace

QString toText(LicenseVerdict::Refusal refusal) { return nameOf(refusalNames, refusal); }

QByteArray SignedLicense::seal(const QByteArray &claims, const LicenseSecretKey &key)
{
    return Envelope{key.publicKey().id(), claims, key.sign(signedBytes(claims))}.toBytes();
}

Parsed<QByteArray> SignedLicense::issue(const LicenseClaims &claims, const LicenseSecretKey &key)
{
    Parsed<QByteArray> result;
    result.faults = validate(claims);
    if (result.faults.isEmpty())
        result.value = seal(claimsToJson(claims), key);
    return result;
}

LicenseVerdict SignedLicense::verify(QByteArrayView file, const LicenseCheck &check)
{
    if (file.size() > maxFileSize)
        return refuse(LicenseVerdict::Refusal::TooLarge,
                      QStringLiteral("expected at most %1 bytes, found %2")
                          .arg(maxFileSize)
                          .arg(file.size()));
    if (file.isEmpty())
        return refuse(LicenseVerdict::Refusal::Malformed, QStringLiteral("the file is empty"));
    const Parsed<Envelope> envelope = readEnvelope(file);
    if (!envelope)
        return refuse(LicenseVerdict::Refusal::Malformed,
                      QStringLiteral("not a license file: ")
                          + envelope.faults.constFirst().toString());
    // JSON can represent the same content with other spaces, escapes or orders. Only one is valid.
    if (envelope.value->toBytes() != file)
        return refuse(
            LicenseVerdict::Refusal::Malformed,
            QStringLiteral("not byte for byte as issued; the file was edited, or its line "
                           "ending was changed"));
    if (envelope.value->keyId != check.publicKey.id())
        return refuse(LicenseVerdict::Refusal::WrongKey,
                      QStringLiteral("signed with key %1, expected key %2")
                          .arg(printable(envelope.value->keyId), check.publicKey.id()));
    if (!sodiumIsReady() || !isSignatureValid(*envelope.value, check.publicKey))
        return refuse(
            LicenseVerdict::Refusal::BadSignature,
            QStringLiteral("the signature is invalid: the license was changed or forged"));
    LicenseVerdict read = claimsFromJson(envelope.value->claims);
    if (!read.isAccepted())
        return read;
    if (claimsToJson(*read.claims) != envelope.value->claims)
        return refuse(LicenseVerdict::Refusal::Malformed,
                      QStringLiteral("invalid claims: not byte for byte as issued"));
    if (check.audience && *check.audience != read.claims->audience)
        return refuse(LicenseVerdict::Refusal::WrongAudience,
                      QStringLiteral("issued for %1, expected %2")
                          .arg(read.claims->audience, printable(*check.audience)),
                      read.claims);
    return checkTimes(*read.claims, check);
}

std::optional<LicenseVerdict::Refusal> refusalOf(const BoundedFile &file)
{
    using Status = BoundedFile::Status;
    if (file.isRead())
        return {};
    if (file.status == Status::Missing)
        return LicenseVerdict::Refusal::Missing;
    return file.status == Status::TooLarge ? LicenseVerdict::Refusal::TooLarge
                                           : LicenseVerdict::Refusal::Unreadable;
}

LicenseVerdict SignedLicense::verifyFile(const QString &path, const LicenseCheck &check)
{
    const BoundedFile file = BoundedFile::read(path, maxFileSize);
    const std::optional<LicenseVerdict::Refusal> refusal = refusalOf(file);
    return refusal ? refuse(*refusal, file.error) : verify(file.bytes, check);
}

} // namespace Rekindle
