// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "contains.h"
#include "debugtext.h"
#include "licenses.h"
#include "testprogram.h"
#include "testrow.h"
#include "valuetype.h"

#include "license/signedlicense_p.h"

#include <concepts>
#include <type_traits>

using namespace Rekindle;
using namespace std::chrono_literals;

static_assert(isValue<LicenseClaims> && std::equality_comparable<LicenseClaims>);
static_assert(isValue<LicenseCheck> && isValue<LicenseVerdict>);

/// Verification of license files.
class SignedLicenseTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void acceptsValidLicense_data();
    void acceptsValidLicense();
    void writesDocumentedFormat();
    void rejectsInvalidLicense_data();
    void rejectsInvalidLicense();
    void timesAreExactToTheMillisecond();
    void toleratesClockADayBehind();
    void usesLatestKnownTime();
    void rejectsEveryFlippedBit();
    void rejectsEveryTruncation();
    void rejectsOtherRepresentations_data();
    void rejectsOtherRepresentations();
    void rejectsInvalidSignedClaims_data();
    void rejectsInvalidSignedClaims();
    void rejectsOtherRepresentationsOfSignedClaims_data();
    void rejectsOtherRepresentationsOfSignedClaims();
    void rejectsUnknownTier();
    void rejectsPartsOfTwoLicenses();
    void issueRejectsInvalidClaims_data();
    void issueRejectsInvalidClaims();
    void namesEveryRefusal();
    void verifiesFilesAndLinks();
    void rejectsOtherFiles_data();
    void rejectsOtherFiles();

private:
    QTemporaryDir m_folder;
};

void SignedLicenseTest::acceptsValidLicense_data()
{
    QTest::addColumn<int>("tier");
    QTest::addColumn<bool>("expires");
    for (const auto &[tier, name] : licenseTiers) {
        QTest::addRow("%s", name.data()) << static_cast<int>(tier) << true;
        QTest::addRow("%s without expiry", name.data()) << static_cast<int>(tier) << false;
    }
}

void SignedLicenseTest::acceptsValidLicense()
{
    QFETCH(int, tier);
    QFETCH(bool, expires);
    LicenseClaims claims = claimsOfTheYear();
    claims.tier = static_cast<LicenseTier>(tier);
    if (!expires)
        claims.expires.reset();
    const LicenseVerdict verdict = SignedLicense::verify(issued(claims), ownCheck());
    QVERIFY2(verdict.isAccepted(), qPrintable(verdict.text));
    QVERIFY(verdict.claims == claims);
    QCOMPARE(verdict.text,
             toText(claims.tier) + QStringLiteral(", licensed to ") + claims.licensee
                 + (expires ? QStringLiteral(", until 2027-01-01T00:00:00.000Z")
                            : QStringLiteral(", never expires")));
}

void SignedLicenseTest::writesDocumentedFormat()
{
    const QByteArray file = issued(claimsOfTheYear());
    QVERIFY(file.startsWith(R"({"format":1,"key":")"));
    QVERIFY(file.endsWith("\"}\n"));
    const QJsonObject object = QJsonDocument::fromJson(file).object();
    QCOMPARE(object[QLatin1String("key")].toString(), keyNumber(1).publicKey().id());
    const QByteArray claims =
        QByteArray::fromBase64(object[QLatin1String("claims")].toString().toLatin1());
    QCOMPARE(QString::fromUtf8(claims),
             QStringLiteral("{\"audience\":\"com.example.writer\","
                            "\"expires\":\"2027-01-01T00:00:00.000Z\",\"id\":\"L-1\","
                            "\"issuedAt\":\"2026-01-01T00:00:00.000Z\","
                            "\"licensee\":\"ACME \u00e9ditions \\\"GmbH\\\"\","
                            "\"notBefore\":\"2026-01-01T00:00:00.000Z\",\"tier\":\"Teams\"}"));
    QCOMPARE(object[QLatin1String("signature")].toString().toLatin1(),
             keyNumber(1).sign(QByteArray("rekindle license 1\n" + claims)).toBase64());
}

void SignedLicenseTest::rejectsInvalidLicense_data()
{
    const Rows<QByteArray, LicenseCheck, QString, QString, bool> row("file", "check", "refusal",
                                                                     "text", "hasClaims");

    const QByteArray good = issued(claimsOfTheYear());
    LicenseCheck check = ownCheck();
    check.now = newYear + std::chrono::days(365);
    row("expired", good, check, "Expired", "it expired at 2027-01-01T00:00:00.000Z", true);

    LicenseClaims later = claimsOfTheYear();
    later.notBefore = newYear + std::chrono::days(40);
    row("not yet valid", issued(later), ownCheck(), "NotYetValid",
        "it is valid from 2026-02-10T00:00:00.000Z", true);

    check = ownCheck();
    check.publicKey = keyNumber(2).publicKey();
    row("wrong key", good, check, "WrongKey", "signed with key ", false);
    check.publicKey = LicensePublicKey();
    row("no key", good, check, "WrongKey", "signed with key ", false);

    check = ownCheck();
    check.audience = QStringLiteral("com.example.reader");
    row("wrong audience", good, check, "WrongAudience",
        "issued for com.example.writer, expected com.example.reader", true);
    check.audience = QString();
    row("empty audience", good, check, "WrongAudience", "issued for com.example.writer, expected",
        true);
    check.audience = QStringLiteral("COM.example.writer");
    row("another case", good, check, "WrongAudience", "issued for com.example.writer, expected",
        true);

    check = ownCheck();
    check.now = newYear - std::chrono::days(2);
    row("before the time of issue", good, check, "ClockSetBack",
        "the clock was set back: it shows 2025-12-30T00:00:00.000Z, before "
        "2026-01-01T00:00:00.000Z "
        "(when the license was issued)",
        true);
    check = ownCheck();
    check.latestSeen = check.now + std::chrono::days(3);
    row("before the latest known time", good, check, "ClockSetBack",
        "the clock was set back: it shows 2026-02-01T00:00:00.000Z, before "
        "2026-02-04T00:00:00.000Z "
        "(the latest known time)",
        true);

    row("empty", {}, ownCheck(), "Malformed", "the file is empty", false);
    row("huge", QByteArray(SignedLicense::maxFileSize + 1, ' '), ownCheck(), "TooLarge",
        "expected at most 65536 bytes, found 65537", false);
    row("largest, blanks", QByteArray(SignedLicense::maxFileSize, ' '), ownCheck(), "Malformed",
        "not a license file: ", false);
    row("text", "Teams\n", ownCheck(), "Malformed", "not a license file: ", false);
    row("zeros", QByteArray(500, '\0'), ownCheck(), "Malformed", "not a license file: ", false);
    row("another JSON", "{}\n", ownCheck(), "Malformed", "not a license file: ", false);
    row("deep", QByteArray(60000, '['), ownCheck(), "Malformed", "not a license file: ", false);
    row("later format", QByteArray(good).replace(":1,", ":2,"), ownCheck(), "Malformed",
        "not a license file: ", false);
}

void SignedLicenseTest::rejectsInvalidLicense()
{
    QFETCH(QByteArray, file);
    QFETCH(LicenseCheck, check);
    QFETCH(QString, refusal);
    QFETCH(QString, text);
    QFETCH(bool, hasClaims);
    const LicenseVerdict verdict = SignedLicense::verify(file, check);
    QVERIFY(!verdict.isAccepted());
    QCOMPARE(toText(*verdict.refusal), refusal);
    QVERIFY2(verdict.text.startsWith(text), qPrintable(verdict.text));
    QCOMPARE(verdict.claims.has_value(), hasClaims);
}

void SignedLicenseTest::timesAreExactToTheMillisecond()
{
    LicenseClaims claims = claimsOfTheYear();
    claims.notBefore = newYear + 10s;
    claims.expires = newYear + 20s;
    const QByteArray file = issued(claims);
    const auto refusalAt = [&](UtcTime now) {
        LicenseCheck check = ownCheck();
        check.now = now;
        const LicenseVerdict verdict = SignedLicense::verify(file, check);
        return verdict.isAccepted() ? QStringLiteral("accepted") : toText(*verdict.refusal);
    };
    QCOMPARE(refusalAt(newYear + 9999ms), QStringLiteral("NotYetValid"));
    QCOMPARE(refusalAt(newYear + 10s), QStringLiteral("accepted"));
    QCOMPARE(refusalAt(newYear + 19999ms), QStringLiteral("accepted"));
    QCOMPARE(refusalAt(newYear + 20s), QStringLiteral("Expired"));
    QCOMPARE(refusalAt(UtcTime::max()), QStringLiteral("Expired"));

    // The latest possible times cause no overflow.
    claims.issuedAt = claims.notBefore = *utcTimeFromRfc3339(u"9999-12-31T23:59:59Z");
    claims.expires.reset();
    QCOMPARE(toText(*SignedLicense::verify(issued(claims), ownCheck()).refusal),
             QStringLiteral("ClockSetBack"));
}

void SignedLicenseTest::toleratesClockADayBehind()
{
    LicenseClaims claims = claimsOfTheYear();
    claims.notBefore = newYear - std::chrono::days(10);
    const QByteArray file = issued(claims);
    LicenseCheck check = ownCheck();
    check.now = newYear - 24h;
    QVERIFY(SignedLicense::verify(file, check).isAccepted());
    check.now -= 1ms;
    QVERIFY(SignedLicense::verify(file, check).refusal == LicenseVerdict::Refusal::ClockSetBack);
}

// Validity within the tolerance is decided by the latest known time.
void SignedLicenseTest::usesLatestKnownTime()
{
    const QByteArray file = issued(claimsOfTheYear());
    LicenseCheck check = ownCheck();
    check.latestSeen = newYear + std::chrono::days(365);
    check.now = *check.latestSeen - 1h;
    QVERIFY(SignedLicense::verify(file, check).refusal == LicenseVerdict::Refusal::Expired);
    check.latestSeen = newYear + 1h;
    check.now = newYear - 1h;
    QVERIFY(SignedLicense::verify(file, check).isAccepted());
}

void SignedLicenseTest::rejectsEveryFlippedBit()
{
    const QByteArray good = issued(claimsOfTheYear());
    QVERIFY(SignedLicense::verify(good, ownCheck()).isAccepted());
    QMap<LicenseVerdict::Refusal, int> refusals;
    for (qsizetype i = 0; i < good.size(); ++i) {
        for (int bit = 0; bit < 8; ++bit) {
            QByteArray changed = good;
            changed[i] = static_cast<char>(changed[i] ^ (1 << bit));
            const LicenseVerdict verdict = SignedLicense::verify(changed, ownCheck());
            if (verdict.isAccepted() || verdict.claims)
                QFAIL(qPrintable(QStringLiteral("byte %1, bit %2").arg(i).arg(bit)));
            ++refusals[*verdict.refusal];
        }
    }
    QCOMPARE(refusals.keys(),
             (QList<LicenseVerdict::Refusal>{LicenseVerdict::Refusal::Malformed,
                                             LicenseVerdict::Refusal::WrongKey,
                                             LicenseVerdict::Refusal::BadSignature}));
    // The signature rejects changes that the format check accepts.
    QVERIFY(refusals[LicenseVerdict::Refusal::BadSignature] > 1000);
}

void SignedLicenseTest::rejectsEveryTruncation()
{
    const QByteArray good = issued(claimsOfTheYear());
    for (qsizetype length = 0; length < good.size(); ++length) {
        const LicenseVerdict verdict = SignedLicense::verify(good.left(length), ownCheck());
        QVERIFY2(verdict.refusal == LicenseVerdict::Refusal::Malformed, qPrintable(verdict.text));
    }
    QVERIFY(!SignedLicense::verify(QByteArray(good + ' '), ownCheck()).isAccepted());
    QVERIFY(!SignedLicense::verify(QByteArray(good + '\n'), ownCheck()).isAccepted());
    QVERIFY(!SignedLicense::verify(QByteArray(good + good), ownCheck()).isAccepted());
}

void SignedLicenseTest::rejectsOtherRepresentations_data()
{
    const Rows<QByteArray> row("file");
    const QByteArray good = issued(claimsOfTheYear());
    const auto changed = [&](const char *from, const char *to) {
        QByteArray file = good;
        file.replace(from, to);
        if (file == good)
            qFatal("text not found");
        return file;
    };
    row("no line end", good.chopped(1));
    row("CR LF", changed("\n", "\r\n"));
    row("byte order mark", "\xef\xbb\xbf" + good);
    row("additional blank", changed("{\"format", "{ \"format"));
    row("1.0", changed(":1,", ":1.0,"));
    row("escaped letter", changed("\"claims", "\"\\u0063laims"));
    row("escaped base64", changed("\"claims\":\"e", "\"claims\":\"\\u0065")); // {" begins so
    row("indented", QJsonDocument::fromJson(good).toJson());
    row("another order", QJsonDocument::fromJson(good).toJson(QJsonDocument::Compact));
    row("no padding", changed("==\"}", "\"}"));
    row("additional member", changed(":1,", ":1,\"x\":1,"));
    row("repeated member", changed(":1,", ":1,\"format\":1,"));
}

void SignedLicenseTest::rejectsOtherRepresentations()
{
    QFETCH(QByteArray, file);
    const LicenseVerdict verdict = SignedLicense::verify(file, ownCheck());
    QVERIFY2(verdict.refusal == LicenseVerdict::Refusal::Malformed, qPrintable(verdict.text));
}

void SignedLicenseTest::rejectsInvalidSignedClaims_data()
{
    const Rows<QByteArray> row("claims");
    const QByteArray good = R"({"audience":"com.example.writer","id":"1",)"
                            R"("issuedAt":"2026-01-01T00:00:00Z","licensee":"A",)"
                            R"("notBefore":"2026-01-01T00:00:00Z","tier":"Teams"})";
    const auto changed = [&](const char *from, const char *to) {
        return QByteArray(good).replace(from, to);
    };
    row("none", {});
    row("no JSON", "Teams");
    row("array", "[]");
    row("repeated name", changed("\"id\":\"1\"", "\"id\":\"1\",\"id\":\"2\""));
    row("no tier", changed(",\"tier\":\"Teams\"", ""));
    row("tier as a number", changed("\"Teams\"", "2"));
    row("no time", changed(",\"notBefore\":\"2026-01-01T00:00:00Z\"", ""));
    row("incomplete time", changed("-01T00:00:00Z", "-01"));
    row("expires null", changed("\"id\"", "\"expires\":null,\"id\""));
    row("expires first", changed("\"id\"", "\"expires\":\"2025-01-01T00:00:00Z\",\"id\""));
    row("unknown claim", changed("\"id\"", "\"seats\":5,\"id\""));
    row("escape sequence", changed("\"A\"", "\"\\u001b[2J\""));
    row("no licensee", changed("\"A\"", "\"\""));
}

void SignedLicenseTest::rejectsInvalidSignedClaims()
{
    QFETCH(QByteArray, claims);
    const LicenseVerdict verdict =
        SignedLicense::verify(SignedLicense::seal(claims, keyNumber(1)), ownCheck());
    QVERIFY2(verdict.refusal == LicenseVerdict::Refusal::Malformed, qPrintable(verdict.text));
    QVERIFY2(verdict.text.startsWith(QLatin1String("invalid claims: ")), qPrintable(verdict.text));
    QVERIFY(!verdict.claims);
}

void SignedLicenseTest::rejectsOtherRepresentationsOfSignedClaims_data()
{
    const Rows<QByteArray> row("claims");
    const QByteArray good = claimsToJson(claimsOfTheYear());
    const auto changed = [&](const char *from, const char *to) {
        return QByteArray(good).replace(from, to);
    };
    row("additional blank", changed(",\"id", ", \"id"));
    row("line feed at the end", QByteArray(good + '\n'));
    row("indented", QJsonDocument::fromJson(good).toJson());
    row("another order",
        QByteArray(changed(",\"id\":\"L-1\"", "").replace("{", "{\"id\":\"L-1\",")));
    row("escaped letter", changed("\"L-1\"", "\"\\u004c-1\""));
    row("escaped letter in a name", changed("\"tier\"", "\"\\u0074ier\""));
    row("no milliseconds", changed("2026-01-01T00:00:00.000Z", "2026-01-01T00:00:00Z"));
    row("another time zone", changed("2026-01-01T00:00:00.000Z", "2026-01-01T01:00:00.000+01:00"));
}

void SignedLicenseTest::rejectsOtherRepresentationsOfSignedClaims()
{
    QFETCH(QByteArray, claims);
    QVERIFY(claims != claimsToJson(claimsOfTheYear()));
    const LicenseVerdict verdict =
        SignedLicense::verify(SignedLicense::seal(claims, keyNumber(1)), ownCheck());
    QVERIFY2(verdict.refusal == LicenseVerdict::Refusal::Malformed, qPrintable(verdict.text));
    QCOMPARE(verdict.text, QStringLiteral("invalid claims: not byte for byte as issued"));
    QVERIFY(!verdict.claims);
}

void SignedLicenseTest::rejectsUnknownTier()
{
    const QByteArray claims = R"({"audience":"com.example.writer","id":"1",)"
                              R"("issuedAt":"2026-01-01T00:00:00.000Z","licensee":"A",)"
                              R"("notBefore":"2026-01-01T00:00:00.000Z","tier":"TIER"})";
    const auto verify = [&](const char *tier) {
        return SignedLicense::verify(
            SignedLicense::seal(QByteArray(claims).replace("TIER", tier), keyNumber(1)),
            ownCheck());
    };
    QVERIFY(verify("Teams").isAccepted());
    for (const char *tier : {"teams", "Ultimate", ""}) {
        const LicenseVerdict verdict = verify(tier);
        QVERIFY(verdict.refusal == LicenseVerdict::Refusal::UnknownTier);
        QCOMPARE(verdict.text,
                 QStringLiteral("unsupported tier \"%1\"; this version supports Core, WriterPro, "
                                "Teams, Enterprise")
                     .arg(QLatin1String(tier)));
    }
}

// The claims of one license with the signature of another, both of the vendor.
void SignedLicenseTest::rejectsPartsOfTwoLicenses()
{
    LicenseClaims better = claimsOfTheYear();
    better.tier = LicenseTier::Enterprise;
    const QByteArray one = issued(claimsOfTheYear());
    const QByteArray two = issued(better);
    const QByteArray mixed =
        two.left(two.indexOf("\"signature\"")) + one.mid(one.indexOf("\"signature\""));
    QVERIFY(SignedLicense::verify(mixed, ownCheck()).refusal
            == LicenseVerdict::Refusal::BadSignature);

    // Signed with another key, but with the key id of the vendor.
    QByteArray forged = SignedLicense::issue(better, keyNumber(2)).value.value();
    forged.replace(keyNumber(2).publicKey().id().toLatin1(),
                   keyNumber(1).publicKey().id().toLatin1());
    QVERIFY(SignedLicense::verify(forged, ownCheck()).refusal
            == LicenseVerdict::Refusal::BadSignature);
}

void SignedLicenseTest::issueRejectsInvalidClaims_data()
{
    const Rows<LicenseClaims, QString> row("claims", "path");
    const auto changed = [](auto change) {
        LicenseClaims claims = claimsOfTheYear();
        change(claims);
        return claims;
    };
    row("no id", changed([](LicenseClaims &c) { c.id.clear(); }), "/id");
    row("no licensee", changed([](LicenseClaims &c) { c.licensee.clear(); }), "/licensee");
    row("no audience", changed([](LicenseClaims &c) { c.audience.clear(); }), "/audience");
    row("too long", changed([](LicenseClaims &c) { c.licensee = QString(201, u'x'); }),
        "/licensee");
    row("line feed", changed([](LicenseClaims &c) { c.licensee += u'\n'; }), "/licensee");
    row("unpaired surrogate", changed([](LicenseClaims &c) { c.licensee += QChar(0xd800); }),
        "/licensee");
    row("right-to-left override", changed([](LicenseClaims &c) { c.licensee += QChar(0x202e); }),
        "/licensee");
    row("expires at once", changed([](LicenseClaims &c) { c.expires = c.notBefore; }), "/expires");
    row("before 1970", changed([](LicenseClaims &c) { c.notBefore = UtcTime{-1ms}; }),
        "/notBefore");
    row("after 9999", changed([](LicenseClaims &c) { c.expires = UtcTime::max(); }), "/expires");
}

void SignedLicenseTest::issueRejectsInvalidClaims()
{
    QFETCH(LicenseClaims, claims);
    QFETCH(QString, path);
    const Parsed<QByteArray> result = SignedLicense::issue(claims, keyNumber(1));
    QVERIFY(!result);
    QCOMPARE(result.faults.size(), 1);
    QCOMPARE(result.faults.constFirst().path, path);
}

void SignedLicenseTest::namesEveryRefusal()
{
    QSet<QString> names;
    for (int i = 0; i <= static_cast<int>(LicenseVerdict::Refusal::Expired); ++i)
        names.insert(toText(static_cast<LicenseVerdict::Refusal>(i)));
    QCOMPARE(names.size(), static_cast<int>(LicenseVerdict::Refusal::Expired) + 1);
    QVERIFY(!names.contains(QString()));
    QCOMPARE(debugText(LicenseVerdict::Refusal::Expired),
             QStringLiteral("Rekindle::LicenseVerdict::Refusal::Expired"));
}

void SignedLicenseTest::verifiesFilesAndLinks()
{
    const QString path = m_folder.filePath(QStringLiteral("good.json"));
    putFile(path, issued(claimsOfTheYear()));
    QVERIFY(SignedLicense::verifyFile(path, ownCheck()).isAccepted());
    const QString link = m_folder.filePath(QStringLiteral("link.json"));
    QVERIFY(QFile::link(path, link));
    QVERIFY(SignedLicense::verifyFile(link, ownCheck()).isAccepted());
}

void SignedLicenseTest::rejectsOtherFiles_data()
{
    const Rows<QString, QString, QString> row("path", "refusal", "text");
    const auto inFolder = [this](const char *name) {
        return m_folder.filePath(QString::fromLatin1(name));
    };
    row("missing", inFolder("missing"), "Missing", "No such file");
    row("folder", m_folder.path(), "Unreadable", "found a folder");
    const QString sparse = inFolder("sparse");
    putFile(sparse, {});
    QVERIFY(QFile::resize(sparse, qint64{1} << 40));
    row("one terabyte", sparse, "TooLarge", "expected at most 65536 bytes, found more");
}

void SignedLicenseTest::rejectsOtherFiles()
{
    QFETCH(QString, path);
    QFETCH(QString, refusal);
    QFETCH(QString, text);
    const LicenseVerdict verdict = SignedLicense::verifyFile(path, ownCheck());
    QVERIFY(!verdict.isAccepted());
    QCOMPARE(toText(*verdict.refusal), refusal);
    VERIFY_CONTAINS(verdict.text, text);
    QVERIFY(!verdict.claims);
}

REKINDLE_TEST(SignedLicenseTest)
#include "signedlicensetest.moc"
