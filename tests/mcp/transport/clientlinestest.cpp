// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "mcp/transport/clientlines_p.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/lifecycle/virtualscheduler.h>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>

using namespace Rekindle;

class ClientLinesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { std::signal(SIGPIPE, SIG_IGN); }
    void buffersUnreadBytes();
    void doesNotBlockOnBlockingPipe();
    void writesLargeLineAtOnce();
    void waitsForSlowClientAtTheEnd();
    void reportsOutputThatCannotBeWritten();
    void detectsHangUpBehindUnreadBytes_data();
    void detectsHangUpBehindUnreadBytes();

private:
    VirtualClock m_clock;
    VirtualScheduler m_scheduler{m_clock};
};

namespace {

QByteArray readAll(int fd, qsizetype size)
{
    QByteArray all;
    (void)QTest::qWaitFor(
        [&] {
            char block[3000];
            for (ssize_t got; (got = ::read(fd, block, sizeof block)) > 0;)
                all.append(block, got);
            return all.size() >= size;
        },
        30000);
    return all;
}

// Adds lines of numbers to the client and to `expected`.
void writeNumbers(ClientLines &client, int from, int to, QByteArray &expected)
{
    for (int i = from; i < to; ++i) {
        client.add(QByteArray::number(i));
        expected += QByteArray::number(i) + '\n';
    }
    client.flush();
}

} // namespace

void ClientLinesTest::buffersUnreadBytes()
{
    int ends[2];
    QCOMPARE(::pipe2(ends, O_CLOEXEC), 0);
    ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
    ClientLines client(0, ends[1], m_scheduler);
    QSignalSpy drained(&client, &ClientLines::drained);
    QByteArray expected;
    writeNumbers(client, 0, 400000, expected);
    QVERIFY(client.pendingSize() > 0);
    const QByteArray begin = readAll(ends[0], expected.size() / 2);
    writeNumbers(client, 400000, 500000, expected);
    QVERIFY(begin + readAll(ends[0], expected.size() - begin.size()) == expected);
    QTRY_COMPARE(client.pendingSize(), 0);
    QCOMPARE(drained.size(), 1);
    ::close(ends[0]);
    ::close(ends[1]);
}

// A FIFO without a reader cannot be opened again, so it remains blocking.
void ClientLinesTest::doesNotBlockOnBlockingPipe()
{
    QTemporaryDir folder;
    const QByteArray path = QFile::encodeName(folder.filePath(QStringLiteral("fifo")));
    QCOMPARE(::mkfifo(path.constData(), 0600), 0);
    const int first = ::open(path.constData(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    const int output = ::open(path.constData(), O_WRONLY | O_CLOEXEC);
    ::close(first);
    ClientLines client(0, output, m_scheduler);
    const int reader = ::open(path.constData(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    QVERIFY(output >= 0 && reader >= 0);
    QByteArray expected;
    writeNumbers(client, 0, 100000, expected);
    QVERIFY(client.pendingSize() > 0);
    QVERIFY(readAll(reader, expected.size()) == expected);
    QSignalSpy broken(&client, &ClientLines::broken);
    ::close(reader);
    client.add("more");
    client.flush();
    QTRY_COMPARE(broken.size(), 1);
    QCOMPARE(broken[0][0].toString(), QString()); // an ordinary end
    ::close(output);
}

// Initially, the pipe accepts only 64 KiB.
void ClientLinesTest::writesLargeLineAtOnce()
{
    int ends[2];
    QCOMPARE(::pipe2(ends, O_CLOEXEC), 0);
    ClientLines client(0, ends[1], m_scheduler);
    client.add(QByteArray(512 * 1024, 'x'));
    client.flush();
    QCOMPARE(client.pendingSize(), 0);
    ::close(ends[0]);
    ::close(ends[1]);
}

// It reads as many bytes as are added.
void ClientLinesTest::waitsForSlowClientAtTheEnd()
{
    int ends[2];
    QCOMPARE(::pipe2(ends, O_CLOEXEC), 0);
    ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
    ClientLines client(0, ends[1], m_scheduler);
    QSignalSpy finished(&client, &ClientLines::finished);
    client.add(QByteArray(2 * 1024 * 1024, 'x'));
    client.flush();
    const qsizetype before = client.pendingSize();
    QVERIFY(before > 0);
    client.finish();
    QByteArray block(64 * 1024, Qt::Uninitialized);
    QVERIFY(::read(ends[0], block.data(), static_cast<std::size_t>(block.size())) > 0);
    client.flush();
    const qsizetype written = before - client.pendingSize();
    QVERIFY(written > 1);
    client.add(QByteArray(written - 1, 'y'));
    QCOMPARE(client.pendingSize(), before);
    m_scheduler.advance(std::chrono::seconds(2));
    QCoreApplication::processEvents();
    QCOMPARE(finished.size(), 0);
    m_scheduler.advance(std::chrono::seconds(2)); // reads nothing more
    QTRY_COMPARE(finished.size(), 1);
    ::close(ends[0]);
    ::close(ends[1]);
}

void ClientLinesTest::reportsOutputThatCannotBeWritten()
{
    const int output = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    ClientLines client(0, output, m_scheduler);
    QSignalSpy broken(&client, &ClientLines::broken);
    client.add("x");
    client.flush();
    QTRY_COMPARE(broken.size(), 1);
    QVERIFY(!broken[0][0].toString().isEmpty());
    QCOMPARE(client.pendingSize(), 0);
    ::close(output);
}

void ClientLinesTest::detectsHangUpBehindUnreadBytes_data()
{
    const Rows<bool> row("isSocket");
    row("pipe", false);
    row("socket", true);
}

void ClientLinesTest::detectsHangUpBehindUnreadBytes()
{
    QFETCH(bool, isSocket);
    int ends[2];
    QCOMPARE(isSocket ? ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)
                      : ::pipe2(ends, O_CLOEXEC),
             0);
    const int output = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    ClientLines client(ends[0], output, m_scheduler);
    QCOMPARE(::write(ends[1], "unread", 6), ssize_t{6});
    QSignalSpy hungUp(&client, &ClientLines::hungUp);
    client.setPaused(false);
    client.setPaused(true);
    m_scheduler.advance(std::chrono::seconds(1));
    QCOMPARE(hungUp.size(), 0);
    ::close(ends[1]);
    m_scheduler.advance(std::chrono::milliseconds(500));
    QCOMPARE(hungUp.size(), 1);
    ::close(ends[0]);
    ::close(output);
}

REKINDLE_TEST(ClientLinesTest)
#include "clientlinestest.moc"
