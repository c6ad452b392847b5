// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "readonlyfolder.h"
#include "statehost.h"
#include "testprogram.h"
#include "testrow.h"

#include <csignal>
#include <optional>
#include <sys/resource.h>
#include <unistd.h>

using namespace Rekindle;
using namespace std::chrono_literals;

// Unusable files and folders, and two hosts: each error is reported, and the engine continues.
class StateFaultsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void movesUnusableFileAside();
    void replacesAnyFileAtOwnPath_data();
    void replacesAnyFileAtOwnPath();
    void secondHostStoresNothing();
    void reportsUnwritableFolder_data();
    void reportsUnwritableFolder();
    void rejectsFolder();
    void fullDiskKeepsLastGoodFile();
    void resumesWhenFolderReappears();
    void ignoresFilesOfKilledWriter();
    void leavesOtherFilesUnchanged_data();
    void leavesOtherFilesUnchanged();
    void leavesFileOfOtherProgramThatAppears();

private:
    [[nodiscard]] QByteArray read(const QString &name) const;
    void write(const QString &name, const QByteArray &bytes) const;

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_path;
};

namespace {

bool runs(StateHost &host)
{
    host.stage.add(web, crashes, loop);
    host.start();
    host.stage.advance(1s);
    return host.stage.log.text().contains(QLatin1String("attempt#9"));
}

} // namespace

void StateFaultsTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_path = m_folder->filePath(QStringLiteral("a.state"));
}

QByteArray StateFaultsTest::read(const QString &name) const
{
    QFile file(m_folder->filePath(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("?");
}

void StateFaultsTest::write(const QString &name, const QByteArray &bytes) const
{
    QFile file(m_folder->filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes), bytes.size());
}

void StateFaultsTest::movesUnusableFileAside()
{
    const QByteArray bytes = "{\"format\":\"rekindle-state\",\"version\":7}\nanything";
    write(QStringLiteral("a.state"), bytes);
    {
        StateHost host(m_path);
        QVERIFY(host.state->open());
        QCOMPARE(host.aside, m_path + QStringLiteral(".bad-1"));
        QCOMPARE(host.asideReason,
                 QStringLiteral("written by a newer version (format 7; this version supports 1)"));
        QVERIFY(host.failures.isEmpty());
        QVERIFY(runs(host));
        QVERIFY(host.waitForWrites(1));
    }
    QCOMPARE(read(QStringLiteral("a.state.bad-1")), bytes);
    StateHost next(m_path, 2h);
    QVERIFY(next.state->open());
    QVERIFY(next.aside.isEmpty());
}

// For example, after a power failure.
void StateFaultsTest::replacesAnyFileAtOwnPath_data()
{
    const Rows<QByteArray> row("bytes");
    row("zeros", QByteArray(4096, '\0'));
    row("another first byte", "?\"format\":\"rekindle-state\"}\n");
    row("text", "groceries\n");
}

void StateFaultsTest::replacesAnyFileAtOwnPath()
{
    QFETCH(QByteArray, bytes);
    write(QStringLiteral("a.state"), bytes);
    write(QStringLiteral("a.state.lock"), bytes);
    StateHost careful(m_path);
    QVERIFY(!careful.state->open());
    QCOMPARE(read(QStringLiteral("a.state")), bytes);
    StateHost host(m_path, 1h, {}, QStringLiteral("boot"), true);
    QVERIFY(host.state->open());
    QVERIFY(host.failures.isEmpty());
    QCOMPARE(host.aside, m_path + QStringLiteral(".bad-1"));
    QCOMPARE(read(QStringLiteral("a.state.bad-1")), bytes);
    QVERIFY(runs(host));
    QVERIFY(host.waitForWrites(1));
}

void StateFaultsTest::secondHostStoresNothing()
{
    auto first = std::make_unique<StateHost>(m_path);
    QVERIFY(first->state->open());
    {
        StateHost second(m_path);
        QVERIFY(!second.state->open());
        QCOMPARE(second.failures,
                 QStringList(QStringLiteral("used by another host (process %1)").arg(getpid())));
        QVERIFY(runs(second));
        QVERIFY(!second.state->close());
    }
    QVERIFY(!QFile::exists(m_path)); // the second host wrote nothing
    QVERIFY(runs(*first));
    QVERIFY(first->waitForWrites(1));
    first.reset();
    StateHost third(m_path);
    QVERIFY(third.state->open());
}

void StateFaultsTest::reportsUnwritableFolder_data()
{
    const Rows<QString> row("folder");
    row("read-only", {});
    row("/proc", "/proc");
}

void StateFaultsTest::reportsUnwritableFolder()
{
    QFETCH(QString, folder);
    std::optional<ReadOnlyFolder> readOnly;
    if (folder.isEmpty()) {
        folder = m_folder->path();
        readOnly.emplace(folder);
        if (!readOnly->fault().isEmpty())
            QSKIP(qPrintable(readOnly->fault()));
    }
    StateHost host(folder + QStringLiteral("/a.state"));
    QVERIFY(!host.state->open());
    QCOMPARE(host.failures.size(), 1);
    QVERIFY2(host.failures[0].startsWith(folder), qPrintable(host.failures[0]));
    QVERIFY(runs(host));
}

void StateFaultsTest::rejectsFolder()
{
    QVERIFY(QDir(m_folder->path()).mkdir(QStringLiteral("a.state")));
    StateHost host(m_path);
    QVERIFY(!host.state->open());
    QCOMPARE(host.failures, QStringList(QStringLiteral("expected a file, found a folder")));
    QVERIFY(runs(host));
}

namespace {
// Limits the size of files that this process writes.
void limitFiles(rlim_t bytes)
{
    rlimit limit{};
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
}
} // namespace

// The write fails in the middle, as on a full disk.
void StateFaultsTest::fullDiskKeepsLastGoodFile()
{
    std::signal(SIGXFSZ, SIG_IGN);
    StateHost host(m_path);
    QVERIFY(host.run());
    QVERIFY(host.waitForWrites(1));
    const QByteArray before = read(QStringLiteral("a.state"));
    limitFiles(100);
    host.stage.advance(1s);
    const bool failed = QTest::qWaitFor([&] { return !host.failures.isEmpty(); }, 30'000);
    // No further attempt is made until the time advances.
    const QByteArray after = read(QStringLiteral("a.state"));
    const bool isTidy = !QFile::exists(m_path + QStringLiteral(".tmp"));
    for (int i = 0; i < 5; ++i) { // retried, reported once
        host.stage.advance(1s);
        QCoreApplication::processEvents();
    }
    limitFiles(RLIM_INFINITY);
    QVERIFY(failed);
    QCOMPARE(host.failures, QStringList(QString::fromLocal8Bit(std::strerror(EFBIG))));
    QCOMPARE(after, before);
    QVERIFY(isTidy);
    QVERIFY(QTest::qWaitFor(
        [&] {
            host.stage.advance(1s);
            return host.resumptions == 1;
        },
        30'000));
    QVERIFY(read(QStringLiteral("a.state")) != before);
}

void StateFaultsTest::resumesWhenFolderReappears()
{
    const QString folder = m_folder->filePath(QStringLiteral("one"));
    const QString away = m_folder->filePath(QStringLiteral("away"));
    QVERIFY(QDir().mkdir(folder));
    StateHost host(folder + QStringLiteral("/a.state"));
    QVERIFY(host.state->open());
    QVERIFY(QDir().rename(folder, away));
    QVERIFY(runs(host));
    QVERIFY(QTest::qWaitFor([&] { return host.failures.size() == 1; }, 30'000));
    QVERIFY(QDir().rename(away, folder));
    QVERIFY(QTest::qWaitFor(
        [&] {
            host.stage.advance(1s);
            return host.resumptions == 1;
        },
        30'000));
    QVERIFY(QFile::exists(folder + QStringLiteral("/a.state")));
}

void StateFaultsTest::ignoresFilesOfKilledWriter()
{
    write(QStringLiteral("a.state.tmp"), R"({"format":"rekindle-state","ver)");
    write(QStringLiteral("a.state.lock"), "99999999\n");
    StateHost host(m_path);
    QVERIFY(host.state->open());
    QVERIFY(runs(host));
    QVERIFY(host.waitForWrites(1));
    QVERIFY(host.failures.isEmpty());
    QVERIFY(read(QStringLiteral("a.state")).startsWith("{\"format\""));
}

void StateFaultsTest::leavesOtherFilesUnchanged_data()
{
    const Rows<QString, QByteArray, bool, QString> row("name", "bytes", "isLink", "failure");
    row("text", "a.state", "root:x:0:0\n", false, "expected a state file, found another file");
    row("link", "target", "root:x:0:0\n", true, "expected a state file, found a symbolic link");
    row("link to a state file", "target", R"({"format":"rekindle-state",)", true,
        "expected a state file, found a symbolic link");
    row("lock of another program", "a.state.lock", "version = 3\n", false,
        "expected the lock of a state file, found another file");
}

void StateFaultsTest::leavesOtherFilesUnchanged()
{
    QFETCH(QString, name);
    QFETCH(QByteArray, bytes);
    QFETCH(bool, isLink);
    QFETCH(QString, failure);
    write(name, bytes);
    if (isLink)
        QVERIFY(QFile::link(m_folder->filePath(name), m_path));
    const auto names = [this] { return QDir(m_folder->path()).entryList(QDir::Files); };
    const QStringList before = names();
    {
        StateHost host(m_path);
        QVERIFY(!host.state->open());
        QCOMPARE(host.failures.size(), 1);
        QVERIFY2(host.failures[0].endsWith(failure), qPrintable(host.failures[0]));
        QVERIFY(runs(host));
    }
    QCOMPARE(names(), before);
    QCOMPARE(read(name), bytes);
    QCOMPARE(QFileInfo(m_path).isSymLink(), isLink);
}

void StateFaultsTest::leavesFileOfOtherProgramThatAppears()
{
    StateHost host(m_path);
    QVERIFY(host.state->open());
    write(QStringLiteral("a.state"), "of another program");
    QVERIFY(runs(host));
    QVERIFY(QTest::qWaitFor([&] { return !host.failures.isEmpty(); }, 30'000));
    QCOMPARE(host.failures,
             QStringList(QStringLiteral("expected a state file, found another file")));
    QCOMPARE(read(QStringLiteral("a.state")), QByteArray("of another program"));
}

REKINDLE_TEST(StateFaultsTest)
#include "statefaultstest.moc"
