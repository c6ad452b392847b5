// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/files/hostlock_p.h"
#include "base/uniquefd_p.h"
#include "control/socket/controlfolder_p.h"
#include "testprogram.h"

#include <QDir>
#include <QFile>
#include <QProcessEnvironment>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace Rekindle;

/// The folder in which clients find hosts.
class ControlFolderTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void findsFolder_data();
    void findsFolder();
    void createsFolderForItsUserOnly();
    void rejectsFolder_data();
    void rejectsFolder();
    void rejectsFolderOfAnotherUser();
    void removesNothingWhileHostStarts();
    void hostWaitsWhileSocketsAreRemoved();

private:
    [[nodiscard]] static QByteArray encoded(const QString &path) { return QFile::encodeName(path); }
    [[nodiscard]] static UniqueFd lockedFolder(const QString &path, int operation)
    {
        UniqueFd folder(::open(encoded(path).constData(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        if (::flock(folder.get(), operation) != 0)
            folder.reset();
        return folder;
    }
    /// Whether a thread waits for the lock of the folder. The kernel marks it with an arrow.
    [[nodiscard]] static bool hasWaiter(const QString &path)
    {
        struct stat status{};
        QFile locks(QStringLiteral("/proc/locks"));
        if (::stat(encoded(path).constData(), &status) != 0 || !locks.open(QIODevice::ReadOnly))
            return false;
        const QByteArray inode = ':' + QByteArray::number(qulonglong(status.st_ino)) + ' ';
        const QByteArrayList lines = locks.readAll().split('\n');
        return std::any_of(lines.begin(), lines.end(), [&inode](const QByteArray &line) {
            return line.contains("-> FLOCK") && line.contains(inode);
        });
    }
};

void ControlFolderTest::findsFolder_data()
{
    QTest::addColumn<uint>("user");
    QTest::addColumn<QString>("runtime");
    QTest::addColumn<bool>("hasLogin");
    QTest::addColumn<QString>("state");
    QTest::addColumn<QString>("home");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char *name, uint user, const char *runtime, bool hasLogin,
                        const char *state, const char *home, const char *expected) {
        QTest::newRow(name) << user << QString::fromLatin1(runtime) << hasLogin
                            << QString::fromLatin1(state) << QString::fromLatin1(home)
                            << QString::fromLatin1(expected);
    };
    row("root", 0, "/run/u", true, "/s", "/h", "/run/rekindle");
    row("XDG_RUNTIME_DIR", 1000, "/run/u", true, "/s", "/h", "/run/u/rekindle");
    row("folder of the login", 1000, "", true, "/s", "/h", "LOGINS/1000/rekindle");
    row("relative XDG_RUNTIME_DIR", 1000, "run", true, "/s", "/h", "LOGINS/1000/rekindle");
    row("XDG_STATE_HOME", 1000, "", false, "/s", "/h", "/s/rekindle/run");
    row("HOME", 1000, "", false, "", "/h", "/h/.local/state/rekindle/run");
    row("relative XDG_STATE_HOME", 1000, "", false, "s", "/h", "/h/.local/state/rekindle/run");
    row("HOME is the root folder", 1000, "", false, "", "/", "");
    row("nothing", 1000, "", false, "", "", "");
}

void ControlFolderTest::findsFolder()
{
    QFETCH(uint, user);
    QFETCH(QString, runtime);
    QFETCH(bool, hasLogin);
    QFETCH(QString, state);
    QFETCH(QString, home);
    QFETCH(QString, expected);
    const QTemporaryDir logins;
    if (hasLogin)
        QVERIFY(QDir(logins.path()).mkdir(QStringLiteral("1000")));
    QProcessEnvironment environment;
    environment.insert(QStringLiteral("XDG_RUNTIME_DIR"), runtime);
    environment.insert(QStringLiteral("XDG_STATE_HOME"), state);
    environment.insert(QStringLiteral("HOME"), home);
    QCOMPARE(controlFolder(environment, user, logins.path()),
             expected.replace(QLatin1String("LOGINS"), logins.path()));
}

void ControlFolderTest::createsFolderForItsUserOnly()
{
    const QTemporaryDir parent;
    const QString path = parent.filePath(QStringLiteral("a/b/rekindle"));
    QVERIFY(!faultOfControlFolder(path).isEmpty());
    QCOMPARE(prepareControlFolder(path), QString());
    struct stat status{};
    QCOMPARE(::stat(encoded(path).constData(), &status), 0);
    QCOMPARE(status.st_mode & 0777U, 0700U);
    // Also if it exists.
    QCOMPARE(prepareControlFolder(path), QString());
    QCOMPARE(faultOfControlFolder(path), QString());
}

void ControlFolderTest::rejectsFolder_data()
{
    QTest::addColumn<int>("mode");
    QTest::addColumn<QString>("found");
    QTest::newRow("link") << -1 << QStringLiteral("a symbolic link");
    QTest::newRow("file") << 0 << QStringLiteral("a file");
    QTest::newRow("group can write")
        << 0770 << QStringLiteral("a folder in which others can write");
    QTest::newRow("all can write") << 0702 << QStringLiteral("a folder in which others can write");
    QTest::newRow("others can read") << 0755 << QString();
}

void ControlFolderTest::rejectsFolder()
{
    QFETCH(int, mode);
    QFETCH(QString, found);
    const QTemporaryDir parent;
    const QString path = parent.filePath(QStringLiteral("rekindle"));
    if (mode < 0) {
        QVERIFY(QDir(parent.path()).mkdir(QStringLiteral("target")));
        QVERIFY(QFile::link(parent.filePath(QStringLiteral("target")), path));
    } else if (mode == 0) {
        QVERIFY(QFile(path).open(QIODevice::WriteOnly));
    } else {
        QCOMPARE(::mkdir(encoded(path).constData(), 0700), 0);
        QCOMPARE(::chmod(encoded(path).constData(), static_cast<mode_t>(mode)), 0);
    }
    const QString expected = found.isEmpty()
        ? found
        : QStringLiteral("%1: expected a folder in which only user %2 can write, found %3")
              .arg(path)
              .arg(::geteuid())
              .arg(found);
    QCOMPARE(prepareControlFolder(path), expected);
    QCOMPARE(faultOfControlFolder(path), expected);
}

void ControlFolderTest::rejectsFolderOfAnotherUser()
{
    if (::geteuid() != 0)
        QSKIP("only root can create a folder of another user");
    const QTemporaryDir parent;
    const QString path = parent.filePath(QStringLiteral("rekindle"));
    QCOMPARE(::mkdir(encoded(path).constData(), 0700), 0);
    QCOMPARE(::chown(encoded(path).constData(), 65534, 65534), 0);
    QVERIFY(prepareControlFolder(path).endsWith(QLatin1String("found a folder of user 65534")));
}

void ControlFolderTest::removesNothingWhileHostStarts()
{
    const QTemporaryDir folder;
    const QString lock = folder.filePath(QStringLiteral("up-1234abcd.sock.lock"));
    QVERIFY(QFile(lock).open(QIODevice::WriteOnly));
    {
        const UniqueFd host = lockedFolder(folder.path(), LOCK_SH);
        removeSocketsOfKilledHosts(folder.path());
        QVERIFY(QFile::exists(lock));
    }
    removeSocketsOfKilledHosts(folder.path());
    QVERIFY(!QFile::exists(lock));
}

// Otherwise it would report that another host uses its name.
void ControlFolderTest::hostWaitsWhileSocketsAreRemoved()
{
    const QTemporaryDir folder;
    const QString socket = folder.filePath(QStringLiteral("up-1234abcd.sock"));
    UniqueFd remover = lockedFolder(folder.path(), LOCK_EX);
    HostLock removed;
    QCOMPARE(removed.acquire(socket), QString());

    HostLock lock;
    std::atomic<bool> isAcquired = false;
    QString fault;
    std::thread host([&] {
        fault = acquireSocketLock(lock, socket);
        isAcquired = true;
    });
    const bool waits =
        QTest::qWaitFor([&] { return isAcquired || hasWaiter(folder.path()); }, 30'000);
    removed.remove();
    remover.reset();
    host.join();
    QVERIFY(waits);
    QCOMPARE(fault, QString());
    QVERIFY(lock.isHeld());
}

REKINDLE_TEST(ControlFolderTest)
#include "controlfoldertest.moc"
