// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "signedlicense_p.h"

#include "json/jsonobjectreader.h"
#include "json/jsonparser.h"

#include <QJsonDocument>
#include <QJsonObject>

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

std::optional<QString> readText(JsonObjectReader &object, const char *name)
{
    const auto place = object.required(QString::fromLatin1(name));
    return place ? place->text() : std::nullopt;
}

std::optional<UtcTime> timeAt(const JsonPlace &place)
{
    const std::optional<QString> text = place.text();
    const std::optional<UtcTime> time = text ? utcTimeFromRfc3339(*text) : std::nullopt;
    if (text && !time)
        place.mismatch(QStringLiteral("a time such as \"2026-12-31T00:00:00Z\""));
    return time;
}

UtcTime readTime(JsonObjectReader &object, const char *name)
{
    const auto place = object.required(QString::fromLatin1(name));
    return place ? timeAt(*place).value_or(UtcTime{}) : UtcTime{};
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
    QJsonObject object{{QStringLiteral("id"), claims.id},
                       {QStringLiteral("licensee"), claims.licensee},
                       {QStringLiteral("audience"), claims.audience},
                       {QStringLiteral("tier"), toText(claims.tier)},
                       {QStringLiteral("issuedAt"), toRfc3339(claims.issuedAt)},
                       {QStringLiteral("notBefore"), toRfc3339(claims.notBefore)}};
    if (claims.expires)
        object.insert(QStringLiteral("expires"), toRfc3339(*claims.expires));
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

LicenseVerdict claimsFromJson(const QByteArray &json)
{
    const Parsed<JsonNode> parsed = parseJson(json);
    if (!parsed)
        return malformed(parsed.faults);
    JsonFaults faults;
    JsonObjectReader object(JsonPlace(*parsed.value, {}, faults));
    LicenseClaims claims;
    claims.id = readText(object, "id").value_or(QString());
    claims.licensee = readText(object, "licensee").value_or(QString());
    claims.audience = readText(object, "audience").value_or(QString());
    const QString tierName = readText(object, "tier").value_or(QString());
    claims.issuedAt = readTime(object, "issuedAt");
    claims.notBefore = readTime(object, "notBefore");
    if (const auto expires = object.member(QStringLiteral("expires")))
        claims.expires = timeAt(*expires);
    object.finish();
    Parsed<LicenseClaims> result = faults.result(claims);
    if (!result)
        return malformed(result.faults);
    if (const QList<Fault> invalid = validate(claims); !invalid.isEmpty())
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
