// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/uniquefd_p.h"
#include "base/writtenfile_p.h"
#include "cli/commandrun.h"
#include "cli/output/outputchannel_p.h"
#include "testprogram.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <csignal>

using namespace Rekindle;

/// Output to files, pipes and sockets, and lines that cannot be written.
class OutputChannelTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void appendsToAFile();
    void countsLinesDroppedByFullDisk();
    void completesOrRemovesPartialLine();
    void writesWholeLinesTogether();
    void writesWholeLinesToFullPipe();
    void fullPipeDoesNotBlock();
    void reportsClosedPipeOnce();
    void keepsFlagsOfDescriptor();
    void followsFileOfDescriptor();

private:
    QTemporaryDir m_folder;
};

namespace {

QByteArray contents(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void limitFileSize(rlim_t size)
{
    rlimit limit{};
    ::getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = size;
    ::setrlimit(RLIMIT_FSIZE, &limit);
}

struct Pipe
{
    Pipe() { ok = ::pipe2(ends.data(), O_CLOEXEC) == 0; }
    ~Pipe()
    {
        closeReader();
        ::close(ends[1]);
    }
    void closeReader()
    {
        if (ends[0] >= 0)
            ::close(ends[0]);
        ends[0] = -1;
    }
    std::array<int, 2> ends{-1, -1};
    bool ok = false;
};

} // namespace

void OutputChannelTest::initTestCase()
{
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
}

void OutputChannelTest::appendsToAFile()
{
    const QString path = m_folder.filePath(QStringLiteral("lines"));
    QString error;
    for (const QByteArray line : {"one\n", "two\n"}) {
        const auto channel = OutputChannel::appendingTo(path, error);
        QVERIFY2(channel, qPrintable(error));
        QVERIFY(channel->write(line));
        QCOMPARE(contents(path).right(line.size()), line);
    }
    QCOMPARE(contents(path), QByteArray("one\ntwo\n"));
    QVERIFY(!OutputChannel::appendingTo(QStringLiteral("/nowhere/lines"), error));
    QVERIFY(!error.isEmpty());
}

void OutputChannelTest::countsLinesDroppedByFullDisk()
{
    QString error;
    const auto channel = OutputChannel::appendingTo(QStringLiteral("/dev/full"), error);
    QVERIFY(channel);
    QSignalSpy failed(channel.get(), &OutputChannel::failed);
    QVERIFY(!channel->write("one\n"));
    QVERIFY(!channel->write("two\n"));
    QCOMPARE(failed.count(), 1);
    QCOMPARE(channel->dropped(), quint64{2});
}

// A limit on the file size causes short writes, like a disk that becomes full.
void OutputChannelTest::completesOrRemovesPartialLine()
{
    const QString path = m_folder.filePath(QStringLiteral("torn"));
    QString error;
    const auto channel = OutputChannel::appendingTo(path, error);
    QVERIFY(channel);
    QSignalSpy failed(channel.get(), &OutputChannel::failed);
    limitFileSize(6);
    QVERIFY(channel->write("one\n"));
    QVERIFY(channel->write("two\n")); // half of it; the rest is queued
    QCOMPARE(contents(path), QByteArray("one\ntw"));
    QVERIFY(!channel->write("three\n"));
    QCOMPARE(failed.count(), 1);
    limitFileSize(RLIM_INFINITY);
    QVERIFY(channel->write("four\n"));
    QCOMPARE(contents(path), QByteArray("one\ntwo\nfour\n"));

    limitFileSize(15);
    QVERIFY(channel->write("five\n"));
    QCOMPARE(contents(path), QByteArray("one\ntwo\nfour\nfi"));
    channel->finish();
    limitFileSize(RLIM_INFINITY);
    QCOMPARE(contents(path), QByteArray("one\ntwo\nfour\n"));
    QCOMPARE(channel->dropped(), quint64{2});
}

void OutputChannelTest::writesWholeLinesTogether()
{
    const QString path = m_folder.filePath(QStringLiteral("many"));
    QString error;
    const auto channel = OutputChannel::appendingTo(path, error);
    QVERIFY(channel);
    const QByteArray lines("one\ntwo\nthree\n");
    QCOMPARE(channel->writeLines(lines), lines.size());
    QCOMPARE(contents(path), lines);
    limitFileSize(18);
    QCOMPARE(channel->writeLines(lines), 4); // to the end of a line
    QCOMPARE(contents(path), lines + "one\n");
    QCOMPARE(channel->writeLines(lines), 0); // nothing
    QCOMPARE(channel->dropped(), quint64{0});
    limitFileSize(24);
    QCOMPARE(channel->writeLines(lines), 8); // half of the second line; its rest is queued
    QCOMPARE(contents(path), lines + "one\none\ntw");
    QCOMPARE(channel->writeLines(lines), 0);
    limitFileSize(RLIM_INFINITY);
    QVERIFY(channel->write("four\n"));
    QCOMPARE(contents(path), lines + "one\none\ntwo\nfour\n");

    limitFileSize(36);
    QCOMPARE(channel->writeLines(lines), 8);
    channel->finish(); // removes only the incomplete line
    limitFileSize(RLIM_INFINITY);
    QCOMPARE(contents(path), lines + "one\none\ntwo\nfour\none\n");
    QCOMPARE(channel->dropped(), quint64{1});
}

void OutputChannelTest::writesWholeLinesToFullPipe()
{
    Pipe pipe;
    QVERIFY(pipe.ok);
    const int room = ::fcntl(pipe.ends[1], F_SETPIPE_SZ, 4096);
    QCOMPARE(room, 4096);
    const auto channel = OutputChannel::to(pipe.ends[1]);
    QVERIFY(channel);
    const QByteArray line = QByteArray(99, 'x') + '\n';
    const qsizetype taken = channel->writeLines(line.repeated(100));
    QCOMPARE(taken, 4100); // the last line is incomplete
    QVERIFY(channel->hasBacklog());
    QCOMPARE(channel->writeLines(line), 0);
    QByteArray read;
    QVERIFY(waitUntil([&] {
        std::array<char, 4096> bytes;
        const ssize_t count = ::read(pipe.ends[0], bytes.data(), bytes.size());
        read.append(bytes.data(), count);
        return read.size() == taken;
    }));
    QCOMPARE(read, line.repeated(41));
    pipe.closeReader();
    QCOMPARE(channel->writeLines(line), 0);
    QVERIFY(!channel->write(line));
    QCOMPARE(channel->dropped(), quint64{1});
}

void OutputChannelTest::fullPipeDoesNotBlock()
{
    Pipe pipe;
    QVERIFY(pipe.ok);
    const auto channel = OutputChannel::to(pipe.ends[1], 1000);
    QVERIFY(channel);
    const QByteArray line = QByteArray(99, 'x') + '\n';
    int taken = 0;
    while (channel->write(line))
        ++taken;
    QVERIFY(channel->hasBacklog());
    QCOMPARE(channel->dropped(), quint64{1});

    QByteArray read;
    QVERIFY(waitUntil([&] {
        std::array<char, 4096> bytes;
        const ssize_t count = ::read(pipe.ends[0], bytes.data(), bytes.size());
        read.append(bytes.data(), count);
        return read.size() == taken * line.size();
    }));
    QVERIFY(!channel->hasBacklog());
    QVERIFY(channel->write(line));
}

void OutputChannelTest::reportsClosedPipeOnce()
{
    Pipe pipe;
    QVERIFY(pipe.ok);
    const auto channel = OutputChannel::to(pipe.ends[1]);
    QVERIFY(channel);
    QSignalSpy failed(channel.get(), &OutputChannel::failed);
    pipe.closeReader();
    QVERIFY(!channel->write("one\n"));
    QVERIFY(!channel->write("two\n"));
    QCOMPARE(failed.count(), 1);
    QCOMPARE(channel->dropped(), quint64{2});
}

// The descriptor is shared: for a child of `run` it must stay blocking.
void OutputChannelTest::keepsFlagsOfDescriptor()
{
    Pipe pipe;
    QVERIFY(pipe.ok);
    const auto channel = OutputChannel::to(pipe.ends[1]);
    QVERIFY(channel);
    QCOMPARE(::fcntl(pipe.ends[1], F_GETFL) & O_NONBLOCK, 0);
    QVERIFY(!OutputChannel::to(-1));
}

// `up --detach` opens its log again and puts it in the place of stdout and stderr.
void OutputChannelTest::followsFileOfDescriptor()
{
    const QString path = m_folder.filePath(QStringLiteral("log"));
    const QString next = m_folder.filePath(QStringLiteral("log.next"));
    const UniqueFd stream(openToAppend(path));
    const auto channel = OutputChannel::to(stream.get());
    QVERIFY(channel);
    QVERIFY(channel->write("one\n"));
    const UniqueFd other(openToAppend(next));
    QCOMPARE(::dup2(other.get(), stream.get()), stream.get());
    QVERIFY(channel->write("two\n"));
    QCOMPARE(contents(path), QByteArray("one\n"));
    QCOMPARE(contents(next), QByteArray("two\n"));
}

REKINDLE_TEST(OutputChannelTest)
#include "outputchanneltest.moc"
