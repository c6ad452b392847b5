// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/host/vendor.h"
#include "testprogram.h"
#include "testrow.h"

#include "processes.h"

#include <sys/stat.h>

using namespace Rekindle;

/// The license tier of --tier or of a license file, and the file with the latest time that was seen
/// with a license. A future time in that file simulates a clock that was set back.
class LicenseOptionsTest : public QObject
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
    void clockFileIsReadableByOwnerOnly();
    void detectsClockSetBack();
    void otherCommandsDetectIt_data();
    void otherCommandsDetectIt();
    void separatesKeys();
    void rejectsClockFileForEvents();
    void refusesOtherFileAsClockFile();

private:
    // A program that fails immediately, with one restart.
    [[nodiscard]] QStringList arguments(const QStringList &license) const
    {
        return words("run", "--store", "off") + license
            + words("--max-retries", "1", "--initial-delay", "10ms", "--jitter", "none", "--",
                    REKINDLE_CHAOSAGENT, "append", m_starts, "exit", "3");
    }
    [[nodiscard]] QStringList arguments() const { return arguments(m_vendor->options(m_license)); }
    [[nodiscard]] int complete(CommandRun &run) const
    {
        run.setStateFolder(m_state);
        return run.complete();
    }
    [[nodiscard]] QString clockFile(const QString &keyId) const
    {
        return m_state + QStringLiteral("/rekindle/license-%1.clock").arg(keyId);
    }
    void putClock(const QString &keyId, const QDateTime &time) const
    {
        QVERIFY(QDir().mkpath(m_state + QStringLiteral("/rekindle")));
        static_cast<void>(writeFile(m_state + QStringLiteral("/rekindle"),
                                    QFileInfo(clockFile(keyId)).fileName(), clockText(time)));
    }
    static QByteArray clockText(const QDateTime &time)
    {
        return "rekindle-license-latest-time:" + time.toString(Qt::ISODateWithMs).toLatin1() + '\n';
    }
    static QDateTime inHours(int hours)
    {
        return QDateTime::currentDateTimeUtc().addSecs(qint64{hours} * 3600);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Vendor> m_vendor;
    QString m_starts;
    QString m_state;
    const QString m_license = QStringLiteral("license");
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

void LicenseOptionsTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_vendor = std::make_unique<Vendor>(m_folder->path());
    m_starts = m_folder->filePath(QStringLiteral("starts"));
    m_state = m_folder->filePath(QStringLiteral("some/state"));
    m_vendor->issue(m_license, QStringLiteral("Teams"), words("--for", "1h"));
}

void LicenseOptionsTest::appliesTier_data()
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
    }
}

void LicenseOptionsTest::appliesTier()
{
    QFETCH(QString, tier);
    QFETCH(bool, isLicensed);
    QFETCH(int, starts);
    QFETCH(QByteArray, says);
    m_vendor->issue(m_license, tier);
    CompletedRun run(arguments(isLicensed ? m_vendor->options(m_license) : words("--tier", tier)),
                     3);
    QCOMPARE(run.error(), says);
    QCOMPARE(numbersIn(m_starts).size(), starts);
}

void LicenseOptionsTest::refusedLicenseMeansCore_data()
{
    const Rows<QStringList, QString> row("issued", "says");
    row("missing", QStringList(), "Missing: %1: No such file or directory");
    row("for another application", words("--audience", "com.example.writer"),
        "WrongAudience: issued for com.example.writer, expected rekindle "
        "(--license-audience selects another)");
}

// A refused license does not prevent the start, only restarts.
void LicenseOptionsTest::refusedLicenseMeansCore()
{
    QFETCH(QStringList, issued);
    QFETCH(QString, says);
    const QString path = m_vendor->path(m_license);
    QVERIFY(QFile::remove(path));
    if (!issued.isEmpty())
        m_vendor->issue(m_license, QStringLiteral("Teams"), issued);
    CompletedRun run(arguments(m_vendor->options(m_license)), 3);
    const QString error = QString::fromUtf8(run.error());
    const QString begin =
        QLatin1String("rekindle: license: ") + (says.contains(u'%') ? says.arg(path) : says);
    QVERIFY2(error.startsWith(begin), qPrintable(error));
    QVERIFY2(error.endsWith(QLatin1String("; the tier is Core\n") + QString::fromLatin1(none)),
             qPrintable(error));
    QCOMPARE(numbersIn(m_starts).size(), 1);
}

void LicenseOptionsTest::rejectsOptions_data()
{
    const Rows<QStringList, int, QByteArray> row("options", "exitCode", "says");
    row("no tier", words("--tier", "core"), 64,
        "rekindle run: --tier: expected Core, WriterPro, Teams or "
        "Enterprise, found \"core\";");
    row("no key", words("--license", "license"), 64,
        "rekindle run: --license requires --license-key;");
    row("tier and license",
        words("--tier", "Core", "--license", "license", "--license-key", "vendor.pub"), 64,
        "rekindle run: --tier excludes --license;");
    row("the key is none", words("--license", "license", "--license-key", "license"), 78,
        "rekindle: --license-key: license: expected a public key");
    row("the key is not there", words("--license", "license", "--license-key", "nowhere"), 78,
        "rekindle: --license-key: nowhere: No such file or directory");
    row("the secret key", words("--license", "license", "--license-key", "vendor.key"), 78,
        "rekindle: --license-key: vendor.key: expected a public key");
}

void LicenseOptionsTest::rejectsOptions()
{
    QFETCH(QStringList, options);
    QFETCH(int, exitCode);
    QFETCH(QByteArray, says);
    CommandRun run(arguments(options));
    run.setWorkingDirectory(m_folder->path());
    QCOMPARE(run.complete(), exitCode);
    QVERIFY2(run.error().startsWith(says), run.error().constData());
    QVERIFY(!QFile::exists(m_starts));
}

void LicenseOptionsTest::clockFileIsReadableByOwnerOnly()
{
    const QDateTime before = QDateTime::currentDateTimeUtc();
    CommandRun run(arguments());
    QCOMPARE(complete(run), 3);
    VERIFY_CONTAINS(run.error(), "given up after 1 restart");
    struct stat folder = {};
    QCOMPARE(::stat(QFile::encodeName(m_state + QStringLiteral("/rekindle")).constData(), &folder),
             0);
    QCOMPARE(folder.st_mode & 07777, mode_t{0700});
    const QByteArray kept = readFile(clockFile(m_vendor->keyId()));
    const QDateTime seen = QDateTime::fromString(
        QString::fromLatin1(kept.mid(kept.indexOf(':') + 1).trimmed()), Qt::ISODateWithMs);
    QVERIFY2(seen >= before && seen <= QDateTime::currentDateTimeUtc(), kept.constData());
    QCOMPARE(kept, clockText(seen));
    QCOMPARE(QDir(m_state + QStringLiteral("/rekindle")).entryList(QDir::Files).size(), 1);
}

void LicenseOptionsTest::detectsClockSetBack()
{
    const QDateTime seen = inHours(48);
    putClock(m_vendor->keyId(), seen);
    CommandRun run(arguments());
    QCOMPARE(complete(run), 3);
    const QByteArray error = run.error();
    const QByteArray refusal = "ClockSetBack: the clock was set back: it shows ";
    QVERIFY2(error.startsWith(QByteArray("rekindle: license: " + refusal)), error.constData());
    VERIFY_CONTAINS(error, "; the tier is Core\n");
    QCOMPARE(error.count("license: "), 1);
    VERIFY_CONTAINS(error, QByteArray("delete " + clockFile(m_vendor->keyId()).toUtf8()));
    VERIFY_CONTAINS(error, "not restarted: license tier Core does not permit exponential");
    QCOMPARE(readFile(clockFile(m_vendor->keyId())), clockText(seen));
}

void LicenseOptionsTest::otherCommandsDetectIt_data()
{
    const Rows<QStringList> row("command");
    row("up", words("up", "agents.json", "--store", "off", "--state", "off"));
    row("check", words("check", "agents.json"));
    row("plan", words("plan", "default"));
    row("plugins", words("plugins"));
}

void LicenseOptionsTest::otherCommandsDetectIt()
{
    QFETCH(QStringList, command);
    static_cast<void>(writeFile(m_folder->path(), QStringLiteral("agents.json"),
                                configuration({words("exit", "0")}, {})));
    putClock(m_vendor->keyId(), inHours(48));
    CommandRun run(command + m_vendor->options(m_license));
    run.setWorkingDirectory(m_folder->path());
    QCOMPARE(complete(run), 0);
    QVERIFY2(run.error().startsWith("rekindle: license: ClockSetBack: "), run.error().constData());
}

// A future time for one key does not affect the licenses of another key.
void LicenseOptionsTest::separatesKeys()
{
    CommandRun first(arguments());
    QCOMPARE(complete(first), 3);
    const QDir folder(m_state + QStringLiteral("/rekindle"));
    for (const QString &name : folder.entryList(QDir::Files))
        static_cast<void>(writeFile(folder.path(), name, clockText(inHours(48))));
    CommandRun setBack(arguments());
    QCOMPARE(complete(setBack), 3);
    VERIFY_CONTAINS(setBack.error(), "ClockSetBack");

    const QTemporaryDir elsewhere;
    m_vendor = std::make_unique<Vendor>(elsewhere.path());
    m_vendor->issue(m_license, QStringLiteral("Teams"));
    CommandRun other(arguments());
    QCOMPARE(complete(other), 3);
    VERIFY_CONTAINS(other.error(), "given up after 1 restart");
}

void LicenseOptionsTest::rejectsClockFileForEvents()
{
    putClock(m_vendor->keyId(), inHours(-1));
    const QString file = clockFile(m_vendor->keyId());
    QStringList options = arguments();
    options.insert(1, QStringLiteral("--events"));
    options.insert(2, file);
    CommandRun run(options);
    QCOMPARE(complete(run), 64);
    QCOMPARE(QString::fromUtf8(run.error()),
             QStringLiteral("rekindle: --events: %1 is already used as a license file; use another "
                            "file\n")
                 .arg(file));
    QCOMPARE(readFile(file).size(), clockText(inHours(0)).size());
}

void LicenseOptionsTest::refusesOtherFileAsClockFile()
{
    putClock(m_vendor->keyId(), inHours(0));
    const QString file = clockFile(m_vendor->keyId());
    static_cast<void>(
        writeFile(QFileInfo(file).path(), QFileInfo(file).fileName(), "of another program\n"));
    CommandRun run(arguments());
    QCOMPARE(complete(run), 78);
    QCOMPARE(QString::fromUtf8(run.error()),
             QStringLiteral("rekindle: --license: %1: expected a file of the latest known time, "
                            "found another file\n")
                 .arg(file));
    QCOMPARE(readFile(file), QByteArray("of another program\n"));
}

REKINDLE_TEST(LicenseOptionsTest)
#include "licenseoptionstest.moc"
