// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/testterminal.h"

#include "processes.h"
#include "testprogram.h"
#include "testrow.h"

#include <csignal>
#include <memory>

using namespace Rekindle;

/// The command at a terminal: the live table, and `run` with job control.
class TerminalTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init() { m_terminal = std::make_unique<TestTerminal>(m_folder.path()); }
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
    void backgroundJobIsStoppedWhenItReads();
    void planHasBars();

private:
    void waitForSignalRelay() const;
    void typeCtrlC() const;
    QString config(const QStringList &commands);

    QTemporaryDir m_folder;
    std::unique_ptr<TestTerminal> m_terminal;
};

void TerminalTest::initTestCase() { QVERIFY(m_folder.isValid()); }

// For a program that shares the terminal.
void TerminalTest::waitForSignalRelay() const
{
    QTRY_VERIFY_WITH_TIMEOUT(signalRelayIn(m_terminal->foregroundGroup()) != 0, 30000);
}

void TerminalTest::typeCtrlC() const
{
    waitForSignalRelay();
    m_terminal->type("\x03");
}

QString TerminalTest::config(const QStringList &commands)
{
    return writeFile(m_folder.path(), QStringLiteral("terminal.json"),
                     configuration({commands}, {{QStringLiteral("type"), QStringLiteral("none")}}));
}

void TerminalTest::ctrlCRestoresTheTerminal()
{
    const termios before = m_terminal->settings();
    CommandRun run(words("up", config(words("out", "hello", "hang"))));
    QVERIFY(m_terminal->begin(run));
    QVERIFY(m_terminal->waitFor("a| hello\r"));
    QVERIFY(m_terminal->waitFor("Running"));
    QVERIFY(m_terminal->shown().contains("\x1b[?25l"));
    QVERIFY((m_terminal->settings().c_lflag & ECHO) == 0);
    m_terminal->type("\x03");
    QVERIFY(m_terminal->waitFor("\x1b[?25h"));
    QVERIFY(m_terminal->waitFor("1 Stopped"));
    QCOMPARE(run.end(), 0);
    const termios after = m_terminal->settings();
    QCOMPARE(after.c_lflag, before.c_lflag);
    QCOMPARE(after.c_iflag, before.c_iflag);
    QVERIFY(m_terminal->shown().lastIndexOf("\x1b[?25h")
            > m_terminal->shown().lastIndexOf("\x1b[?25l"));
    QVERIFY(m_terminal->shown().lastIndexOf("\x1b[?7h")
            > m_terminal->shown().lastIndexOf("\x1b[?7l"));
}

// Output that Ctrl-S has stopped is resumed.
void TerminalTest::stoppedTerminalDoesNotBlockTheExit()
{
    CommandRun run(words("up", config(words("hang"))));
    QVERIFY(m_terminal->begin(run));
    QVERIFY(m_terminal->waitFor("Running"));
    m_terminal->type("\x13");
    QVERIFY(m_terminal->waitUntilFull());
    run.terminate();
    QCOMPARE(run.end(), 0);
    m_terminal->drain();
    QVERIFY(m_terminal->shown().contains("\x1b[?25h"));
    QVERIFY((m_terminal->settings().c_iflag & IXON) != 0);
}

// The cursor is shown after the output that the terminal has not read.
void TerminalTest::suspendShowsCursorOfSlowTerminal()
{
    CommandRun run(words(
        "up",
        config(words("long-line", "60000", "long-line", "60000", "long-line", "60000", "hang"))));
    QVERIFY(m_terminal->begin(run));
    QVERIFY(m_terminal->waitUntilFull());
    run.signal(SIGTSTP);
    QVERIFY(waitUntil(
        [&run] { return statusOf(static_cast<pid_t>(run.processId())).value(0) == "T"; }));
    run.signal(SIGCONT);
    QVERIFY(m_terminal->waitFor("\x1b[?25h"));
    run.terminate();
    QCOMPARE(run.end(), 0);
}

void TerminalTest::tableShowsStatesAndOutput()
{
    CommandRun run(words("up", config(words("out", "\x1b[2Jwiped", "exit", "7"))));
    QVERIFY(m_terminal->begin(run));
    // Control sequences are removed.
    QVERIFY(m_terminal->waitFor("a| wiped\r"));
    QVERIFY(m_terminal->waitFor("rekindle: a: failed (ProcessCrash: exit code 7); not restarted"));
    QVERIFY(m_terminal->waitFor("1 Failed"));
    QCOMPARE(run.end(), 1);
    QVERIFY(m_terminal->waitFor("1 of 1 agent failed"));
    QVERIFY(m_terminal->shown().contains("DETAIL"));
    QVERIFY(m_terminal->shown().contains("\x1b[31mFailed"));
}

void TerminalTest::narrowTerminalHidesColumns()
{
    m_terminal->resize(30, 5);
    CommandRun run(words("up", config(words("out", "hello", "hang"))));
    QVERIFY(m_terminal->begin(run));
    QVERIFY(m_terminal->waitFor("Running"));
    QVERIFY(!m_terminal->shown().contains("UPTIME"));
    m_terminal->resize(100, 24);
    run.signal(SIGWINCH);
    QVERIFY(m_terminal->waitFor("UPTIME"));
    m_terminal->type("\x03");
    QCOMPARE(run.end(), 0);
}

void TerminalTest::noColorWithNoColorVariable()
{
    CommandRun run(words("up", config(words("hang"))));
    m_terminal->attach(run, "xterm-256color");
    run.setVariable("NO_COLOR", QStringLiteral("1"));
    QVERIFY(run.begin());
    QVERIFY(m_terminal->waitFor("Running"));
    m_terminal->type("\x03");
    QCOMPARE(run.end(), 0);
    QVERIFY(!m_terminal->shown().contains("\x1b[32m"));
}

void TerminalTest::jsonOnTerminal()
{
    CommandRun run(words("up", "--log", "json", config(words("exit", "0"))));
    QVERIFY(m_terminal->begin(run));
    QVERIFY(m_terminal->waitFor("rekindle.agent.stopped.v1"));
    QCOMPARE(run.end(), 0);
    QVERIFY(!m_terminal->shown().contains('\x1b'));
}

void TerminalTest::dumbTerminalGetsEventLines()
{
    CommandRun run(words("up", config(words("exit", "0"))));
    QVERIFY(m_terminal->begin(run, "dumb"));
    QVERIFY(m_terminal->waitFor("rekindle.agent.stopped.v1"));
    QCOMPARE(run.end(), 0);
    QVERIFY(!m_terminal->shown().contains('\x1b'));
}

void TerminalTest::runSharesTheTerminal()
{
    CommandRun run(words("run", "--", "sh", "-c", "tty && read line </dev/tty && echo got $line"));
    QVERIFY(m_terminal->begin(run));
    QVERIFY(m_terminal->waitFor("/dev/"));
    m_terminal->type("something\n");
    QVERIFY(m_terminal->waitFor("got something"));
    QCOMPARE(run.end(), 0);
}

void TerminalTest::ctrlCStopsProgramThatSharesTerminal()
{
    const QString file = m_folder.filePath(QStringLiteral("shares"));
    CommandRun run(words("run", "--", REKINDLE_CHAOSAGENT, "append", file, "out", "here", "hang"));
    QVERIFY(m_terminal->begin(run));
    QVERIFY(m_terminal->waitFor("here"));
    m_terminal->type("\x03");
    QCOMPARE(run.end(), 0);
    QVERIFY(!m_terminal->shown().contains("failed"));
    QVERIFY(!isAnyLiving(numbersIn(file)));
}

void TerminalTest::ctrlCStopsProgramThatCatchesIt_data()
{
    const Rows<QString> row("onInt");
    row("exits with 0", "exit 0");
    row("exits with another code", "exit 3");
    row("requests a restart", "exit 42");
    row("exits later", "sleep 0.3; exit 3");
}

// It is not restarted, whatever its exit code.
void TerminalTest::ctrlCStopsProgramThatCatchesIt()
{
    QFETCH(QString, onInt);
    const QString script =
        QStringLiteral("trap '%1' INT; echo here; while :; do sleep 0.05; done").arg(onInt);
    CommandRun run(words("run", "--initial-delay", "10ms", "--", "sh", "-c", script));
    QVERIFY(m_terminal->begin(run));
    QVERIFY(m_terminal->waitFor("here"));
    typeCtrlC();
    QVERIFY(m_terminal->waitFor("rekindle: sh: stopping (Ctrl-C); repeat to kill"));
    QCOMPARE(run.end(), 0);
    m_terminal->drain();
    QCOMPARE(m_terminal->shown().count("here"), 1);
    QVERIFY2(!m_terminal->shown().contains("failed") && !m_terminal->shown().contains("killing"),
             m_terminal->shown().constData());
}

// SIGTERM follows after the time of the stop sequence.
void TerminalTest::ctrlCStopsProgramThatIgnoresIt()
{
    const QString file = m_folder.filePath(QStringLiteral("ignores"));
    CommandRun run(words("run", "--", "sh", "-c",
                         QStringLiteral("trap '' INT; exec %1 append %2 out here hang")
                             .arg(QStringLiteral(REKINDLE_CHAOSAGENT), file)));
    QVERIFY(m_terminal->begin(run));
    QVERIFY(m_terminal->waitFor("here"));
    typeCtrlC();
    QVERIFY(m_terminal->waitFor("sh: stopping (Ctrl-C)"));
    QCOMPARE(run.end(), 0);
    QVERIFY(!isAnyLiving(numbersIn(file)));
}

void TerminalTest::ctrlCTwiceKills()
{
    CommandRun run(words("run", "--", "sh", "-c",
                         "trap '' INT TERM; echo here; while :; do sleep 0.05; done"));
    QVERIFY(m_terminal->begin(run));
    QVERIFY(m_terminal->waitFor("here"));
    typeCtrlC();
    QVERIFY(m_terminal->waitFor("sh: stopping (Ctrl-C)"));
    typeCtrlC();
    QVERIFY(m_terminal->waitFor("sh: killing (Ctrl-C)"));
    QCOMPARE(run.end(), 0);
}

void TerminalTest::ownSignalIsNotAKey()
{
    CommandRun run(words("run", "--", "sh", "-c",
                         "trap : INT; read go; kill -INT 0; echo here; read line; echo got $line"));
    QVERIFY(m_terminal->begin(run));
    waitForSignalRelay();
    m_terminal->type("go\n");
    QVERIFY(m_terminal->waitFor("here"));
    m_terminal->type("something\n");
    QVERIFY(m_terminal->waitFor("got something"));
    QCOMPARE(run.end(), 0);
    QVERIFY2(!m_terminal->shown().contains("Ctrl-C"), m_terminal->shown().constData());
}

// As `cat &`: the program does not get what the user types for the foreground job.
void TerminalTest::backgroundJobIsStoppedWhenItReads()
{
    const QString script =
        QStringLiteral("set -m; %1 run --store off -- sh -c 'read line && printf ta%s ken' & "
                       "until jobs | grep -q Stopped; do sleep 0.02; done; echo stopped-it; "
                       "read line; echo \"got $line\"; kill -KILL $!; wait")
            .arg(QStringLiteral(REKINDLE_COMMAND));
    CommandRun run(words("run", "--", "bash", "-c", script));
    QVERIFY(m_terminal->begin(run));
    QVERIFY(m_terminal->waitFor("stopped-it"));
    m_terminal->type("something\n");
    QVERIFY(m_terminal->waitFor("got something"));
    QCOMPARE(run.end(), 0);
    QVERIFY2(!m_terminal->shown().contains("taken"), m_terminal->shown().constData());
}

void TerminalTest::planHasBars()
{
    CommandRun run(words("plan", "default"));
    QVERIFY(m_terminal->begin(run));
    QVERIFY(m_terminal->waitFor("given up after 10 restarts"));
    QCOMPARE(run.end(), 0);
    QVERIFY(m_terminal->shown().contains("\xe2\x96\x88")); // a full block
}

REKINDLE_TEST(TerminalTest)
#include "terminaltest.moc"
