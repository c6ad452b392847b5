// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commandrun.h"

#include "processes.h"
#include "testprogram.h"

#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <csignal>

using namespace Rekindle;

/// The command at a terminal: the live table, and `run` with job control.
class TerminalTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
    void ctrlCRestoresTheTerminal();
    void stoppedTerminalDoesNotBlockTheExit();
    void suspendShowsCursorOfSlowTerminal();
    void tableShowsStatesAndOutput();
    void narrowTerminalHidesColumns();
    void noColorWithNoColorVariable();
    void jsonOnTerminal();
    void dumbTerminalGetsEventLines();
    void runSharesTheTerminal();
    void ctrlCStopsProgramThatSharesTerminal();
    void ctrlCStopsProgramThatCatchesIt_data();
    void ctrlCStopsProgramThatCatchesIt();
    void ctrlCStopsProgramThatIgnoresIt();
    void ctrlCTwiceKills();
    void ownSignalIsNotAKey();
    void planHasBars();

private:
    void attach(CommandRun &run, const char *kind) const;
    bool begin(CommandRun &run, const char *kind = "xterm-256color") const;
    void drain();
    bool waitFor(const QByteArray &text);
    bool waitUntilFull() const;
    void resize(unsigned short columns, unsigned short rows) const;
    void type(const QByteArray &keys) const;
    void waitForSignalRelay() const;
    void typeCtrlC() const;
    [[nodiscard]] termios settings() const;
    QString config(const QStringList &commands);

    QTemporaryDir m_folder;
    int m_host = -1;
    int m_terminal = -1;
    QByteArray m_shown;
};

void TerminalTest::initTestCase() { QVERIFY(m_folder.isValid()); }

void TerminalTest::init()
{
    QCOMPARE(::openpty(&m_host, &m_terminal, nullptr, nullptr, nullptr), 0);
    ::fcntl(m_host, F_SETFL, O_NONBLOCK);
    ::fcntl(m_host, F_SETFD, FD_CLOEXEC);
    resize(100, 24);
    m_shown.clear();
}

void TerminalTest::cleanup()
{
    ::close(m_host);
    ::close(m_terminal);
}

// The terminal becomes the controlling terminal of the command, which runs in its own session.
void TerminalTest::attach(CommandRun &run, const char *kind) const
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("TERM"), QString::fromLatin1(kind));
    environment.remove(QStringLiteral("NO_COLOR"));
    environment.insert(QStringLiteral("XDG_STATE_HOME"), m_folder.path());
    run.setProcessEnvironment(environment);
    run.setChildProcessModifier([terminal = m_terminal] {
        for (const int number : {SIGINT, SIGTERM, SIGHUP})
            std::signal(number, SIG_DFL);
        ::setsid();
        ::ioctl(terminal, TIOCSCTTY, 0);
        for (const int standard : {0, 1, 2})
            ::dup2(terminal, standard);
    });
}

bool TerminalTest::begin(CommandRun &run, const char *kind) const
{
    attach(run, kind);
    return run.begin();
}

void TerminalTest::drain()
{
    QByteArray bytes(65536, Qt::Uninitialized);
    ssize_t count = 0;
    while ((count = ::read(m_host, bytes.data(), static_cast<std::size_t>(bytes.size()))) > 0)
        m_shown += bytes.left(count);
}

bool TerminalTest::waitFor(const QByteArray &text)
{
    return waitUntil([&] {
        drain();
        return m_shown.contains(text);
    });
}

// Until the terminal accepts no output.
bool TerminalTest::waitUntilFull() const
{
    return waitUntil([this] {
        pollfd look{m_terminal, POLLOUT, 0};
        return ::poll(&look, 1, 0) == 0;
    });
}

void TerminalTest::resize(unsigned short columns, unsigned short rows) const
{
    const winsize size{rows, columns, 0, 0};
    ::ioctl(m_host, TIOCSWINSZ, &size);
}

void TerminalTest::type(const QByteArray &keys) const
{
    QCOMPARE(::write(m_host, keys.constData(), static_cast<std::size_t>(keys.size())), keys.size());
}

// For a program that shares the terminal.
void TerminalTest::waitForSignalRelay() const
{
    QTRY_VERIFY_WITH_TIMEOUT(signalRelayIn(::tcgetpgrp(m_host)) != 0, 30000);
}

void TerminalTest::typeCtrlC() const
{
    waitForSignalRelay();
    type("\x03");
}

termios TerminalTest::settings() const
{
    termios settings{};
    ::tcgetattr(m_terminal, &settings);
    return settings;
}

QString TerminalTest::config(const QStringList &commands)
{
    return writeFile(m_folder.path(), QStringLiteral("terminal.json"),
                     configuration({commands}, {{QStringLiteral("type"), QStringLiteral("none")}}));
}

void TerminalTest::ctrlCRestoresTheTerminal()
{
    const termios before = settings();
    CommandRun run(words("up", config(words("out", "hello", "hang"))));
    QVERIFY(begin(run));
    QVERIFY(waitFor("a| hello\r"));
    QVERIFY(waitFor("Running"));
    QVERIFY(m_shown.contains("\x1b[?25l"));
    QVERIFY((settings().c_lflag & ECHO) == 0);
    type("\x03");
    QVERIFY(waitFor("\x1b[?25h"));
    QVERIFY(waitFor("1 Stopped"));
    QCOMPARE(run.end(), 0);
    const termios after = settings();
    QCOMPARE(after.c_lflag, before.c_lflag);
    QCOMPARE(after.c_iflag, before.c_iflag);
    QVERIFY(m_shown.lastIndexOf("\x1b[?25h") > m_shown.lastIndexOf("\x1b[?25l"));
    QVERIFY(m_shown.lastIndexOf("\x1b[?7h") > m_shown.lastIndexOf("\x1b[?7l"));
}

// Output that Ctrl-S has stopped is resumed.
void TerminalTest::stoppedTerminalDoesNotBlockTheExit()
{
    CommandRun run(words("up", config(words("hang"))));
    QVERIFY(begin(run));
    QVERIFY(waitFor("Running"));
    type("\x13");
    QVERIFY(waitUntilFull());
    run.terminate();
    QCOMPARE(run.end(), 0);
    drain();
    QVERIFY(m_shown.contains("\x1b[?25h"));
    QVERIFY((settings().c_iflag & IXON) != 0);
}

// The cursor is shown after the output that the terminal has not read.
void TerminalTest::suspendShowsCursorOfSlowTerminal()
{
    CommandRun run(words(
        "up",
        config(words("long-line", "60000", "long-line", "60000", "long-line", "60000", "hang"))));
    QVERIFY(begin(run));
    QVERIFY(waitUntilFull());
    run.signal(SIGTSTP);
    QVERIFY(waitUntil(
        [&run] { return statusOf(static_cast<pid_t>(run.processId())).value(0) == "T"; }));
    run.signal(SIGCONT);
    QVERIFY(waitFor("\x1b[?25h"));
    run.terminate();
    QCOMPARE(run.end(), 0);
}

void TerminalTest::tableShowsStatesAndOutput()
{
    CommandRun run(words("up", config(words("out", "\x1b[2Jwiped", "exit", "7"))));
    QVERIFY(begin(run));
    // Control sequences are removed.
    QVERIFY(waitFor("a| wiped\r"));
    QVERIFY(waitFor("rekindle: a: failed (ProcessCrash: exit code 7); not restarted"));
    QVERIFY(waitFor("1 Failed"));
    QCOMPARE(run.end(), 1);
    QVERIFY(waitFor("1 of 1 agent failed"));
    QVERIFY(m_shown.contains("Last failure"));
    QVERIFY(m_shown.contains("\x1b[31mFailed"));
}

void TerminalTest::narrowTerminalHidesColumns()
{
    resize(30, 5);
    CommandRun run(words("up", config(words("out", "hello", "hang"))));
    QVERIFY(begin(run));
    QVERIFY(waitFor("Running"));
    QVERIFY(!m_shown.contains("Uptime"));
    resize(100, 24);
    run.signal(SIGWINCH);
    QVERIFY(waitFor("Uptime"));
    type("\x03");
    QCOMPARE(run.end(), 0);
}

void TerminalTest::noColorWithNoColorVariable()
{
    CommandRun run(words("up", config(words("hang"))));
    attach(run, "xterm-256color");
    QProcessEnvironment environment = run.processEnvironment();
    environment.insert(QStringLiteral("NO_COLOR"), QStringLiteral("1"));
    run.setProcessEnvironment(environment);
    QVERIFY(run.begin());
    QVERIFY(waitFor("Running"));
    type("\x03");
    QCOMPARE(run.end(), 0);
    QVERIFY(!m_shown.contains("\x1b[32m"));
}

void TerminalTest::jsonOnTerminal()
{
    CommandRun run(words("up", "--log", "json", config(words("exit", "0"))));
    QVERIFY(begin(run));
    QVERIFY(waitFor("rekindle.agent.stopped.v1"));
    QCOMPARE(run.end(), 0);
    QVERIFY(!m_shown.contains('\x1b'));
}

void TerminalTest::dumbTerminalGetsEventLines()
{
    CommandRun run(words("up", config(words("exit", "0"))));
    QVERIFY(begin(run, "dumb"));
    QVERIFY(waitFor("rekindle.agent.stopped.v1"));
    QCOMPARE(run.end(), 0);
    QVERIFY(!m_shown.contains('\x1b'));
}

void TerminalTest::runSharesTheTerminal()
{
    CommandRun run(words("run", "--", "sh", "-c", "tty && read line </dev/tty && echo got $line"));
    QVERIFY(begin(run));
    QVERIFY(waitFor("/dev/"));
    type("something\n");
    QVERIFY(waitFor("got something"));
    QCOMPARE(run.end(), 0);
}

void TerminalTest::ctrlCStopsProgramThatSharesTerminal()
{
    const QString file = m_folder.filePath(QStringLiteral("shares"));
    CommandRun run(words("run", "--", REKINDLE_CHAOSAGENT, "append", file, "out", "here", "hang"));
    QVERIFY(begin(run));
    QVERIFY(waitFor("here"));
    type("\x03");
    QCOMPARE(run.end(), 0);
    QVERIFY(!m_shown.contains("failed"));
    QVERIFY(!isAnyLiving(numbersIn(file)));
}

void TerminalTest::ctrlCStopsProgramThatCatchesIt_data()
{
    QTest::addColumn<QString>("onInt");
    QTest::newRow("exits with 0") << QStringLiteral("exit 0");
    QTest::newRow("exits with another code") << QStringLiteral("exit 3");
    QTest::newRow("requests a restart") << QStringLiteral("exit 42");
    QTest::newRow("exits later") << QStringLiteral("sleep 0.3; exit 3");
}

// It is not restarted, whatever its exit code.
void TerminalTest::ctrlCStopsProgramThatCatchesIt()
{
    QFETCH(QString, onInt);
    const QString script =
        QStringLiteral("trap '%1' INT; echo here; while :; do sleep 0.05; done").arg(onInt);
    CommandRun run(words("run", "--initial-delay", "10ms", "--", "sh", "-c", script));
    QVERIFY(begin(run));
    QVERIFY(waitFor("here"));
    typeCtrlC();
    QVERIFY(waitFor("rekindle: sh: stopping (Ctrl-C); repeat to kill"));
    QCOMPARE(run.end(), 0);
    drain();
    QCOMPARE(m_shown.count("here"), 1);
    QVERIFY2(!m_shown.contains("failed") && !m_shown.contains("killing"), m_shown.constData());
}

// SIGTERM follows after the time of the stop sequence.
void TerminalTest::ctrlCStopsProgramThatIgnoresIt()
{
    const QString file = m_folder.filePath(QStringLiteral("ignores"));
    CommandRun run(words("run", "--", "sh", "-c",
                         QStringLiteral("trap '' INT; exec %1 append %2 out here hang")
                             .arg(QStringLiteral(REKINDLE_CHAOSAGENT), file)));
    QVERIFY(begin(run));
    QVERIFY(waitFor("here"));
    typeCtrlC();
    QVERIFY(waitFor("sh: stopping (Ctrl-C)"));
    QCOMPARE(run.end(), 0);
    QVERIFY(!isAnyLiving(numbersIn(file)));
}

void TerminalTest::ctrlCTwiceKills()
{
    CommandRun run(words("run", "--", "sh", "-c",
                         "trap '' INT TERM; echo here; while :; do sleep 0.05; done"));
    QVERIFY(begin(run));
    QVERIFY(waitFor("here"));
    typeCtrlC();
    QVERIFY(waitFor("sh: stopping (Ctrl-C)"));
    typeCtrlC();
    QVERIFY(waitFor("sh: killing (Ctrl-C)"));
    QCOMPARE(run.end(), 0);
}

void TerminalTest::ownSignalIsNotAKey()
{
    CommandRun run(words("run", "--", "sh", "-c",
                         "trap : INT; read go; kill -INT 0; echo here; read line; echo got $line"));
    QVERIFY(begin(run));
    waitForSignalRelay();
    type("go\n");
    QVERIFY(waitFor("here"));
    type("something\n");
    QVERIFY(waitFor("got something"));
    QCOMPARE(run.end(), 0);
    QVERIFY2(!m_shown.contains("Ctrl-C"), m_shown.constData());
}

void TerminalTest::planHasBars()
{
    CommandRun run(words("plan", "default"));
    QVERIFY(begin(run));
    QVERIFY(waitFor("given up after 10 restarts"));
    QCOMPARE(run.end(), 0);
    QVERIFY(m_shown.contains("\xe2\x96\x88")); // a full block
}

REKINDLE_TEST(TerminalTest)
#include "terminaltest.moc"
