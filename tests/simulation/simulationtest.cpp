// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "simulation/agentsconfiguration.h"
#include "simulation/traces.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/simulation/simulation.h>

#include <csignal>
#include <set>

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

// Ready after 1 s.
Configuration oneAgent(const char *policy)
{
    return configurationOf(R"({"name": "a", "kind": "process", "program": "true", "policy": )"
                           + QByteArray(policy) + "}");
}

// Delays without jitter: 1 s, 2 s, 4 s and so on.
constexpr char exact[] = R"({"type": "exponential", "maxRetries": 3, "jitter": {"kind": "none"}})";

using Phase = SimulationResult::Phase;

} // namespace

class SimulationTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void agentWithoutFailuresIsUp()
    {
        const SimulationResult result = simulate(oneAgent(exact), {.length = 1h});
        QCOMPARE(result.violations, QStringList());
        const SimulationResult::Agent &agent = result.agents.at(0);
        QCOMPARE(agent.starts, 1);
        QCOMPARE(agent.failures, 0);
        QCOMPARE(agent.up, Duration(1h - 1s)); // ready after 1 s
        QCOMPARE(agent.down, Duration(1s));
        QCOMPARE(result.restarts, 0);
    }

    void endsAtTheLimitOfWork_data()
    {
        const Rows<QByteArray, QByteArray, QByteArray> row("agents", "model", "trace");
        const QByteArray endless =
            R"({"name": "a", "program": "true", "ready": "now",
                "policy": {"type": "immediate", "maxRetries": "unlimited", "circuitBreaker": "off"}})";
        row("exits at once", endless, R"({"life": "0s"})", {});
        row("short life", endless, R"({"life": "1ms"})", {});
        row("frequent probes",
            R"({"name": "a", "program": "true", "policy": {"type": "none"}, "health":
                [{"kind": "exec", "command": ["true"], "interval": "100ms",
                  "misses": 100}]})",
            "{}",
            R"({"at": "1s", "agent": "a", "do": "unhealthy", "for": "9s"})"
            "\n"
            R"({"at": "10s", "agent": "a", "do": "unhealthy", "for": "9s"})");
    }
    void endsAtTheLimitOfWork()
    {
        QFETCH(QByteArray, agents);
        QFETCH(QByteArray, model);
        QFETCH(QByteArray, trace);
        const Configuration configuration = configurationOf(agents);
        const Parsed<FailureModels> models = parseFailureModels(model);
        QVERIFY(models);
        SimulationOptions options{.length = 1h, .models = *models.value, .trace = traceOf(trace)};
        options.workLimit = 1000;
        const SimulationResult first = simulate(configuration, options);
        QVERIFY(first.length < options.length);
        QVERIFY(first.inputs <= 1001);
        QCOMPARE(first.violations, QStringList());
        QCOMPARE(simulate(configuration, options), first);
        options.workLimit = 2000;
        QVERIFY(simulate(configuration, options).length >= first.length);
    }

    void outagesAndReloadsCountAllAgents()
    {
        QByteArray agents;
        for (int i = 0; i < 100; ++i)
            agents += QByteArray(R"({"name": "aN", "program": "true"},)")
                          .replace("N", QByteArray::number(i));
        agents.chop(1);
        const Configuration configuration = configurationOf(agents);
        const QString file = QStringLiteral("same");
        QByteArray trace;
        for (int i = 0; i < 100; ++i)
            trace += "{\"at\": \"1s\", \"reload\": \"same\"}\n";
        SimulationOptions options{.length = 1h, .trace = traceOf(trace)};
        options.reloads.insert(file, configuration);
        QCOMPARE(simulate(configuration, options).length, Duration(1h));
        options.workLimit = 5000;
        QCOMPARE(simulate(configuration, options).length, Duration(1s));
    }

    void startsWaitForDependencies()
    {
        const SimulationResult result =
            simulate(configurationOf(R"({"name": "b", "kind": "process", "program": "true",
                                "dependsOn": ["a"]},
                               {"name": "a", "kind": "process", "program": "true"})"),
                     {.length = 1h});
        QCOMPARE(result.violations, QStringList());
        QCOMPARE(result.agents.at(0).up, Duration(1h - 2s)); // each is ready after 1 s
        QCOMPARE(result.agents.at(1).up, Duration(1h - 1s));
    }

    void groupsRestartTheirMembers()
    {
        Configuration configuration =
            configurationOf(R"({"name": "b", "kind": "process", "program": "true"},
                               {"name": "a", "kind": "process", "program": "true"})");
        configuration.groups = {
            {.name = QStringLiteral("g"),
             .members = {{.name = QStringLiteral("a")}, {.name = QStringLiteral("b")}},
             .strategy = GroupStrategy::OneForAll}};
        const SimulationResult result =
            simulate(configuration,
                     {.length = 1h,
                      .trace = traceOf(R"({"at": "10s", "agent": "a", "do": "exit", "code": 1})")});
        QCOMPARE(result.violations, QStringList());
        QCOMPARE(result.agents.at(0).starts, 2);
        QCOMPARE(result.agents.at(0).failures, 0);
        QCOMPARE(result.agents.at(1).starts, 2);
    }

    // 100 agents of an endpoint that is down for a minute: one breaker, no attempt used.
    void outageOfSharedEndpointCostsNoAttempts()
    {
        Configuration configuration = oneAgent(exact);
        const AgentDefinition client = configuration.agents.takeFirst();
        for (int i = 0; i < 100; ++i) {
            AgentDefinition agent = client;
            agent.name = QStringLiteral("a%1").arg(i);
            agent.requiredBreakers = {QStringLiteral("api")};
            configuration.agents.append(agent);
        }
        configuration.governor = GovernorLimits{.maxStarting = 100, .rate = 20, .burst = 1};
        configuration.sharedBreakers = {
            {.name = QStringLiteral("api"), .timeout = 20s, .growth = 1, .provenAfter = 1s}};
        FailureModels models;
        models.outages = {{.name = QStringLiteral("api"), .every = 10min, .time = 1min}};
        // It is down from 10 min to 11 min. A trial is due every 20 s, so one succeeds until 11 min
        // and 21 s. The others return within 100 / 20 s.
        const SimulationResult result =
            simulate(configuration, {.length = 11min + 30s, .models = models});
        QCOMPARE(result.violations, QStringList());
        int starts = 0;
        for (const SimulationResult::Agent &each : result.agents) {
            starts += each.starts;
            QCOMPARE(each.attemptsLeft, std::optional(3));
            QVERIFY(each.up > 9min + 50s);
        }
        // The first starts, the trials during the outage, and the starts after it.
        QVERIFY2(starts <= 100 + 3 + 100, qPrintable(QString::number(starts)));
        QVERIFY(starts >= 100 + 100);
        const QList<Fault> faults = unknownAgents(oneAgent(exact), models);
        QCOMPARE(faults.size(), 1);
        QCOMPARE(faults.constFirst().message, QStringLiteral("no shared breaker named \"api\""));
    }

    // The probe needs no start while the endpoint is down.
    void probeOfSharedBreakerFindsTheEndOfAnOutage()
    {
        Configuration configuration = oneAgent(exact);
        configuration.sharedBreakers = {{.name = QStringLiteral("api"),
                                         .threshold = 1,
                                         .agents = 1,
                                         .timeout = 20s,
                                         .growth = 1,
                                         .provenAfter = 1s}};
        configuration.sharedBreakerProbes = {
            {QStringLiteral("api"), {.probe = execProbe({QStringLiteral("up")})}}};
        configuration.agents[0].requiredBreakers = {QStringLiteral("api")};
        const SimulationResult result = simulate(
            configuration,
            {.length = 1h,
             .trace = traceOf(R"({"at": "10m", "shared": "api", "do": "down", "for": "5m"})")});
        QCOMPARE(result.violations, QStringList());
        QCOMPARE(result.agents.at(0).failures, 1);
        QCOMPARE(result.agents.at(0).starts, 2);
        QVERIFY(result.agents.at(0).longestOutage < Duration(5min + 25s));
    }

    void outageOfTraceEnds()
    {
        Configuration configuration = oneAgent(exact);
        configuration.sharedBreakers = {
            {.name = QStringLiteral("api"), .threshold = 1, .agents = 1}};
        configuration.agents[0].requiredBreakers = {QStringLiteral("api")};
        const SimulationResult result = simulate(
            configuration,
            {.length = 1h,
             .trace = traceOf(R"({"at": "10m", "shared": "api", "do": "down", "for": "5s"})")});
        QCOMPARE(result.agents.at(0).failures, 1);
        QCOMPARE(result.agents.at(0).starts, 2);
        QVERIFY(result.agents.at(0).longestOutage < Duration(32s)); // the timeout of the breaker
    }

    void policyRestartsAgentOfTrace()
    {
        const QList<SimulationStep> trace = traceOf(R"(
            {"at": "10s", "agent": "a", "do": "exit", "code": 1}
            {"at": "20s", "agent": "a", "do": "signal", "signal": "SIGSEGV"}
        )");
        const SimulationResult result =
            simulate(oneAgent(exact), {.length = 1min, .trace = trace, .recordsSpans = true});
        const SimulationResult::Agent &agent = result.agents.at(0);
        QCOMPARE(agent.starts, 3);
        QCOMPARE(agent.failures, 2);
        QCOMPARE(agent.longestOutage, Duration(3s)); // the second delay and the start
        QCOMPARE(agent.attemptsLeft, std::optional(1));
        const QList<SimulationResult::Span> spans{
            {0s, Phase::Stopped}, {0s, Phase::Down},  {1s, Phase::Up}, {10s, Phase::Down},
            {12s, Phase::Up},     {20s, Phase::Down}, {23s, Phase::Up}};
        QCOMPARE(agent.spans, spans);
        QCOMPARE(result.herdInSecond, (SimulationResult::Herd{1, 11s}));
    }

    void governorLimitsStarts()
    {
        QByteArray agents;
        for (const char *name : {"a", "b", "c", "d", "e"}) {
            agents += agents.isEmpty() ? "" : ",";
            agents += QByteArray(R"({"name": "NAME", "kind": "process", "program": "true",
                                     "ready": "notify"})")
                          .replace("NAME", name);
        }
        const Parsed<Configuration> governed = parseConfiguration(
            R"({"governor": {"maxStarting": 2}, "agents": [)" + agents + "]}", QStringLiteral("/"));
        QVERIFY(governed);
        const SimulationResult result = simulate(*governed.value, {.length = 1min});
        QCOMPARE(result.longestQueue, 3);
        QCOMPARE(result.figure(QStringLiteral("longestQueue")), std::optional(3.0));
        QVERIFY(toJson(result).contains("\"longestQueue\":3"));
        const Parsed<Configuration> free =
            parseConfiguration(R"({"agents": [)" + agents + "]}", QStringLiteral("/"));
        QCOMPARE(simulate(*free.value, {.length = 1min}).longestQueue, 0);
    }

    void givesUpAsTheEngineDoes()
    {
        FailureModels models;
        models.common.life = 1s;
        const SimulationResult result =
            simulate(oneAgent(R"({"type": "immediate", "maxRetries": 3, "circuitBreaker": "off"})"),
                     {.length = 1h, .models = models});
        const SimulationResult::Agent &agent = result.agents.at(0);
        QCOMPARE(agent.starts, 4);
        QCOMPARE(agent.gaveUpAt, std::optional<Duration>(8s));
        QCOMPARE(agent.attemptsLeft, std::optional(0));
        QCOMPARE(result.figure(QStringLiteral("a.gaveUp")), std::optional(1.0));
    }

    void measuresOpenBreaker()
    {
        FailureModels models;
        models.common.life = 1s;
        const SimulationResult result = simulate(
            oneAgent(
                R"({"type": "immediate", "circuitBreaker": {"threshold": 2, "timeout": "1m"}})"),
            {.length = 64s, .models = models});
        // Two starts, each with 1 s until ready and 1 s of life; the breaker opens at 4 s.
        QCOMPARE(result.agents.at(0).breakerOpen, Duration(60s));
    }

    void exitCodesHaveTheirMeaning_data()
    {
        QTest::addColumn<QByteArray>("step");
        QTest::addColumn<qint64>("starts");
        QTest::addColumn<qint64>("failures");
        const auto row = [](const char *name, const char *step, int starts, int failures) {
            QTest::newRow(name) << QByteArray(step) << qint64{starts} << qint64{failures};
        };
        row("clean exit", "\"exit\", \"code\": 0", 1, 0);
        row("requested restart", "\"exit\", \"code\": 42", 2, 0);
        row("failure", "\"exit\", \"code\": 3", 2, 1);
        row("operator", "\"restart\"", 2, 0);
        row("stopped by an operator", "\"stop\"", 1, 0);
    }

    void exitCodesHaveTheirMeaning()
    {
        QFETCH(QByteArray, step);
        QFETCH(qint64, starts);
        QFETCH(qint64, failures);
        const QByteArray line = R"({"at": "10s", "agent": "a", "do": )" + step + "}";
        const SimulationResult result =
            simulate(oneAgent(exact), {.length = 1min, .trace = traceOf(line)});
        QCOMPARE(result.agents.at(0).starts, starts);
        QCOMPARE(result.agents.at(0).failures, failures);
    }

    void probesDetectHang()
    {
        const Configuration configuration = configurationOf(R"(
            {"name": "a", "kind": "process", "program": "true", "policy": "default",
             "health": [{"kind": "exec", "command": ["true"], "interval": "10s", "timeout": "2s"}]},
            {"name": "b", "kind": "process", "program": "true", "policy": "default"})");
        const SimulationResult result =
            simulate(configuration,
                     {.length = 10min, .trace = traceOf(R"({"at": "1m", "agent": "a", "do": "hang"}
                                                  {"at": "1m", "agent": "b", "do": "hang"})")});
        QCOMPARE(result.agents.at(0).failures, 1);
        QCOMPARE(result.agents.at(0).starts, 2);
        QCOMPARE(result.agents.at(1).failures, 0); // it has no probe
    }

    void shortWeaknessIsNoFailure_data()
    {
        const Rows<QString, qint64> row("time", "failures");
        row("short", "15s", qint64{0});
        row("long", "5m", qint64{1});
    }

    void shortWeaknessIsNoFailure()
    {
        QFETCH(QString, time);
        QFETCH(qint64, failures);
        const Configuration configuration = configurationOf(R"(
            {"name": "a", "kind": "process", "program": "true", "policy": "default",
             "health": [{"kind": "exec", "command": ["true"], "interval": "10s"}]})");
        const QString line =
            QStringLiteral(R"({"at": "1m", "agent": "a", "do": "unhealthy", "for": "%1"})")
                .arg(time);
        const SimulationResult result =
            simulate(configuration, {.length = 4min, .trace = traceOf(line.toUtf8())});
        QCOMPARE(result.agents.at(0).failures, failures);
    }

    void slowStartTimesOut()
    {
        const SimulationResult result =
            simulate(oneAgent(R"({"type": "immediate", "startTimeout": "30s"})"),
                     {.length = 10min,
                      .trace = traceOf(R"({"at": "10s", "agent": "a", "do": "slow", "by": "1m"}
                                                  {"at": "20s", "agent": "a", "do": "exit", "code": 1})")});
        QCOMPARE(result.agents.at(0).failures, 2); // the exit and the timeout
        QCOMPARE(result.agents.at(0).starts, 3);
    }

    void lineMakesAgentReady_data()
    {
        const Rows<QByteArray, QByteArray, Duration> row("ready", "trace", "readyAt");
        const QByteArray byLine = R"({"kind": "line", "pattern": "^listening on [0-9]+"})";
        const QByteArray byNotice = R"({"kind": "notify"})";
        const QByteArray line = R"({"at": "3s", "agent": "a", "do": "line", "text": "%1"})";
        const auto lineOf = [&line](const char *text) {
            return QByteArray(line).replace("%1", text);
        };
        row("matches", byLine, lineOf("listening on 80"), Duration(3s));
        row("differs", byLine, lineOf("not listening"), Duration(20s));
        row("other readiness", byNotice, lineOf("listening on 80"), Duration(20s));
        row("is ready already", byLine,
            lineOf("listening on 80") + '\n' + lineOf("listening on 80"), Duration(3s));
        row("hangs", byLine,
            R"({"at": "1s", "agent": "a", "do": "hang"})" + QByteArray("\n")
                + lineOf("listening on 80"),
            Duration(1min));
    }

    void lineMakesAgentReady()
    {
        QFETCH(QByteArray, ready);
        QFETCH(QByteArray, trace);
        QFETCH(Duration, readyAt);
        const Configuration configuration = configurationOf(
            R"({"name": "a", "kind": "process", "program": "true", "stdout": "lines",
                "policy": {"type": "linear", "startTimeout": "10m"}, "ready": )"
            + ready + "}");
        FailureModels models;
        models.common.ready = 20s;
        const SimulationResult result =
            simulate(configuration, {.length = 1min, .models = models, .trace = traceOf(trace)});
        QCOMPARE(result.agents.at(0).up, 1min - readyAt);
        QCOMPARE(result.unusedSteps, 0);
    }

    void countsStepsOfStoppedAgents()
    {
        const SimulationResult result =
            simulate(oneAgent(exact),
                     {.length = 1min, .trace = traceOf(R"({"at": "10s", "agent": "a", "do": "stop"}
                                                     {"at": "20s", "agent": "a", "do": "exit", "code": 1}
                                                     {"at": "2m", "agent": "a", "do": "exit", "code": 1})")});
        QCOMPARE(result.unusedSteps, 1);
        QCOMPARE(result.agents.at(0).failures, 0);
    }

    void manualAgentIsNotStarted()
    {
        const SimulationResult result = simulate(
            configurationOf(
                R"({"name": "a", "kind": "process", "program": "true", "start": "manual"})"),
            {.length = 1h});
        QCOMPARE(result.agents.at(0).starts, 0);
        QCOMPARE(result.agents.at(0).upPercent(), 100.0);
    }

    void sameSeedGivesTheSameBytes()
    {
        const Configuration configuration = configurationOf(
            R"({"name": "a", "kind": "process", "program": "true"},
               {"name": "b", "kind": "process", "program": "true", "policy": "watchdog"})");
        FailureModels models;
        models.common = {2s, 1s, 1min, true, {{1, {}, 0.8}, {{}, SIGSEGV, 0.2}}};
        std::set<QByteArray> results;
        for (quint64 seed = 1; seed <= 20; ++seed) {
            const SimulationOptions options{.length = 24h, .seed = seed, .models = models};
            const QByteArray first = toJson(simulate(configuration, options));
            QCOMPARE(toJson(simulate(configuration, options)), first);
            results.insert(first);
        }
        QCOMPARE(results.size(), 20U);
    }

    // Further draws of one agent do not change the others.
    void agentsAreIndependent()
    {
        FailureModels models;
        models.common.life = 1min;
        models.common.isExponential = true;
        const auto b = [&](const char *policyOfA) {
            const QString agents = QStringLiteral(
                R"({"name": "a", "kind": "process", "program": "true", "policy": "%1"},
                   {"name": "b", "kind": "process", "program": "true"})");
            const Configuration configuration =
                configurationOf(agents.arg(QLatin1String(policyOfA)).toUtf8());
            return simulate(configuration, {.length = 6h, .models = models}).agents.at(1);
        };
        QCOMPARE(b("default"), b("none"));
    }

    void tierLimitsPolicies()
    {
        const SimulationResult result =
            simulate(oneAgent(exact),
                     {.length = 1h,
                      .trace = traceOf(R"({"at": "10s", "agent": "a", "do": "exit", "code": 1})"),
                      .tier = LicenseTier::Core});
        QCOMPARE(result.agents.at(0).starts, 1);
        QVERIFY(result.agents.at(0).gaveUpAt.has_value());
    }

    void reportsPlaceOfUnknownAgent()
    {
        const QList<SimulationStep> trace = traceOf("\n{\"at\": \"1s\", \"agent\": \"y\", "
                                                    "\"do\": \"hang\"}");
        const QList<Fault> inTrace = unknownAgents(oneAgent(exact), trace);
        QCOMPARE(inTrace.size(), 1);
        QCOMPARE(inTrace.front().toString(QStringLiteral("trace")),
                 QStringLiteral("trace:2:23: /agent: no agent named \"y\" (the configuration has "
                                "a)"));
        const QList<SimulationStep> many(1001, trace.front());
        QCOMPARE(unknownAgents(oneAgent(exact), many).size(), 1000);

        FailureModels models;
        models.agents.insert(QStringLiteral("x/y"), {});
        models.agents.insert(QStringLiteral("a"), {});
        const QList<Fault> inModel = unknownAgents(oneAgent(exact), models);
        QCOMPARE(inModel.size(), 1);
        QCOMPARE(inModel.front().toString(),
                 QStringLiteral("/agents/x~1y: no agent named \"x/y\" (the configuration has a)"));
    }

    void figuresHaveNames()
    {
        const SimulationResult result = simulate(oneAgent(exact), {.length = 1min});
        const QStringList names = result.figureNames();
        QCOMPARE(names.size(), 14);
        for (const QString &name : names)
            QVERIFY2(result.figure(name).has_value(), qPrintable(name));
    }

    void namesAgentWithLowestUp()
    {
        SimulationResult result;
        QCOMPARE(result.lowestAgent(), nullptr);
        result.agents = {{.name = QStringLiteral("a"), .up = 3s, .down = 1s},
                         {.name = QStringLiteral("b"), .up = 1s, .down = 1s},
                         {.name = QStringLiteral("c"), .up = 1s, .down = 1s}};
        QCOMPARE(result.lowestAgent()->name, QStringLiteral("b"));
        QCOMPARE(result.lowestUpPercent(), 50.0);
    }
};

REKINDLE_TEST(SimulationTest)
#include "simulationtest.moc"
