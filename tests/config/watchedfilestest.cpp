// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "allprobekinds.h"
#include "testprogram.h"

#include <rekindle/config/configuration.h>

using namespace Rekindle;

/// The key `watch` of agents and MCP servers.
class WatchedFilesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsPatternsOfAgentsAndServers();
    void patternsAreRelativeToTheirFile();
    void folderHasNoWildcards();
    void warnsOfPatternWithoutMatch();

private:
    void write(const QString &name, const QByteArray &text) const
    {
        QVERIFY(QDir(m_folder.path()).mkpath(QFileInfo(name).path()));
        QFile file(m_folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(text), text.size());
    }

    QTemporaryDir m_folder;
};

void WatchedFilesTest::readsPatternsOfAgentsAndServers()
{
    const Parsed<Configuration> parsed =
        parseConfiguration(R"({
        "defaults": { "watch": ["all/*"], "environment": { "SOURCE": "code" } },
        "agents": [
          { "name": "a", "kind": "process", "program": "sh" },
          { "name": "b", "kind": "process", "program": "sh", "watch": [] },
          { "name": "c", "kind": "process", "program": "sh",
            "watch": ["${SOURCE}/**/*.py", "/etc/c.conf", "./$x"] } ],
        "mcpServers": {
          "d": { "command": "sh", "watch": ["${workspaceFolder}/*.js"] },
          "e": { "command": "sh" } } })",
                           QStringLiteral("/base"), {}, allProbeKinds());
    QVERIFY2(parsed, qPrintable(parsed.messages().join(u'\n')));
    QStringList found;
    for (const AgentDefinition &agent : parsed.value->agents)
        found.append(agent.name + u':' + agent.watch.join(u' '));
    QCOMPARE(found,
             QStringList({QStringLiteral("a:/base/all/*"), QStringLiteral("b:"),
                          QStringLiteral("c:/base/code/**/*.py /etc/c.conf /base/./$x"),
                          QStringLiteral("d:/base/*.js"), QStringLiteral("e:")}));
}

void WatchedFilesTest::patternsAreRelativeToTheirFile()
{
    write(QStringLiteral("main.json"), R"({ "include": ["sub/other.json"] })");
    write(QStringLiteral("sub/other.json"),
          R"({ "agents": [{ "name": "a", "kind": "process", "program": "sh",
                            "watch": ["*.py"] }] })");
    const Parsed<Configuration> parsed =
        loadConfiguration(m_folder.filePath(QStringLiteral("main.json")));
    QVERIFY2(parsed, qPrintable(parsed.messages().join(u'\n')));
    QCOMPARE(parsed.value->agents.front().watch,
             QStringList(m_folder.filePath(QStringLiteral("sub/*.py"))));
}

void WatchedFilesTest::folderHasNoWildcards()
{
    write(QStringLiteral("a[b/x.py"), "1");
    const Parsed<Configuration> parsed = parseConfiguration(
        R"({ "agents": [{ "name": "a", "kind": "process", "program": "sh", "watch": ["*.py"] }] })",
        m_folder.filePath(QStringLiteral("a[b")));
    QVERIFY2(parsed, qPrintable(parsed.messages().join(u'\n')));
    QCOMPARE(parsed.messages(), QStringList());
    QCOMPARE(parsed.value->agents.front().watch,
             QStringList(m_folder.filePath(QStringLiteral("a[[]b/*.py"))));
}

void WatchedFilesTest::warnsOfPatternWithoutMatch()
{
    write(QStringLiteral("src/deep/x.py"), "1");
    const Parsed<Configuration> parsed = parseConfiguration(
        R"({ "agents": [{ "name": "a", "kind": "process", "program": "sh",
"watch": ["src/**/*.py", "src/*.py", "gone/*"] }] })",
        m_folder.path());
    QVERIFY2(parsed, qPrintable(parsed.messages().join(u'\n')));
    QCOMPARE(parsed.messages(),
             QStringList({QStringLiteral("2:26: /agents/0/watch/1: warning: src/*.py matches no "
                                         "file yet"),
                          QStringLiteral("2:38: /agents/0/watch/2: warning: gone/* matches no "
                                         "file yet")}));
}

REKINDLE_TEST(WatchedFilesTest)
#include "watchedfilestest.moc"
