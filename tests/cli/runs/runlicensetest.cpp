// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"
#include "vendor.h"

#include "processes.h"

#include <QTemporaryDir>
#include <QTest>

using namespace Rekindle;

/// `rekindle run` with a license tier of --tier or of a license file.
class RunLicenseTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void appliesTier_data();
    void appliesTier();
    void refusedLicenseMeansCore_data();
    void refusedLicenseMeansCore();
    void rejectsOptions_data();
    void rejectsOptions();

private:
    // A program that fails immediately, with one restart.
    [[nodiscard]] QStringList arguments(const QStringList &license) const
    {
        return words("run") + license
            + words("--max-retries", "1", "--initial-delay", "10ms", "--jitter", "none", "--",
                    REKINDLE_CHAOSAGENT, "append", m_starts, "exit", "3");
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Vendor> m_vendor;
    QString m_starts;
};

namespace {

const QByteArray none = "rekindle: chaosagent: license tier Core does not permit exponential "
                        "restarts; restarts are disabled\n"
                        "rekindle: chaosagent: failed (ProcessCrash: exit code 3); not restarted: "
                        "license tier Core does not permit exponential restarts\n";
const QByteArray once = "rekindle: chaosagent: failed (ProcessCrash: exit code 3); restart 1 of 1 "
                        "in 10ms\n"
                        "rekindle: chaosagent: failed (ProcessCrash: exit code 3); given up after "
                        "1 restart\n";

} // namespace

void RunLicenseTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_vendor = std::make_unique<Vendor>(m_folder->path());
    m_starts = m_folder->filePath(QStringLiteral("starts"));
}

void RunLicenseTest::appliesTier_data()
{
    QTest::addColumn<QString>("tier");
    QTest::addColumn<bool>("isLicensed");
    QTest::addColumn<int>("starts");
    QTest::addColumn<QByteArray>("says");
    const QByteArray linear = "rekindle: chaosagent: license tier WriterPro does not permit "
                              "exponential restarts; using linear\n";
    for (const bool isLicensed : {false, true}) {
        const auto row = [&](const char *tier, int starts, const QByteArray &says) {
            QTest::addRow("%s %s", isLicensed ? "--license" : "--tier", tier)
                << QString::fromLatin1(tier) << isLicensed << starts << says;
        };
        row("Core", 1, none);
        row("WriterPro", 2, linear + once);
        row("Teams", 2, once);
        row("Enterprise", 2, once);
    }
}

void RunLicenseTest::appliesTier()
{
    QFETCH(QString, tier);
    QFETCH(bool, isLicensed);
    QFETCH(int, starts);
    QFETCH(QByteArray, says);
    m_vendor->issue(QStringLiteral("license"), tier);
    CommandRun run(arguments(isLicensed ? m_vendor->options(QStringLiteral("license"))
                                        : words("--tier", tier)));
    QCOMPARE(run.complete(), 3);
    QCOMPARE(run.error(), says);
    QCOMPARE(numbersIn(m_starts).size(), starts);
}

void RunLicenseTest::refusedLicenseMeansCore_data()
{
    QTest::addColumn<QStringList>("issued");
    QTest::addColumn<QString>("says");
    QTest::newRow("missing") << QStringList()
                             << QStringLiteral("Missing: %1: No such file or directory");
    QTest::newRow("of another key")
        << words("another vendor") << QStringLiteral("WrongKey: signed with key ");
    QTest::newRow("edited") << words("edited")
                            << QStringLiteral("BadSignature: the signature is invalid: the "
                                              "license was changed or forged");
    QTest::newRow("for another application")
        << words("--audience", "com.example.writer")
        << QStringLiteral("WrongAudience: issued for com.example.writer, expected rekindle "
                          "(--license-audience selects another)");
    QTest::newRow("expired") << words("--not-before", "2020-01-01T00:00:00Z", "--expires",
                                      "2020-01-02T00:00:00Z")
                             << QStringLiteral("Expired: it expired at 2020-01-02T00:00:00.000Z");
    QTest::newRow("not yet valid")
        << words("--not-before", "2100-01-01T00:00:00Z")
        << QStringLiteral("NotYetValid: it is valid from 2100-01-01T00:00:00.000Z");
}

// A refused license does not prevent the start, only restarts.
void RunLicenseTest::refusedLicenseMeansCore()
{
    QFETCH(QStringList, issued);
    QFETCH(QString, says);
    const QString name = QStringLiteral("license");
    const QString path = m_vendor->path(name);
    if (issued == words("another vendor")) {
        const QTemporaryDir elsewhere;
        const Vendor other(elsewhere.path());
        other.issue(name, QStringLiteral("Teams"));
        QVERIFY(QFile::copy(other.path(name), path));
    } else if (issued == words("edited")) {
        m_vendor->issue(name, QStringLiteral("Teams"));
        QByteArray bytes = readFile(path);
        const qsizetype place = bytes.indexOf("\"signature\":\"") + 13;
        bytes[place] = bytes[place] == 'A' ? 'B' : 'A';
        static_cast<void>(writeFile(m_folder->path(), name, bytes));
    } else if (!issued.isEmpty()) {
        m_vendor->issue(name, QStringLiteral("Teams"), issued);
    }
    CommandRun run(arguments(m_vendor->options(name)));
    QCOMPARE(run.complete(), 3);
    const QString error = QString::fromUtf8(run.error());
    const QString begin =
        QLatin1String("rekindle: license: ") + (says.contains(u'%') ? says.arg(path) : says);
    QVERIFY2(error.startsWith(begin), qPrintable(error));
    QVERIFY2(error.endsWith(QLatin1String("; the tier is Core\n") + QString::fromLatin1(none)),
             qPrintable(error));
    QCOMPARE(numbersIn(m_starts).size(), 1);
}

void RunLicenseTest::rejectsOptions_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<int>("exitCode");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("no tier") << words("--tier", "core") << 64
                             << QByteArray(
                                    "rekindle run: --tier: expected Core, WriterPro, Teams or "
                                    "Enterprise, found \"core\";");
    QTest::newRow("no key") << words("--license", "license") << 64
                            << QByteArray("rekindle run: --license requires --license-key;");
    QTest::newRow("tier and license")
        << words("--tier", "Core", "--license", "license", "--license-key", "vendor.pub") << 64
        << QByteArray("rekindle run: --tier excludes --license;");
    QTest::newRow("the key is none")
        << words("--license", "license", "--license-key", "license") << 78
        << QByteArray("rekindle: --license-key: license: expected a public key");
    QTest::newRow("the key is not there")
        << words("--license", "license", "--license-key", "nowhere") << 78
        << QByteArray("rekindle: --license-key: nowhere: No such file or directory");
    QTest::newRow("the secret key")
        << words("--license", "license", "--license-key", "vendor.key") << 78
        << QByteArray("rekindle: --license-key: vendor.key: expected a public key");
}

void RunLicenseTest::rejectsOptions()
{
    QFETCH(QStringList, options);
    QFETCH(int, exitCode);
    QFETCH(QByteArray, says);
    m_vendor->issue(QStringLiteral("license"), QStringLiteral("Teams"));
    CommandRun run(arguments(options));
    run.setWorkingDirectory(m_folder->path());
    QCOMPARE(run.complete(), exitCode);
    QVERIFY2(run.error().startsWith(says), run.error().constData());
    QVERIFY(!QFile::exists(m_starts));
}

REKINDLE_TEST(RunLicenseTest)
#include "runlicensetest.moc"
