// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "contains.h"
#include "simulation/traces.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/config/configuration.h>
#include <rekindle/simulation/simulation.h>

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

// Nodes a and b with the placed agent "p" and the local agent "l". Each is ready after 1 s.
Configuration fleetOfTwo(const QByteArray &more = {})
{
    // moc does not find the class after a long literal with two slashes.
    const QByteArray text =
        R"({"fleet": {"node": "a", "etcd": {"endpoints": ["http://127.0.0.1:2379"]}}, "agents": [)"
        R"({"name": "p", "kind": "process", "program": "true",
            "placement": {"prefer": ["a", "b"]}%1},
           {"name": "l", "kind": "process", "program": "true"}]})";
    const Parsed<Configuration> parsed =
        parseConfiguration(QByteArray(text).replace("%1", more), QStringLiteral("/"));
    if (!parsed)
        qFatal("%s", qPrintable(parsed.messages().join(u'\n')));
    return *parsed.value;
}

FailureModels modelsOf(const QByteArray &json)
{
    const Parsed<FailureModels> parsed = parseFailureModels(json);
    if (!parsed)
        qFatal("%s", qPrintable(parsed.messages().join(u'\n')));
    return *parsed.value;
}

// "a" is the first node that has a session.
SimulationResult simulated(const Configuration &configuration, const QByteArray &model,
                           const QByteArray &trace = {}, Duration length = 10min)
{
    const QByteArray start =
        configuration.fleet ? R"({"at": "0s", "node": "b", "do": "crash", "for": "10s"})" : "";
    SimulationResult result = simulate(
        configuration,
        {.length = length, .models = modelsOf(model), .trace = traceOf(start + '\n' + trace)});
    if (!result.violations.isEmpty())
        qWarning("%s", qPrintable(result.violations.join(u'\n')));
    return result;
}

} // namespace

/// Simulations of a configuration with a fleet.
class SimulatedFleetTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void runsAPlacedAgentOnce();
    void movesAnAgentOfAPartitionedNode();
    void movesAnAgentOfACrashedNode();
    void toleratesAShortStoreOutage();
    void stopsAllDuringALongStoreOutage();
    void countsTwoCopiesOfAKeptAgent();
    void countsFailuresOfAllNodes();
    void stepsApplyToTheOwner();
    void measuresLocalAgentsOfTheFirstNode();
    void givesTheSameResult();
    void rejectsUnknownNodes_data();
    void rejectsUnknownNodes();
    void rejectsInvalidFleet_data();
    void rejectsInvalidFleet();
};

void SimulatedFleetTest::runsAPlacedAgentOnce()
{
    const SimulationResult result = simulated(fleetOfTwo(), "{}");
    QCOMPARE(result.violations, QStringList());
    QCOMPARE(result.agents.size(), 2);
    const SimulationResult::Agent &agent = result.agents.at(0);
    QCOMPARE(agent.starts, 1);
    QCOMPARE(agent.moves, std::optional<qint64>(0));
    QVERIFY(agent.up > 10min - 5s);
    QCOMPARE(agent.twoCopies, Duration(0s));
    QVERIFY(!result.agents.at(1).moves);
    QCOMPARE(result.agents.at(1).up, Duration(10min - 1s));
}

void SimulatedFleetTest::movesAnAgentOfAPartitionedNode()
{
    const SimulationResult result = simulated(
        fleetOfTwo(), R"({"fleet": {"partitions": [{"node": "a", "every": "5m", "for": "1m"}]}})",
        {}, 9min);
    QCOMPARE(result.violations, QStringList());
    const SimulationResult::Agent &agent = result.agents.at(0);
    QCOMPARE(agent.starts, 2);
    QCOMPARE(agent.failures, 0);
    QCOMPARE(agent.moves, std::optional<qint64>(1)); // it does not return
    // From R after the last renewal until D after it.
    QVERIFY2(agent.longestOutage > 10s && agent.longestOutage < 16s,
             qPrintable(readable(agent.longestOutage)));
    QCOMPARE(result.agents.at(1).down, Duration(1s));
    QCOMPARE(result.figure(QStringLiteral("p.moves")), std::optional(1.0));
}

void SimulatedFleetTest::movesAnAgentOfACrashedNode()
{
    const SimulationResult result =
        simulated(fleetOfTwo(), "{}", R"({"at": "5m", "node": "a", "do": "crash", "for": "1m"})");
    QCOMPARE(result.violations, QStringList());
    const SimulationResult::Agent &agent = result.agents.at(0);
    QCOMPARE(agent.starts, 2);
    QCOMPARE(agent.moves, std::optional<qint64>(1));
    QVERIFY2(agent.longestOutage > 16s && agent.longestOutage < 26s,
             qPrintable(readable(agent.longestOutage)));
    QCOMPARE(result.agents.at(1).starts, 2);
    QCOMPARE(result.agents.at(1).longestOutage, Duration(61s));
}

void SimulatedFleetTest::toleratesAShortStoreOutage()
{
    const SimulationResult result =
        simulated(fleetOfTwo(), R"({"fleet": {"storeOutages": [{"every": "3m", "for": "5s"}]}})");
    QCOMPARE(result.agents.at(0).starts, 1);
}

void SimulatedFleetTest::stopsAllDuringALongStoreOutage()
{
    const SimulationResult result =
        simulated(fleetOfTwo(), R"({"fleet": {"storeOutages": [{"every": "6m", "for": "1m"}]}})");
    QCOMPARE(result.violations, QStringList());
    QCOMPARE(result.agents.at(0).starts, 2);
    QVERIFY(result.agents.at(0).longestOutage > 50s);
    QCOMPARE(result.agents.at(1).starts, 1);
}

void SimulatedFleetTest::countsTwoCopiesOfAKeptAgent()
{
    const SimulationResult result =
        simulated(fleetOfTwo(R"(, "onStoreLoss": "keep")"), "{}",
                  R"({"at": "5m", "node": "a", "do": "partition", "for": "1m"})");
    QCOMPARE(result.violations, QStringList());
    const SimulationResult::Agent &agent = result.agents.at(0);
    QVERIFY2(agent.twoCopies > 30s && agent.twoCopies < 50s, qPrintable(readable(agent.twoCopies)));
    QVERIFY(agent.longestOutage < 5s);
    QCOMPARE(agent.moves, std::optional<qint64>(1));
}

// Given up on a, it runs on b.
void SimulatedFleetTest::countsFailuresOfAllNodes()
{
    const SimulationResult result =
        simulated(fleetOfTwo(R"(, "policy": "none")"), "{}",
                  "{\"at\": \"2m\", \"agent\": \"p\", \"do\": \"exit\", \"code\": 1}\n"
                  "{\"at\": \"4m\", \"agent\": \"p\", \"do\": \"exit\", \"code\": 1}");
    QCOMPARE(result.violations, QStringList());
    const SimulationResult::Agent &agent = result.agents.at(0);
    QCOMPARE(agent.starts, 2);
    QCOMPARE(agent.failures, 2);
    QCOMPARE(agent.moves, std::optional<qint64>(1));
    QVERIFY(agent.gaveUpAt && *agent.gaveUpAt >= 4min);
}

void SimulatedFleetTest::stepsApplyToTheOwner()
{
    const SimulationResult result =
        simulated(fleetOfTwo(), "{}",
                  "{\"at\": \"1m\", \"node\": \"a\", \"do\": \"crash\", \"for\": \"1m\"}\n"
                  "{\"at\": \"3m\", \"agent\": \"p\", \"do\": \"stop\"}\n"
                  "{\"at\": \"5m\", \"agent\": \"p\", \"do\": \"start\"}");
    QCOMPARE(result.violations, QStringList());
    const SimulationResult::Agent &agent = result.agents.at(0);
    QCOMPARE(agent.starts, 3);
    QCOMPARE(agent.moves, std::optional<qint64>(1));
    QVERIFY(agent.up + agent.down < 8min + 5s); // stopped for 2 min
}

void SimulatedFleetTest::measuresLocalAgentsOfTheFirstNode()
{
    const QByteArray life = R"({"agents": {"l": {"life": "exp 2m"}}})";
    const SimulationResult result = simulated(fleetOfTwo(), life, {}, 1h);
    Configuration local = fleetOfTwo();
    local.fleet.reset();
    for (AgentDefinition &each : local.agents)
        each.placement.reset();
    QCOMPARE(result.agents.at(1), simulated(local, life, {}, 1h).agents.at(1));
}

void SimulatedFleetTest::givesTheSameResult()
{
    const QByteArray model =
        R"({"life": "exp 5m", "fleet": {"nodes": ["a", "b", "c"],
            "partitions": [{"node": "a", "every": "13m", "for": "1m"}],
            "storeOutages": [{"every": "17m", "for": "20s"}],
            "crashes": [{"node": "b", "every": "19m", "for": "2m"}]}})";
    const SimulationResult first = simulated(fleetOfTwo(), model, {}, 2h);
    QCOMPARE(first.violations, QStringList());
    QVERIFY(*first.agents.at(0).moves > 2);
    QCOMPARE(simulated(fleetOfTwo(), model, {}, 2h), first);
}

void SimulatedFleetTest::rejectsUnknownNodes_data()
{
    const Rows<QByteArray, QByteArray, QString> row("model", "trace", "fault");
    row("partition", R"({"fleet": {"partitions": [{"node": "x", "every": "5m", "for": "1m"}]}})",
        {}, "/fleet/partitions/0/node: no node named \"x\" (the fleet has a, b)");
    row("crash",
        R"({"fleet": {"nodes": ["c"], "crashes": [{"node": "a", "every": "5m", "for": "1m"}]}})",
        {}, "/fleet/crashes/0/node: no node named \"a\" (the fleet has c)");
    row("step", "{}", R"({"at": "5m", "node": "x", "do": "crash", "for": "1m"})",
        "1:22: /node: no node named \"x\" (the fleet has a, b)");
}

void SimulatedFleetTest::rejectsUnknownNodes()
{
    QFETCH(QByteArray, model);
    QFETCH(QByteArray, trace);
    QFETCH(QString, fault);
    const FailureModels models = modelsOf(model);
    Configuration configuration = fleetOfTwo();
    const auto faults = [&] {
        QStringList texts;
        for (const Fault &each : unknownAgents(configuration, models)
                 + unknownAgents(configuration, traceOf(trace), {}, models))
            texts.append(each.toString());
        return texts.join(u'\n');
    };
    VERIFY_CONTAINS(faults(), fault);
    configuration.fleet.reset();
    VERIFY_CONTAINS(faults(), QStringLiteral("the configuration has no \"fleet\""));
}

void SimulatedFleetTest::rejectsInvalidFleet_data()
{
    const Rows<QByteArray, QString> row("json", "fault");
    row("no object", R"({"fleet": 1})", "/fleet: expected an object");
    row("unknown key", R"({"fleet": {"crash": []}})", "/fleet/crash: unknown key");
    row("repeated node", R"({"fleet": {"nodes": ["a", "a"]}})",
        "/fleet/nodes/1: repeated node \"a\"");
    row("node without a name", R"({"fleet": {"nodes": [""]}})", "/fleet/nodes/0: expected");
    row("partition without a node", R"({"fleet": {"partitions": [{"every": "2m", "for": "1m"}]}})",
        "/fleet/partitions/0/node: missing");
    row("store outage of a node",
        R"({"fleet": {"storeOutages": [{"node": "a", "every": "2m", "for": "1m"}]}})",
        "/fleet/storeOutages/0/node: unknown key");
    row("crash without end",
        R"({"fleet": {"crashes": [{"node": "a", "every": "1m", "for": "1m"}]}})",
        "/fleet/crashes/0/for: expected a duration below `every`");
}

void SimulatedFleetTest::rejectsInvalidFleet()
{
    QFETCH(QByteArray, json);
    QFETCH(QString, fault);
    const Parsed<FailureModels> parsed = parseFailureModels(json);
    QVERIFY(!parsed);
    const QString messages = parsed.messages().join(u'\n');
    VERIFY_CONTAINS(messages, fault);
}

REKINDLE_TEST(SimulatedFleetTest)
#include "simulatedfleettest.moc"
