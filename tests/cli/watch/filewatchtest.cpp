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

/// Real files and folders; the time of the debounce is virtual.
class FileWatchTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();

    void writtenInPlace();
    void replacedByRename();
    void newFile();
    void removedFile();
    void newFolderWithAFile();
    void folderThatGoesAndComesBack();
    void folderThatIsNotThereYet();
    void folderThatIsReplaced();
    void folderThatIsReplacedWhileItIsHeld();
    void folderAboveThatIsReplaced();
    void linkThatIsPointedElsewhere();
    void manyAtOnce();
    void othersDoNotMatter();
    void sameContentsWrittenAnewAreAChange();
    void whatMatchesNothingIsSaidOnce();
    void oneFileByItsVeryName();
    void words();

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
    // Until the debounce waits, and its time has passed; what was told since the last call.
    [[nodiscard]] QStringList told();

    std::unique_ptr<QTemporaryDir> m_folder;
    VirtualClock m_clock;
    std::unique_ptr<VirtualScheduler> m_scheduler;
    std::unique_ptr<FileWatch> m_watch;
    QStringList m_told;
    QStringList m_faults;

    void watch(const char *glob);
    void begin(const std::function<void(FileWatch &)> &add);
};

void FileWatchTest::init()
{
    m_watch.reset();
    m_folder = std::make_unique<QTemporaryDir>();
    m_scheduler = std::make_unique<VirtualScheduler>(m_clock);
    m_told.clear();
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
            m_told.append(QDir(m_folder->path()).relativeFilePath(file));
    });
    connect(m_watch.get(), &FileWatch::faulted, this,
            [this](const QString &text) { m_faults.append(text); });
    add(*m_watch);
    m_watch->begin();
}

QStringList FileWatchTest::told()
{
    (void)QTest::qWaitFor([this] { return m_scheduler->armedCount() > 0; }, 30000);
    QCoreApplication::processEvents(); // all that has happened by now
    m_scheduler->advance(5s);
    return std::exchange(m_told, {});
}

void FileWatchTest::writtenInPlace()
{
    watch("*.py");
    write(path("server.py"), "22");
    QCOMPARE(told(), QStringList(QStringLiteral("server.py")));
    write(path("server.py"), "333");
    QCOMPARE(told(), QStringList(QStringLiteral("server.py")));
    QVERIFY(m_faults.isEmpty());
}

// As vim, VS Code and QSaveFile do it: a new file takes the old one's name.
void FileWatchTest::replacedByRename()
{
    watch("server.py");
    for (int i = 0; i < 3; ++i) {
        QSaveFile file(path("server.py"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("1");
        QVERIFY(file.commit());
        QCOMPARE(told(), QStringList(QStringLiteral("server.py")));
    }
}

void FileWatchTest::newFile()
{
    watch("*.py");
    write(path("new.py"), "1");
    QCOMPARE(told(), QStringList(QStringLiteral("new.py")));
}

void FileWatchTest::removedFile()
{
    watch("*.py");
    QVERIFY(QFile::remove(path("server.py")));
    QCOMPARE(told(), QStringList(QStringLiteral("server.py")));
}

void FileWatchTest::newFolderWithAFile()
{
    watch("**/*.py");
    QVERIFY(QDir().mkpath(path("a/b/c")));
    write(path("a/b/c/new.py"), "1");
    QCOMPARE(told(), QStringList(QStringLiteral("a/b/c/new.py")));
    write(path("a/b/c/new.py"), "22"); // it is watched from now on
    QCOMPARE(told(), QStringList(QStringLiteral("a/b/c/new.py")));
}

void FileWatchTest::folderThatGoesAndComesBack()
{
    QVERIFY(QDir().mkpath(path("src")));
    write(path("src/a.py"), "1");
    watch("src/*.py");
    QVERIFY(QDir(path("src")).removeRecursively());
    QCOMPARE(told(), QStringList(QStringLiteral("src/a.py")));
    QVERIFY(QDir().mkpath(path("src")));
    write(path("src/a.py"), "1");
    QCOMPARE(told(), QStringList(QStringLiteral("src/a.py")));
    write(path("src/a.py"), "22");
    QCOMPARE(told(), QStringList(QStringLiteral("src/a.py")));
}

void FileWatchTest::folderThatIsNotThereYet()
{
    watch("deep/er/*.py");
    QCOMPARE(m_faults.size(), 1);
    QVERIFY(QDir().mkpath(path("deep/er")));
    write(path("deep/er/a.py"), "1");
    QCOMPARE(told(), QStringList(QStringLiteral("deep/er/a.py")));
}

// The watch of a folder that is renamed goes with it.
void FileWatchTest::folderThatIsReplaced()
{
    QVERIFY(QDir().mkpath(path("src")));
    write(path("src/a.py"), "1");
    watch("src/*.py");
    QVERIFY(QFile::rename(path("src"), path("old")));
    QVERIFY(QDir().mkpath(path("src")));
    write(path("src/a.py"), "1");
    QCOMPARE(told(), QStringList(QStringLiteral("src/a.py")));
    write(path("src/a.py"), "22");
    QCOMPARE(told(), QStringList(QStringLiteral("src/a.py")));
}

// The old one does not end then, so nothing tells of it.
void FileWatchTest::folderThatIsReplacedWhileItIsHeld()
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
    QCOMPARE(told(), QStringList(QStringLiteral("src/a.py")));
    write(path("src/a.py"), "22");
    QCOMPARE(told(), QStringList(QStringLiteral("src/a.py")));
}

// As builds do it.
void FileWatchTest::folderAboveThatIsReplaced()
{
    for (const char *folder : {"dist/server", "dist.new/server"}) {
        QVERIFY(QDir().mkpath(path(folder)));
        write(path(folder) + QStringLiteral("/a.js"), folder);
    }
    watch("dist/server/*.js");
    QVERIFY(QFile::rename(path("dist"), path("dist.old")));
    QVERIFY(QFile::rename(path("dist.new"), path("dist")));
    QCOMPARE(told(), QStringList(QStringLiteral("dist/server/a.js")));
    write(path("dist/server/a.js"), "3");
    QCOMPARE(told(), QStringList(QStringLiteral("dist/server/a.js")));
}

// As deployments do it.
void FileWatchTest::linkThatIsPointedElsewhere()
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
    QCOMPARE(told(), QStringList(QStringLiteral("current/a.py")));
    write(path("releases/7/a.py"), "3");
    QCOMPARE(told(), QStringList(QStringLiteral("current/a.py")));
}

void FileWatchTest::manyAtOnce()
{
    watch("*.py");
    QSignalSpy changed(m_watch.get(), &FileWatch::changed);
    for (int i = 0; i < 1000; ++i)
        write(path(qPrintable(QStringLiteral("f%1.py").arg(i))), "1");
    QCOMPARE(told().size(), 1000);
    QCOMPARE(changed.size(), 1);
}

void FileWatchTest::othersDoNotMatter()
{
    watch("*.py");
    write(path("log.txt"), "1");
    QVERIFY(QDir().mkpath(path("folder")));
    QCoreApplication::processEvents();
    QCOMPARE(m_scheduler->armedCount(), 0U); // it is not even looked
    QVERIFY(QFile::setPermissions(path("server.py"), QFileDevice::ReadOwner));
    QCOMPARE(told(), QStringList());
}

void FileWatchTest::sameContentsWrittenAnewAreAChange()
{
    QFile file(path("server.py"));
    QVERIFY(file.open(QIODevice::ReadWrite));
    // The file system's clock is coarse: what was written just now may keep its time.
    QVERIFY(file.setFileTime(QDateTime::currentDateTime().addSecs(-60),
                             QFileDevice::FileModificationTime));
    file.close();
    watch("server.py");
    write(path("server.py"), "1");
    QCOMPARE(told(), QStringList(QStringLiteral("server.py")));
}

void FileWatchTest::whatMatchesNothingIsSaidOnce()
{
    watch("*.rb");
    QCOMPARE(m_faults, QStringList(path("*.rb") + QStringLiteral(" matches no file yet")));
    write(path("other.rb"), "1");
    QVERIFY(QFile::remove(path("other.rb")));
    QCOMPARE(told(), QStringList());
    QCOMPARE(m_faults.size(), 1);
}

// It need not be there, and that is not said.
void FileWatchTest::oneFileByItsVeryName()
{
    begin([&](FileWatch &watch) { watch.addFile(path("$[a]*.py")); });
    write(path("other.py"), "1");
    write(path("$[a]*.py"), "1");
    QCOMPARE(told(), QStringList(QStringLiteral("$[a]*.py")));
    write(path("$[a]*.py"), "22");
    QCOMPARE(told(), QStringList(QStringLiteral("$[a]*.py")));
    QVERIFY(m_faults.isEmpty());
}

void FileWatchTest::words()
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
