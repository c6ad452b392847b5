// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "allprobekinds.h"
#include "testprogram.h"
#include "valuetraits.h"

#include <rekindle/config/configuration.h>
#include <rekindle/config/mcpservers.h>
#include <rekindle/config/policyargument.h>
#include <rekindle/policy/presets.h>

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
    void limitsAreMergedWithDefaults();
    void agentsUseDefaults();
    void shortFormsOfReady_data();
    void shortFormsOfReady();
    void resolvesPolicies();
    void pathsAreRelativeToTheFile();
    void filesHaveComments();
    void replacesVariables();
    void readsEnvironmentFiles();
    void reportsFaultsOfEnvironmentFiles();
    void schemaIsCompiledIn();

private:
    static Configuration parse(const QByteArray &json);
    [[nodiscard]] QString write(const QString &name, const QByteArray &text) const;

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

// Returns the path.
QString ConfigurationTest::write(const QString &name, const QByteArray &text) const
{
    QFile file(m_folder.filePath(name));
    return file.open(QIODevice::WriteOnly) && file.write(text) == text.size() ? file.fileName()
                                                                              : QString();
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
            "stdin": "pipe", "stdout": "lines", "stderr": { "file": "logs/web.err", "maxSize": "1.5MiB", "maxAge": "2d", "keep": 9 },
            "outputEvents": true,
            "stop": { "closeStdin": "250ms", "signal": "SIGHUP", "terminate": "1h", "kill": "0s" },
            "exitCodes": { "69": "permanent", "78": "Timeout", "3": "permanent", "42": "Timeout" },
            "user": "root", "group": "0", "umask": "027", "nice": -5,
            "limits": { "memory": "100MB", "cpu": { "share": "150%", "for": "1m" }, "processes": 20,
                        "interval": "1s",
                        "rlimits": { "nofile": [1024, 4096], "core": "unlimited", "cpu": 60 } },
            "recycle": { "maxAge": "24h", "spread": 0, "memory": "80 MB" }
            } ] })");
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
    expected.standardError.rotation =
        LogRotation{.maxSize = 1'572'864, .maxAge = std::chrono::hours(48), .keep = 9};
    expected.stop = {250ms, 1h, 0s, SIGHUP};
    expected.exitCodes.insert(69, {FailureReason::DependencyFailure, true});
    expected.exitCodes.insert(78, {FailureReason::Timeout, false});
    expected.exitCodes.insert(42, {FailureReason::Timeout, false});
    expected.exitCodes.insert(3, {FailureReason::ProcessCrash, true});
    expected.identity = {QStringLiteral("root"), QStringLiteral("0")};
    expected.umask = 027;
    expected.nice = -5;
    expected.limits = {{QStringLiteral("nofile"), {1024, 4096}},
                       {QStringLiteral("core"), {}},
                       {QStringLiteral("cpu"), {60, 60}}};
    expected.usage = {
        .memory = 100'000'000, .cpu = 1.5, .cpuFor = 1min, .processes = 20, .interval = 1s};
    expected.recycling = {.maxAge = 24h, .spread = 0, .memory = 80'000'000};
    QCOMPARE(agent.process, expected);
}

void ConfigurationTest::limitsAreMergedWithDefaults()
{
    const Configuration configuration = parse(R"({
        "defaults": { "umask": "077",
                      "limits": { "memory": 4096, "processes": 3, "cpu": { "share": "50%" },
                                  "rlimits": { "core": 0, "cpu": 10 } },
                      "recycle": { "maxAge": "2h", "memory": "1GB" } },
        "agents": [
            { "name": "a", "kind": "process", "program": "sh", "umask": "0",
              "limits": { "processes": "unlimited", "cpu": "unlimited",
                          "rlimits": { "cpu": [20, "unlimited"] } },
              "recycle": { "maxAge": "1h" } } ] })");
    const ProcessDefinition &process = configuration.agents.front().process;
    QCOMPARE(process.umask, 0);
    QCOMPARE(process.usage, UsageLimits{.memory = 4096});
    QCOMPARE(process.recycling, Recycling{.maxAge = 1h});
    QCOMPARE(
        process.limits,
        (QMap<QString, ResourceLimit>{{QStringLiteral("core"), {0, 0}},
                                      {QStringLiteral("cpu"), {20, ResourceLimit::unlimited}}}));
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

// Of configurations and policy files. An argument is strict.
void ConfigurationTest::filesHaveComments()
{
    const QString policy = write(QStringLiteral("slow.json"), "// slow\n{\"type\": \"linear\",}");
    const QString path = write(QStringLiteral("comments.json"),
                               "{ /* one */ \"agents\": [\n // web\n  {\"name\": \"a\", \"kind\": "
                               "\"process\", \"program\": \"sh\", \"policy\": \"slow.json\",},],}");
    const Parsed<Configuration> parsed = loadConfiguration(path);
    QVERIFY2(parsed, qPrintable(parsed.messages().join(u'\n')));
    QCOMPARE(parsed.value->agents.front().policy.type, RestartPolicyType::Linear);
    QCOMPARE(parsed.value->agents.front().line, 3);
    const QList<Fault> faults =
        placedFaults({{QStringLiteral("/agents/0/policy"), QStringLiteral("x")}}, path);
    QCOMPARE(faults.front().column, 63);
    QVERIFY(policyFromArgument(policy));
    QVERIFY(!policyFromArgument(QStringLiteral("{\"type\": \"linear\",}")));
}

void ConfigurationTest::replacesVariables()
{
    qputenv("REKINDLE_TEST_SET", "set");
    qputenv("REKINDLE_TEST_EMPTY", "");
    qunsetenv("REKINDLE_TEST_UNSET");
    const Configuration configuration = parse(R"({
        "defaults": { "environment": { "BASE": "/srv/${REKINDLE_TEST_SET}", "REKINDLE_TEST_SET": "own" },
                      "stderr": { "file": "${BASE}.log" } },
        "agents": [ { "name": "a", "kind": "process", "program": "${BASE}/${env:NAME}",
            "workingDirectory": "${NAME}", "stdout": { "file": "${userHome}/${NAME}" },
            "environment": { "NAME": "${BASE}x", "BASE": "b", "LITERAL": "$${BASE}$$" },
            "arguments": ["${REKINDLE_TEST_SET}${REKINDLE_TEST_EMPTY}", "${REKINDLE_TEST_UNSET:-d}",
                          "${REKINDLE_TEST_EMPTY:-e}${REKINDLE_TEST_UNSET:-}", "${workspaceFolder}",
                          "echo $HOME $$ $1 $(id) $${x%.a} $${", "$${BASE"] } ] })");
    QCOMPARE(configuration.agents.size(), 1);
    const ProcessDefinition &process = configuration.agents.front().process;
    const auto variable = [&](const char *name) {
        return process.environment.value(QString::fromLatin1(name)).value_or(QString());
    };
    QCOMPARE(variable("NAME"), QStringLiteral("/srv/setx")); // the BASE of the defaults
    QCOMPARE(variable("BASE"), QStringLiteral("b"));
    QCOMPARE(variable("LITERAL"), QStringLiteral("${BASE}$$"));
    QCOMPARE(process.program, QStringLiteral("/base/b/srv/setx"));
    QCOMPARE(process.workingDirectory, QStringLiteral("/srv/setx"));
    QCOMPARE(process.standardOutput.file, QDir::homePath() + QStringLiteral("/srv/setx"));
    QCOMPARE(process.standardOutput.file.count(u'$'), 0);
    QCOMPARE(process.standardError.file, QStringLiteral("/srv/set.log"));
    QCOMPARE(
        process.arguments,
        (QStringList{QStringLiteral("own"), QStringLiteral("d"), QStringLiteral("e"),
                     QStringLiteral("/base"), QStringLiteral("echo $HOME $$ $1 $(id) ${x%.a} ${"),
                     QStringLiteral("${BASE")}));
}

// The later one wins: files and environment of the defaults, then of the agent.
void ConfigurationTest::readsEnvironmentFiles()
{
    qunsetenv("REKINDLE_TEST_UNSET");
    const auto variables = [](int first, const QByteArray &value) {
        QByteArray text;
        for (int i = first; i <= 5; ++i)
            text += "V" + QByteArray::number(i) + "=" + value + "\n";
        return text;
    };
    const QString common = write(QStringLiteral("common.env"), variables(1, "1"));
    const QString web = write(QStringLiteral("web.env"), variables(3, "3"));
    const QString more = write(QStringLiteral("more.env"), variables(4, "4"));
    const QString path = write(QStringLiteral("environment.json"), R"({
        "defaults": { "environmentFiles": ["common.env"],
                      "environment": { "V2": "2${V1}", "V3": "2", "V4": "2", "V5": "2" } },
        "agents": [
            { "name": "a", "kind": "process", "program": "sh", "arguments": ["${V4}", "${V5}"],
              "environmentFiles": ["${REKINDLE_TEST_UNSET:-web}.env", { "file": "more.env" },
                                   { "file": "missing.env", "optional": true }],
              "environment": { "V5": "5" } },
            { "name": "b", "kind": "process", "program": "sh", "environment": { "V1": null } } ] })");
    const Parsed<Configuration> parsed = loadConfiguration(path);
    QVERIFY2(parsed, qPrintable(parsed.messages().join(u'\n')));
    const auto values = [&](int agent) {
        QStringList all;
        const auto environment = parsed.value->agents[agent].process.environment;
        for (int i = 1; i <= 5; ++i)
            all += environment.value(QStringLiteral("V%1").arg(i)).value_or(QStringLiteral("-"));
        return all.join(u' ');
    };
    QCOMPARE(values(0), QStringLiteral("1 21 3 4 5"));
    QCOMPARE(values(1), QStringLiteral("- 21 2 2 2"));
    QCOMPARE(parsed.value->agents.front().process.arguments,
             (QStringList{QStringLiteral("4"), QStringLiteral("5")}));
    QCOMPARE(parsed.value->environmentFiles, (QStringList{common, more, web}));
}

void ConfigurationTest::reportsFaultsOfEnvironmentFiles()
{
    (void)write(QStringLiteral("faulty.env"), "A=1\nB\nC='\n");
    (void)write(QStringLiteral("twice.env"), "A=1\nA=2\n");
    (void)write(QStringLiteral("huge.env"), QByteArray(1024 * 1024 + 1, '#'));
    const QString path = write(QStringLiteral("faulty.json"), R"({"agents": [
{"name": "a", "kind": "process", "program": "sh", "environmentFiles": [
 "faulty.env", "twice.env",
 "missing.env", {"file": "huge.env", "optional": true}, {"file": ".", "optional": true},
 {"path": "a.env"}, {"file": "a.env", "optional": "yes"}, 5, "", "${REKINDLE_TEST_UNSET}.env"]},
{"name": "b", "kind": "process", "program": "sh", "environmentFiles": "a.env"},
{"name": "c", "kind": "process", "program": "sh", "environmentFiles": ["twice.env"]}]})");
    qunsetenv("REKINDLE_TEST_UNSET");
    const Parsed<Configuration> parsed = loadConfiguration(path);
    QVERIFY(!parsed);
    QStringList messages = parsed.messages();
    messages.replaceInStrings(path + u':', QString());
    const QString expected = QStringLiteral(
        R"(3:2: /agents/0/environmentFiles/0: faulty.env:2:2: expected "=" after the variable name, found the end of the line
3:2: /agents/0/environmentFiles/0: faulty.env:3:3: expected a closing ' for this value, found the end of the text
4:2: /agents/0/environmentFiles/2: missing.env: No such file or directory
4:17: /agents/0/environmentFiles/3: huge.env: expected at most 1048576 bytes, found more
4:57: /agents/0/environmentFiles/4: .: expected a file, found a folder
5:2: /agents/0/environmentFiles/5/file: missing
5:3: /agents/0/environmentFiles/5/path: unknown key; expected one of file, optional
5:21: /agents/0/environmentFiles/6: a.env: No such file or directory
5:51: /agents/0/environmentFiles/6/optional: expected true or false, found "yes"
5:59: /agents/0/environmentFiles/7: expected a path or {"file": PATH, "optional": true}, found 5
5:62: /agents/0/environmentFiles/8: expected a non-empty string, found ""
5:66: /agents/0/environmentFiles/9: environment variable REKINDLE_TEST_UNSET is not set; write ${REKINDLE_TEST_UNSET:-} for an empty text, or $${REKINDLE_TEST_UNSET} if it is meant for a shell
6:71: /agents/1/environmentFiles: expected an array, found "a.env"
3:16: /agents/0/environmentFiles/1: warning: twice.env:2:1: duplicate variable, first on line 1; the last value is used
7:72: /agents/2/environmentFiles/0: warning: twice.env:2:1: duplicate variable, first on line 1; the last value is used)");
    QCOMPARE(messages, expected.split(u'\n'));

    const Parsed<Configuration> output =
        loadConfiguration(write(QStringLiteral("output.json"),
                                R"({"agents": [{"name": "c", "kind": "process", "program": "sh",
            "environmentFiles": ["twice.env"], "stdout": {"file": "twice.env"}}]})"));
    QCOMPARE(output.faults.size(), 1);
    QCOMPARE(output.faults.front().path, QStringLiteral("/agents/0/stdout/file"));
    QCOMPARE(output.faults.front().message,
             QStringLiteral("expected an output file, found one of the environment files"));

    const Parsed<Configuration> shared =
        loadConfiguration(write(QStringLiteral("shared.json"),
                                R"({"agents": [{"name": "a", "kind": "process", "program": "sh",
            "stdout": {"file": "x", "maxSize": "1MB"}, "stderr": {"file": "x", "maxSize": "1MB"}},
            {"name": "b", "kind": "process", "program": "sh", "stdout": {"file": "x"}}]})"));
    QCOMPARE(shared.faults.size(), 1);
    QCOMPARE(shared.faults.front().path, QStringLiteral("/agents/1/stdout/file"));
    QCOMPARE(shared.faults.front().message,
             QStringLiteral("expected the same maxSize, maxAge and keep as for a, which writes to "
                            "the same file"));

    const Parsed<Configuration> replaced =
        loadConfiguration(write(QStringLiteral("replaced.json"),
                                R"({"agents": [{"name": "b", "kind": "process", "program": "sh",
            "stdout": {"file": "x.2"}, "stderr": {"file": "x.3"}}, {"name": "a", "kind": "process",
            "program": "sh", "stdout": {"file": "x", "maxSize": "1MB", "keep": 2}}]})"));
    QCOMPARE(replaced.faults.size(), 1);
    QCOMPARE(replaced.faults.front().path, QStringLiteral("/agents/0/stdout/file"));
    QCOMPARE(replaced.faults.front().message,
             QStringLiteral("expected another file, found one that the rotation for a replaces"));
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
