// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"
#include "testrow.h"

#include <rekindle/config/configuration.h>

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

QByteArray entry(const QByteArray &name, const QByteArray &more = R"(, "requires": ["api"])")
{
    return R"({"name": ")" + name + R"(", "kind": "process", "program": "/bin/sh")" + more + '}';
}

// The shared breakers in line 2, two agents in lines 3 and 4.
QByteArray configured(const QByteArray &breakers, const QByteArray &ofA, const QByteArray &ofB)
{
    return "{\"sharedBreakers\":\n" + breakers + ", \"agents\": [\n" + entry("a", ofA) + ",\n"
        + entry("b", ofB) + "]}";
}

const QByteArray needsApi = R"(, "requires": ["api"])";

} // namespace

// `sharedBreakers` and `requires` in configurations.
class SharedBreakerReaderTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void reads();
    void readsProbe();
    void defaultsFollowOtherValues();
    void readsServersAndIncludedFiles();
    void readsScope_data();
    void readsScope();
    void faults_data();
    void faults();
};

void SharedBreakerReaderTest::reads()
{
    const Parsed<Configuration> parsed = parseConfiguration(
        R"({"sharedBreakers": {
            "api.example": {"threshold": 5, "agents": 1, "window": "1m", "timeout": "10s",
                            "growth": 1.5, "maxTimeout": "1h", "provenAfter": "0s"},
            "db": {}},
            "defaults": {"requires": ["db"], "exitCodes": {"3": "DependencyFailure:db"}},
            "agents": [)"
            + entry("a", {}) + ',' + entry("b", R"(, "requires": ["api.example", "db"],
                            "exitCodes": {"4": "DependencyFailure:api.example"})")
            + "]}",
        QDir::currentPath());
    QVERIFY2(parsed, qPrintable(parsed.messages().join(u'\n')));
    QCOMPARE(parsed.warnings.size(), 0);
    const SharedBreakerPolicy expected{.name = QStringLiteral("api.example"),
                                       .threshold = 5,
                                       .agents = 1,
                                       .window = 1min,
                                       .timeout = 10s,
                                       .growth = 1.5,
                                       .maxTimeout = 1h,
                                       .provenAfter = 0s};
    const SharedBreakerPolicy defaults{.name = QStringLiteral("db")};
    QVERIFY(parsed.value->sharedBreakers == QList({expected, defaults}));
    const QList<AgentDefinition> &agents = parsed.value->agents;
    QCOMPARE(agents.at(0).requiredBreakers, QStringList({QStringLiteral("db")}));
    QCOMPARE(agents.at(1).requiredBreakers,
             QStringList({QStringLiteral("api.example"), QStringLiteral("db")}));
    const ExitCodeTable &codes = agents.at(1).process.exitCodes;
    QCOMPARE(codes.meaning(3).dependency, QStringLiteral("db"));
    QCOMPARE(codes.meaning(4).dependency, QStringLiteral("api.example"));
    QCOMPARE(codes.meaning(4).reason, FailureReason::DependencyFailure);
    QCOMPARE(codes.meaning(69).dependency, QString());
}

void SharedBreakerReaderTest::readsProbe()
{
    const Parsed<Configuration> parsed = parseConfiguration(
        configured(R"({"api": {"probe": {"kind": "exec", "command": ["./up", "-q"]}}, "db": {}})",
                   needsApi, R"(, "requires": ["api", "db"],
                            "exitCodes": {"4": "DependencyFailure:api"})"),
        QStringLiteral("/etc/host"));
    QVERIFY2(parsed, qPrintable(parsed.messages().join(u'\n')));
    const SharedBreakerProbe expected{
        execProbe({QStringLiteral("/etc/host/up"), QStringLiteral("-q")}, {.interval = 500ms}),
        QStringLiteral("/etc/host")};
    QCOMPARE(parsed.value->sharedBreakerProbes.keys(), QStringList({QStringLiteral("api")}));
    QVERIFY(parsed.value->sharedBreakerProbes.first() == expected);
}

void SharedBreakerReaderTest::defaultsFollowOtherValues()
{
    const Parsed<Configuration> parsed = parseConfiguration(
        configured(R"({"api": {"threshold": 1, "timeout": "1h"}})", needsApi, needsApi),
        QDir::currentPath());
    QVERIFY2(parsed, qPrintable(parsed.messages().join(u'\n')));
    const SharedBreakerPolicy &policy = parsed.value->sharedBreakers.front();
    QCOMPARE(policy.agents, 1);
    QCOMPARE(policy.maxTimeout, Duration(1h));
    QCOMPARE(policy.faults(), QStringList());
}

void SharedBreakerReaderTest::readsServersAndIncludedFiles()
{
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("more.json")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"sharedBreakers": {"api": {}}, "agents": [)" + entry("a") + "]}");
    file.close();
    const QByteArray main =
        R"({"include": ["more.json"], %"mcpServers": {"s": {"command": "sh", "requires": ["api"]}}})";
    const Parsed<Configuration> parsed =
        parseConfiguration(QByteArray(main).replace('%', ""), folder.path());
    QVERIFY2(parsed, qPrintable(parsed.messages().join(u'\n')));
    QCOMPARE(parsed.value->agents.at(0).requiredBreakers, QStringList({QStringLiteral("api")}));
    QCOMPARE(parsed.warnings.size(), 0);
    const Parsed<Configuration> twice = parseConfiguration(
        QByteArray(main).replace('%', R"("sharedBreakers": {"api": {}}, )"), folder.path());
    QCOMPARE(twice.messages().join(u'\n'),
             QStringLiteral("/more.json:1:21: /sharedBreakers/api: another file has a shared "
                            "breaker with this name"));
}

void SharedBreakerReaderTest::readsScope_data()
{
    const Rows<QByteArray, bool> row("keys", "isFleetWide");
    row("default", "", false);
    row("host", R"("scope": "host")", false);
    row("fleet", R"("scope": "fleet")", true);
}

void SharedBreakerReaderTest::readsScope()
{
    QFETCH(const QByteArray, keys);
    const QByteArray breakers = "{\"api\": {" + keys + "}}, \"fleet\": {\"node\": \"a\", "
        + R"("etcd": {"endpoints": ["http://h:2379"]}})";
    const Parsed<Configuration> parsed =
        parseConfiguration(configured(breakers, needsApi, needsApi), QDir::currentPath());
    QVERIFY2(parsed, qPrintable(parsed.messages().join(u'\n')));
    QTEST(parsed.value->sharedBreakers.front().isFleetWide, "isFleetWide");
    if (parsed.value->sharedBreakers.front().isFleetWide)
        QCOMPARE(parsed.warnings.size(), 0);
}

void SharedBreakerReaderTest::faults_data()
{
    const Rows<QByteArray, QString> row("json", "message");
    row("scope", configured(R"({"api": {"scope": "flet"}})", needsApi, needsApi),
        "2:19: /sharedBreakers/api/scope: expected one of host, fleet, found \"flet\"; did you "
        "mean \"fleet\"?");
    row("scope is no text", configured(R"({"api": {"scope": true}})", needsApi, needsApi),
        "2:19: /sharedBreakers/api/scope: expected one of host, fleet, found true");
    row("no fleet", configured(R"({"api": {"scope": "fleet"}})", needsApi, needsApi),
        "2:19: /sharedBreakers/api/scope: expected \"fleet\" in the main file, which is missing");
    row("unknown", configured(R"({"api": {}})", needsApi, R"(, "requires": ["apj"])"),
        "4:69: /agents/1/requires/0: no shared breaker has the name \"apj\"; did you mean "
        "\"api\"?");
    row("repeated", configured(R"({"api": {}})", needsApi, R"(, "requires": ["api", "api"])"),
        "4:76: /agents/1/requires/1: repeated shared breaker \"api\"");
    row("range", configured(R"({"api": {"threshold": 2, "agents": 3}})", needsApi, needsApi),
        "2:36: /sharedBreakers/api/agents: expected a whole number from 1 to 2, found 3");
    row("growth", configured(R"({"api": {"growth": 0.5}})", needsApi, needsApi),
        "2:20: /sharedBreakers/api/growth: expected a number from 1 to 100, found 0.5");
    row("maxTimeout",
        configured(R"({"api": {"timeout": "1h", "maxTimeout": "1m"}})", needsApi, needsApi),
        "2:41: /sharedBreakers/api/maxTimeout: expected 1h to 7d, found \"1m\"");
    row("key", configured(R"({"api": {"treshold": 2}})", needsApi, needsApi),
        "2:10: /sharedBreakers/api/treshold: unknown key; did you mean \"threshold\"?");
    row("probe of an agent",
        configured(R"({"api": {"probe": {"kind": "heartbeat"}}})", needsApi, needsApi),
        "2:28: /sharedBreakers/api/probe/kind: expected one of exec, found \"heartbeat\", which is "
        "for health");
    row("key of the probe",
        configured(R"({"api": {"probe": {"kind": "exec", "command": ["a"], "misses": 2}}})",
                   needsApi, needsApi),
        "2:54: /sharedBreakers/api/probe/misses: unknown key; expected one of kind, command, "
        "interval, timeout");
    row("name", configured(R"({"a b": {}})", {}, {}),
        "2:2: /sharedBreakers/a b: expected 1 to 64 of A-Z a-z 0-9 . _ -, found \"a b\"");
    row("exit code",
        configured(R"({"api": {}})", needsApi,
                   needsApi + R"(, "exitCodes": {"3": "DependencyFailure:db"})"),
        "4:90: /agents/1/exitCodes: expected a name in \"requires\", found \"db\"");
    row("exit code without a name",
        configured(R"({"api": {}})", needsApi,
                   needsApi + R"(, "exitCodes": {"3": "DependencyFailure:"})"),
        "4:96: /agents/1/exitCodes/3: expected one of permanent, UnhandledException, "
        "HealthCheckFailed, InitializationFailed, Timeout, ResourceExhaustion, DependencyFailure, "
        "ProcessCrash, Unknown, found \"DependencyFailure:\"; did you mean "
        "\"DependencyFailure\"?");
    row("no exit code",
        configured(R"({"api": {}, "db": {"agents": 1}})", needsApi,
                   R"(, "requires": ["api", "db"])"),
        "4:68: /agents/1/requires: warning: its failures count for none of these shared breakers: "
        "with more than one, an exit code must name one, such as \"69\": "
        "\"DependencyFailure:api\"");
    row("few agents", configured(R"({"api": {}})", needsApi, {}),
        "2:9: /sharedBreakers/api: warning: never opens: it needs failures of 2 agents, but 1 "
        "agent requires it");
    const auto grouped = [](const QByteArray &breaker, const QByteArray &group) -> QByteArray {
        return configured("{\"api\": " + breaker + "}, \"groups\": [{\"name\": \"g\", " + group
                              + "}]",
                          needsApi, needsApi);
    };
    const QByteArray both = R"("strategy": "oneForAll", "members": ["a", "b"])";
    row("all in one group", grouped("{}", both),
        "2:9: /sharedBreakers/api: warning: may never open: it needs failures of 2 agents, but a "
        "failure of one stops the others, because all are members of group g (oneForAll); use "
        "\"agents\": 1");
    row("one agent of the group opens it", grouped(R"({"agents": 1})", both), "");
    row("one agent is not in the group",
        grouped("{}", R"("strategy": "oneForAll", "members": ["b"])"), "");
    row("other members keep running", grouped("{}", R"("members": ["a", "b"])"), "");
    row("no agent", configured(R"({"api": {}})", {}, {}),
        "2:9: /sharedBreakers/api: warning: no agent requires this shared breaker");
}

void SharedBreakerReaderTest::faults()
{
    QFETCH(const QByteArray, json);
    QFETCH(const QString, message);
    const Parsed<Configuration> parsed = parseConfiguration(json, QDir::currentPath());
    QStringList messages;
    for (const QList<Fault> &list : {parsed.faults, parsed.warnings}) {
        for (const Fault &fault : list)
            messages += fault.toString();
    }
    QCOMPARE(messages.join(u'\n'), message);
}

REKINDLE_TEST(SharedBreakerReaderTest)

#include "sharedbreakerreadertest.moc"
