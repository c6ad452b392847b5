// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "allprobekinds.h"
#include "testprogram.h"

#include <rekindle/config/configuration.h>
#include <rekindle/mcp/watchdogproxy.h>
#include <rekindle/policy/presets.h>

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
    void allServersMayBeDisabledIfThereAreAgents();
    void warnsOfKeysOfOtherClients();
    void warnsOfMissingFilesAndVariables();

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

void ConfigurationServersTest::allServersMayBeDisabledIfThereAreAgents()
{
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

REKINDLE_TEST(ConfigurationServersTest)
#include "configurationserverstest.moc"
