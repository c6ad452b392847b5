// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// A chain of processes remains nowhere: each process leaves the session, forks after a short time
// and exits. A search for survivors would be too slow to find one. Therefore, all processes of a
// chain hold a FIFO open, and its end shows that no process is left.

#include "base/uniquefd_p.h"
#include "process/agentlog.h"
#include "testprogram.h"
#include "testrow.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <array>
#include <csignal>

using namespace Rekindle;

namespace {

class Chain
{
public:
    // Replaces a FIFO at this path, which keeps its processes.
    explicit Chain(const QString &fifo)
    {
        const QByteArray path = QFile::encodeName(fifo);
        ::unlink(path.constData());
        if (::mkfifo(path.constData(), 0600) == 0)
            m_fifo.reset(::open(path.constData(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    }

    [[nodiscard]] bool isRunning()
    {
        read();
        return m_processes > 10;
    }

    [[nodiscard]] bool hasEnded() { return read() == 0 && m_processes > 0; }

private:
    // The result of the last read: 0 if no process has the FIFO open.
    ssize_t read()
    {
        std::array<char, 4096> bytes{};
        ssize_t got = 0;
        while ((got = ::read(m_fifo.get(), bytes.data(), bytes.size())) > 0)
            m_processes += got;
        return got;
    }

    UniqueFd m_fifo;
    ssize_t m_processes = 0;
};

} // namespace

class ForkChainTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    [[nodiscard]] QString fifo() const { return m_folder.filePath(QStringLiteral("fifo")); }

    [[nodiscard]] QStringList commands() const
    {
        QFETCH_GLOBAL(int, microseconds);
        return {QStringLiteral("fork-chain"), fifo(), QString::number(microseconds),
                QStringLiteral("out"), QStringLiteral("up")};
    }

private Q_SLOTS:
    void initTestCase_data()
    {
        QTest::addColumn<int>("microseconds");
        for (const int microseconds : {5000, 1000, 100})
            QTest::addRow("%d us", microseconds) << microseconds;
    }

    void endsAfterStop()
    {
        Chain chain(fifo());
        AgentLog log(chaos(commands()));
        log.agent.start();
        QTRY_VERIFY_WITH_TIMEOUT(chain.isRunning(), 30000);
        log.agent.stop();
        QVERIFY(log.waitForEnd());
        QTRY_VERIFY_WITH_TIMEOUT(chain.hasEnded(), 30000);
    }

    void endsAfterRestart()
    {
        Chain chain(fifo());
        AgentLog log(chaos(commands()));
        log.agent.start();
        QTRY_VERIFY_WITH_TIMEOUT(chain.isRunning(), 30000);
        log.agent.kill();
        QVERIFY(log.waitForEnd());
        Chain next(fifo());
        log.agent.start();
        QTRY_VERIFY_WITH_TIMEOUT(next.isRunning(), 30000);
        QTRY_VERIFY_WITH_TIMEOUT(chain.hasEnded(), 30000);
        QVERIFY(!next.hasEnded());
        log.agent.kill();
        QVERIFY(log.waitForEnd());
        QTRY_VERIFY_WITH_TIMEOUT(next.hasEnded(), 30000);
    }

    void endsAfterHost_data()
    {
        const Rows<QString> row("how");
        for (const char *how : {"wait", "return", "exit"})
            row(how);
    }

    void endsAfterHost()
    {
        QFETCH(QString, how);
        Chain chain(fifo());
        QProcess host;
        host.setProcessChannelMode(QProcess::ForwardedChannels);
        host.start(QStringLiteral(REKINDLE_ORPHANHOST), QStringList(how) + commands());
        if (how == QStringLiteral("wait")) {
            QTRY_VERIFY_WITH_TIMEOUT(chain.isRunning(), 30000);
            ::kill(static_cast<pid_t>(host.processId()), SIGKILL);
        }
        QVERIFY(host.state() == QProcess::NotRunning || host.waitForFinished(30000));
        QTRY_VERIFY_WITH_TIMEOUT(chain.hasEnded(), 30000);
    }
};

REKINDLE_TEST(ForkChainTest)
#include "forkchaintest.moc"
