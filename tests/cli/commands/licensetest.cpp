// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commandrun.h"
#include "testprogram.h"

#include <sys/stat.h>

using namespace Rekindle;

/// `rekindle license`.
class LicenseTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void secretKeyIsReadableByOwnerOnly();
    void overwritesNothing();
    void acceptsFolder();
    void issuesToStdout();
    void refusesLicense();
    void refusesLicenseAsJson();
    void refusesInvalidKeys();
    void warnsAboutReadableSecretKey();
    void rejectsUsage_data();
    void rejectsUsage();

private:
    [[nodiscard]] QString path(const char *name) const
    {
        return m_folder->filePath(QString::fromLatin1(name));
    }
    void makeKeys(const char *prefix) const
    {
        CompletedRun run(words("license", "keygen", "--out", path(prefix)));
    }
    // Issues license.json with more options.
    int issue(const QStringList &more, const char *key = "vendor.key") const
    {
        CommandRun run(words("license", "issue", "--key", path(key), "--tier", "Teams",
                             "--licensee", "ACME", "--audience", "app", "--out",
                             path("license.json"))
                       + more);
        return run.complete();
    }
    [[nodiscard]] QStringList verify(const char *audience = "app") const
    {
        return words("license", "verify", path("license.json"), "--key", path("vendor.pub"),
                     "--audience", audience);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void LicenseTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    makeKeys("vendor");
}

void LicenseTest::secretKeyIsReadableByOwnerOnly()
{
    struct stat info = {};
    QCOMPARE(::stat(QFile::encodeName(path("vendor.key")).constData(), &info), 0);
    QCOMPARE(info.st_mode & 07777, mode_t{0600});
    QVERIFY(readFile(path("vendor.key")).startsWith("rekindle-license-secret-key:"));
    QVERIFY(readFile(path("vendor.pub")).startsWith("rekindle-license-public-key:"));
}

void LicenseTest::overwritesNothing()
{
    const QByteArray secret = readFile(path("vendor.key"));
    CompletedRun again(words("license", "keygen", "--out", path("vendor")), 73);
    QVERIFY(again.error().contains("vendor.key: the file exists and is not overwritten"));
    QCOMPARE(again.output(), QByteArray());
    QCOMPARE(readFile(path("vendor.key")), secret);

    // If the public key exists, no secret key is left behind.
    (void)writeFile(m_folder->path(), QStringLiteral("half.pub"), "mine");
    CompletedRun half(words("license", "keygen", "--out", path("half")), 73);
    QVERIFY(!QFile::exists(path("half.key")));
    QCOMPARE(readFile(path("half.pub")), QByteArray("mine"));

    // A dangling link is not followed.
    QVERIFY(QFile::link(path("target"), path("link.key")));
    CompletedRun link(words("license", "keygen", "--out", path("link")), 73);
    QVERIFY(!QFile::exists(path("target")));

    CompletedRun issue(words("license", "issue", "--key", path("vendor.key"), "--tier", "Teams",
                             "--licensee", "A", "--audience", "app", "--out", path("vendor.key")),
                       73);
    QCOMPARE(readFile(path("vendor.key")), secret);

    CompletedRun nowhere(words("license", "keygen", "--out", path("no/such/folder")), 73);
}

void LicenseTest::acceptsFolder()
{
    CompletedRun run(words("license", "keygen", "--out", m_folder->path()));
    QVERIFY(QFile::exists(path("license.key")) && QFile::exists(path("license.pub")));
}

void LicenseTest::issuesToStdout()
{
    CompletedRun run(words("license", "issue", "--key", path("vendor.key"), "--tier", "Enterprise",
                           "--licensee", "Bj\u00f6rk", "--audience", "app", "--not-before",
                           "2026-01-01T01:00:00+01:00", "--for", "10000d", "--id", "7"));
    QCOMPARE(run.error(), QByteArray());
    (void)writeFile(m_folder->path(), QStringLiteral("license.json"), run.output());
    CompletedRun check(verify() + words("--json"));
    const QJsonObject said = jsonLines(check.output()).value(0);
    QCOMPARE(said[QLatin1String("accepted")], QJsonValue(true));
    const QJsonObject claims = said[QLatin1String("claims")].toObject();
    QCOMPARE(claims[QLatin1String("id")].toString(), QStringLiteral("7"));
    QCOMPARE(claims[QLatin1String("tier")].toString(), QStringLiteral("Enterprise"));
    QCOMPARE(claims[QLatin1String("notBefore")].toString(),
             QStringLiteral("2026-01-01T00:00:00.000Z"));
    QCOMPARE(claims[QLatin1String("expires")].toString(),
             QStringLiteral("2053-05-19T00:00:00.000Z"));
}

void LicenseTest::refusesLicense()
{
    QCOMPARE(
        issue(words("--not-before", "2020-01-01T00:00:00Z", "--expires", "2020-01-02T00:00:00Z")),
        0);
    CompletedRun run(verify(), 78);
    QCOMPARE(run.output(), QByteArray());
    QCOMPARE(QString::fromUtf8(run.error()),
             QStringLiteral("rekindle: %1: Expired: it expired at 2020-01-02T00:00:00.000Z\n")
                 .arg(path("license.json")));
}

void LicenseTest::refusesLicenseAsJson()
{
    makeKeys("other");
    QCOMPARE(issue({}, "other.key"), 0);
    CompletedRun run(verify() + words("--json"), 78);
    QCOMPARE(run.error(), QByteArray());
    const QJsonObject said = jsonLines(run.output()).value(0);
    QCOMPARE(said[QLatin1String("accepted")], QJsonValue(false));
    QCOMPARE(said[QLatin1String("refusal")].toString(), QStringLiteral("WrongKey"));
    QVERIFY(!said.contains(QLatin1String("claims")));

    CompletedRun missing(words("license", "verify", path("nowhere"), "--key", path("vendor.pub")),
                         78);
    QVERIFY(missing.error().contains("nowhere: Missing: No such file"));
}

void LicenseTest::refusesInvalidKeys()
{
    QCOMPARE(issue({}, "vendor.pub"), 78);
    QCOMPARE(issue({}, "nowhere"), 78);
    QVERIFY(!QFile::exists(path("license.json")));
    QCOMPARE(issue({}), 0);
    for (const char *key : {"vendor.key", "nowhere", "license.json"}) {
        CompletedRun run(words("license", "verify", path("license.json"), "--key", path(key)), 78);
        QVERIFY2(
            run.error().startsWith(QByteArray(path(key).toLocal8Bit() + ": expected a public key"))
                || run.error().contains("No such file"),
            run.error().constData());
    }
}

void LicenseTest::warnsAboutReadableSecretKey()
{
    QVERIFY(QFile::setPermissions(path("vendor.key"),
                                  QFile::ReadOwner | QFile::WriteOwner | QFile::ReadGroup));
    CompletedRun run(words("license", "issue", "--key", path("vendor.key"), "--tier", "Core",
                           "--licensee", "A", "--audience", "app"));
    QVERIFY(run.error().contains("vendor.key: warning: other users can read this secret key"));
}

void LicenseTest::rejectsUsage_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("text");
    const auto row = [](const char *name, const QStringList &arguments, const char *text) {
        QTest::newRow(name) << words("license") + arguments << QString::fromLatin1(text);
    };
    const QStringList issue = words("issue", "--key", "k", "--licensee", "A", "--audience", "a");
    row("nothing", {}, "rekindle license: ");
    row("unknown", words("forge"), "rekindle license: ");
    row("keygen without a place", words("keygen"), "rekindle license keygen: --out is required");
    row("issue without a tier", issue, "rekindle license issue: --tier is required");
    row("a tier in lower case", issue + words("--tier", "teams"),
        "expected Core, WriterPro, Teams or Enterprise, found \"teams\"");
    row("half a time", issue + words("--tier", "Core", "--expires", "2027-01-01"),
        "expected a time such as 2027-01-01T00:00:00Z");
    row("too long", issue + words("--tier", "Core", "--for", "10001d"),
        "--for: expected a duration such as 500ms, 5s or 1m, at most 10000d, found \"10001d\";");
    row("two ends",
        issue + words("--tier", "Core", "--expires", "2027-01-01T00:00:00Z", "--for", "1d"),
        "--expires excludes --for");
    row("verify without a key", words("verify", "f"), "rekindle license verify: --key is required");
    row("verify without a file", words("verify", "--key", "k"), "FILE is required");
    row("unknown option", words("verify", "f", "--key", "k", "--x"), "unknown option --x");
}

void LicenseTest::rejectsUsage()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, text);
    CompletedRun run(arguments, 64);
    QCOMPARE(run.output(), QByteArray());
    const QByteArray error = run.error();
    QVERIFY2(QString::fromUtf8(error).contains(text), error.constData());
    QCOMPARE(error.count('\n'), 1);

    // Invalid claims are usage errors too.
    QCOMPARE(issue(words("--expires", "2020-01-01T00:00:00Z")), 64);
}

REKINDLE_TEST(LicenseTest)
#include "licensetest.moc"
