// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "licenses.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/license/signedlicenseprovider.h>
#include <rekindle/lifecycle/featuregate.h>
#include <rekindle/lifecycle/virtualscheduler.h>

#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>

using namespace Rekindle;
using namespace std::chrono_literals;

/// A license file over time.
class SignedLicenseProviderTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void acceptsLicense();
    void expiresOnTime();
    void becomesValidOnTime();
    void neverExpires();
    void rejectedFileMeansCore_data();
    void rejectedFileMeansCore();
    void findsFileThatAppears();
    void reloadsFile();
    void detectsClockSetBack();
    void detectsClockSetBackAcrossRestart();
    void toleratesSmallClockChange();
    void detectsClockSetForwardWithinAnHour();
    void recoversWhenClockIsCorrected();
    void unusableStateFileKeepsLicense_data();
    void unusableStateFileKeepsLicense();
    void unwritableStateKeepsLicense();
    void fullDiskKeepsState();
    void twoHostsShareStateFile();
    void slotMayDeleteProvider();
    void changesFeatureGate();

private:
    [[nodiscard]] QString path(const char *name) const
    {
        return m_folder->filePath(QString::fromLatin1(name));
    }
    [[nodiscard]] SignedLicenseOptions options() const
    {
        return {path("license.json"), keyNumber(1).publicKey(), ownAudience, {}};
    }
    [[nodiscard]] SignedLicenseOptions optionsWithState() const
    {
        SignedLicenseOptions result = options();
        result.statePath = path("latest");
        return result;
    }
    void put(const LicenseClaims &claims) const { putFile(path("license.json"), issued(claims)); }
    // In one step, because the state file is written every hour.
    void pass(Duration duration)
    {
        m_clock->advance(duration);
        m_scheduler->advance(0s);
    }
    static void expectWarning()
    {
        QTest::ignoreMessage(
            QtWarningMsg,
            QRegularExpression(QStringLiteral("a clock that is set back may not be detected")));
    }
    [[nodiscard]] QByteArray state() const
    {
        QFile file(path("latest"));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<VirtualClock> m_clock;
    std::unique_ptr<VirtualScheduler> m_scheduler;
};

void SignedLicenseProviderTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_scheduler.reset();
    m_clock = std::make_unique<VirtualClock>();
    m_scheduler = std::make_unique<VirtualScheduler>(*m_clock);
    put(claimsOfTheYear());
}

void SignedLicenseProviderTest::acceptsLicense()
{
    const SignedLicenseProvider provider(options(), *m_scheduler);
    const LicenseStatus status = provider.status();
    QVERIFY(status.valid);
    QVERIFY(status.tier == LicenseTier::Teams);
    QVERIFY(status.expires == claimsOfTheYear().expires);
    QVERIFY(status.text.startsWith(QLatin1String("Teams, licensed to ACME")));
    QVERIFY(!provider.refusal());
}

void SignedLicenseProviderTest::expiresOnTime()
{
    SignedLicenseProvider provider(options(), *m_scheduler);
    const QSignalSpy changed(&provider, &LicenseProvider::changed);
    m_scheduler->advance(std::chrono::days(365) - 1ms);
    QCOMPARE(changed.size(), 0);
    QVERIFY(provider.status().valid);
    m_scheduler->advance(1ms);
    QCOMPARE(changed.size(), 1);
    QCOMPARE(provider.status(),
             (LicenseStatus{LicenseTier::Core,
                            false,
                            QStringLiteral("Expired: it expired at 2027-01-01T00:00:00.000Z"),
                            {}}));
    QCOMPARE(m_scheduler->armedCount(), std::size_t{0});
}

void SignedLicenseProviderTest::becomesValidOnTime()
{
    LicenseClaims claims = claimsOfTheYear();
    claims.notBefore = newYear + 90min;
    claims.expires = newYear + 91min;
    put(claims);
    SignedLicenseProvider provider(options(), *m_scheduler);
    QStringList log;
    connect(&provider, &LicenseProvider::changed, [&] {
        log.append(QStringLiteral("%1 %2")
                       .arg(toText(provider.status().tier))
                       .arg((m_clock->utcNow() - newYear).count()));
    });
    QVERIFY(provider.refusal() == LicenseVerdict::Refusal::NotYetValid);
    m_scheduler->advance(10h);
    QCOMPARE(log.join(u','), QStringLiteral("Teams 5400000,Core 5460000"));
}

void SignedLicenseProviderTest::neverExpires()
{
    LicenseClaims claims = claimsOfTheYear();
    claims.expires.reset();
    put(claims);
    SignedLicenseProvider provider(options(), *m_scheduler);
    const QSignalSpy changed(&provider, &LicenseProvider::changed);
    pass(std::chrono::days(400));
    QCOMPARE(changed.size(), 0);
    QVERIFY(provider.status().valid && !provider.status().expires);
}

void SignedLicenseProviderTest::rejectedFileMeansCore_data()
{
    const Rows<QString, QString, bool> row("file", "text", "isRetried");
    row("missing", "nowhere", "Missing: ", true);
    row("folder", ".", "Unreadable: ", true);
    row("pipe", "pipe", "Unreadable: ", true);
    row("empty", "empty", "Malformed: ", false);
    row("another key", "foreign", "WrongKey: ", false);
}

void SignedLicenseProviderTest::rejectedFileMeansCore()
{
    QFETCH(QString, file);
    QFETCH(QString, text);
    QFETCH(bool, isRetried);
    putFile(path("empty"), {});
    QCOMPARE(::mkfifo(QFile::encodeName(path("pipe")).constData(), 0600), 0);
    putFile(path("foreign"), *SignedLicense::issue(claimsOfTheYear(), keyNumber(2)).value);
    SignedLicenseOptions wrong = optionsWithState();
    wrong.path = m_folder->filePath(file);
    const SignedLicenseProvider provider(wrong, *m_scheduler);
    QVERIFY(provider.status().tier == LicenseTier::Core);
    QVERIFY(!provider.status().valid && !provider.status().expires);
    QVERIFY2(provider.status().text.startsWith(text), qPrintable(provider.status().text));
    // If only another file can change the verdict, no timer is armed. No time is recorded.
    QCOMPARE(m_scheduler->armedCount(), std::size_t{isRetried ? 1U : 0U});
    QCOMPARE(state(), QByteArray());
}

void SignedLicenseProviderTest::findsFileThatAppears()
{
    QVERIFY(QFile::remove(path("license.json")));
    const SignedLicenseProvider provider(options(), *m_scheduler);
    const QSignalSpy changed(&provider, &LicenseProvider::changed);
    QVERIFY(provider.refusal() == LicenseVerdict::Refusal::Missing);
    m_scheduler->advance(std::chrono::minutes(5));
    QCOMPARE(changed.size(), 0);
    put(claimsOfTheYear());
    m_scheduler->advance(std::chrono::minutes(1));
    QCOMPARE(changed.size(), 1);
    QVERIFY(provider.status().tier == LicenseTier::Teams);
}

void SignedLicenseProviderTest::reloadsFile()
{
    SignedLicenseProvider provider(options(), *m_scheduler);
    const QSignalSpy changed(&provider, &LicenseProvider::changed);
    provider.reload(); // unchanged
    QCOMPARE(changed.size(), 0);

    LicenseClaims claims = claimsOfTheYear();
    claims.tier = LicenseTier::Enterprise;
    put(claims);
    QVERIFY(provider.status().tier == LicenseTier::Teams);
    provider.reload();
    QCOMPARE(changed.size(), 1);
    QVERIFY(provider.status().tier == LicenseTier::Enterprise);

    QVERIFY(QFile::remove(path("license.json")));
    provider.reload();
    QCOMPARE(changed.size(), 2);
    QVERIFY(provider.refusal() == LicenseVerdict::Refusal::Missing);
    put(claims);
    provider.reload();
    QVERIFY(provider.status().tier == LicenseTier::Enterprise);
}

void SignedLicenseProviderTest::detectsClockSetBack()
{
    SignedLicenseProvider provider(options(), *m_scheduler);
    pass(std::chrono::days(300));
    m_clock->setUtc(newYear + std::chrono::days(100));
    const QSignalSpy changed(&provider, &LicenseProvider::changed);
    m_scheduler->advance(1h);
    QCOMPARE(changed.size(), 1);
    QVERIFY(provider.refusal() == LicenseVerdict::Refusal::ClockSetBack);
    QVERIFY(provider.status().tier == LicenseTier::Core);
    provider.reload(); // has no effect
    QVERIFY(provider.refusal() == LicenseVerdict::Refusal::ClockSetBack);
}

void SignedLicenseProviderTest::detectsClockSetBackAcrossRestart()
{
    {
        const SignedLicenseProvider provider(optionsWithState(), *m_scheduler);
        pass(std::chrono::days(300));
    }
    QCOMPARE(state(), QByteArray("rekindle-license-latest-time:2026-10-28T00:00:00.000Z\n"));
    QCOMPARE(QFile::permissions(path("latest"))
                 & (QFile::ReadGroup | QFile::ReadOther | QFile::WriteGroup | QFile::WriteOther),
             QFile::Permissions());
    m_clock->setUtc(newYear + std::chrono::days(298));
    const SignedLicenseProvider provider(optionsWithState(), *m_scheduler);
    QVERIFY(provider.refusal() == LicenseVerdict::Refusal::ClockSetBack);
    QVERIFY(provider.status().text.contains(QLatin1String("2026-10-28T00:00:00.000Z")));
    // Without the state file, only the time of issue is known.
    QVERIFY(SignedLicenseProvider(options(), *m_scheduler).status().valid);
    m_clock->setUtc(newYear - 25h);
    QVERIFY(SignedLicenseProvider(options(), *m_scheduler).refusal()
            == LicenseVerdict::Refusal::ClockSetBack);
}

void SignedLicenseProviderTest::toleratesSmallClockChange()
{
    SignedLicenseProvider provider(optionsWithState(), *m_scheduler);
    pass(std::chrono::days(300));
    m_clock->setUtc(m_clock->utcNow() - 20h);
    m_scheduler->advance(2h);
    QVERIFY(provider.status().valid);
    // The state file still contains the later time.
    QVERIFY(state().contains("2026-10-28T00:00"));
    // The tolerance does not extend a license.
    pass(std::chrono::days(64) + 18h);
    m_clock->setUtc(newYear + std::chrono::days(365));
    provider.reload();
    QVERIFY(provider.refusal() == LicenseVerdict::Refusal::Expired);
    m_clock->setUtc(newYear + std::chrono::days(365) - 20h);
    provider.reload();
    QVERIFY(provider.refusal() == LicenseVerdict::Refusal::Expired);
}

void SignedLicenseProviderTest::detectsClockSetForwardWithinAnHour()
{
    LicenseClaims claims = claimsOfTheYear();
    claims.expires = newYear + 20h;
    put(claims);
    SignedLicenseProvider provider(options(), *m_scheduler);
    m_scheduler->advance(30min);
    m_clock->setUtc(m_clock->utcNow() + 24h);
    m_scheduler->advance(30min);
    QVERIFY(provider.refusal() == LicenseVerdict::Refusal::Expired);
}

void SignedLicenseProviderTest::recoversWhenClockIsCorrected()
{
    SignedLicenseProvider provider(options(), *m_scheduler);
    m_scheduler->advance(std::chrono::days(30));
    const UtcTime right = m_clock->utcNow();
    m_clock->setUtc(UtcTime{});
    m_scheduler->advance(1h);
    QVERIFY(provider.refusal() == LicenseVerdict::Refusal::ClockSetBack);
    m_clock->setUtc(right + 1h);
    m_scheduler->advance(1h);
    QVERIFY(provider.status().valid);
}

void SignedLicenseProviderTest::unusableStateFileKeepsLicense_data()
{
    const Rows<QByteArray> row("bytes");
    row("empty", {});
    row("truncated", "rekindle-license-latest-time:2099-01-01T00:0");
    row("no line end", "rekindle-license-latest-time:2099-01-01T00:00:00Z");
    row("foreign", "2099-01-01T00:00:00Z\n");
    row("huge", QByteArray(100'000, 'x'));
}

void SignedLicenseProviderTest::unusableStateFileKeepsLicense()
{
    QFETCH(QByteArray, bytes);
    putFile(path("latest"), bytes);
    expectWarning();
    const SignedLicenseProvider provider(optionsWithState(), *m_scheduler);
    QVERIFY(provider.status().valid);
    const bool isOfOthers = !bytes.isEmpty() && !bytes.startsWith("rekindle");
    if (!isOfOthers)
        QCOMPARE(state(), QByteArray("rekindle-license-latest-time:2026-01-01T00:00:00.000Z\n"));
    else
        QCOMPARE(state(), bytes);
}

void SignedLicenseProviderTest::unwritableStateKeepsLicense()
{
    SignedLicenseOptions wrong = options();
    QCOMPARE(::mkfifo(QFile::encodeName(path("pipe")).constData(), 0600), 0);
    for (const QString &place :
         {m_folder->path(), path("nowhere/latest"), path("license.json/latest"), path("pipe")}) {
        wrong.statePath = place;
        expectWarning();
        const SignedLicenseProvider provider(wrong, *m_scheduler);
        QVERIFY(provider.status().valid);
        m_scheduler->advance(5h); // warned once
    }
}

void SignedLicenseProviderTest::fullDiskKeepsState()
{
    const QByteArray before = "rekindle-license-latest-time:2025-12-01T00:00:00.000Z\n";
    putFile(path("latest"), before);
    expectWarning();
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit limit{};
    ::getrlimit(RLIMIT_FSIZE, &limit);
    const rlimit none{0, limit.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &none);
    const bool isValid = SignedLicenseProvider(optionsWithState(), *m_scheduler).status().valid;
    ::setrlimit(RLIMIT_FSIZE, &limit);
    QVERIFY(isValid);
    QCOMPARE(state(), before);
}

void SignedLicenseProviderTest::twoHostsShareStateFile()
{
    const SignedLicenseProvider one(optionsWithState(), *m_scheduler);
    putFile(path("latest"), "rekindle-license-latest-time:2026-06-01T00:00:00.000Z\n");
    m_scheduler->advance(1h); // at the first check
    QCOMPARE(state(), QByteArray("rekindle-license-latest-time:2026-06-01T00:00:00.000Z\n"));
    QVERIFY(one.refusal() == LicenseVerdict::Refusal::ClockSetBack);
}

void SignedLicenseProviderTest::slotMayDeleteProvider()
{
    auto *provider = new SignedLicenseProvider(options(), *m_scheduler);
    connect(provider, &LicenseProvider::changed, provider, [provider] { delete provider; });
    const QPointer<SignedLicenseProvider> alive(provider);
    pass(std::chrono::days(366));
    QVERIFY(!alive);
}

void SignedLicenseProviderTest::changesFeatureGate()
{
    SignedLicenseProvider provider(options(), *m_scheduler);
    FeatureGate gate;
    gate.setProvider(&provider);
    const RestartPolicy policy;
    QVERIFY(!gate.gate(policy).downgraded);
    pass(std::chrono::days(365));
    QVERIFY(gate.gate(policy).gated);
    QVERIFY(gate.status().text.startsWith(QLatin1String("Expired: ")));
}

REKINDLE_TEST(SignedLicenseProviderTest)
#include "signedlicenseprovidertest.moc"
