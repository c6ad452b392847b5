// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "process/io/rotatedfile_p.h"
#include "testprogram.h"
#include "testrow.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

using namespace Rekindle;
using namespace std::chrono_literals;

/// A file that is rotated by its size and its age. The times are passed, so no test waits.
class RotatedFileTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void rotatesBeforeTheLimit();
    void rotatesByAge();
    void keepsEveryLineOnce();
    void continuesAnExistingFile();
    void endsATornLine();
    void reopensAfterRenaming();
    void leavesFilesOfOthers_data();
    void leavesFilesOfOthers();
    void doesNotRenameTheFileOfAnother();
    void doesNotRotateALink();
    void keepsPipeOpen();
    void keepsOpenFileIfReopeningFails();
    void countsAgeFromFirstLine();
    void findsBeginWithoutCreationTime();
    void reportsLostLines();
    void reportsChangingSpaceOnceAMinute();
    void followsNoLinkOfAnotherUser();
    void isSharedByPath();
    void failsInMissingFolder();

private:
    [[nodiscard]] QString path(const QString &name = QStringLiteral("log")) const
    {
        return m_folder->filePath(name);
    }
    [[nodiscard]] QByteArray content(const QString &name = QStringLiteral("log")) const
    {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("missing");
    }
    [[nodiscard]] QStringList names() const
    {
        return QDir(m_folder->path()).entryList(QDir::Files, QDir::Name);
    }
    void write(const QString &name, const QByteArray &bytes) const
    {
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    const UtcTime m_now =
        std::chrono::time_point_cast<UtcTime::duration>(std::chrono::system_clock::now());
};

namespace {

QRegularExpression anyText() { return QRegularExpression(QStringLiteral(".")); }

} // namespace

void RotatedFileTest::init() { m_folder = std::make_unique<QTemporaryDir>(); }

void RotatedFileTest::rotatesBeforeTheLimit()
{
    RotatedFile file(path());
    file.setRotation({.maxSize = 10, .keep = 2});
    file.write({"12345678"}, m_now); // 9 bytes
    QCOMPARE(names(), QStringList(QStringLiteral("log")));
    file.write({"a"}, m_now);
    QCOMPARE(content(), QByteArray("a\n"));
    QCOMPARE(content(QStringLiteral("log.1")), QByteArray("12345678\n"));
    file.write({"bbbbbbbbb", "ccccccccc"}, m_now);
    QCOMPARE(
        names(),
        QStringList({QStringLiteral("log"), QStringLiteral("log.1"), QStringLiteral("log.2")}));
    QCOMPARE(content(QStringLiteral("log.2")), QByteArray("a\n"));
    QCOMPARE(content(QStringLiteral("log.1")), QByteArray("bbbbbbbbb\n"));
    QCOMPARE(content(), QByteArray("ccccccccc\n"));
    struct stat info = {};
    QCOMPARE(::stat(QFile::encodeName(path()).constData(), &info), 0);
    QCOMPARE(info.st_mode & 0777U, 0600U);
    // A line that is larger than the limit has a file of its own.
    file.write({"0123456789abcdef"}, m_now);
    QCOMPARE(content(), QByteArray("0123456789abcdef\n"));
}

void RotatedFileTest::rotatesByAge()
{
    RotatedFile file(path());
    file.setRotation({.maxAge = 1h, .keep = 1});
    file.write({"one"}, m_now);
    file.write({"two"}, m_now + 50min);
    QCOMPARE(content(), QByteArray("one\ntwo\n"));
    file.write({"three"}, m_now + 2h);
    QCOMPARE(content(), QByteArray("three\n"));
    file.write({"four"}, m_now + 2h + 59min);
    QCOMPARE(content(), QByteArray("three\nfour\n"));
    file.write({"five"}, m_now + 3h);
    QCOMPARE(content(), QByteArray("five\n"));
    QCOMPARE(content(QStringLiteral("log.1")), QByteArray("three\nfour\n"));
}

void RotatedFileTest::keepsEveryLineOnce()
{
    RotatedFile file(path());
    file.setRotation({.maxSize = 5000, .keep = 100});
    constexpr int count = 20'000;
    for (int i = 0; i < count; i += 10) {
        QList<QByteArray> lines;
        for (int k = i; k < i + 10; ++k)
            lines.append(QByteArray::number(k));
        file.write(lines, m_now);
    }
    QByteArray all;
    for (qsizetype number = names().size() - 1; number > 0; --number) {
        const QByteArray part = content(QStringLiteral("log.%1").arg(number));
        QVERIFY(part.size() <= 5000);
        all += part;
    }
    all += content();
    const QList<QByteArray> lines = all.split('\n');
    QCOMPARE(lines.size(), count + 1);
    for (int i = 0; i < count; ++i)
        QCOMPARE(lines[i], QByteArray::number(i));
}

void RotatedFileTest::continuesAnExistingFile()
{
    write(QStringLiteral("log"), "12345\n");
    RotatedFile file(path());
    file.setRotation({.maxSize = 10});
    file.write({"abc"}, m_now);
    QCOMPARE(content(), QByteArray("12345\nabc\n"));
    file.write({"d"}, m_now);
    QCOMPARE(content(), QByteArray("d\n"));
}

void RotatedFileTest::endsATornLine()
{
    write(QStringLiteral("log"), "12");
    RotatedFile file(path());
    file.setRotation({.maxSize = 1000});
    file.write({"abc"}, m_now);
    QCOMPARE(content(), QByteArray("12\nabc\n"));
}

void RotatedFileTest::reopensAfterRenaming()
{
    const auto file = RotatedFile::at(path(), {.maxSize = 1000});
    file->write({"one"}, m_now);
    QVERIFY(QFile::rename(path(), path(QStringLiteral("moved"))));
    file->write({"two"}, m_now);
    RotatedFile::reopenAll();
    file->write({"three"}, m_now);
    QCOMPARE(content(QStringLiteral("moved")), QByteArray("one\ntwo\n"));
    QCOMPARE(content(), QByteArray("three\n"));
}

void RotatedFileTest::leavesFilesOfOthers_data()
{
    const Rows<bool> row("isLink");
    row("folder", false);
    row("link", true);
}

void RotatedFileTest::leavesFilesOfOthers()
{
    QFETCH(bool, isLink);
    write(QStringLiteral("precious"), "mine");
    const QString first = path(QStringLiteral("log.1"));
    if (isLink)
        QVERIFY(QFile::link(path(QStringLiteral("precious")), first));
    else
        QVERIFY(QDir().mkdir(first));
    QTest::ignoreMessage(QtWarningMsg,
                         qPrintable(path()
                                    + QLatin1String(": cannot be rotated: File exists; "
                                                    "lines are appended")));
    RotatedFile file(path());
    file.setRotation({.maxSize = 10});
    for (int i = 0; i < 5; ++i)
        file.write({"123456"}, m_now);
    QCOMPARE(content(), QByteArray("123456\n").repeated(5));
    QCOMPARE(content(QStringLiteral("precious")), QByteArray("mine"));
    QCOMPARE(QFileInfo(first).isSymLink(), isLink);
}

// Another program has put a file in the place of this one.
void RotatedFileTest::doesNotRenameTheFileOfAnother()
{
    RotatedFile file(path());
    file.setRotation({.maxSize = 10});
    file.write({"12345678"}, m_now);
    QVERIFY(QFile::remove(path()));
    write(QStringLiteral("log"), "other\n");
    file.write({"abc"}, m_now);
    QCOMPARE(content(), QByteArray("other\nabc\n"));
    QCOMPARE(names(), QStringList(QStringLiteral("log")));
}

void RotatedFileTest::doesNotRotateALink()
{
    write(QStringLiteral("target"), "");
    QVERIFY(QFile::link(path(QStringLiteral("target")), path()));
    QTest::ignoreMessage(QtWarningMsg,
                         qPrintable(path()
                                    + QLatin1String(": cannot be rotated: it is a symbolic link; "
                                                    "lines are appended")));
    QTest::failOnWarning(anyText());
    RotatedFile file(path());
    file.setRotation({.maxSize = 10});
    for (int i = 0; i < 5; ++i)
        file.write({"123456"}, m_now);
    QCOMPARE(content(QStringLiteral("target")), QByteArray("123456\n").repeated(5));
    QVERIFY(QFileInfo(path()).isSymLink());
    QCOMPARE(names(), QStringList({QStringLiteral("log"), QStringLiteral("target")}));
}

// A reader of the pipe would see its end.
void RotatedFileTest::keepsPipeOpen()
{
    const QByteArray name = QFile::encodeName(path());
    QCOMPARE(::mkfifo(name.constData(), 0600), 0);
    const UniqueFd reader(::open(name.constData(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    QVERIFY(reader.isOpen());
    RotatedFile file(path());
    file.setRotation({.maxSize = 10});
    file.write({"123456", "123456", "123456"}, m_now);
    file.reopen();
    std::array<char, 100> bytes{};
    QCOMPARE(::read(reader.get(), bytes.data(), bytes.size()), ssize_t{21});
    QCOMPARE(::read(reader.get(), bytes.data(), bytes.size()), ssize_t{-1});
    QCOMPARE(errno, EAGAIN);
    file.write({"last"}, m_now);
    QCOMPARE(::read(reader.get(), bytes.data(), bytes.size()), ssize_t{5});
}

// A folder in the place of the file stands for any error of open().
void RotatedFileTest::keepsOpenFileIfReopeningFails()
{
    const auto file = RotatedFile::at(path(), {.maxSize = 10});
    file->write({"1"}, m_now);
    QVERIFY(QFile::rename(path(), path(QStringLiteral("moved"))));
    QVERIFY(QDir().mkdir(path()));
    const QString message = path()
        + QLatin1String(": cannot be opened again: Is a directory; "
                        "continuing with the open file");
    QTest::ignoreMessage(QtWarningMsg, qPrintable(message));
    RotatedFile::reopenAll();
    QTest::ignoreMessage(QtWarningMsg, qPrintable(message));
    RotatedFile::reopenAll();
    QTest::failOnWarning(anyText());
    file->write({"23456789", "a", "b"}, m_now); // beyond the limit, each line attempts a rotation
    QCOMPARE(content(QStringLiteral("moved")), QByteArray("1\n23456789\na\nb\n"));
    QVERIFY(QDir().rmdir(path()));
    file->write({"c"}, m_now);
    QCOMPARE(content(), QByteArray("c\n"));
}

// logrotate can create the file long before a line is written.
void RotatedFileTest::countsAgeFromFirstLine()
{
    write(QStringLiteral("log"), "");
    RotatedFile file(path());
    file.setRotation({.maxAge = 1h});
    QCOMPARE(file.open(), 0);
    file.write({"one"}, m_now + 2h);
    file.write({"two"}, m_now + 2h + 59min);
    QCOMPARE(content(), QByteArray("one\ntwo\n"));
    file.write({"three"}, m_now + 3h);
    QCOMPARE(content(), QByteArray("three\n"));
}

void RotatedFileTest::findsBeginWithoutCreationTime()
{
    struct statx info = {};
    info.stx_btime.tv_sec = 100;
    info.stx_mtime.tv_sec = 200;
    const QByteArray previous = QFile::encodeName(path(QStringLiteral("log.1")));
    QCOMPARE(contentBegin(info, previous), UtcTime(200s));
    write(QStringLiteral("log.1"), "");
    struct stat renamed = {};
    QCOMPARE(::stat(previous.constData(), &renamed), 0);
    QCOMPARE(contentBegin(info, previous), UtcTime(std::chrono::seconds(renamed.st_ctime)));
    info.stx_mask = STATX_BTIME;
    QCOMPARE(contentBegin(info, previous), UtcTime(100s));
}

// The limit stands for a full disk.
void RotatedFileTest::reportsLostLines()
{
    const auto restore = std::signal(SIGXFSZ, SIG_IGN);
    RotatedFile file(path());
    file.setRotation({.maxAge = 1h});
    rlimit before{};
    QCOMPARE(::getrlimit(RLIMIT_FSIZE, &before), 0);
    file.write({"1234"}, m_now);
    const rlimit limit{7, before.rlim_max};
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &limit), 0);
    QTest::ignoreMessage(QtWarningMsg,
                         qPrintable(path()
                                    + QLatin1String(": cannot be written: File too "
                                                    "large; lines are lost")));
    file.write({"abcd", "efgh"}, m_now);
    file.write({"ijkl"}, m_now);
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &before), 0);
    QTest::ignoreMessage(QtWarningMsg,
                         qPrintable(path()
                                    + QLatin1String(": write succeeded again; 13 bytes in "
                                                    "3 lines were lost")));
    file.write({"last"}, m_now);
    QCOMPARE(content(), QByteArray("1234\nab\nlast\n"));
    std::signal(SIGXFSZ, restore);
}

// A rotation can free a little space again and again.
void RotatedFileTest::reportsChangingSpaceOnceAMinute()
{
    const auto restore = std::signal(SIGXFSZ, SIG_IGN);
    QTest::failOnWarning(anyText());
    rlimit before{};
    QCOMPARE(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto expect = [this](const char *what) {
        QTest::ignoreMessage(QtWarningMsg, qPrintable(path() + QLatin1String(what)));
    };
    auto file = std::make_unique<RotatedFile>(path());
    file->setRotation({.maxAge = 1h});
    const auto lose = [&](UtcTime now) {
        const rlimit limit{static_cast<rlim_t>(QFileInfo(path()).size()), before.rlim_max};
        QCOMPARE(::setrlimit(RLIMIT_FSIZE, &limit), 0);
        file->write({"lost"}, now);
        QCOMPARE(::setrlimit(RLIMIT_FSIZE, &before), 0);
    };
    file->write({"first"}, m_now);
    expect(": cannot be written: File too large; lines are lost");
    expect(": write succeeded again; 5 bytes in 1 line were lost");
    for (int i = 0; i < 10; ++i) {
        lose(m_now + i * 1s);
        file->write({"x"}, m_now + i * 1s);
    }
    expect(": write succeeded again; 45 bytes in 9 lines were lost");
    file->write({"x"}, m_now + 1min);
    expect(": cannot be written: File too large; lines are lost");
    lose(m_now + 10min);
    expect(": 5 bytes in 1 line were lost");
    file.reset();
    std::signal(SIGXFSZ, restore);
}

// The agent's user replaces a folder above the file of a host that runs as root.
void RotatedFileTest::followsNoLinkOfAnotherUser()
{
    if (::geteuid() != 0)
        QSKIP("only root can create a folder of another user");
    constexpr uid_t other = 65534;
    QVERIFY(QDir(m_folder->path()).mkpath(QStringLiteral("agent/logs")));
    QVERIFY(QDir(m_folder->path()).mkpath(QStringLiteral("root")));
    QCOMPARE(::chown(QFile::encodeName(path(QStringLiteral("agent"))).constData(), other, other),
             0);
    const QString name = path(QStringLiteral("agent/logs/log"));
    RotatedFile file(name);
    file.setRotation({.maxSize = 10, .keep = 1});
    file.write({"12345678"}, m_now);
    QVERIFY(QFile::rename(path(QStringLiteral("agent/logs")), path(QStringLiteral("agent/moved"))));
    QVERIFY(QFile::link(path(QStringLiteral("root")), path(QStringLiteral("agent/logs"))));
    write(QStringLiteral("root/log"), "mine");
    QTest::failOnWarning(anyText());
    QTest::ignoreMessage(QtWarningMsg,
                         qPrintable(name
                                    + QLatin1String(": cannot be rotated: a symbolic link in a "
                                                    "folder that others can write to; lines are "
                                                    "appended")));
    file.write({"abcdefgh"}, m_now);
    QCOMPARE(content(QStringLiteral("agent/moved/log")), QByteArray("12345678\nabcdefgh\n"));
    QCOMPARE(content(QStringLiteral("root/log")), QByteArray("mine"));
    QVERIFY(!QFile::exists(path(QStringLiteral("root/log.1"))));
    RotatedFile later(name);
    QCOMPARE(later.open(), ELOOP);
}

void RotatedFileTest::isSharedByPath()
{
    const auto one = RotatedFile::at(path(), {.maxSize = 10});
    QCOMPARE(RotatedFile::at(path(), {.maxSize = 10}), one);
    QVERIFY(RotatedFile::at(path(QStringLiteral("other")), {.maxSize = 10}) != one);
}

void RotatedFileTest::failsInMissingFolder()
{
    RotatedFile file(path(QStringLiteral("missing/log")));
    QCOMPARE(file.open(), ENOENT);
}

REKINDLE_TEST(RotatedFileTest)
#include "rotatedfiletest.moc"
