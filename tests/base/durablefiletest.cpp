// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/durablefile_p.h"
#include "testprogram.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <thread>

using namespace Rekindle;

namespace {

QByteArray contentsOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(unreadable)");
}

} // namespace

class DurableFileTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void createsAFile();
    void neverOverwritesOnCreate();
    void replacesTheWholeFile();
    void leavesTemporaryFilesOfOthers();
    void leavesNothingBehindOnError();
    void followsNoLinkThatAppearsLater();
    void namesTheFolderThatCannotBeCreated();
    void movesAsideToTheNextFreeNumber();
    void renamesOnlyToNewNames();

private:
    [[nodiscard]] QString path(const QString &name) const { return m_folder->filePath(name); }
    [[nodiscard]] QStringList names() const
    {
        return QDir(m_folder->path()).entryList(QDir::Files);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    const QByteArray m_state = R"({"format":"rekindle-state",)";
};

void DurableFileTest::init() { m_folder = std::make_unique<QTemporaryDir>(); }

void DurableFileTest::createsAFile()
{
    const QString name = path(QStringLiteral("new"));
    QCOMPARE(createFile(name, "secret", ownerOnly), QString());
    QCOMPARE(contentsOf(name), "secret");
    const auto others = QFileDevice::ReadGroup | QFileDevice::ReadOther;
    QVERIFY(!(QFile::permissions(name) & others));
}

void DurableFileTest::neverOverwritesOnCreate()
{
    const QString name = path(QStringLiteral("old"));
    QCOMPARE(createFile(name, "old", ownerOnly), QString());
    QCOMPARE(createFile(name, "new", ownerOnly),
             QStringLiteral("the file exists and is not overwritten"));
    QCOMPARE(contentsOf(name), "old");
}

void DurableFileTest::replacesTheWholeFile()
{
    const QString name = path(QStringLiteral("file"));
    QCOMPARE(replaceFile(name, m_state + "a long first text", WrittenFile::State), QString());
    QCOMPARE(createFile(name + QStringLiteral(".tmp"), m_state, ownerOnly), QString());
    QCOMPARE(replaceFile(name, m_state + "short", WrittenFile::State), QString());
    QCOMPARE(contentsOf(name), m_state + "short");
    QCOMPARE(names(), QStringList{QStringLiteral("file")});
}

void DurableFileTest::leavesTemporaryFilesOfOthers()
{
    const QString name = path(QStringLiteral("file"));
    const QString other = name + QStringLiteral(".tmp");
    QCOMPARE(createFile(other, "of others", ownerOnly), QString());
    QVERIFY(QFile::link(other, name + QStringLiteral(".tmp-2")));
    QCOMPARE(replaceFile(name, m_state, WrittenFile::State), QString());
    QCOMPARE(contentsOf(name), m_state);
    QCOMPARE(contentsOf(other), "of others");
    QCOMPARE(names(),
             (QStringList{QStringLiteral("file"), QStringLiteral("file.tmp"),
                          QStringLiteral("file.tmp-2")}));
}

void DurableFileTest::leavesNothingBehindOnError()
{
    QVERIFY(!createFile(path(QStringLiteral("absent/file")), "x", ownerOnly).isEmpty());
    QVERIFY(QDir(m_folder->path()).mkdir(QStringLiteral("folder")));
    QVERIFY(!replaceFile(path(QStringLiteral("folder")), "x", WrittenFile::State).isEmpty());
    QCOMPARE(names(), QStringList());
}

// Another process, which may write to the folder, replaces the file with a link again and again.
// The check before each write may see either of them.
void DurableFileTest::followsNoLinkThatAppearsLater()
{
    const QString name = path(QStringLiteral("marker"));
    const QString victim = path(QStringLiteral("victim"));
    QCOMPARE(createFile(victim, QByteArray(), ownerOnly), QString()); // a permitted target
    std::atomic<bool> isDone = false;
    std::thread attacker([&] {
        const QByteArray from = QFile::encodeName(path(QStringLiteral("link")));
        while (!isDone) {
            static_cast<void>(::symlink("victim", from.constData()));
            static_cast<void>(::rename(from.constData(), QFile::encodeName(name).constData()));
            static_cast<void>(::unlink(QFile::encodeName(name).constData()));
        }
    });
    int written = 0;
    for (int i = 0; i < 20'000; ++i) {
        if (replaceSharedFile(name, "<svg", WrittenFile::Drawing, byUmask).isEmpty())
            ++written;
    }
    isDone = true;
    attacker.join();
    QVERIFY(written > 0);
    QCOMPARE(contentsOf(victim), QByteArray());
}

void DurableFileTest::namesTheFolderThatCannotBeCreated()
{
    const QString folder = path(QStringLiteral("file/own"));
    const QString name = folder + QStringLiteral("/below/a.state");
    QCOMPARE(createFile(path(QStringLiteral("file")), {}, ownerOnly), QString());
    QCOMPARE(createFolderOf(name), folder + QStringLiteral(": cannot be created: Not a directory"));
    QVERIFY(QFile::remove(path(QStringLiteral("file"))));
    QCOMPARE(createFolderOf(name), QString());
    QCOMPARE(createFolderOf(name), QString());
    QVERIFY(QFileInfo(folder + QStringLiteral("/below")).isDir());
}

void DurableFileTest::movesAsideToTheNextFreeNumber()
{
    const QString name = path(QStringLiteral("file"));
    for (int number = 1; number <= 2; ++number) {
        QCOMPARE(createFile(name, QByteArray::number(number), ownerOnly), QString());
        QCOMPARE(moveAside(name), QStringLiteral("%1.bad-%2").arg(name).arg(number));
    }
    QCOMPARE(contentsOf(name + QStringLiteral(".bad-1")), "1");
    QCOMPARE(contentsOf(name + QStringLiteral(".bad-2")), "2");
    QCOMPARE(moveAside(name), QString());
}

void DurableFileTest::renamesOnlyToNewNames()
{
    const QString name = path(QStringLiteral("file"));
    const QString other = path(QStringLiteral("other"));
    QCOMPARE(createFile(name, "ours", ownerOnly), QString());
    QCOMPARE(createFile(other, "of others", ownerOnly), QString());
    QCOMPARE(renameToNew(name, other), EEXIST);
    QCOMPARE(contentsOf(other), "of others");
    QCOMPARE(renameToNew(name, path(QStringLiteral("new"))), 0);
    QCOMPARE(contentsOf(path(QStringLiteral("new"))), "ours");
    QCOMPARE(renameToNew(name, path(QStringLiteral("newer"))), ENOENT);
}

REKINDLE_TEST(DurableFileTest)
#include "durablefiletest.moc"
