// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/testterminal.h"
#include "processes.h"
#include "testprogram.h"
#include "testrow.h"

#include <csignal>
#include <memory>

using namespace Rekindle;

/// `rekindle top` and `status --watch` at a terminal, with a real `up`.
class TopCommandTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init() { m_terminal = std::make_unique<TestTerminal>(m_folder.path()); }
    void showsAndOperatesAgents();
    void paneFollowsSelection();
    void restoresTerminal_data();
    void restoresTerminal();
    void suspendsAndResumes();
    void endsWithItsHost();
    void needsTerminal();
    void statusWatchReplacesTable();
    void statusWatchPrintsLines();

private:
    [[nodiscard]] QStringList with(QStringList arguments) const
    {
        return arguments << QStringLiteral("--config") << m_configuration;
    }
    [[nodiscard]] QStringList upArguments() const
    {
        return words("up", m_configuration, "--store", "off", "--state", "off", "--log", "json");
    }

    QTemporaryDir m_folder;
    QString m_configuration;
    std::unique_ptr<TestTerminal> m_terminal;
};

void TopCommandTest::initTestCase()
{
    m_configuration = writeFile(m_folder.path(), QStringLiteral("top.json"), R"({"agents": [
        {"name": "web", "kind": "process", "program": "sh",
         "arguments": ["-c", "echo listening; exec sleep 1000"]},
        {"name": "worker", "kind": "process", "program": "sleep", "arguments": ["1000"]}]})");
}

void TopCommandTest::showsAndOperatesAgents()
{
    StartedRun up(upArguments());
    QVERIFY(waitUntil([&] { return up.output().count("agent.ready") == 2; }));
    CommandRun top(with(words("top", "--interval", "100ms")));
    QVERIFY(m_terminal->begin(top));
    QVERIFY(m_terminal->waitFor("> web"));
    QVERIFY(m_terminal->waitFor("2 agents: 2 Running"));
    m_terminal->type("\x1b[B");
    QVERIFY(m_terminal->waitFor("> worker"));
    m_terminal->type("s");
    QVERIFY(m_terminal->waitFor("stop worker? y/n"));
    m_terminal->type("y");
    QVERIFY(m_terminal->waitFor("stopping worker"));
    QVERIFY(m_terminal->waitFor("worker: stop requested"));
    QVERIFY(m_terminal->waitFor("1 Running, 1 Stopped"));
    m_terminal->type("t");
    QVERIFY(waitUntil([&] { return up.output().count("agent.ready") == 3; }));
    m_terminal->type("r");
    QVERIFY(m_terminal->waitFor("restarting worker"));
    QVERIFY(m_terminal->waitFor("worker: restart requested"));
    QVERIFY(waitUntil([&] { return up.output().count("agent.ready") == 4; }));
    m_terminal->type("e");
    QVERIFY(m_terminal->waitFor("worker: state"));
    m_terminal->type("/we\r");
    QVERIFY(m_terminal->waitFor("[/we, Escape: clear]"));
    m_terminal->type("l");
    QVERIFY(m_terminal->waitFor("web: output"));
    QVERIFY(m_terminal->waitFor("listening"));
    m_terminal->type("q");
    QCOMPARE(top.end(), 0);
    QCOMPARE(up.endBy(SIGTERM), 0);
}

// Long before the next update.
void TopCommandTest::paneFollowsSelection()
{
    StartedRun up(upArguments());
    QVERIFY(waitUntil([&] { return up.output().count("agent.ready") == 2; }));
    CommandRun top(with(words("top", "--interval", "1h")));
    QVERIFY(m_terminal->begin(top));
    QVERIFY(m_terminal->waitFor("> web"));
    m_terminal->type("l");
    QVERIFY(m_terminal->waitFor("web: output"));
    m_terminal->type("j");
    QVERIFY(m_terminal->waitFor("worker: output"));
    m_terminal->type("e");
    QVERIFY(m_terminal->waitFor("worker: state"));
    m_terminal->type("k");
    QVERIFY(m_terminal->waitFor("web: state"));
    m_terminal->type("q");
    QCOMPARE(top.end(), 0);
    QCOMPARE(up.endBy(SIGTERM), 0);
}

void TopCommandTest::restoresTerminal_data()
{
    const Rows<int, int> row("signal", "exitCode");
    row("Ctrl-C", SIGINT, 0);
    row("SIGQUIT", SIGQUIT, 128 + SIGQUIT);
    row("SIGTERM", SIGTERM, 128 + SIGTERM);
    row("SIGHUP", SIGHUP, 128 + SIGHUP);
}

void TopCommandTest::restoresTerminal()
{
    QFETCH(const int, signal);
    QFETCH(const int, exitCode);
    StartedRun up(upArguments());
    QVERIFY(up.waitForOutput("agent.ready"));
    const termios before = m_terminal->settings();
    CommandRun top(with(words("top")));
    QVERIFY(m_terminal->begin(top));
    QVERIFY(m_terminal->waitFor("> web"));
    QVERIFY((m_terminal->settings().c_lflag & ICANON) == 0);
    if (signal == SIGINT || signal == SIGQUIT)
        m_terminal->type(signal == SIGINT ? "\x03" : "\x1c");
    else
        top.signal(signal);
    QCOMPARE(top.end(), exitCode);
    m_terminal->drain();
    QCOMPARE(m_terminal->settings().c_lflag, before.c_lflag);
    const QByteArray &shown = m_terminal->shown();
    for (const auto &[on, off] :
         {std::pair("\x1b[?1049h", "\x1b[?1049l"), std::pair("\x1b[?7l", "\x1b[?7h"),
          std::pair("\x1b[?25l", "\x1b[?25h")}) {
        QVERIFY2(shown.contains(on), on);
        QVERIFY2(shown.lastIndexOf(off) > shown.lastIndexOf(on), on);
    }
    QCOMPARE(up.endBy(SIGTERM), 0);
}

void TopCommandTest::suspendsAndResumes()
{
    StartedRun up(upArguments());
    QVERIFY(up.waitForOutput("agent.ready"));
    CommandRun top(with(words("top")));
    QVERIFY(m_terminal->begin(top));
    QVERIFY(m_terminal->waitFor("> web"));
    top.signal(SIGTSTP);
    QVERIFY(waitUntil(
        [&top] { return statusOf(static_cast<pid_t>(top.processId())).value(0) == "T"; }));
    QVERIFY(m_terminal->waitFor("\x1b[?1049l"));
    m_terminal->forgetShown();
    top.signal(SIGCONT);
    QVERIFY(m_terminal->waitFor("\x1b[?1049h"));
    QVERIFY(m_terminal->waitFor("> web"));
    m_terminal->type("q");
    QCOMPARE(top.end(), 0);
    QCOMPARE(up.endBy(SIGTERM), 0);
}

void TopCommandTest::endsWithItsHost()
{
    StartedRun up(upArguments());
    QVERIFY(up.waitForOutput("agent.ready"));
    CommandRun top(with(words("top")));
    QVERIFY(m_terminal->begin(top));
    QVERIFY(m_terminal->waitFor("> web"));
    QCOMPARE(up.endBy(SIGTERM), 0);
    QCOMPARE(top.end(), 69);
    m_terminal->drain();
    // The message is written after the screen was left.
    const QByteArray &shown = m_terminal->shown();
    QVERIFY(shown.lastIndexOf("rekindle: ") > shown.lastIndexOf("\x1b[?1049l"));
}

void TopCommandTest::needsTerminal()
{
    StartedRun up(upArguments());
    QVERIFY(up.waitForOutput("agent.ready"));
    CompletedRun top(with(words("top")), 64);
    VERIFY_CONTAINS(top.error(), "is not a terminal");
    QCOMPARE(up.endBy(SIGTERM), 0);
}

void TopCommandTest::statusWatchReplacesTable()
{
    StartedRun up(upArguments());
    QVERIFY(up.waitForOutput("agent.ready"));
    CommandRun status(with(words("status", "--watch", "--interval", "50ms")));
    QVERIFY(m_terminal->begin(status));
    QVERIFY(waitUntil([this] {
        m_terminal->drain();
        return m_terminal->shown().count("\x1b[H\x1b[J"
                                         "AGENT")
            >= 3;
    }));
    QCOMPARE(up.endBy(SIGTERM), 0);
    QCOMPARE(status.end(), 0);
}

void TopCommandTest::statusWatchPrintsLines()
{
    StartedRun up(upArguments());
    QVERIFY(waitUntil([&] { return up.output().count("agent.ready") == 2; }));
    StartedRun status(with(words("status", "--watch", "--interval", "50ms", "--json")));
    QVERIFY(waitUntil([&] { return status.output().count('\n') >= 3; }));
    const QByteArray first = status.output().left(status.output().indexOf('\n'));
    QCOMPARE(QJsonDocument::fromJson(first)[QLatin1String("agents")][0][QLatin1String("state")],
             QLatin1String("Running"));
    status.endBy(SIGINT);
    QCOMPARE(up.endBy(SIGTERM), 0);
}

REKINDLE_TEST(TopCommandTest)
#include "topcommandtest.moc"
