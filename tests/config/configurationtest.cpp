// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "allprobekinds.h"
#include "testprogram.h"
#include "valuetraits.h"

#include <rekindle/config/configuration.h>
#include <rekindle/config/mcpservers.h>
#include <rekindle/policy/presets.h>

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace Rekindle;

static_assert(Record<AgentDefinition>);
static_assert(Record<Configuration>);
static_assert(Record<McpServerDefinition>);
static_assert(Record<McpServers>);
using namespace std::chrono_literals;

class ConfigurationTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void minimalConfigurationHasDefaults();
    void everyKeyIsRead();
    void agentsUseDefaults();
    void shortFormsOfReady_data();
    void shortFormsOfReady();
    void resolvesPolicies();
    void pathsAreRelativeToTheFile();
    void schemaIsCompiledIn();

private:
    static Configuration parse(const QByteArray &json);

    QTemporaryDir m_folder;
};

Configuration ConfigurationTest::parse(const QByteArray &json)
{
    const Parsed<Configuration> parsed =
        parseConfiguration(json, QStringLiteral("/base"), {}, allProbeKinds());
    if (!parsed)
        qWarning("%s", qPrintable(parsed.messages().join(u'\n')));
    return parsed.value.value_or(Configuration{});
}

void ConfigurationTest::minimalConfigurationHasDefaults()
{
    const Parsed<Configuration> parsed = parseConfiguration(
        "{\"agents\":\n  [{\"name\": \"a\", \"kind\": \"process\", \"program\": \"sh\"}]}",
        QStringLiteral("/base"));
    QVERIFY2(parsed, qPrintable(parsed.messages().join(u'\n')));
    QCOMPARE(parsed.messages(), QStringList());
    AgentDefinition expected;
    expected.name = QStringLiteral("a");
    expected.process.program = QStringLiteral("sh");
    expected.policyName = QStringLiteral("default");
    expected.pointer = QStringLiteral("/agents/0");
    expected.line = 2;
    expected.column = 4;
    QCOMPARE(parsed.value->agents, QList<AgentDefinition>{expected});
    QVERIFY(parsed.value->policies.isEmpty());
}

void ConfigurationTest::everyKeyIsRead()
{
    const Configuration configuration = parse(R"({
        "$schema": "rekindle.schema.json",
        "policies": { "patient": { "type": "linear", "maxRetries": 5 } },
        "agents": [ { "name": "web.1_a-b", "kind": "process", "program": "/bin/sh",
            "arguments": ["-c", "", "exit 1"], "workingDirectory": "/",
            "environment": { "LANG": "C", "EMPTY": "", "GONE": null }, "policy": "patient",
            "ready": { "kind": "line", "pattern": "^up \\d+" },
            "health": [
                { "kind": "exec", "command": ["./probe", ""] },
                { "kind": "tcp", "port": 80, "host": "::1", "misses": 1, "grace": "1m" },
                { "kind": "http", "url": "http://127.0.0.1:8000/x", "interval": "5s",
                  "timeout": "1s", "lastChance": "9s" },
                { "kind": "heartbeat" } ],
            "stdin": "pipe", "stdout": "lines", "stderr": { "file": "logs/web.err" },
            "outputEvents": true,
            "stop": { "closeStdin": "250ms", "terminate": "1h", "kill": "0s" },
            "exitCodes": { "69": "permanent", "78": "Timeout", "3": "permanent" } } ] })");
    QCOMPARE(configuration.policies.keys(), QStringList{QStringLiteral("patient")});
    QCOMPARE(configuration.agents.size(), 1);
    const AgentDefinition &agent = configuration.agents.front();
    QCOMPARE(agent.name, QStringLiteral("web.1_a-b"));
    QCOMPARE(agent.policyName, QStringLiteral("patient"));
    QCOMPARE(agent.policy, configuration.policies.first());
    QCOMPARE(agent.policy.maxRetries, std::optional<int>(5));
    QVERIFY(agent.outputEvents);

    ProcessDefinition expected;
    expected.program = QStringLiteral("/bin/sh");
    expected.arguments = {QStringLiteral("-c"), QString(), QStringLiteral("exit 1")};
    expected.workingDirectory = QStringLiteral("/");
    expected.environment = {{QStringLiteral("LANG"), QStringLiteral("C")},
                            {QStringLiteral("EMPTY"), QString()},
                            {QStringLiteral("GONE"), std::nullopt}};
    expected.readiness.kind = Readiness::Kind::Line;
    expected.readiness.pattern = QStringLiteral("^up \\d+");
    expected.health = {
        execProbe({QStringLiteral("/base/probe"), QString()}),
        tcpProbe(QStringLiteral("::1"), 80, {.misses = 1, .grace = 1min}),
        httpProbe(QUrl(QStringLiteral("http://127.0.0.1:8000/x")),
                  {.interval = 5s, .timeout = 1s, .lastChance = 9s}),
        heartbeatProbe(),
    };
    expected.standardInput = ProcessDefinition::StandardInput::Pipe;
    expected.standardError = {OutputTarget::Kind::File, QStringLiteral("/base/logs/web.err")};
    expected.stop = {250ms, 1h, 0s};
    expected.exitCodes.insert(69, {FailureReason::DependencyFailure, true});
    expected.exitCodes.insert(78, {FailureReason::Timeout, false});
    expected.exitCodes.insert(3, {FailureReason::ProcessCrash, true});
    QCOMPARE(agent.process, expected);
}

void ConfigurationTest::agentsUseDefaults()
{
    const Configuration configuration = parse(R"({
        "agents": [
            { "name": "plain", "kind": "process", "program": "sh" },
            { "name": "own", "kind": "process", "program": "sh", "policy": "none",
              "environment": { "A": "own", "C": null }, "ready": "alive", "stdout": "inherit",
              "outputEvents": false,
              "stop": { "kill": "9s" }, "exitCodes": { "5": "Timeout" }, "stdin": "null",
              "workingDirectory": "/" } ],
        "defaults": { "policy": "watchdog", "environment": { "A": "default", "B": "b" },
            "ready": { "kind": "alive", "for": "5s" }, "stdin": "inherit", "stdout": "null",
            "stderr": { "file": "/all.err" }, "outputEvents": true, "stop": { "terminate": "1s", "kill": "3s" },
            "exitCodes": { "4": "permanent" }, "workingDirectory": "/usr" } })");
    QCOMPARE(configuration.agents.size(), 2);
    const AgentDefinition &plain = configuration.agents[0];
    QCOMPARE(plain.policyName, QStringLiteral("watchdog"));
    QVERIFY(plain.outputEvents && !configuration.agents[1].outputEvents);
    QCOMPARE(plain.policy, *preset(u"watchdog"));
    QCOMPARE(plain.process.environment.value(QStringLiteral("A")), QStringLiteral("default"));
    QCOMPARE(plain.process.readiness.aliveFor, Duration(5s));
    QVERIFY(plain.process.standardInput == ProcessDefinition::StandardInput::Inherit);
    QVERIFY(plain.process.standardOutput.kind == OutputTarget::Kind::Null);
    QCOMPARE(plain.process.standardError.file, QStringLiteral("/all.err"));
    QCOMPARE(plain.process.stop, (StopSequence{0s, 1s, 3s}));
    QVERIFY(plain.process.exitCodes.meaning(4).permanent);
    QCOMPARE(plain.process.workingDirectory, QStringLiteral("/usr"));

    const AgentDefinition &own = configuration.agents[1];
    QCOMPARE(own.policyName, QStringLiteral("none"));
    QCOMPARE(own.process.environment.size(), 3);
    QCOMPARE(own.process.environment.value(QStringLiteral("A")), QStringLiteral("own"));
    QCOMPARE(own.process.environment.value(QStringLiteral("B")), QStringLiteral("b"));
    QVERIFY(!own.process.environment.value(QStringLiteral("C")));
    QCOMPARE(own.process.readiness, Readiness{});
    QVERIFY(own.process.standardInput == ProcessDefinition::StandardInput::Null);
    QVERIFY(own.process.standardOutput.kind == OutputTarget::Kind::Inherit);
    QCOMPARE(own.process.stop, (StopSequence{0s, 1s, 9s}));
    QVERIFY(own.process.exitCodes.meaning(4).permanent);
    QVERIFY(own.process.exitCodes.meaning(5).reason == FailureReason::Timeout);
    QCOMPARE(own.process.workingDirectory, QStringLiteral("/"));
}

void ConfigurationTest::shortFormsOfReady_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<int>("kind");
    const auto row = [](const char *json, Readiness::Kind kind) {
        QTest::newRow(json) << QByteArray(json) << static_cast<int>(kind);
    };
    row(R"("alive")", Readiness::Kind::Alive);
    row(R"({"kind": "alive"})", Readiness::Kind::Alive);
    row(R"("now")", Readiness::Kind::Now);
    row(R"({"kind": "now"})", Readiness::Kind::Now);
    row(R"("notify")", Readiness::Kind::Notify);
    row(R"({"kind": "notify"})", Readiness::Kind::Notify);
}

void ConfigurationTest::shortFormsOfReady()
{
    QFETCH(const QByteArray, json);
    QFETCH(const int, kind);
    const QByteArray text =
        R"({"agents":[{"name":"a","kind":"process","program":"sh","ready":)" + json + "}]}";
    const Configuration configuration = parse(text);
    QCOMPARE(configuration.agents.size(), 1);
    Readiness expected;
    expected.kind = static_cast<Readiness::Kind>(kind);
    QCOMPARE(configuration.agents.front().process.readiness, expected);
}

void ConfigurationTest::resolvesPolicies()
{
    QFile file(m_folder.filePath(QStringLiteral("patient.json")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{\"type\": \"linear\", \"initialDelay\": \"7s\"}");
    file.close();
    const Parsed<Configuration> parsed = parseConfiguration(R"({
        "policies": { "alias": "otp", "fromFile": "patient.json", "own": { "maxRetries": 1 } },
        "agents": [
            { "name": "a", "kind": "process", "program": "sh", "policy": "alias" },
            { "name": "b", "kind": "process", "program": "sh", "policy": "fromFile" },
            { "name": "c", "kind": "process", "program": "sh", "policy": "own" },
            { "name": "d", "kind": "process", "program": "sh", "policy": "./patient.json" },
            { "name": "e", "kind": "process", "program": "sh", "policy": "vscode" },
            { "name": "f", "kind": "process", "program": "sh", "policy": { "maxRetries": 2 } } ]
        })",
                                                            m_folder.path());
    QVERIFY2(parsed, qPrintable(parsed.messages().join(u'\n')));
    const QList<AgentDefinition> &agents = parsed.value->agents;
    QCOMPARE(agents[0].policy, *preset(u"otp"));
    QCOMPARE(agents[0].policyName, QStringLiteral("alias"));
    QCOMPARE(agents[1].policy.initialDelay, Duration(7s));
    QCOMPARE(agents[2].policy.maxRetries, std::optional<int>(1));
    QCOMPARE(agents[3].policy, agents[1].policy);
    QCOMPARE(agents[3].policyName, QStringLiteral("./patient.json"));
    QCOMPARE(agents[4].policy, *preset(u"vscode"));
    QCOMPARE(agents[5].policy.maxRetries, std::optional<int>(2));
    QCOMPARE(agents[5].policyName, QString());
}

void ConfigurationTest::pathsAreRelativeToTheFile()
{
    const QDir folder(m_folder.path());
    QVERIFY(folder.mkpath(QStringLiteral("sub/work")));
    for (const QString &name : {QStringLiteral("sub/run.sh"), QStringLiteral("sub/p.json"),
                                QStringLiteral("sub/config.json")}) {
        QFile file(folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(name.endsWith(QStringLiteral("config.json"))
                       ? R"({"agents":[{"name":"a","kind":"process","program":"./run.sh",
                             "workingDirectory":"work","stdout":{"file":"../out"},
                             "policy":"p.json"}]})"
                       : "{}");
        QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    }
    // From any working directory, with any name of the file.
    const QString path = folder.filePath(QStringLiteral("sub/config.json"));
    for (const QString &name : {path, QDir::current().relativeFilePath(path)}) {
        const Parsed<Configuration> parsed = loadConfiguration(name, allProbeKinds());
        QVERIFY2(parsed, qPrintable(parsed.messages().join(u'\n')));
        QCOMPARE(parsed.messages(), QStringList());
        QCOMPARE(parsed.file, name);
        const ProcessDefinition &process = parsed.value->agents.front().process;
        QCOMPARE(process.program, folder.filePath(QStringLiteral("sub/run.sh")));
        QCOMPARE(process.workingDirectory, folder.filePath(QStringLiteral("sub/work")));
        QCOMPARE(process.standardOutput.file, folder.filePath(QStringLiteral("out")));
    }
}

void ConfigurationTest::schemaIsCompiledIn()
{
    QJsonParseError error;
    const QJsonDocument schema = QJsonDocument::fromJson(configurationSchema(), &error);
    QCOMPARE(error.error, QJsonParseError::NoError);
    QCOMPARE(schema.object()[u"$schema"].toString(),
             QStringLiteral("https://json-schema.org/draft/2020-12/schema"));
}

REKINDLE_TEST(ConfigurationTest)
#include "configurationtest.moc"
