// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// A host and its agent on a terminal. The test is the shell and the keyboard.

#include "contains.h"
#include "processes.h"
#include "testprogram.h"

#include <pty.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <vector>

using namespace Rekindle;

class TerminalSessionTest : public QObject
{
    Q_OBJECT

    int m_keyboard = -1;
    pid_t m_host = 0;
    QByteArray m_screen;

    // The host leads the session of the terminal, as a shell does.
    void startHost(std::vector<const char *> command)
    {
        command.insert(command.begin(), REKINDLE_TERMINALHOST);
        command.push_back(nullptr);
        m_host = ::forkpty(&m_keyboard, nullptr, nullptr, nullptr);
        if (m_host == 0) {
            ::execv(command.front(), const_cast<char *const *>(command.data()));
            ::_exit(127);
        }
        QVERIFY(m_host > 0);
        m_screen.clear();
    }

    void startShell()
    {
        m_host = ::forkpty(&m_keyboard, nullptr, nullptr, nullptr);
        if (m_host == 0) {
            ::setenv("PS1", "$ ", 1);
            ::unsetenv("ENV");
            ::execlp("bash", "bash", "--norc", "--noprofile", "-i", nullptr);
            ::_exit(127);
        }
        QVERIFY(m_host > 0);
        m_screen.clear();
    }

    // Whether input is read in lines and echoed.
    [[nodiscard]] bool isSetToLines() const
    {
        termios settings{};
        return ::tcgetattr(m_keyboard, &settings) == 0 && (settings.c_lflag & ICANON) != 0
            && (settings.c_lflag & ECHO) != 0;
    }

    bool waitForScreen(const char *text)
    {
        return QTest::qWaitFor(
            [&] {
                char block[1024];
                while (isReadable()) {
                    const ssize_t got = ::read(m_keyboard, block, sizeof block);
                    if (got <= 0)
                        break;
                    m_screen.append(block, got);
                }
                return m_screen.contains(text);
            },
            20000);
    }

    [[nodiscard]] bool isReadable() const
    {
        timeval none{};
        fd_set set;
        FD_ZERO(&set);
        FD_SET(m_keyboard, &set);
        return ::select(m_keyboard + 1, &set, nullptr, nullptr, &none) > 0;
    }

    void type(const char *text)
    {
        QCOMPARE(::write(m_keyboard, text, std::strlen(text)),
                 static_cast<ssize_t>(std::strlen(text)));
    }

private Q_SLOTS:
    void cleanup()
    {
        ::kill(m_host, SIGKILL);
        ::waitpid(m_host, nullptr, 0);
        ::close(m_keyboard);
    }

    void agentHasTheTerminal()
    {
        startHost({REKINDLE_CHAOSAGENT, "ids", "read-to-end", "exit", "4"});
        type("typed\n\4");
        QVERIFY(waitForScreen("exited 4, host in the foreground"));
        // From the echo of the terminal and from the agent.
        QCOMPARE(m_screen.count("typed"), 2);
    }

    void ctrlCInterruptsAgentAndHost()
    {
        startHost({REKINDLE_CHAOSAGENT, "out", "up", "hang"});
        QVERIFY(waitForScreen("up"));
        QTRY_VERIFY_WITH_TIMEOUT(signalRelayIn(::tcgetpgrp(m_keyboard)) != 0, 20000);
        type("\3");
        QVERIFY(waitForScreen("exited 130, host in the foreground"));
        QVERIFY(m_screen.indexOf("host interrupted") < m_screen.indexOf("exited 130"));
        QVERIFY(m_screen.contains("host interrupted"));
    }

    void signalRelayHoldsNoTerminalAndExitsWithTheHost()
    {
        startHost({REKINDLE_CHAOSAGENT, "out", "up", "hang"});
        QVERIFY(waitForScreen("up"));
        const pid_t agent = ::tcgetpgrp(m_keyboard);
        pid_t relay = 0;
        QTRY_VERIFY_WITH_TIMEOUT((relay = signalRelayIn(agent)) != 0, 20000);
        const QDir descriptors(QStringLiteral("/proc/%1/fd").arg(relay));
        for (const QString &name : descriptors.entryList(QDir::AllEntries | QDir::System)) {
            const QString target = QFile::symLinkTarget(descriptors.filePath(name));
            QVERIFY2(!target.startsWith(QLatin1String("/dev/pts/"))
                         && !target.contains(QLatin1String("tty")),
                     qPrintable(target));
        }
        ::kill(m_host, SIGKILL);
        QTRY_VERIFY_WITH_TIMEOUT(!isLiving(relay) && !isLiving(agent), 20000);
    }

    // The host leads the session, so it cannot be stopped from the keyboard and continues the
    // agent.
    void stoppedAgentReleasesTerminal()
    {
        startHost({REKINDLE_CHAOSAGENT, "out", "up", "read-to-end", "exit", "4"});
        QVERIFY(waitForScreen("up"));
        type("\32");
        type("again\n\4");
        QVERIFY(waitForScreen("exited 4, host in the foreground"));
    }

    // The host leads the session, so it and the agent continue immediately.
    void stoppedAgentKeepsItsSettings()
    {
        startHost({"/bin/sh", "-c", "stty -icanon -echo; echo is-''set; read -r line; stty -a"});
        QVERIFY(waitForScreen("is-set"));
        QVERIFY(!isSetToLines());
        type("\32");
        type("go on\n");
        QVERIFY2(waitForScreen("exited 0, host in the foreground"), m_screen.constData());
        VERIFY_CONTAINS(m_screen, "-icanon");
        QVERIFY(isSetToLines());
    }

    // Under a shell with job control, Ctrl-Z stops both and fg continues both.
    void supportsJobControl()
    {
        startShell();
        QVERIFY(waitForScreen("$ "));
        type(REKINDLE_TERMINALHOST " " REKINDLE_CHAOSAGENT
                                   " out agent-is-''up read-to-end exit 4\n");
        QVERIFY2(waitForScreen("agent-is-up"), m_screen.constData());
        const pid_t agent = ::tcgetpgrp(m_keyboard);
        type("\32");
        QVERIFY2(waitForScreen("Stopped"), m_screen.constData());
        type("echo the-shell-''has-it\n");
        QVERIFY2(waitForScreen("the-shell-has-it"), m_screen.constData());
        QVERIFY(::tcgetpgrp(m_keyboard) != agent);
        type("fg\n");
        QTRY_COMPARE_WITH_TIMEOUT(::tcgetpgrp(m_keyboard), agent, 20000);
        type("typed-''later\n\4");
        QVERIFY2(waitForScreen("exited 4, host in the foreground"), m_screen.constData());
    }

    // The agent runs in the background and reads only when it is in the foreground again. It must
    // not fork, because a process cannot be stopped during a vfork.
    void oneFgIsEnoughAfterBg()
    {
        const QTemporaryDir folder;
        const QByteArray go = QFile::encodeName(folder.filePath(QStringLiteral("go")));
        startShell();
        QVERIFY(waitForScreen("$ "));
        type(QByteArray(REKINDLE_TERMINALHOST " " REKINDLE_CHAOSAGENT " out is-''up await " + go
                        + " read-to-end exit 4\n")
                 .constData());
        QVERIFY2(waitForScreen("is-up"), m_screen.constData());
        const pid_t agent = ::tcgetpgrp(m_keyboard);
        type("\32");
        QVERIFY2(waitForScreen("Stopped"), m_screen.constData());
        type("bg; echo the-shell-''has-it\n");
        QVERIFY2(waitForScreen("the-shell-has-it"), m_screen.constData());
        const pid_t shell = ::tcgetpgrp(m_keyboard);
        QVERIFY(shell != agent);
        m_screen.clear();
        type("fg\n");
        QTRY_VERIFY_WITH_TIMEOUT(::tcgetpgrp(m_keyboard) != shell, 20000);
        QFile file(QFile::decodeName(go));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QTRY_COMPARE_WITH_TIMEOUT(::tcgetpgrp(m_keyboard), agent, 20000);
        type("a line\n\4");
        QVERIFY2(waitForScreen("exited 4, host in the foreground"), m_screen.constData());
        QVERIFY2(!m_screen.contains("Stopped"), m_screen.constData());
    }

    // For example the settings of an editor that reads single keys. The shell keeps its own
    // settings.
    void fgRestoresSettingsOfAgent()
    {
        startShell();
        QVERIFY(waitForScreen("$ "));
        type(REKINDLE_TERMINALHOST
             " /bin/sh -c \"stty -icanon -echo; echo is-''set; read -r line; exit 4\"\n");
        QVERIFY2(waitForScreen("is-set"), m_screen.constData());
        const pid_t agent = ::tcgetpgrp(m_keyboard);
        for (int round = 0; round < 2; ++round) {
            QVERIFY(!isSetToLines());
            m_screen.clear();
            type("\32");
            QVERIFY2(waitForScreen("Stopped"), m_screen.constData());
            // The settings that commands of the shell get.
            type("stty -a | grep -o '.icanon' | tr ' -' '+_'\n");
            QVERIFY2(waitForScreen("+icanon"), m_screen.constData());
            type("fg\n");
            QTRY_COMPARE_WITH_TIMEOUT(::tcgetpgrp(m_keyboard), agent, 20000);
        }
        type("a line\n");
        QVERIFY2(waitForScreen("exited 4, host in the foreground"), m_screen.constData());
    }
};

REKINDLE_TEST(TerminalSessionTest)
#include "terminalsessiontest.moc"
