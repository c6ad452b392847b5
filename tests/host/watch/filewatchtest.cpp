// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "host/internal/filewatch.h"
#include "testprogram.h"
#include "testrow.h"
#include "waituntil.h"

#include <rekindle/lifecycle/virtualscheduler.h>

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <functional>

using namespace Rekindle;
using namespace std::chrono_literals;

Q_DECLARE_METATYPE(std::function<void()>)

/// Real files and folders in virtual time.
class FileWatchTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();

    void reportsChange_data();
    void reportsChange();
    void reportsManyChangesTogether();
    void ignoresOtherFiles();
    void reportsRewrittenSameContents();
    void watchesFileByName();
    void otherFilesLoseNoChange();
    void reportsDuringContinuousChanges();
    void ignoresOwnFiles();
    void describesChanges();

private:
    [[nodiscard]] QString path(const char *name) const
    {
        return m_folder->filePath(QString::fromUtf8(name));
    }
    // Also creates the folder.
    static void write(const QString &path, const QByteArray &text)
    {
        QVERIFY(QDir().mkpath(QFileInfo(path).path()));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        QCOMPARE(file.write(text), text.size());
    }
    // Waits for a change and advances the time. Returns the files that were reported.
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
    begin([&](FileWatch &watch) { watch.add(path(glob)); });
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
    (void)waitUntil([this] { return m_scheduler->armedCount() > 0; });
    QCoreApplication::processEvents();
    m_scheduler->advance(5s);
    return std::exchange(m_changed, {});
}

void FileWatchTest::reportsChange_data()
{
    using Change = std::function<void()>;
    // file: that is reported
    const Rows<QString, QString, Change, Change> row("glob", "file", "prepare", "change");
    const Change none = [] {};
    row("written in place", "*.py", "server.py", none, [this] { write(path("server.py"), "22"); });
    // Editors and QSaveFile rename a new file to the old name.
    row("replaced by rename", "server.py", "server.py", none, [this] {
        QSaveFile file(path("server.py"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("1");
        QVERIFY(file.commit());
    });
    row("new file", "*.py", "new.py", none, [this] { write(path("new.py"), "1"); });
    row("removed file", "*.py", "server.py", none,
        [this] { QVERIFY(QFile::remove(path("server.py"))); });
    row("file in a new folder", "**/*.py", "a/b/c/new.py", none,
        [this] { write(path("a/b/c/new.py"), "1"); });
    row(
        "file by a link", "linked.py", "linked.py",
        [this] {
            write(path("lib/x.py"), "1");
            QVERIFY(QFile::link(path("lib/x.py"), path("linked.py")));
        },
        [this] { write(path("lib/x.py"), "22"); });
    const Change source = [this] { write(path("src/a.py"), "1"); };
    row("removed folder", "src/*.py", "src/a.py", source,
        [this] { QVERIFY(QDir(path("src")).removeRecursively()); });
    row("recreated folder", "src/*.py", "src/a.py", source, [this, source] {
        QVERIFY(QDir(path("src")).removeRecursively());
        QCOMPARE(changedFiles(), QStringList(QStringLiteral("src/a.py")));
        source();
    });
    // An inotify watch follows a renamed folder.
    row("replaced folder", "src/*.py", "src/a.py", source, [this, source] {
        QVERIFY(QFile::rename(path("src"), path("old")));
        source();
    });
    // There is no event about the old folder, because it stays open.
    row("replaced folder that is open", "src/*.py", "src/a.py", source, [this, source] {
        const int held = ::open(QFile::encodeName(path("src")).constData(), O_RDONLY | O_DIRECTORY);
        QVERIFY(held >= 0);
        const auto release = qScopeGuard([held] { ::close(held); });
        QVERIFY(QDir(path("src")).removeRecursively());
        source();
        QCOMPARE(changedFiles(), QStringList(QStringLiteral("src/a.py")));
        write(path("src/a.py"), "333");
    });
    // For example by a build.
    row(
        "replaced parent folder", "dist/server/*.js", "dist/server/a.js",
        [this] {
            for (const char *file : {"dist/server/a.js", "dist.new/server/a.js"})
                write(path(file), file);
        },
        [this] {
            QVERIFY(QFile::rename(path("dist"), path("dist.old")));
            QVERIFY(QFile::rename(path("dist.new"), path("dist")));
        });
    // For example by a deployment.
    row(
        "changed link to a folder", "current/*.py", "current/a.py",
        [this] {
            for (const char *file : {"releases/6/a.py", "releases/7/a.py"})
                write(path(file), file);
            QVERIFY(QFile::link(QStringLiteral("releases/6"), path("current")));
        },
        [this] {
            QVERIFY(QFile::link(QStringLiteral("releases/7"), path("next")));
            QCOMPARE(::rename(QFile::encodeName(path("next")).constData(),
                              QFile::encodeName(path("current")).constData()),
                     0);
        });
}

// The change, and a second one of the same file.
void FileWatchTest::reportsChange()
{
    QFETCH(QString, glob);
    QFETCH(QString, file);
    QFETCH(std::function<void()>, prepare);
    QFETCH(std::function<void()>, change);
    prepare();
    watch(qPrintable(glob));
    QCOMPARE(m_faults, QStringList());
    change();
    QCOMPARE(changedFiles(), QStringList(file));
    write(path(qPrintable(file)), "another text");
    QCOMPARE(changedFiles(), QStringList(file));
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

// A host reads a configuration, and watches the files that it names from then on.
void FileWatchTest::otherFilesLoseNoChange()
{
    begin([](FileWatch &) {});
    const QStringList before{path("server.py"), path("gone.py"), path("late.py"), path("old.py")};
    for (const char *each : {"gone.py", "old.py", "known.py"})
        write(path(each), "1");
    QFile known(path("known.py"));
    QVERIFY(known.open(QIODevice::ReadWrite));
    QVERIFY(known.setFileTime(QDateTime::currentDateTimeUtc().addSecs(-60),
                              QFileDevice::FileModificationTime));
    known.close();
    m_watch->setFiles(before);
    QCOMPARE(changedFiles(), QStringList());
    write(path("server.py"), "22");
    m_watch->acknowledge();
    m_scheduler->advance(5s);
    QCOMPARE(m_changed, QStringList());

    write(path("server.py"), "333");
    write(path("late.py"), "1");
    write(path("old.py"), "22");
    write(path("new.py"), "1");
    QVERIFY(QFile::remove(path("gone.py")));
    m_watch->setFiles(before.mid(0, 3) + QStringList{path("known.py"), path("new.py")});
    QCOMPARE(changedFiles(),
             (QStringList{QStringLiteral("gone.py"), QStringLiteral("late.py"),
                          QStringLiteral("new.py"), QStringLiteral("server.py")}));
    write(path("new.py"), "22");
    write(path("old.py"), "333");
    QCOMPARE(changedFiles(), QStringList(QStringLiteral("new.py")));
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
        watch.add(path("**/*"));
        watch.setIgnored({path("link/s.sqlite"), path("marker"), path("out.log")});
    });
    const QStringList own{path("real/s.sqlite"),
                          path("real/s.sqlite-wal"),
                          path("marker"),
                          path("marker.tmp-p1234"),
                          path("marker.tmp"),
                          path("marker.tmp-2"),
                          path("real/s.sqlite.corrupt-20261122T010203-wal"),
                          path("out.log"),
                          path("out.log.1")};
    for (const QString &file : own)
        write(file, "1");
    QCOMPARE(changedFiles(), QStringList());
    for (const QString &file : own)
        QVERIFY(QFile::remove(file));
    QCOMPARE(changedFiles(), QStringList());
    write(path("marker.json"), "1");
    QCOMPARE(changedFiles(), QStringList(QStringLiteral("marker.json")));
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
