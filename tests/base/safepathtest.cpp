// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/boundedfile_p.h"
#include "base/files/fileglob_p.h"
#include "base/files/filetail_p.h"
#include "base/safepath_p.h"
#include "base/writtenfile_p.h"
#include "testprogram.h"
#include "testrow.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>

using namespace Rekindle;

/// Links in folders of this user and of others.
class SafePathTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void followsOwnLinks_data();
    void followsOwnLinks();
    void followsNoLinkThatOthersCanReplace_data();
    void followsNoLinkThatOthersCanReplace();
    void followsLinksOfUserInSticky();
    void createsFiles();
    void reportsErrors_data();
    void reportsErrors();
    void opensDescriptorsOnProc();
    void opensFolder();
    void usersOfClassFollowNoLink();

private:
    [[nodiscard]] QString path(const QString &name) const { return m_folder->filePath(name); }
    void makeFolder(const QString &name, mode_t mode, uid_t owner = ::geteuid()) const
    {
        QVERIFY(QDir(m_folder->path()).mkpath(name));
        const QByteArray encoded = QFile::encodeName(path(name));
        QCOMPARE(::chmod(encoded.constData(), mode), 0);
        if (owner != ::geteuid())
            QCOMPARE(::chown(encoded.constData(), owner, owner), 0);
    }
    static QByteArray contentOf(const UniqueFd &fd)
    {
        std::array<char, 64> text{};
        const ssize_t size = ::read(fd.get(), text.data(), text.size());
        return {text.data(), std::max<ssize_t>(size, 0)};
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void SafePathTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    makeFolder(QStringLiteral("data"), 0755);
    QFile file(path(QStringLiteral("data/file")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("text");
}

void SafePathTest::followsOwnLinks_data()
{
    const Rows<QString, QString> row("target", "opened");
    row("no link", "data", "data/file");
    row("folder", "data", "link/file");
    row("folder, absolute", "/data", "link/file");
    row("file", "data/file", "link");
    row("to a link", "chain", "link/file");
    row("upward", "data/../data/./file", "link");
    row("path upward", "data", "link/../data//file");
    row("within a folder", "../data/file", "own/link");
}

void SafePathTest::followsOwnLinks()
{
    QFETCH(QString, target);
    QFETCH(const QString, opened);
    if (target.startsWith(u'/'))
        target.prepend(m_folder->path());
    makeFolder(QStringLiteral("own"), 0700);
    QVERIFY(QFile::link(QStringLiteral("data"), path(QStringLiteral("chain"))));
    QVERIFY(QFile::link(target,
                        path(opened.startsWith(QLatin1String("own")) ? QStringLiteral("own/link")
                                                                     : QStringLiteral("link"))));
    QCOMPARE(contentOf(SafePath(path(opened)).open(O_RDONLY)), QByteArray("text"));
    QCOMPARE(contentOf(SafePath(QDir::current().relativeFilePath(path(opened))).open(O_RDONLY)),
             QByteArray("text"));
}

void SafePathTest::followsNoLinkThatOthersCanReplace_data()
{
    const Rows<uint, uint, QString> row("mode", "owner", "link");
    constexpr uint other = 65534;
    row("all can write", 0777U, uint(::geteuid()), "open/link");
    row("below", 0777U, uint(::geteuid()), "open/a/b/link");
    row("of another user", 0755U, other, "open/link");
    row("below one of another user", 0755U, other, "open/a/link");
}

void SafePathTest::followsNoLinkThatOthersCanReplace()
{
    QFETCH(uint, mode);
    QFETCH(uint, owner);
    QFETCH(const QString, link);
    if (owner != ::geteuid() && ::geteuid() != 0)
        QSKIP("only root can create a folder of another user");
    makeFolder(QStringLiteral("open/a/b"), 0755);
    makeFolder(QStringLiteral("open"), mode, owner);
    for (const char *each : {"data", "data/file", "nothing"}) {
        QFile::remove(path(link));
        QVERIFY(QFile::link(path(QLatin1String(each)), path(link)));
        for (const QString &name : {path(link), path(link + QLatin1String("/file"))}) {
            errno = 0;
            QVERIFY(!SafePath(name).open(O_RDONLY).isOpen());
            QCOMPARE(errno, ELOOP);
        }
        QVERIFY(!SafePath(path(link)).open(O_WRONLY | O_CREAT, 0600).isOpen());
    }
    QVERIFY(!QFile::exists(path(QStringLiteral("nothing"))));
    // Files and folders there are opened.
    QVERIFY(SafePath(path(QStringLiteral("open/a/file"))).open(O_WRONLY | O_CREAT, 0600).isOpen());
}

void SafePathTest::followsLinksOfUserInSticky()
{
    makeFolder(QStringLiteral("sticky"), 01777);
    QVERIFY(QFile::link(path(QStringLiteral("data/file")), path(QStringLiteral("sticky/own"))));
    QVERIFY(SafePath(path(QStringLiteral("sticky/own"))).open(O_RDONLY).isOpen());
    if (::geteuid() != 0)
        QSKIP("only root can create a link of another user");
    QCOMPARE(::lchown(QFile::encodeName(path(QStringLiteral("sticky/own"))).constData(), 65534, 0),
             0);
    QVERIFY(!SafePath(path(QStringLiteral("sticky/own"))).open(O_RDONLY).isOpen());
    QCOMPARE(errno, ELOOP);
}

void SafePathTest::createsFiles()
{
    const SafePath created(path(QStringLiteral("data/new")));
    QVERIFY(!created.open(O_RDONLY).isOpen());
    QCOMPARE(errno, ENOENT);
    QVERIFY(created.open(O_WRONLY | O_CREAT | O_EXCL, 0600).isOpen());
    QVERIFY(!created.open(O_WRONLY | O_CREAT | O_EXCL, 0600).isOpen());
    QCOMPARE(errno, EEXIST);
    QVERIFY(QFile::link(path(QStringLiteral("data/late")), path(QStringLiteral("link"))));
    QVERIFY(SafePath(path(QStringLiteral("link"))).open(O_WRONLY | O_CREAT, 0600).isOpen());
    QVERIFY(QFile::exists(path(QStringLiteral("data/late"))));
}

void SafePathTest::reportsErrors_data()
{
    const Rows<QString, int> row("name", "error");
    row("missing", "nothing", ENOENT);
    row("missing folder", "nothing/file", ENOENT);
    row("file as folder", "data/file/x", ENOTDIR);
    row("circle", "circle", EMLINK);
}

void SafePathTest::reportsErrors()
{
    QFETCH(QString, name);
    QFETCH(int, error);
    QVERIFY(QFile::link(path(QStringLiteral("circle")), path(QStringLiteral("circle"))));
    QVERIFY(!SafePath(path(name)).open(O_RDONLY).isOpen());
    QCOMPARE(errno, error);
    QVERIFY(!SafePath(QString()).open(O_RDONLY).isOpen());
    QCOMPARE(errno, ENOENT);
}

void SafePathTest::opensDescriptorsOnProc()
{
    std::array<int, 2> ends{};
    QCOMPARE(::pipe(ends.data()), 0);
    QCOMPARE(::write(ends[1], "piped", 5), 5);
    QCOMPARE(contentOf(SafePath(QStringLiteral("/dev/fd/%1").arg(ends[0])).open(O_RDONLY)),
             QByteArray("piped"));
    QVERIFY(SafePath(QStringLiteral("/proc/self/cwd")).open(O_RDONLY | O_DIRECTORY).isOpen());
    for (const int each : ends)
        ::close(each);
}

void SafePathTest::opensFolder()
{
    const SafePath file(path(QStringLiteral("data/file")));
    QCOMPARE(file.name(), QByteArray("file"));
    struct stat own = {};
    struct stat named = {};
    QCOMPARE(::fstat(file.openFolder().get(), &own), 0);
    QCOMPARE(::stat(QFile::encodeName(path(QStringLiteral("data"))).constData(), &named), 0);
    QCOMPARE(own.st_ino, named.st_ino);
}

void SafePathTest::usersOfClassFollowNoLink()
{
    makeFolder(QStringLiteral("open"), 0777);
    QVERIFY(QFile::link(path(QStringLiteral("data")), path(QStringLiteral("open/link"))));
    const QString file = path(QStringLiteral("open/link/file"));
    const QString why = QStringLiteral("a symbolic link in a folder that others can write to");
    QCOMPARE(BoundedFile::read(file, 100).error, why);
    FileTail tail(file);
    QVERIFY(tail.readLines().isEmpty());
    QCOMPARE(tail.error(), why);
    QCOMPARE(openToAppend(file), -1);
    QCOMPARE(appendErrorText(errno), why);
    QVERIFY(refusalOf(file, WrittenFile::Output).endsWith(why));
    QVERIFY(!FileGlob(path(QStringLiteral("open/link/*"))).matchesAny());
    QVERIFY(!FileGlob(path(QStringLiteral("open/*/file"))).matchesAny());
    QVERIFY(FileGlob(path(QStringLiteral("data/*"))).matchesAny());
}

REKINDLE_TEST(SafePathTest)
#include "safepathtest.moc"
