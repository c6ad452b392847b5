// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commandrun.h"
#include "testprogram.h"

#include <csignal>
#include <memory>

using namespace Rekindle;

namespace {

// Returns an entry of `agents` with more keys.
QByteArray watching(const char *name, const QByteArray &more)
{
    return QByteArray(R"({"name": ")") + name
        + R"(", "kind": "process", "program": "sleep", "arguments": ["1000"],)"
          R"( "ready": {"kind": "now"}, )"
        + more + "}";
}

} // namespace

/// The key `watch` of agents of a real `up`.
class UpWatchTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void restartsAgentOnChange();
    void restartsServerOnChange();
    void reloadAppliesPatternsWithoutRestart();
    void reloadEndsWatchOfRemovedAgent();
    void runsUntilGivenUpAgentIsChanged();
    void ignoresFilesThatTheHostWrites();

private:
    [[nodiscard]] QString file(const char *name) const
    {
        return m_folder->filePath(QString::fromUtf8(name));
    }
    void write(const char *name, const QByteArray &text = "1") const
    {
        (void)writeFile(m_folder->path(), QString::fromUtf8(name), text);
    }
    void configure(const QByteArray &entries) const { write("up.json", "{" + entries + "}"); }
    void start(const QStringList &options = words("--store", "off", "--state", "off"))
    {
        m_up =
            std::make_unique<CommandRun>(words("up", file("up.json"), "--log", "both") + options);
        QVERIFY(m_up->begin());
    }
    // Waits until so many events of this type and agent were emitted.
    [[nodiscard]] bool waitForEvents(const char *agent, const char *type, int count)
    {
        return waitUntil([&] {
            return eventTypes(m_up->wholeLines(), QString::fromUtf8(agent))
                       .count(QString::fromUtf8(type))
                >= count;
        });
    }
    [[nodiscard]] QStringList reasons() const
    {
        return eventTexts(m_up->wholeLines(), "restart.requested", "reason");
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<CommandRun> m_up;
};

void UpWatchTest::init() { m_folder = std::make_unique<QTemporaryDir>(); }

void UpWatchTest::cleanup()
{
    if (m_up && m_up->state() == QProcess::Running)
        QCOMPARE(m_up->endBy(SIGTERM), 0);
    m_up.reset();
}

void UpWatchTest::restartsAgentOnChange()
{
    write("web.py");
    configure(R"("agents": [)" + watching("web", R"("watch": ["*.py"])") + ", "
              + watching("api", R"("watch": ["*.rb"])") + "]");
    start();
    QVERIFY(waitForEvents("web", "agent.ready", 1));
    write("web.py", "22");
    QVERIFY(waitForEvents("web", "agent.ready", 2));
    write("new.rb");
    QVERIFY(waitForEvents("api", "agent.ready", 2));
    QCOMPARE(reasons(),
             QStringList({file("web.py") + QStringLiteral(" changed"),
                          file("new.rb") + QStringLiteral(" changed")}));
    const QStringList web = eventTypes(m_up->wholeLines(), QStringLiteral("web"));
    QVERIFY(web.filter(QStringLiteral("failed")).isEmpty());
    QVERIFY(web.filter(QStringLiteral("scheduled")).isEmpty()); // no attempt
    VERIFY_CONTAINS(m_up->error(), "/agents/1/watch/0: warning: *.rb matches no file yet");
}

void UpWatchTest::restartsServerOnChange()
{
    write("server.js");
    configure(R"("mcpServers": {"files": {"command": ")" REKINDLE_MCPSERVER
              R"(", "watch": ["*.js"]}})");
    start();
    QVERIFY(waitForEvents("files", "agent.ready", 1));
    write("server.js", "22");
    QVERIFY(waitForEvents("files", "agent.ready", 2));
}

void UpWatchTest::reloadAppliesPatternsWithoutRestart()
{
    write("a.py");
    write("a.rb");
    configure(R"("agents": [)" + watching("web", R"("watch": ["*.py"])") + "]");
    start();
    QVERIFY(waitForEvents("web", "agent.ready", 1));
    configure(R"("agents": [)" + watching("web", R"("watch": ["*.rb"])") + "]");
    CompletedRun reload(words("reload", "--config", file("up.json")));
    QCOMPARE(reload.output(), QByteArray("web: updated (watch)\n"));
    CompletedRun again(words("reload", "--config", file("up.json")));
    QCOMPARE(again.output(), QByteArray("nothing has changed\n"));
    write("a.py", "22");
    write("a.rb", "22");
    QVERIFY(waitForEvents("web", "agent.ready", 2));
    QCOMPARE(reasons(), QStringList(file("a.rb") + QStringLiteral(" changed")));
}

void UpWatchTest::reloadEndsWatchOfRemovedAgent()
{
    write("a.py");
    configure(R"("agents": [)" + watching("web", R"("watch": ["*.py"])") + ", "
              + watching("api", R"("watch": ["*.py"])") + "]");
    start();
    QVERIFY(waitForEvents("web", "agent.ready", 1));
    QVERIFY(waitForEvents("api", "agent.ready", 1));
    configure(R"("agents": [)" + watching("web", R"("watch": ["*.py"])") + "]");
    CompletedRun reload(words("reload", "--config", file("up.json")));
    write("a.py", "22");
    QVERIFY(waitForEvents("web", "agent.ready", 2));
    QCOMPARE(reasons().size(), 1);
}

void UpWatchTest::runsUntilGivenUpAgentIsChanged()
{
    write("code", "exit 3");
    configure(R"("agents": [{"name": "web", "kind": "process", "program": "sh",)"
              R"( "arguments": ["code"], "ready": {"kind": "now"}, "policy": "none",)"
              R"( "watch": ["code"]}])");
    start();
    QVERIFY(waitForEvents("web", "agent.failed", 1));
    write("code", "exec sleep 1000");
    QVERIFY(waitForEvents("web", "agent.ready", 2));
    // Without the key, nothing could start the agent again.
    QCOMPARE(m_up->endBy(SIGTERM), 0);
    write("code", "exit 3");
    configure(R"("agents": [{"name": "web", "kind": "process", "program": "sh",)"
              R"( "arguments": ["code"], "policy": "none"}])");
    CompletedRun once(words("up", file("up.json"), "--store", "off", "--state", "off"), 1);
}

// Each restart changes all of them.
void UpWatchTest::ignoresFilesThatTheHostWrites()
{
    write("code");
    configure(R"("agents": [{"name": "web", "kind": "process", "program": "sh",)"
              R"( "arguments": ["-c", "echo line; exec sleep 1000"], "ready": {"kind": "now"},)"
              R"( "stdout": {"file": "out.log", "maxSize": 4096, "keep": 1}, "watch": ["**/*"]}])");
    start(words("--store", file("s.sqlite"), "--state", file("s.state"), "--events",
                file("events.jsonl")));
    QVERIFY(waitForEvents("web", "agent.ready", 1));
    for (int i = 1; i <= 3; ++i) {
        write("code", QByteArray(i + 1, 'x'));
        QVERIFY(waitForEvents("web", "agent.ready", i + 1));
        QCOMPARE(reasons().size(), i);
        QCOMPARE(reasons().last(), file("code") + QStringLiteral(" changed"));
    }
}

REKINDLE_TEST(UpWatchTest)
#include "upwatchtest.moc"
