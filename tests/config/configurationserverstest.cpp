// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "allprobekinds.h"
#include "testprogram.h"

#include <rekindle/config/configuration.h>
#include <rekindle/mcp/watchdogproxy.h>
#include <rekindle/policy/presets.h>

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

using namespace Rekindle;
using namespace std::chrono_literals;

/// `mcpServers` of a configuration.
class ConfigurationServersTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void minimalEntryHasDefaults();
    void everyKeyIsRead();
    void serversFollowAgentsAndIgnoreDefaults();
    void healthReplacesTheDefault();
    void pathsAreRelativeToTheConfiguration();
    void skipsEntries();
    void warnsOfKeysOfOtherClients();
    void warnsOfMissingFilesAndVariables();
    void faults_data();
    void faults();

private:
    static Parsed<Configuration> parse(const QByteArray &json)
    {
        return parseConfiguration(json, QStringLiteral("/base"), {}, allProbeKinds());
    }
    static QList<AgentDefinition> agents(const QByteArray &json)
    {
        const Parsed<Configuration> parsed = parse(json);
        if (!parsed)
            qWarning("%s", qPrintable(parsed.messages().join(u'\n')));
        return parsed.value.value_or(Configuration{}).agents;
    }
};

void ConfigurationServersTest::minimalEntryHasDefaults()
{
    const Parsed<Configuration> parsed =
        parse("{\"mcpServers\":\n  {\"files\": {\"command\": \"sh\"}}}");
    QCOMPARE(parsed.messages(), QStringList());
    QVERIFY(parsed);
    AgentDefinition expected;
    expected.kind = AgentDefinition::Kind::McpServer;
    expected.name = QStringLiteral("files");
    expected.process = ProcessDefinition::stdioServer(QStringLiteral("sh"), {});
    expected.process.workingDirectory = QStringLiteral("/base");
    expected.process.health = {mcpPingProbe()};
    expected.policyName = QStringLiteral("stdio-backend");
    expected.policy = *preset(expected.policyName);
    expected.pointer = QStringLiteral("/mcpServers/files");
    expected.line = 2;
    expected.column = 13;
    QCOMPARE(parsed.value->agents, QList<AgentDefinition>{expected});
}

void ConfigurationServersTest::everyKeyIsRead()
{
    qputenv("REKINDLE_TEST_SET", "set");
    const auto read = agents(R"({"mcpServers": {"s": {"type": "stdio", "command": "/bin/cat",
        "args": ["-u", "${env:REKINDLE_TEST_SET}", "${workspaceFolder}"],
        "env": {"A": "1", "N": 5, "R": null}, "cwd": "/", "disabled": false, "enabled": true,
        "policy": {"type": "linear"},
        "health": [{"kind": "mcp-ping", "interval": "1s", "timeout": "500ms", "misses": 1,
                    "grace": "2s", "lastChance": "9s"}]}}})");
    QCOMPARE(read.size(), 1);
    const AgentDefinition &server = read.front();
    QCOMPARE(server.policy.type, RestartPolicyType::Linear);
    QCOMPARE(server.policyName, QString());
    QCOMPARE(server.process.program, QStringLiteral("/bin/cat"));
    QCOMPARE(server.process.arguments,
             (QStringList{QStringLiteral("-u"), QStringLiteral("set"), QStringLiteral("/base")}));
    QCOMPARE(server.process.workingDirectory, QStringLiteral("/"));
    const decltype(server.process.environment) environment{
        {QStringLiteral("A"), QStringLiteral("1")},
        {QStringLiteral("N"), QStringLiteral("5")},
        {QStringLiteral("R"), std::nullopt}};
    QCOMPARE(server.process.environment, environment);
    QCOMPARE(server.process.health,
             QList<HealthProbeDefinition>{mcpPingProbe({1s, 500ms, 1, 2s, 9s})});
}

void ConfigurationServersTest::serversFollowAgentsAndIgnoreDefaults()
{
    const auto read = agents(R"({
        "mcpServers": {"z": {"command": "/bin/cat"}, "b": {"command": "/bin/cat", "policy": "own"}},
        "policies": {"own": {"type": "linear"}},
        "defaults": {"policy": "none", "environment": {"A": "1"}, "stop": {"kill": "9s"},
                     "health": [{"kind": "heartbeat"}], "stderr": "null"},
        "agents": [{"name": "c", "kind": "process", "program": "/bin/cat"}]})");
    QStringList found;
    for (const AgentDefinition &agent : read)
        found.append(agent.pointer + u' ' + agent.name + u' ' + agent.policyName);
    QCOMPARE(found,
             (QStringList{QStringLiteral("/agents/0 c none"),
                          QStringLiteral("/mcpServers/z z stdio-backend"),
                          QStringLiteral("/mcpServers/b b own")}));
    QCOMPARE(read[0].kind, AgentDefinition::Kind::Process);
    QCOMPARE(read[1].kind, AgentDefinition::Kind::McpServer);
    QVERIFY(read[1].process.environment.isEmpty());
    QCOMPARE(read[1].process.stop, ProcessDefinition::stdioServer({}, {}).stop);
    QCOMPARE(read[1].process.standardError.kind, OutputTarget::Kind::Lines);
    QCOMPARE(read[1].process.health, QList<HealthProbeDefinition>{mcpPingProbe()});
}

void ConfigurationServersTest::healthReplacesTheDefault()
{
    const auto read = agents(R"({"mcpServers": {
        "none": {"command": "/bin/cat", "health": []},
        "more": {"command": "/bin/cat", "health": [{"kind": "heartbeat"}, {"kind": "mcp-ping"},
                 {"kind": "exec", "command": ["./probe"]}]}}})");
    QVERIFY(read[0].process.health.isEmpty());
    const auto &more = read[1].process.health;
    QCOMPARE(more,
             (QList<HealthProbeDefinition>{heartbeatProbe(), mcpPingProbe(),
                                           execProbe({QStringLiteral("/base/probe")})}));
}

void ConfigurationServersTest::pathsAreRelativeToTheConfiguration()
{
    const auto read = agents(R"({"mcpServers": {
        "a": {"command": "./x"}, "b": {"command": "bin/x", "cwd": "sub/../dir"},
        "c": {"command": "x", "args": ["${workspaceFolderBasename}", "./left"]}}})");
    QStringList found;
    for (const AgentDefinition &agent : read)
        found.append(agent.process.program + u' ' + agent.process.workingDirectory);
    QCOMPARE(found,
             (QStringList{QStringLiteral("/base/x /base"), QStringLiteral("/base/bin/x /base/dir"),
                          QStringLiteral("x /base")}));
    QCOMPARE(read[2].process.arguments,
             (QStringList{QStringLiteral("base"), QStringLiteral("./left")}));
}

void ConfigurationServersTest::skipsEntries()
{
    const Parsed<Configuration> parsed = parse(R"({"mcpServers": {
        "web": {"type": "http", "url": "https://x"}, "sse": {"url": "https://x"},
        "a b": {"command": 5, "disabled": true}, "off": {"enabled": false},
        "s": {"command": "/bin/cat"}}})");
    QVERIFY2(parsed, qPrintable(parsed.messages().join(u'\n')));
    QCOMPARE(parsed.value->agents.size(), 1);
    QStringList warned;
    for (const Fault &warning : parsed.warnings)
        warned.append(warning.path);
    QCOMPARE(warned,
             (QStringList{QStringLiteral("/mcpServers/web/type"),
                          QStringLiteral("/mcpServers/sse/url")}));

    // If there are agents, all servers may be disabled.
    QVERIFY(parse(R"({"agents": [{"name": "a", "kind": "process", "program": "/bin/cat"}],
                      "mcpServers": {"off": {"disabled": true}}})"));
}

void ConfigurationServersTest::warnsOfKeysOfOtherClients()
{
    const Parsed<Configuration> parsed =
        parse("{\"mcpServers\": {\"s\": {\"command\": \"/bin/cat\", \"alwaysAllow\": [],\n"
              "\"heath\": [], \"retry\": \"safe\",\n\"callTimeout\": 5, \"restartOnExit\": 5}}}");
    QVERIFY(parsed);
    QCOMPARE(
        parsed.messages(),
        (QStringList{
            QStringLiteral("1:46: /mcpServers/s/alwaysAllow: warning: ignored: this key belongs to "
                           "other MCP clients"),
            QStringLiteral(
                "2:1: /mcpServers/s/heath: warning: ignored: this key belongs to other MCP "
                "clients; did you mean \"health\"?"),
            QStringLiteral("2:14: /mcpServers/s/retry: warning: ignored: this key belongs to "
                           "`rekindle mcp --config`"),
            QStringLiteral("3:1: /mcpServers/s/callTimeout: warning: ignored: this key belongs to "
                           "`rekindle mcp --config`"),
            QStringLiteral("3:19: /mcpServers/s/restartOnExit: warning: ignored: this key belongs "
                           "to `rekindle mcp --config`")}));
}

void ConfigurationServersTest::warnsOfMissingFilesAndVariables()
{
    const Parsed<Configuration> parsed = parse(
        "{\"mcpServers\": {\"s\": {\"command\": \"./no\", \"cwd\": \"gone\",\n"
        "\"health\": [{\"kind\": \"mcp-ping\"}, {\"kind\": \"exec\", \"command\": [\"/no/p\"]}]},\n"
        "\"t\": {\"command\": \"${env:REKINDLE_TEST_UNSET}/bin/cat\"}}}");
    QVERIFY(parsed);
    QStringList found = parsed.messages();
    found.sort();
    QCOMPARE(found,
             (QStringList{
                 QStringLiteral("1:34: /mcpServers/s/command: warning: program /base/no is not "
                                "found"),
                 QStringLiteral("1:49: /mcpServers/s/cwd: warning: folder /base/gone is not found"),
                 QStringLiteral("2:63: /mcpServers/s/health/1/command/0: warning: program /no/p is "
                                "not found"),
                 QStringLiteral("3:18: /mcpServers/t/command: warning: environment variable "
                                "REKINDLE_TEST_UNSET is not set, using an empty text")}));
}

void ConfigurationServersTest::faults_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char *name, const QByteArray &json, const char *expected) {
        QTest::newRow(name) << json << QString::fromUtf8(expected);
    };
    // An entry with more keys, which begin in line 2, column 1.
    const auto server = [](const QByteArray &more) -> QByteArray {
        return "{\"mcpServers\": {\"s\": {\"command\": \"/bin/cat\",\n" + more + "}}}";
    };
    row("an array", "{\"mcpServers\": []}",
        "1:16: /mcpServers: expected an object, found an array");
    row("empty", "{\"mcpServers\": {}}",
        "1:16: /mcpServers: expected at least one server that can be started, found none");
    row("all disabled", "{\"mcpServers\": {\"a\": {\"disabled\": true}}}",
        "1:16: /mcpServers: expected at least one server that can be started, found none");
    row("an empty list of agents",
        "{\"agents\": [], \"mcpServers\": {\"a\": {\"command\": \"/bin/cat\"}}}",
        "1:12: /agents: expected at least one agent, found none");
    row("an entry as a text", "{\"mcpServers\": {\"a\": \"/bin/cat\"}}",
        "1:22: /mcpServers/a: expected an object, found \"/bin/cat\"");
    row("no command", "{\"mcpServers\": {\"a\": {}}}", "1:22: /mcpServers/a/command: missing");
    row("name", "{\"mcpServers\": {\"a b\": {\"command\": \"/bin/cat\"}}}",
        "1:17: /mcpServers/a b: expected 1 to 64 of A-Z a-z 0-9 . _ -, found \"a b\"");
    row("no name", "{\"mcpServers\": {\"\": {\"command\": \"/bin/cat\"}}}",
        "1:17: /mcpServers/: expected 1 to 64 of A-Z a-z 0-9 . _ -, found \"\"");
    row("the name of an agent",
        "{\"mcpServers\": {\"a\": {\"command\": \"/bin/cat\"}},\n"
        "\"agents\": [{\"name\": \"a\", \"kind\": \"process\", \"program\": \"/bin/sh\"}]}",
        "1:17: /mcpServers/a: duplicate name \"a\", first on line 2");
    row("the same name",
        "{\"mcpServers\": {\"a\": {\"command\": \"/bin/cat\"},\n\"a\": {\"command\": \"x\"}}}",
        "2:1: /mcpServers/a: duplicate name");
    row("command", "{\"mcpServers\": {\"a\": {\"command\": \"\"}, \"b\": {\"command\": [\"x\"]}}}",
        "1:34: /mcpServers/a/command: expected a non-empty string, found \"\"\n"
        "1:56: /mcpServers/b/command: expected a string, found an array");
    row("args", server("\"args\": [1, \"${input:key}\"]"),
        "2:10: /mcpServers/s/args/0: expected a string, found 1\n"
        "2:13: /mcpServers/s/args/1: expected a string or ${env:NAME}, found "
        "${input:key}, for which an editor prompts");
    row("env", server("\"env\": {\"A\": true, \"B=C\": \"\"}"),
        "2:14: /mcpServers/s/env/A: expected a string, a number, or null to remove the variable, "
        "found true\n"
        "2:27: /mcpServers/s/env/B=C: expected a variable name that is not empty and has no \"=\" "
        "or zero character");
    row("cwd", server("\"cwd\": \"\""),
        "2:8: /mcpServers/s/cwd: expected a non-empty string, found \"\"");
    row("type", server("\"type\": \"pigeon\""),
        "2:9: /mcpServers/s/type: expected \"stdio\", or \"http\" or \"sse\", which are skipped, "
        "found \"pigeon\"");
    row("disabled", server("\"disabled\": 1, \"enabled\": \"no\""),
        "2:13: /mcpServers/s/disabled: expected true or false, found 1\n"
        "2:27: /mcpServers/s/enabled: expected true or false, found \"no\"");
    row("policy", server("\"policy\": {\"multiplier\": 0.5}"),
        "2:26: /mcpServers/s/policy/multiplier: expected 1 to 100, found 0.5");
    row("health", server("\"health\": {}"),
        "2:11: /mcpServers/s/health: expected an array, found an object");
    row("health of what kind", server("\"health\": [{\"kind\": \"ping\"}]"),
        "2:21: /mcpServers/s/health/0/kind: expected one of exec, heartbeat, tcp, http, mcp-ping, "
        "found \"ping\"");
}

void ConfigurationServersTest::faults()
{
    QFETCH(const QByteArray, json);
    QFETCH(const QString, expected);
    const Parsed<Configuration> parsed = parse(json);
    QVERIFY(!parsed);
    QStringList found;
    for (const Fault &fault : parsed.faults)
        found.append(fault.toString());
    QCOMPARE(found.join(u'\n'), expected);
}

REKINDLE_TEST(ConfigurationServersTest)
#include "configurationserverstest.moc"
