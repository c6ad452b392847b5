// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "simulation/agentsconfiguration.h"
#include "simulation/traces.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/simulation/simulation.h>

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

// Ready after 1 s, and restarted at once.
QByteArray immediateAgent(const char *name, const QByteArray &more = {})
{
    return QByteArray(R"({"kind": "process", "program": "true", "policy": {"type": "immediate"},
                          "name": "%1"%2})")
        .replace("%1", name)
        .replace("%2", more);
}

Configuration oneReloadable() { return configurationOf(immediateAgent("a")); }

constexpr char reloadAtTen[] = R"({"at": "10s", "reload": "next.json"})";

// A minute, with a reload after 10 s and these steps.
SimulationOptions optionsOf(const Configuration &next, const QByteArray &lines = {})
{
    return {.length = 1min,
            .trace = traceOf(QByteArray(reloadAtTen) + '\n' + lines),
            .reloads = {{QStringLiteral("next.json"), next}}};
}

} // namespace

/// Steps that reload the configuration.
class SimulationReloadTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void unchangedAgentKeepsRunning()
    {
        const SimulationResult result = simulate(oneReloadable(), optionsOf(oneReloadable()));
        QCOMPARE(result.violations, QStringList());
        QCOMPARE(result.agents.at(0).starts, 1);
        QCOMPARE(result.agents.at(0).up, Duration(59s));
        QCOMPARE(result.unusedSteps, 0);
        SimulationOptions without = optionsOf(oneReloadable());
        without.trace.clear();
        QCOMPARE(result, simulate(oneReloadable(), without));
    }

    void addedAgentIsStarted()
    {
        const SimulationResult result =
            simulate(oneReloadable(),
                     optionsOf(configurationOf(immediateAgent("a") + ',' + immediateAgent("b"))));
        QCOMPARE(result.violations, QStringList());
        QCOMPARE(result.agents.size(), 2);
        QCOMPARE(result.agents.at(1).name, QStringLiteral("b"));
        QCOMPARE(result.agents.at(1).starts, 1);
        QCOMPARE(result.agents.at(1).up, Duration(49s));
        QCOMPARE(result.agents.at(1).down, Duration(1s)); // nothing before the reload
    }

    void addedManualAgentIsNotStarted()
    {
        const SimulationResult result =
            simulate(oneReloadable(),
                     optionsOf(configurationOf(immediateAgent("a") + ','
                                               + immediateAgent("b", R"(, "start": "manual")"))));
        QCOMPARE(result.agents.at(1).starts, 0);
    }

    void removedAgentIsStopped()
    {
        const SimulationResult result =
            simulate(configurationOf(immediateAgent("a") + ',' + immediateAgent("b")),
                     optionsOf(oneReloadable(), R"({"at": "20s", "agent": "b", "do": "start"})"));
        QCOMPARE(result.violations, QStringList());
        QCOMPARE(result.agents.at(1).starts, 1);
        QCOMPARE(result.agents.at(1).up, Duration(9s));
        QCOMPARE(result.agents.at(1).down, Duration(1s));
        QCOMPARE(result.agents.at(1).failures, 0);
        QCOMPARE(result.unusedSteps, 1);
    }

    void removedAgentCanReturn()
    {
        const Configuration both = configurationOf(immediateAgent("a") + ',' + immediateAgent("b"));
        SimulationOptions options =
            optionsOf(oneReloadable(), R"({"at": "20s", "reload": "both.json"}
                              {"at": "30s", "agent": "b", "do": "exit", "code": 1})");
        options.reloads.insert(QStringLiteral("both.json"), both);
        options.recordsSpans = true;
        const SimulationResult result = simulate(both, options);
        QCOMPARE(result.violations, QStringList());
        QCOMPARE(result.agents.size(), 2);
        QCOMPARE(result.agents.at(1).starts, 3);
        QCOMPARE(result.agents.at(1).up, Duration(9s + 9s + 29s));
        QCOMPARE(toJson(simulate(both, options)), toJson(result));
    }

    void changedProcessIsRestarted()
    {
        const SimulationResult result =
            simulate(oneReloadable(),
                     optionsOf(configurationOf(
                         immediateAgent("a", R"(, "ready": {"kind": "alive", "for": "4s"})"))));
        QCOMPARE(result.agents.at(0).starts, 2);
        QCOMPARE(result.agents.at(0).failures, 0);
        QCOMPARE(result.agents.at(0).down, Duration(1s + 4s)); // the new readiness
    }

    void changedProcessOfStoppedAgentIsNotStarted()
    {
        const Configuration next =
            configurationOf(immediateAgent("a", R"(, "ready": {"kind": "alive", "for": "4s"})"));
        const SimulationResult result =
            simulate(oneReloadable(), optionsOf(next, R"({"at": "5s", "agent": "a", "do": "stop"}
                                                         {"at": "20s", "agent": "a", "do": "start"})"));
        QCOMPARE(result.agents.at(0).starts, 2);
        QCOMPARE(result.agents.at(0).down, Duration(1s + 4s));
        QCOMPARE(result.agents.at(0).up, Duration(4s + 36s));
    }

    void changedPolicyApplies()
    {
        const Configuration next = configurationOf(
            R"({"name": "a", "kind": "process", "program": "true", "policy": "none"})");
        const SimulationResult result = simulate(
            oneReloadable(), optionsOf(next, R"({"at": "5s", "agent": "a", "do": "exit", "code": 1}
                                             {"at": "20s", "agent": "a", "do": "exit", "code": 1})"));
        QCOMPARE(result.agents.at(0).starts, 2);
        QCOMPARE(result.agents.at(0).failures, 2);
        QCOMPARE(result.agents.at(0).gaveUpAt, std::optional<Duration>(20s));
    }

    void changedHealthApplies()
    {
        const auto probing = [](const char *interval) {
            const QByteArray text = immediateAgent(
                "a", R"(, "health": [{"kind": "exec", "command": ["true"], "timeout": "1s",
                         "interval": "%1"}])");
            return configurationOf(QByteArray(text).replace("%1", interval));
        };
        const SimulationResult result =
            simulate(probing("10m"),
                     optionsOf(probing("5s"), R"({"at": "5s", "agent": "a", "do": "hang"})"));
        QCOMPARE(result.agents.at(0).failures, 1);
        QCOMPARE(result.agents.at(0).starts, 2);
    }

    void changedDependenciesApply()
    {
        const Configuration next = configurationOf(
            immediateAgent("a") + ',' + immediateAgent("b", R"(, "dependsOn": ["a"])"));
        SimulationOptions options = optionsOf(next, R"({"at": "20s", "agent": "b", "do": "stop"}
                               {"at": "21s", "agent": "a", "do": "stop"}
                               {"at": "22s", "agent": "b", "do": "start"})");
        const Configuration both = configurationOf(immediateAgent("a") + ',' + immediateAgent("b"));
        QCOMPARE(simulate(both, options).agents.at(1).down, Duration(3s)); // it waits for a
        options.reloads.insert(QStringLiteral("next.json"), both);
        QCOMPARE(simulate(both, options).agents.at(1).down, Duration(2s));
    }

    void changedSettingsApply_data()
    {
        // more: of each agent
        const Rows<QByteArray, QByteArray, QByteArray, QString, double> row(
            "settings", "more", "step", "figure", "expected");
        const char *const exit = R"({"at": "20s", "agent": "a", "do": "exit", "code": 1})";
        row("group", R"("groups": [{"name": "g", "strategy": "oneForAll", "members": ["a", "b"]}])",
            "", exit, "b.starts", 2);
        row("no group", R"("groups": [])", "", exit, "b.starts", 1);
        const char *const outage = R"({"at": "20s", "shared": "api", "do": "down", "for": "1s"})";
        row("breaker", R"("sharedBreakers": {"api": {}})", R"(, "requires": ["api"])", outage,
            "b.failures", 1);
        const char *const longOutage =
            R"({"at": "20s", "shared": "api", "do": "down", "for": "9s"})";
        row("open breaker", R"("sharedBreakers": {"api": {}})", R"(, "requires": ["api"])",
            longOutage, "restarts", 2);
        row("no breaker", R"("groups": [])", "", outage, "b.failures", 0);
        const char *const both = R"({"at": "20s", "agent": "a", "do": "restart"}
                                    {"at": "20s", "agent": "b", "do": "restart"})";
        const char *const notice = R"(, "ready": {"kind": "notify"})";
        row("governor", R"("governor": {"maxStarting": 1})", notice, both, "longestQueue", 1);
        row("no governor", R"("groups": [])", notice, both, "longestQueue", 0);
    }

    void changedSettingsApply()
    {
        QFETCH(QByteArray, settings);
        QFETCH(QByteArray, more);
        QFETCH(QByteArray, step);
        QFETCH(QString, figure);
        QFETCH(double, expected);
        const Parsed<Configuration> next =
            parseConfiguration('{' + settings + R"(, "agents": [)" + immediateAgent("a", more) + ','
                                   + immediateAgent("b", more) + "]}",
                               QStringLiteral("/"));
        QVERIFY2(next, qPrintable(next.messages().join(u'\n')));
        SimulationOptions options = optionsOf(*next.value, step);
        options.length = 30s;
        options.models.common.ready = 1s;
        const SimulationResult result =
            simulate(configurationOf(immediateAgent("a") + ',' + immediateAgent("b")), options);
        QCOMPARE(result.violations, QStringList());
        QCOMPARE(result.figure(figure), std::optional<double>(expected));
    }

    void rejectedReloadChangesNothing()
    {
        const Parsed<Configuration> next =
            parseConfiguration(R"({"mcpServers": {"a": {"command": "true"}}, "agents": [)"
                                   + immediateAgent("b") + "]}",
                               QStringLiteral("/"));
        QVERIFY2(next, qPrintable(next.messages().join(u'\n')));
        const SimulationResult result = simulate(oneReloadable(), optionsOf(*next.value));
        QCOMPARE(result.violations.size(), 1);
        QVERIFY(result.violations.front().contains(QLatin1String("a running host cannot change")));
        QCOMPARE(result.agents.at(0).up, Duration(59s));
        QCOMPARE(result.agents.at(1).starts, 0);
    }

    // An agent without a name stands for a defect.
    void reportsPrefixWithFirstViolation()
    {
        Configuration defective = oneReloadable();
        defective.agents.append(AgentDefinition());
        const SimulationOptions options =
            optionsOf(defective, R"({"at": "5s", "agent": "a", "do": "exit", "code": 1}
                                    {"at": "20s", "agent": "a", "do": "exit", "code": 1}
                                    {"at": "30s", "reload": "next.json"})");
        const SimulationResult result = simulate(oneReloadable(), options);
        QVERIFY(!result.violations.isEmpty());
        QVERIFY(result.violatingPrefix.has_value());
        QCOMPARE(result.violatingPrefix->length, Duration(10s));
        QCOMPARE(result.violatingPrefix->steps, 2);
        QVERIFY(result.violatingPrefix->inputs > 0);
        QVERIFY(result.violatingPrefix->inputs < result.inputs);
        QVERIFY(toJson(result).contains("\"violatingPrefix\":{\"inputs\":"));

        SimulationOptions shorter = options;
        shorter.length = result.violatingPrefix->length;
        const SimulationResult repeated = simulate(oneReloadable(), shorter);
        QCOMPARE(repeated.violatingPrefix, result.violatingPrefix);
        QCOMPARE(repeated.violations, result.violations.mid(0, 1));
        shorter.length -= Duration(1);
        const SimulationResult none = simulate(oneReloadable(), shorter);
        QCOMPARE(none.violations, QStringList());
        QVERIFY(!none.violatingPrefix);
        QVERIFY(!toJson(none).contains("violatingPrefix"));
    }

    void stepWithoutConfigurationHasNoEffect()
    {
        const SimulationResult result =
            simulate(oneReloadable(), {.length = 1min, .trace = traceOf(reloadAtTen)});
        QCOMPARE(result.unusedSteps, 1);
        QCOMPARE(result.agents.at(0).starts, 1);
    }

    void stepsCanNameAddedAgents()
    {
        const QList<SimulationStep> trace = traceOf(R"({"at": "20s", "agent": "b", "do": "hang"}
                       {"at": "20s", "agent": "c", "do": "hang"})");
        const QMap<QString, Configuration> reloads{
            {QStringLiteral("next.json"), configurationOf(immediateAgent("b"))}};
        QCOMPARE(unknownAgents(oneReloadable(), trace).size(), 2);
        const QList<Fault> faults = unknownAgents(oneReloadable(), trace, reloads);
        QCOMPARE(faults.size(), 1);
        QVERIFY(faults.front().message.startsWith(QLatin1String("no agent named \"c\"")));
        FailureModels models;
        models.agents.insert(QStringLiteral("b"), {});
        QCOMPARE(unknownAgents(oneReloadable(), models).size(), 1);
        QVERIFY(unknownAgents(oneReloadable(), models, reloads).isEmpty());
    }

    void programCannotBecomeServer()
    {
        const Parsed<Configuration> next = parseConfiguration(
            R"({"mcpServers": {"a": {"command": "true"}}})", QStringLiteral("/"));
        QVERIFY2(next, qPrintable(next.messages().join(u'\n')));
        const QList<SimulationStep> trace = traceOf('\n' + QByteArray(reloadAtTen));
        const QList<Fault> faults =
            rejectedReloads(oneReloadable(), trace, {{QStringLiteral("next.json"), *next.value}});
        QCOMPARE(faults.size(), 1);
        QCOMPARE(faults.front().toString(QStringLiteral("trace")),
                 QStringLiteral("trace:2:25: /reload: a: a running host cannot change an agent "
                                "from a program to an MCP server or back; use another name"));
        QVERIFY(rejectedReloads(oneReloadable(), trace,
                                {{QStringLiteral("next.json"), oneReloadable()}})
                    .isEmpty());
    }
};

REKINDLE_TEST(SimulationReloadTest)
#include "simulationreloadtest.moc"
