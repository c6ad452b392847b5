// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"
#include "testrow.h"

#include <rekindle/config/configuration.h>
#include <rekindle/config/configurationdiff.h>

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

const QByteArray usualFleet = R"({"node": "a", "etcd": {"endpoints": ["http://h:2379"]}})";

// The fleet is in line 2, the agent in line 3.
QByteArray configured(const QByteArray &ofAgent, const QByteArray &fleet = usualFleet)
{
    const QByteArray section = fleet.isEmpty() ? QByteArray() : "\"fleet\": " + fleet + ',';
    return "{\n" + section + "\n\"agents\": [{\"name\": \"w\", \"program\": \"/bin/sh\"" + ofAgent
        + "}]}";
}

Parsed<Configuration> parsed(const QByteArray &json)
{
    return parseConfiguration(json, QStringLiteral("/etc/host"));
}

AgentDefinition agentOf(const QByteArray &ofAgent)
{
    return parsed(configured(ofAgent)).value->agents.front();
}

} // namespace

// `fleet`, `placement` and `onStoreLoss` in configurations.
class FleetReaderTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void reads();
    void hasDefaults();
    void readsServersAndDefaults();
    void usesTheLongestStopSequence();
    void faults_data();
    void faults();
    void warns_data();
    void warns();
    void comparesPlacements();
};

void FleetReaderTest::reads()
{
    const auto read = parsed(configured(
        R"(, "placement": {"mode": "one", "prefer": ["b", "a"]}, "onStoreLoss": "keep")",
        R"({"node": "a", "etcd": {"endpoints": ["https://h:1", "https://i:1"], "prefix": "x/",
            "user": "u", "passwordFile": "pw", "caFile": "/ca.pem", "certificateFile": "c.pem",
            "keyFile": "k.pem"},
            "lease": {"duration": "40s", "renewal": "4s", "giveUp": "20s"}})"));
    QVERIFY2(read, qPrintable(read.messages().join(u'\n')));
    const FleetDefinition &fleet = *read.value->fleet;
    QCOMPARE(fleet.node, QStringLiteral("a"));
    QCOMPARE(fleet.etcd.endpoints,
             QStringList({QStringLiteral("https://h:1"), QStringLiteral("https://i:1")}));
    QCOMPARE(fleet.etcd.prefix, QStringLiteral("x/"));
    QCOMPARE(fleet.etcd.user, QStringLiteral("u"));
    QCOMPARE(fleet.etcd.passwordFile, QStringLiteral("/etc/host/pw"));
    QCOMPARE(fleet.etcd.caFile, QStringLiteral("/ca.pem"));
    QCOMPARE(fleet.etcd.certificateFile, QStringLiteral("/etc/host/c.pem"));
    QCOMPARE(fleet.etcd.keyFile, QStringLiteral("/etc/host/k.pem"));
    QVERIFY(fleet.times.duration == 40s);
    QVERIFY(fleet.times.renewal == 4s);
    QVERIFY(fleet.times.giveUp == 20s);
    const FleetPlacement expected{.prefer = {QStringLiteral("b"), QStringLiteral("a")},
                                  .keep = true};
    QVERIFY(read.value->agents.front().placement == expected);
}

void FleetReaderTest::hasDefaults()
{
    const auto read = parsed(configured(R"(, "placement": {})"));
    QVERIFY2(read, qPrintable(read.messages().join(u'\n')));
    QCOMPARE(read.warnings.size(), 0);
    QVERIFY(read.value->fleet->times == FleetTimes());
    QCOMPARE(read.value->fleet->etcd.prefix, QStringLiteral("rekindle/"));
    QVERIFY(read.value->agents.front().placement == FleetPlacement());
    QVERIFY(!parsed(configured({}, {})).value->fleet);
    QVERIFY(!parsed(configured({}, {})).value->agents.front().placement);
}

void FleetReaderTest::readsServersAndDefaults()
{
    const auto read = parsed(R"({"fleet": )" + usualFleet + R"(,
        "defaults": {"placement": {"prefer": ["b"]}},
        "mcpServers": {"s": {"command": "/bin/cat", "placement": {"prefer": ["a"]}}},
        "agents": [{"name": "w", "program": "/bin/sh", "onStoreLoss": "keep"}]})");
    QVERIFY2(read, qPrintable(read.messages().join(u'\n')));
    const FleetPlacement ofAgent{.prefer = {QStringLiteral("b")}, .keep = true};
    QVERIFY(read.value->agents.at(0).placement == ofAgent);
    QVERIFY(read.value->agents.at(1).placement == FleetPlacement{.prefer = {QStringLiteral("a")}});
}

void FleetReaderTest::usesTheLongestStopSequence()
{
    const auto read = parsed(configured(
        R"(, "placement": {}, "stdin": "pipe", "stop": {"closeStdin": "1s", "terminate": "2s",
            "kill": "3s"}}, {"name": "local", "program": "/bin/sh", "stop": {"terminate": "1h"})"));
    QVERIFY2(read, qPrintable(read.messages().join(u'\n')));
    QVERIFY(read.value->fleet->times.stopSequence == 6s);
}

void FleetReaderTest::faults_data()
{
    const Rows<QByteArray, QString> row("json", "faults");
    row("placement without fleet", configured(R"(, "placement": {})", {}),
        R"(3:61: /agents/0/placement: needs the key "fleet" in the main file)");
    row("no placement", configured(R"(, "onStoreLoss": "keep")"),
        R"(3:48: /agents/0/onStoreLoss: not permitted without "placement")");
    row("mode", configured(R"(, "placement": {"mode": "all"})"),
        R"(3:70: /agents/0/placement/mode: expected "one" (this version has no other), found )"
        R"("all")");
    row("long stop", configured(R"(, "placement": {}, "stop": {"terminate": "10s"})"),
        "2:10: /fleet/lease: duration: expected at least 1.25 times giveUp and the longest stop "
        "sequence together (26.25s), found 20s; the stop sequence of w is 12s");
    row("node",
        configured(R"(, "placement": {})",
                   R"({"node": "a b", "etcd": {"endpoints": ["http://h:1"]}})"),
        R"(2:19: /fleet/node: expected 1 to 64 of A-Z a-z 0-9 . _ -, found "a b")");
    row("no endpoint", configured(R"(, "placement": {})", R"({"node": "a", "etcd": {}})"),
        R"(2:32: /fleet/etcd/endpoints: missing)");
    row("user alone",
        configured(R"(, "placement": {})",
                   R"({"node": "a", "etcd": {"endpoints": ["http://h:1"], "user": "u"}})"),
        R"(2:32: /fleet/etcd: missing key "passwordFile")");
}

void FleetReaderTest::faults()
{
    QFETCH(QByteArray, json);
    QFETCH(QString, faults);
    QCOMPARE(parsed(json).messages().join(u'\n'), faults);
}

void FleetReaderTest::warns_data()
{
    const Rows<QByteArray, QString> row("json", "warning");
    row("no placed agent", configured({}), "has no effect: no agent has \"placement\"");
    row("keep", configured(R"(, "placement": {}, "onStoreLoss": "keep")"),
        "with \"keep\", the agent can run on two nodes while one of them does not reach "
        "etcd");
    row("dependency",
        configured(R"(, "placement": {}}, {"name": "x", "program": "/bin/sh", "dependsOn": ["w"])"),
        "x depends on this agent, and does not start on a node while this agent runs on another "
        "one");
}

void FleetReaderTest::warns()
{
    QFETCH(QByteArray, json);
    QFETCH(QString, warning);
    const auto read = parsed(json);
    QVERIFY2(read, qPrintable(read.messages().join(u'\n')));
    QCOMPARE(read.warnings.size(), 1);
    QCOMPARE(read.warnings.front().message, warning);
}

void FleetReaderTest::comparesPlacements()
{
    const AgentDefinition local = agentOf({});
    const AgentDefinition placed = agentOf(R"(, "placement": {})");
    const AgentDefinition preferred = agentOf(R"(, "placement": {"prefer": ["a"]})");
    const AgentDefinition kept = agentOf(R"(, "placement": {}, "onStoreLoss": "keep")");
    QVERIFY(!changeRefusal(local, placed).isEmpty());
    QVERIFY(!changeRefusal(placed, local).isEmpty());
    QCOMPARE(changeRefusal(placed, preferred), QString());
    QCOMPARE(changedKeys(placed, preferred), QStringList(QStringLiteral("placement.prefer")));
    QCOMPARE(changedKeys(placed, kept), QStringList(QStringLiteral("onStoreLoss")));
    const auto changes = [](const AgentDefinition &from, const AgentDefinition &to) {
        return difference({from}, {to}).changed.front();
    };
    QVERIFY(!changes(placed, preferred).isRestarted);
    QVERIFY(changes(placed, kept).isRestarted);
}

REKINDLE_TEST(FleetReaderTest)
#include "fleetreadertest.moc"
