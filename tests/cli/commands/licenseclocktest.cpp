// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/runs/vendor.h"
#include "testprogram.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QProcessEnvironment>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

using namespace Rekindle;

/// The latest time that was seen with a license, which detects a clock that was set back. A file
/// with a future time simulates that.
class LicenseClockTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void fileIsReadableByOwnerOnly();
    void detectsClockSetBack_data();
    void detectsClockSetBack();
    void otherCommandsDetectIt_data();
    void otherCommandsDetectIt();
    void separatesKeys();
    void continuesWithoutFolder();
    void rejectsFileForEvents();

private:
    [[nodiscard]] int complete(CommandRun &run) const
    {
        QProcessEnvironment environment = run.processEnvironment();
        environment.insert(QStringLiteral("XDG_STATE_HOME"), m_state);
        run.setProcessEnvironment(environment);
        return run.complete();
    }
    // A program that always fails, with one restart.
    [[nodiscard]] QStringList arguments() const
    {
        return words("run") + m_vendor->options(QStringLiteral("license"))
            + words("--max-retries", "1", "--initial-delay", "10ms", "--", REKINDLE_CHAOSAGENT,
                    "exit", "3");
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
    QString m_state;
};

void LicenseClockTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_vendor = std::make_unique<Vendor>(m_folder->path());
    m_state = m_folder->filePath(QStringLiteral("some/state"));
    m_vendor->issue(QStringLiteral("license"), QStringLiteral("Teams"), words("--for", "1h"));
}

void LicenseClockTest::fileIsReadableByOwnerOnly()
{
    const QDateTime before = QDateTime::currentDateTimeUtc();
    CommandRun run(arguments());
    QCOMPARE(complete(run), 3);
    QVERIFY2(run.error().contains("given up after 1 restart"), run.error().constData());
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

void LicenseClockTest::detectsClockSetBack_data()
{
    QTest::addColumn<int>("hours");
    QTest::addColumn<QByteArray>("refusal");
    QTest::newRow("not at all") << -24 << QByteArray();
    QTest::newRow("to before its end") << 2 << QByteArray("Expired: it expired at ");
    QTest::newRow("by two days") << 48
                                 << QByteArray("ClockSetBack: the clock was set back: it shows ");
}

void LicenseClockTest::detectsClockSetBack()
{
    QFETCH(int, hours);
    QFETCH(QByteArray, refusal);
    const QDateTime seen = inHours(hours);
    putClock(m_vendor->keyId(), seen);
    CommandRun run(arguments());
    QCOMPARE(complete(run), 3);
    const QByteArray error = run.error();
    if (refusal.isEmpty()) {
        QVERIFY2(error.contains("given up after 1 restart"), error.constData());
        return;
    }
    QVERIFY2(error.startsWith(QByteArray("rekindle: license: " + refusal)), error.constData());
    QVERIFY2(error.contains("; the tier is Core\n"), error.constData());
    QCOMPARE(error.count("license: "), 1);
    QCOMPARE(error.contains(QByteArray("delete " + clockFile(m_vendor->keyId()).toUtf8())),
             refusal.startsWith("ClockSetBack"));
    QVERIFY2(error.contains("not restarted: license tier Core does not permit exponential"),
             error.constData());
    QCOMPARE(readFile(clockFile(m_vendor->keyId())), clockText(seen));
}

void LicenseClockTest::otherCommandsDetectIt_data()
{
    QTest::addColumn<QStringList>("command");
    QTest::newRow("up") << words("up", "agents.json", "--store", "off", "--state", "off");
    QTest::newRow("check") << words("check", "agents.json");
    QTest::newRow("plan") << words("plan", "default");
    QTest::newRow("plugins") << words("plugins");
}

void LicenseClockTest::otherCommandsDetectIt()
{
    QFETCH(QStringList, command);
    static_cast<void>(writeFile(m_folder->path(), QStringLiteral("agents.json"),
                                configuration({words("exit", "0")}, {})));
    putClock(m_vendor->keyId(), inHours(48));
    CommandRun run(command + m_vendor->options(QStringLiteral("license")));
    run.setWorkingDirectory(m_folder->path());
    QCOMPARE(complete(run), 0);
    QVERIFY2(run.error().startsWith("rekindle: license: ClockSetBack: "), run.error().constData());
}

// A future time for one key does not affect the licenses of another key.
void LicenseClockTest::separatesKeys()
{
    CommandRun first(arguments());
    QCOMPARE(complete(first), 3);
    const QDir folder(m_state + QStringLiteral("/rekindle"));
    for (const QString &name : folder.entryList(QDir::Files))
        static_cast<void>(writeFile(folder.path(), name, clockText(inHours(48))));
    CommandRun setBack(arguments());
    QCOMPARE(complete(setBack), 3);
    QVERIFY2(setBack.error().contains("ClockSetBack"), setBack.error().constData());

    const QTemporaryDir elsewhere;
    m_vendor = std::make_unique<Vendor>(elsewhere.path());
    m_vendor->issue(QStringLiteral("license"), QStringLiteral("Teams"));
    CommandRun other(arguments());
    QCOMPARE(complete(other), 3);
    QVERIFY2(other.error().contains("given up after 1 restart"), other.error().constData());
}

// The license stays valid.
void LicenseClockTest::continuesWithoutFolder()
{
    m_state = QStringLiteral("/proc");
    CommandRun run(arguments());
    QCOMPARE(complete(run), 3);
    const QByteArray error = run.error();
    const QByteArray expected = "rekindle: a clock that is set back may not be detected: "
        + clockFile(m_vendor->keyId()).toLatin1() + ": ";
    QVERIFY2(error.startsWith(expected), error.constData());
    QVERIFY2(error.contains("given up after 1 restart"), error.constData());
}

void LicenseClockTest::rejectsFileForEvents()
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

REKINDLE_TEST(LicenseClockTest)
#include "licenseclocktest.moc"
