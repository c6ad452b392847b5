// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/watch/filewatch_p.h"
#include "testprogram.h"

#include <rekindle/lifecycle/virtualscheduler.h>

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QSaveFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <functional>

using namespace Rekindle;
using namespace std::chrono_literals;

/// Real files and folders, virtual time.
class FileWatchTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();

    void reportsFileWrittenInPlace();
    void reportsFileReplacedByRename();
    void reportsNewFile();
    void reportsRemovedFile();
    void reportsFileInNewFolder();
    void reportsRecreatedFolder();
    void reportsFolderCreatedLater();
    void reportsReplacedFolder();
    void reportsReplacedFolderThatIsOpen();
    void reportsReplacedParentFolder();
    void reportsChangedLink();
    void reportsManyChangesTogether();
    void ignoresOtherFiles();
    void reportsRewrittenSameContents();
    void reportsGlobWithoutMatchOnce();
    void watchesFileByName();
    void reportsDuringContinuousChanges();
    void ignoresOwnFiles();
    void followsLinkedFile();
    void describesChanges();

private:
    [[nodiscard]] QString path(const char *name) const
    {
        return m_folder->filePath(QString::fromUtf8(name));
    }
    static void write(const QString &path, const QByteArray &text)
    {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        QCOMPARE(file.write(text), text.size());
    }
    // Waits for a change and lets the time pass; the files that were reported.
    [[nodiscard]] QStringList changedFiles();

    std::unique_ptr<QTemporaryDir> m_folder;
    VirtualClock m_clock;
    std::unique_ptr<VirtualScheduler> m_scheduler;
    std::unique_ptr<FileWatch> m_watch;
    QStringList m_changed;
    QStringList m_faults;

    void watch(const char *glob);
    void begin(const std::function<void(FileWatch &)> &add);
};

void FileWatchTest::init()
{
    m_watch.reset();
    m_folder = std::make_unique<QTemporaryDir>();
    m_scheduler = std::make_unique<VirtualScheduler>(m_clock);
    m_changed.clear();
    m_faults.clear();
    write(path("server.py"), "1");
}

void FileWatchTest::watch(const char *glob)
{
    begin([&](FileWatch &watch) { QCOMPARE(watch.add(path(glob)), QString()); });
}

void FileWatchTest::begin(const std::function<void(FileWatch &)> &add)
{
    m_watch = std::make_unique<FileWatch>(*m_scheduler);
    connect(m_watch.get(), &FileWatch::changed, this, [this](const QStringList &files) {
        for (const QString &file : files)
            m_changed.append(QDir(m_folder->path()).relativeFilePath(file));
    });
    connect(m_watch.get(), &FileWatch::faulted, this,
            [this](const QString &text) { m_faults.append(text); });
    add(*m_watch);
    m_watch->begin();
}

QStringList FileWatchTest::changedFiles()
{
    (void)QTest::qWaitFor([this] { return m_scheduler->armedCount() > 0; }, 30000);
    QCoreApplication::processEvents();
    m_scheduler->advance(5s);
    return std::exchange(m_changed, {});
}

void FileWatchTest::reportsFileWrittenInPlace()
{
    watch("*.py");
    write(path("server.py"), "22");
    QCOMPARE(changedFiles(), QStringList(QStringLiteral("server.py")));
    write(path("server.py"), "333");
    QCOMPARE(changedFiles(), QStringList(QStringLiteral("server.py")));
    QVERIFY(m_faults.isEmpty());
}

// Editors and QSaveFile rename a new file to the old name.
void FileWatchTest::reportsFileReplacedByRename()
{
    watch("server.py");
    for (int i = 0; i < 3; ++i) {
        QSaveFile file(path("server.py"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("1");
        QVERIFY(file.commit());
        QCOMPARE(changedFiles(), QStringList(QStringLiteral("server.py")));
    }
}

void FileWatchTest::reportsNewFile()
{
    watch("*.py");
    write(path("new.py"), "1");
    QCOMPARE(changedFiles(), QStringList(QStringLiteral("new.py")));
}

void FileWatchTest::reportsRemovedFile()
{
    watch("*.py");
    QVERIFY(QFile::remove(path("server.py")));
    QCOMPARE(changedFiles(), QStringList(QStringLiteral("server.py")));
}

void FileWatchTest::reportsFileInNewFolder()
{
    watch("**/*.py");
    QVERIFY(QDir().mkpath(path("a/b/c")));
    write(path("a/b/c/new.py"), "1");
    QCOMPARE(changedFiles(), QStringList(QStringLiteral("a/b/c/new.py")));
    write(path("a/b/c/new.py"), "22"); // in a new folder
    QCOMPARE(changedFiles(), QStringList(QStringLiteral("a/b/c/new.py")));
}

void FileWatchTest::reportsRecreatedFolder()
{
    QVERIFY(QDir().mkpath(path("src")));
    write(path("src/a.py"), "1");
    watch("src/*.py");
    QVERIFY(QDir(path("src")).removeRecursively());
    QCOMPARE(changedFiles(), QStringList(QStringLiteral("src/a.py")));
    QVERIFY(QDir().mkpath(path("src")));
    write(path("src/a.py"), "1");
    QCOMPARE(changedFiles(), QStringList(QStringLiteral("src/a.py")));
    write(path("src/a.py"), "22");
    QCOMPARE(changedFiles(), QStringList(QStringLiteral("src/a.py")));
}

void FileWatchTest::reportsFolderCreatedLater()
{
    watch("deep/er/*.py");
    QCOMPARE(m_faults.size(), 1);
    QVERIFY(QDir().mkpath(path("deep/er")));
    write(path("deep/er/a.py"), "1");
    QCOMPARE(changedFiles(), QStringList(QStringLiteral("deep/er/a.py")));
}

// An inotify watch follows a renamed folder.
void FileWatchTest::reportsReplacedFolder()
{
    QVERIFY(QDir().mkpath(path("src")));
    write(path("src/a.py"), "1");
    watch("src/*.py");
    QVERIFY(QFile::rename(path("src"), path("old")));
    QVERIFY(QDir().mkpath(path("src")));
    write(path("src/a.py"), "1");
    QCOMPARE(changedFiles(), QStringList(QStringLiteral("src/a.py")));
    write(path("src/a.py"), "22");
    QCOMPARE(changedFiles(), QStringList(QStringLiteral("src/a.py")));
}

// There is no event, because the old folder stays open.
void FileWatchTest::reportsReplacedFolderThatIsOpen()
{
    QVERIFY(QDir().mkpath(path("src")));
    write(path("src/a.py"), "1");
    watch("src/*.py");
    const int held = ::open(QFile::encodeName(path("src")).constData(), O_RDONLY | O_DIRECTORY);
    QVERIFY(held >= 0);
    const auto release = qScopeGuard([held] { ::close(held); });
    QVERIFY(QDir(path("src")).removeRecursively());
    QVERIFY(QDir().mkpath(path("src")));
    write(path("src/a.py"), "1");
    QCOMPARE(changedFiles(), QStringList(QStringLiteral("src/a.py")));
    write(path("src/a.py"), "22");
    QCOMPARE(changedFiles(), QStringList(QStringLiteral("src/a.py")));
}

// For example by a build.
void FileWatchTest::reportsReplacedParentFolder()
{
    for (const char *folder : {"dist/server", "dist.new/server"}) {
        QVERIFY(QDir().mkpath(path(folder)));
        write(path(folder) + QStringLiteral("/a.js"), folder);
    }
    watch("dist/server/*.js");
    QVERIFY(QFile::rename(path("dist"), path("dist.old")));
    QVERIFY(QFile::rename(path("dist.new"), path("dist")));
    QCOMPARE(changedFiles(), QStringList(QStringLiteral("dist/server/a.js")));
    write(path("dist/server/a.js"), "3");
    QCOMPARE(changedFiles(), QStringList(QStringLiteral("dist/server/a.js")));
}

// For example by a deployment.
void FileWatchTest::reportsChangedLink()
{
    for (const char *folder : {"releases/6", "releases/7"}) {
        QVERIFY(QDir().mkpath(path(folder)));
        write(path(folder) + QStringLiteral("/a.py"), folder);
    }
    QVERIFY(QFile::link(QStringLiteral("releases/6"), path("current")));
    watch("current/*.py");
    QVERIFY(QFile::link(QStringLiteral("releases/7"), path("next")));
    QCOMPARE(::rename(QFile::encodeName(path("next")).constData(),
                      QFile::encodeName(path("current")).constData()),
             0);
    QCOMPARE(changedFiles(), QStringList(QStringLiteral("current/a.py")));
    write(path("releases/7/a.py"), "3");
    QCOMPARE(changedFiles(), QStringList(QStringLiteral("current/a.py")));
}

void FileWatchTest::reportsManyChangesTogether()
{
    watch("*.py");
    QSignalSpy changed(m_watch.get(), &FileWatch::changed);
    for (int i = 0; i < 1000; ++i)
        write(path(qPrintable(QStringLiteral("f%1.py").arg(i))), "1");
    QCOMPARE(changedFiles().size(), 1000);
    QCOMPARE(changed.size(), 1);
}

void FileWatchTest::ignoresOtherFiles()
{
    watch("*.py");
    write(path("log.txt"), "1");
    QCOMPARE(changedFiles(), QStringList());
    QVERIFY(QFile::setPermissions(path("server.py"), QFileDevice::ReadOwner));
    QCOMPARE(changedFiles(), QStringList());
}

void FileWatchTest::reportsRewrittenSameContents()
{
    QFile file(path("server.py"));
    QVERIFY(file.open(QIODevice::ReadWrite));
    // The clock of the file system is coarse.
    QVERIFY(file.setFileTime(QDateTime::currentDateTime().addSecs(-60),
                             QFileDevice::FileModificationTime));
    file.close();
    watch("server.py");
    write(path("server.py"), "1");
    QCOMPARE(changedFiles(), QStringList(QStringLiteral("server.py")));
}

void FileWatchTest::reportsGlobWithoutMatchOnce()
{
    watch("*.rb");
    QCOMPARE(m_faults, QStringList(path("*.rb") + QStringLiteral(" matches no file yet")));
    write(path("other.rb"), "1");
    QVERIFY(QFile::remove(path("other.rb")));
    QCOMPARE(changedFiles(), QStringList());
    QCOMPARE(m_faults.size(), 1);
}

void FileWatchTest::watchesFileByName()
{
    begin([&](FileWatch &watch) { watch.addFile(path("$[a]*.py")); });
    write(path("other.py"), "1");
    write(path("$[a]*.py"), "1");
    QCOMPARE(changedFiles(), QStringList(QStringLiteral("$[a]*.py")));
    write(path("$[a]*.py"), "22");
    QCOMPARE(changedFiles(), QStringList(QStringLiteral("$[a]*.py")));
    QVERIFY(m_faults.isEmpty());
}

void FileWatchTest::reportsDuringContinuousChanges()
{
    watch("*.py");
    QSignalSpy changed(m_watch.get(), &FileWatch::changed);
    const Instant start = m_scheduler->now();
    while (changed.isEmpty() && m_scheduler->now() - start < 10s) {
        write(path("server.py"),
              QByteArray::number(qint64{m_scheduler->now().time_since_epoch().count()}));
        QCoreApplication::processEvents();
        m_scheduler->advance(100ms);
    }
    QCOMPARE(changed.size(), 1);
    QVERIFY(m_scheduler->now() - start >= 4s);
    QVERIFY(m_scheduler->now() - start <= 6s);
}

void FileWatchTest::ignoresOwnFiles()
{
    QVERIFY(QDir().mkpath(path("real")));
    QVERIFY(QFile::link(path("real"), path("link")));
    begin([&](FileWatch &watch) {
        QCOMPARE(watch.add(path("**/*")), QString());
        watch.ignore(path("link/s.sqlite"));
        watch.ignore(path("marker"));
    });
    for (const char *name : {"real/s.sqlite", "real/s.sqlite-wal", "marker", "marker.aBcXyZ",
                             "real/s.sqlite.corrupt-20261122T010203-wal"})
        write(path(name), "1");
    QCOMPARE(changedFiles(), QStringList());
    write(path("marker.json"), "1");
    QCOMPARE(changedFiles(), QStringList(QStringLiteral("marker.json")));
}

void FileWatchTest::followsLinkedFile()
{
    QVERIFY(QDir().mkpath(path("lib")));
    write(path("lib/x.py"), "1");
    QVERIFY(QFile::link(path("lib/x.py"), path("linked.py")));
    watch("linked.py");
    write(path("lib/x.py"), "22");
    QCOMPARE(changedFiles(), QStringList(QStringLiteral("linked.py")));
}

void FileWatchTest::describesChanges()
{
    const QString here = QDir::currentPath() + u'/';
    QCOMPARE(changeText({here + QStringLiteral("src/a.py")}), QStringLiteral("src/a.py changed"));
    QCOMPARE(changeText({QStringLiteral("/a.py"), QStringLiteral("/b.py")}),
             QStringLiteral("/a.py and 1 other changed"));
    QCOMPARE(changeText({QStringLiteral("/a"), QStringLiteral("/b"), QStringLiteral("/c")}),
             QStringLiteral("/a and 2 others changed"));
}

REKINDLE_TEST(FileWatchTest)
#include "filewatchtest.moc"
