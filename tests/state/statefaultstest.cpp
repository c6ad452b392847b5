// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "life.h"
#include "readonlyfolder.h"
#include "testprogram.h"

#include <QTemporaryDir>
#include <QtTest>

#include <csignal>
#include <optional>
#include <sys/resource.h>
#include <unistd.h>

using namespace Rekindle;
using namespace std::chrono_literals;

// Bad files, bad folders, two hosts: each is told, and the engine goes on.
class StateFaultsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void whatCannotBeUsedIsKeptAside_data();
    void whatCannotBeUsedIsKeptAside();
    void asideNeverTakesAPlace();
    void twoHosts();
    void folderThatCannotBeWrittenTo_data();
    void folderThatCannotBeWrittenTo();
    void notAFile();
    void fullDisk();
    void folderThatComesBack();
    void leftoversOfAKilledWriter();
    void aLinkStaysOne_data();
    void aLinkStaysOne();

private:
    [[nodiscard]] QByteArray read(const QString &name) const;
    void write(const QString &name, const QByteArray &bytes) const;

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_path;
};

namespace {

const QString web = QStringLiteral("web");
const AgentScript crashes{QStringLiteral("started fail")};
const QString loop = QStringLiteral(
    "'initialDelay':'100ms','multiplier':1,'maxRetries':'unlimited','circuitBreaker':'off'");

bool runs(Life &life)
{
    life.stage.add(web, crashes, loop);
    life.begin();
    life.stage.advance(1s);
    return life.stage.log.text().contains(QLatin1String("restart:9"));
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

void StateFaultsTest::whatCannotBeUsedIsKeptAside_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("reason");
    QTest::newRow("torn") << QByteArray("{\"format\":\"rekindle-state\",\"version\":1,\"sha")
                          << QStringLiteral("not a state file");
    QTest::newRow("empty") << QByteArray() << QStringLiteral("it is damaged: it is empty");
    QTest::newRow("foreign") << QByteArray("my letter to the queen")
                             << QStringLiteral("not a state file");
    QTest::newRow("old") << QByteArray("{\"format\":\"rekindle-state\",\"version\":0}\n")
                         << QStringLiteral(
                                "it is of the old version 0, which is not read any more");
    QTest::newRow("future")
        << QByteArray("{\"format\":\"rekindle-state\",\"version\":7,\"new\":[1]}\nanything")
        << QStringLiteral("it is of version 7, and this is a program for version 1");
}

void StateFaultsTest::whatCannotBeUsedIsKeptAside()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, reason);
    write(QStringLiteral("a.state"), bytes);
    {
        Life life(m_path);
        QVERIFY(life.state->open());
        QCOMPARE(life.aside, m_path + QStringLiteral(".bad-1"));
        QCOMPARE(life.asideReason, reason);
        QVERIFY(life.failures.isEmpty());
        QVERIFY(runs(life));
        QVERIFY(life.waitForWrites(1));
    }
    QCOMPARE(read(QStringLiteral("a.state.bad-1")), bytes);
    Life next(m_path, 2h);
    QVERIFY(next.state->open());
    QVERIFY(next.aside.isEmpty());
}

void StateFaultsTest::asideNeverTakesAPlace()
{
    write(QStringLiteral("a.state.bad-1"), "first");
    write(QStringLiteral("a.state"), "second");
    Life life(m_path);
    QVERIFY(life.state->open());
    QCOMPARE(read(QStringLiteral("a.state.bad-1")), QByteArray("first"));
    QCOMPARE(read(QStringLiteral("a.state.bad-2")), QByteArray("second"));
}

void StateFaultsTest::twoHosts()
{
    auto first = std::make_unique<Life>(m_path);
    QVERIFY(first->state->open());
    {
        Life second(m_path);
        QVERIFY(!second.state->open());
        QCOMPARE(second.failures,
                 QStringList(QStringLiteral("another host, process %1, uses it").arg(getpid())));
        QVERIFY(runs(second));
        QVERIFY(!second.state->close());
    }
    QVERIFY(!QFile::exists(m_path)); // nothing of the second one
    QVERIFY(runs(*first));
    QVERIFY(first->waitForWrites(1));
    first.reset();
    Life third(m_path);
    QVERIFY(third.state->open());
}

void StateFaultsTest::folderThatCannotBeWrittenTo_data()
{
    QTest::addColumn<QString>("folder");
    QTest::newRow("read-only") << QString();
    QTest::newRow("of the kernel") << QStringLiteral("/proc");
}

void StateFaultsTest::folderThatCannotBeWrittenTo()
{
    QFETCH(QString, folder);
    std::optional<ReadOnlyFolder> readOnly;
    if (folder.isEmpty()) {
        folder = m_folder->path();
        readOnly.emplace(folder);
        if (!readOnly->fault().isEmpty())
            QSKIP(qPrintable(readOnly->fault()));
    }
    Life life(folder + QStringLiteral("/a.state"));
    QVERIFY(!life.state->open());
    QCOMPARE(life.failures.size(), 1);
    QVERIFY2(life.failures[0].startsWith(folder), qPrintable(life.failures[0]));
    QVERIFY(runs(life));
}

void StateFaultsTest::notAFile()
{
    QVERIFY(QDir(m_folder->path()).mkdir(QStringLiteral("a.state")));
    Life life(m_path);
    QVERIFY(!life.state->open());
    QCOMPARE(life.failures, QStringList(QStringLiteral("expected a file, found a folder")));
    QVERIFY(runs(life));
}

namespace {
// No file of this process may become longer.
void limitFiles(rlim_t bytes)
{
    rlimit limit{};
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
}
} // namespace

// The system refuses to write, in the middle of it, as on a full disk.
void StateFaultsTest::fullDisk()
{
    std::signal(SIGXFSZ, SIG_IGN);
    Life life(m_path);
    QVERIFY(life.state->open());
    life.stage.add(web, crashes, loop);
    life.begin();
    QVERIFY(life.waitForWrites(1));
    const QByteArray before = read(QStringLiteral("a.state"));
    limitFiles(100);
    life.stage.advance(1s);
    const bool failed = QTest::qWaitFor([&] { return !life.failures.isEmpty(); }, 30'000);
    // Until time goes on nothing more is tried.
    const QByteArray after = read(QStringLiteral("a.state"));
    const bool isTidy = !QFile::exists(m_path + QStringLiteral(".tmp"));
    for (int i = 0; i < 5; ++i) { // tried again, told once
        life.stage.advance(1s);
        QCoreApplication::processEvents();
    }
    limitFiles(RLIM_INFINITY);
    QVERIFY(failed);
    QCOMPARE(life.failures, QStringList(QString::fromLocal8Bit(std::strerror(EFBIG))));
    QCOMPARE(after, before);
    QVERIFY(isTidy);
    QVERIFY(QTest::qWaitFor(
        [&] {
            life.stage.advance(1s);
            return life.resumptions == 1;
        },
        30'000));
    QVERIFY(read(QStringLiteral("a.state")) != before);
}

void StateFaultsTest::folderThatComesBack()
{
    const QString folder = m_folder->filePath(QStringLiteral("one"));
    const QString away = m_folder->filePath(QStringLiteral("away"));
    QVERIFY(QDir().mkdir(folder));
    Life life(folder + QStringLiteral("/a.state"));
    QVERIFY(life.state->open());
    QVERIFY(QDir().rename(folder, away));
    QVERIFY(runs(life));
    QVERIFY(QTest::qWaitFor([&] { return life.failures.size() == 1; }, 30'000));
    QVERIFY(QDir().rename(away, folder));
    QVERIFY(QTest::qWaitFor(
        [&] {
            life.stage.advance(1s);
            return life.resumptions == 1;
        },
        30'000));
    QVERIFY(QFile::exists(folder + QStringLiteral("/a.state")));
}

void StateFaultsTest::leftoversOfAKilledWriter()
{
    write(QStringLiteral("a.state.tmp"), "half of some");
    write(QStringLiteral("a.state.lock"), "99999999\n");
    Life life(m_path);
    QVERIFY(life.state->open());
    QVERIFY(runs(life));
    QVERIFY(life.waitForWrites(1));
    QVERIFY(life.failures.isEmpty());
    QVERIFY(read(QStringLiteral("a.state")).startsWith("{\"format\""));
}

void StateFaultsTest::aLinkStaysOne_data()
{
    QTest::addColumn<bool>("isThere");
    QTest::newRow("to a file") << true;
    QTest::newRow("to a file that is yet to come") << false;
}

void StateFaultsTest::aLinkStaysOne()
{
    QFETCH(bool, isThere);
    const QString real = m_folder->filePath(QStringLiteral("real.state"));
    if (isThere) {
        Life life(real);
        QVERIFY(life.state->open());
        QVERIFY(runs(life));
    }
    QVERIFY(QFile::link(real, m_path));
    Life life(m_path, 2h);
    QVERIFY(life.state->open());
    QVERIFY(runs(life) || life.state->resumedCount() == 1);
    QVERIFY(life.waitForWrites(1));
    QVERIFY(QFileInfo(m_path).isSymLink());
    QVERIFY(QFileInfo(real).isFile());
}

REKINDLE_TEST(StateFaultsTest)
#include "statefaultstest.moc"
