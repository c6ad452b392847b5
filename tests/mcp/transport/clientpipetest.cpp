// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "mcp/transport/clientpipe_p.h"
#include "testprogram.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>

using namespace Rekindle;

class ClientPipeTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { std::signal(SIGPIPE, SIG_IGN); }
    void keepsWhatIsNotRead();
    void pipeThatCannotBeOpenedAgain();
    void outputThatCannotBeWritten();
    void hangUpShowsBehindUnreadBytes_data();
    void hangUpShowsBehindUnreadBytes();
};

namespace {

// Until it has come, whatever part of it each reading gets.
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

QByteArray numbers(int from, int to)
{
    QByteArray text;
    for (int i = from; i < to; ++i)
        text += QByteArray::number(i) + '\n';
    return text;
}

} // namespace

void ClientPipeTest::keepsWhatIsNotRead()
{
    int ends[2];
    QCOMPARE(::pipe2(ends, O_CLOEXEC), 0);
    ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
    ClientPipe client(0, ends[1]);
    QSignalSpy drained(&client, &ClientPipe::drained);
    const QByteArray first = numbers(0, 400000); // beyond what is kept of the written part
    const QByteArray second = numbers(400000, 500000);
    client.write(first);
    QVERIFY(client.pendingSize() > 0);
    const QByteArray begin = readAll(ends[0], first.size() / 2);
    client.write(second);
    const QByteArray rest = readAll(ends[0], first.size() + second.size() - begin.size());
    QVERIFY(begin + rest == first + second);
    QTRY_COMPARE(client.pendingSize(), 0);
    QCOMPARE(drained.size(), 1);
    ::close(ends[0]);
    ::close(ends[1]);
}

// A FIFO that nobody has open for reading at that moment is one; it stays blocking.
void ClientPipeTest::pipeThatCannotBeOpenedAgain()
{
    QTemporaryDir folder;
    const QByteArray path = QFile::encodeName(folder.filePath(QStringLiteral("fifo")));
    QCOMPARE(::mkfifo(path.constData(), 0600), 0);
    const int first = ::open(path.constData(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    const int output = ::open(path.constData(), O_WRONLY | O_CLOEXEC);
    ::close(first);
    ClientPipe client(0, output);
    const int reader = ::open(path.constData(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    QVERIFY(output >= 0 && reader >= 0);
    const QByteArray text = numbers(0, 100000);
    client.write(text); // would not come back
    QVERIFY(client.pendingSize() > 0);
    QVERIFY(readAll(reader, text.size()) == text);
    QSignalSpy broken(&client, &ClientPipe::broken);
    ::close(reader);
    client.write("more");
    QCOMPARE(broken.size(), 1);
    QCOMPARE(broken[0][0].toString(), QString()); // that is how clients end
    ::close(output);
}

void ClientPipeTest::outputThatCannotBeWritten()
{
    const int output = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    ClientPipe client(0, output);
    QSignalSpy broken(&client, &ClientPipe::broken);
    client.write("x");
    QCOMPARE(broken.size(), 1);
    QVERIFY(!broken[0][0].toString().isEmpty());
    QCOMPARE(client.pendingSize(), 0);
    ::close(output);
}

void ClientPipeTest::hangUpShowsBehindUnreadBytes_data()
{
    QTest::addColumn<bool>("isSocket");
    QTest::newRow("pipe") << false;
    QTest::newRow("socket") << true;
}

void ClientPipeTest::hangUpShowsBehindUnreadBytes()
{
    QFETCH(bool, isSocket);
    int ends[2];
    QCOMPARE(isSocket ? ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)
                      : ::pipe2(ends, O_CLOEXEC),
             0);
    const int output = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    ClientPipe client(ends[0], output);
    QCOMPARE(::write(ends[1], "unread", 6), ssize_t{6});
    QVERIFY(!client.hasHungUp());
    ::close(ends[1]);
    QVERIFY(client.hasHungUp());
    ::close(ends[0]);
    ::close(output);
}

REKINDLE_TEST(ClientPipeTest)
#include "clientpipetest.moc"
