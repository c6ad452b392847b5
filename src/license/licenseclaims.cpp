// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "signedlicense_p.h"

#include "policy/internal/memberreader.h"
#include "json/jsonparser.h"

#include <algorithm>

namespace Rekindle {

namespace {

constexpr qsizetype maxTextLength = 200;
constexpr UtcTime latestTime{std::chrono::milliseconds(253'402'300'799'999)}; // the end of 9999

void checkText(QList<Fault> &faults, const char *path, const QString &text)
{
    const QList<uint> characters = text.toUcs4();
    const bool isPrintable = text.isValidUtf16()
        && std::all_of(characters.cbegin(), characters.cend(),
                       [](uint c) { return QChar::isPrint(c); });
    if (characters.isEmpty() || characters.size() > maxTextLength || !isPrintable) {
        faults.append({QString::fromLatin1(path),
                       QStringLiteral("expected 1 to %1 printable characters, found \"%2\"")
                           .arg(maxTextLength)
                           .arg(printable(text))});
    }
}

void checkTime(QList<Fault> &faults, const char *path, UtcTime time)
{
    if (time < UtcTime{} || time > latestTime)
        faults.append(
            {QString::fromLatin1(path), QStringLiteral("expected a time from 1970 to 9999")});
}

// Describes the members once, for MemberWriter and MemberReader. Licenses were issued in this
// order.
void describe(auto &members, auto &claims, auto &tier)
{
    members.field("audience", claims.audience);
    members.unlessEmpty("expires", claims.expires);
    members.field("id", claims.id);
    members.field("issuedAt", claims.issuedAt);
    members.field("licensee", claims.licensee);
    members.field("notBefore", claims.notBefore);
    members.field("tier", tier);
}

LicenseVerdict malformed(const QList<Fault> &faults)
{
    return {LicenseVerdict::Refusal::Malformed,
            QStringLiteral("invalid claims: ") + faults.constFirst().toString(),
            {}};
}

} // namespace

QList<Fault> validate(const LicenseClaims &claims)
{
    QList<Fault> faults;
    checkText(faults, "/id", claims.id);
    checkText(faults, "/licensee", claims.licensee);
    checkText(faults, "/audience", claims.audience);
    checkTime(faults, "/issuedAt", claims.issuedAt);
    checkTime(faults, "/notBefore", claims.notBefore);
    if (claims.expires) {
        checkTime(faults, "/expires", *claims.expires);
        if (*claims.expires <= claims.notBefore) {
            faults.append({QStringLiteral("/expires"),
                           QStringLiteral("expected a time after notBefore (%1), found %2")
                               .arg(toRfc3339(claims.notBefore), toRfc3339(*claims.expires))});
        }
    }
    return faults;
}

QByteArray claimsToJson(const LicenseClaims &claims)
{
    QByteArray text;
    MemberWriter(text, {}).members([&claims, tier = toText(claims.tier)](MemberWriter &members) {
        describe(members, claims, tier);
    });
    return text;
}

LicenseVerdict claimsFromJson(const QByteArray &json)
{
    QString tierName;
    Parsed<LicenseClaims> result = readParsed(parseJson(json), [&tierName](const JsonPlace &place) {
        LicenseClaims claims;
        MemberReader members(place, {});
        describe(members, claims, tierName);
        return claims;
    });
    if (!result)
        return malformed(result.faults);
    if (const QList<Fault> invalid = validate(*result.value); !invalid.isEmpty())
        return malformed(invalid);

    const std::optional<LicenseTier> tier = valueOf(licenseTiers, tierName);
    if (!tier) {
        QStringList supported;
        for (const auto &supportedTier : licenseTiers)
            supported.append(supportedTier.name);
        return {LicenseVerdict::Refusal::UnknownTier,
                QStringLiteral("unsupported tier \"%1\"; this version supports %2")
                    .arg(printable(tierName), supported.join(QLatin1String(", "))),
                {}};
    }
    result.value->tier = *tier;
    return {{}, {}, result.value};
}

} // namespace Rekindle
