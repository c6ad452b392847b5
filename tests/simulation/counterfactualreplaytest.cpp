// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "lifecycle/internal/evaluatorport.h"
#include "sanitizer.h"
#include "simulation/agentsconfiguration.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/lifecycle/agent.h>
#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/lifecycle/featuregate.h>
#include <rekindle/lifecycle/fixedlicenseprovider.h>
#include <rekindle/lifecycle/virtualscheduler.h>
#include <rekindle/simulation/counterfactualreplay.h>

#include <functional>
#include <random>

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

/// Ready after a fixed time, and exits a fixed time after that.
class FixedAgent final : public Agent
{
    Q_OBJECT

public:
    enum class End { Failure, Exit, Restart, RequestRestart };

    FixedAgent(Scheduler &scheduler, Duration ready, Duration life, End end)
        : m_readyTime(ready)
        , m_life(life)
        , m_end(end)
        , m_ready(scheduler, [this] { becomeReady(); })
        , m_exit(scheduler, [this] { exit(); })
    {
    }

    void start() override
    {
        m_isAlive = true;
        m_ready.armIn(m_readyTime);
        Q_EMIT started();
    }
    void stop() override
    {
        if (std::exchange(m_isAlive, false)) {
            m_ready.disarm();
            m_exit.disarm();
            Q_EMIT stopped();
        }
    }
    [[nodiscard]] bool isAlive() const override { return m_isAlive; }

private:
    void becomeReady()
    {
        m_exit.armIn(m_life);
        Q_EMIT ready();
    }
    void exit()
    {
        m_isAlive = m_end == End::RequestRestart;
        if (m_end == End::Failure)
            Q_EMIT failed(FailureReason::ProcessCrash, {.exitCode = 7});
        else if (m_end == End::Exit)
            Q_EMIT stopped();
        else
            Q_EMIT restartRequested(QStringLiteral("update"));
    }

    const Duration m_readyTime;
    const Duration m_life;
    const End m_end;
    Deadline m_ready;
    Deadline m_exit;
    bool m_isAlive = false;
};

/// A run of a real supervisor in virtual time, whose inputs are recorded.
class RecordedRun
{
public:
    RecordedRun()
    {
        clock.advance(100h); // the clock of a computer does not begin with the run
        supervisor.featureGate().setProvider(&license);
        QObject::connect(&supervisor, &AgentSupervisor::lifecycleEvent, &m_receiver, [] {});
        EvaluatorPort(supervisor.policyEvaluator()).setInputJournal([this](JournalEntry &&entry) {
            inputs.append(std::move(entry));
        });
    }
    ~RecordedRun() { EvaluatorPort(supervisor.policyEvaluator()).setInputJournal({}); }
    Q_DISABLE_COPY_MOVE(RecordedRun)

    void add(const char *name, const RestartPolicy &policy, Duration ready = 1s, Duration life = 9s,
             FixedAgent::End end = FixedAgent::End::Failure)
    {
        if (!supervisor.add(QLatin1String(name),
                            std::make_unique<FixedAgent>(scheduler, ready, life, end), policy))
            qFatal("the agent was rejected");
    }
    [[nodiscard]] QUuid id(const char *name) const { return supervisor.idOf(QLatin1String(name)); }
    /// The number of the n-th input of this kind, from 0.
    [[nodiscard]] quint64 number(InputKind kind, int n) const
    {
        for (const JournalEntry &each : inputs) {
            if (each.kind == JournalEntry::Kind::Input && each.input == kind && n-- == 0)
                return each.number;
        }
        return 0;
    }

    FixedLicenseProvider license{LicenseTier::Enterprise};
    VirtualClock clock;
    VirtualScheduler scheduler{clock};
    AgentSupervisor supervisor{scheduler, {}, [](const QUuid &) { return 0.25; }};
    QList<JournalEntry> inputs;

private:
    QObject m_receiver; // otherwise, the events are logged
};

/// With other settings, which are a policy or a configuration.
class Replay
{
public:
    template<typename Settings>
    Replay(const RecordedRun &run, const Settings &settings)
        : counterfactual(settings)
    {
        for (const JournalEntry &each : run.inputs)
            counterfactual.apply(each);
        counterfactual.finish(run.clock.now());
    }

    [[nodiscard]] const SimulationResult::Agent &recorded(qsizetype agent = 0) const
    {
        return counterfactual.recorded().agents.at(agent);
    }
    [[nodiscard]] const SimulationResult::Agent &changed(qsizetype agent = 0) const
    {
        return counterfactual.changed().agents.at(agent);
    }

    CounterfactualReplay counterfactual;
};

// The delays are 1 s, 2 s, 3 s and so on.
RestartPolicy linear(int retries)
{
    RestartPolicy policy;
    policy.type = RestartPolicyType::Linear;
    policy.maxRetries = retries;
    policy.jitter.kind = JitterKind::None;
    policy.circuitBreaker.reset();
    return policy;
}

// An agent that crashes 10 s after each start, for two minutes.
void recordCrashLoop(RecordedRun &run, const RestartPolicy &policy)
{
    run.add("a", policy);
    run.supervisor.startAll();
    run.scheduler.advance(2min);
}

} // namespace

/// Recorded runs with other settings.
class CounterfactualReplayTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void moreRetriesRestartAsComputed()
    {
        RecordedRun run;
        recordCrashLoop(run, linear(2));
        const Replay replay(run, linear(5));
        QCOMPARE(replay.recorded().starts, 3);
        QCOMPARE(replay.recorded().gaveUpAt, std::optional<Duration>(33s));
        // It fails at 33 s, 46 s, 60 s and 75 s.
        QCOMPARE(replay.changed().starts, 6);
        QCOMPARE(replay.changed().failures, 6);
        QCOMPARE(replay.changed().gaveUpAt, std::optional<Duration>(75s));
        QCOMPARE(replay.changed().up, Duration(6 * 9s));
        QCOMPARE(replay.changed().longestOutage, Duration(45s)); // since it was given up
        QCOMPARE(replay.changed().attemptsLeft, std::optional(0));
        QCOMPARE(replay.counterfactual.changed().restarts, 5);
        QCOMPARE(replay.counterfactual.changed().length, Duration(2min));
        QCOMPARE(replay.counterfactual.changed().violations, QStringList());
        QCOMPARE(
            replay.counterfactual.difference(),
            (CounterfactualReplay::Difference{run.number(InputKind::Failed, 2), QStringLiteral("a"),
                                              QStringLiteral("Failed"), 33s}));
        QCOMPARE(replay.counterfactual.repeated(), QStringList(QStringLiteral("a")));
    }

    // A host exits when it has given up all agents.
    void runContinuesAfterItsEnd()
    {
        RecordedRun run;
        recordCrashLoop(run, linear(2));
        CounterfactualReplay replay(linear(5));
        for (const JournalEntry &each : run.inputs)
            replay.apply(each);
        replay.finish(run.inputs.last().time, 2min); // 33 s
        QCOMPARE(replay.changed(), Replay(run, linear(5)).counterfactual.changed());
        QCOMPARE(replay.recorded(), Replay(run, linear(5)).counterfactual.recorded());
    }

    void fewerRetriesGiveUpEarlier()
    {
        RecordedRun run;
        recordCrashLoop(run, linear(5));
        const Replay replay(run, linear(1));
        QCOMPARE(replay.recorded().gaveUpAt, std::optional<Duration>(75s));
        QCOMPARE(replay.changed().gaveUpAt, std::optional<Duration>(21s));
        QCOMPARE(replay.changed().starts, 2);
        QCOMPARE(replay.counterfactual.repeated(), QStringList());
    }

    void ownSettingsMakeNoDifference()
    {
        RecordedRun run;
        recordCrashLoop(run, linear(2));
        const Replay replay(run, linear(2));
        QVERIFY(!replay.counterfactual.difference());
        QCOMPARE(replay.counterfactual.changed(), replay.counterfactual.recorded());
        QCOMPARE(replay.recorded().starts, 3);
    }

    // Nothing has an effect that the recorded run does not have.
    void unusedSettingsMakeNoDifference()
    {
        RecordedRun run;
        recordCrashLoop(run, linear(5));
        RestartPolicy policy = linear(5);
        policy.startTimeout = 2s;
        policy.stableAfter = 10s;
        policy.rearmAfter = 1min;
        const Replay replay(run, policy);
        QVERIFY(!replay.counterfactual.difference());
        policy.rearmAfter = 40s; // at 115 s
        const Replay rearmed(run, policy);
        QCOMPARE(rearmed.counterfactual.difference(),
                 (CounterfactualReplay::Difference{static_cast<quint64>(run.inputs.size()) + 1,
                                                   QStringLiteral("a"), QStringLiteral("Deadline"),
                                                   115s}));
        QCOMPARE(rearmed.recorded().starts, 6);
        QCOMPARE(rearmed.changed().starts, 7);
    }

    void earlierDeadlineIsADifference()
    {
        RecordedRun run;
        recordCrashLoop(run, linear(2));
        RestartPolicy policy = linear(2);
        policy.startTimeout = 500ms;
        const Replay replay(run, policy);
        QCOMPARE(
            replay.counterfactual.difference(),
            (CounterfactualReplay::Difference{run.number(InputKind::Ready, 0), QStringLiteral("a"),
                                              QStringLiteral("Deadline"), 500ms}));
        QCOMPARE(replay.changed().failures, 3);
        QCOMPARE(replay.changed().up, Duration(0s));
    }

    // A time that the host did not grant is unknown.
    void killedProcessNeverBecomesReady()
    {
        RecordedRun run;
        RestartPolicy policy = linear(2);
        policy.startTimeout = 500ms;
        recordCrashLoop(run, policy);
        policy.startTimeout = 20s;
        const Replay replay(run, policy);
        QCOMPARE(replay.recorded().failures, 3);
        QCOMPARE(replay.changed().gaveUpAt, std::optional<Duration>(63s)); // 3 * 20 s and 3 s
        QCOMPARE(replay.changed().up, Duration(0s));
    }

    // As a real run with the other settings, because the processes of an agent are alike.
    void equalsRunWithTheseSettings()
    {
        constexpr unsigned runs = runsHere(300);
        unsigned differences = 0;
        for (unsigned seed = 1; seed <= runs; ++seed) {
            const RandomSettings settings(seed);
            RecordedRun before;
            settings.record(before, 0);
            RecordedRun after;
            settings.record(after, 1);
            const Configuration configuration = settings.configuration();
            const Replay replay(before, configuration);
            const Replay own(after, configuration);
            QVERIFY2(!own.counterfactual.difference(), qPrintable(QString::number(seed)));
            QCOMPARE(toJson(own.counterfactual.changed()), toJson(own.counterfactual.recorded()));
            differences += replay.counterfactual.difference() ? 1 : 0;
            const QByteArray both = toJson(replay.counterfactual.changed()) + '\n'
                + toJson(own.counterfactual.recorded()) + "seed " + QByteArray::number(seed);
            QVERIFY2(replay.counterfactual.changed().agents == own.counterfactual.recorded().agents,
                     both.constData());
            QCOMPARE(replay.counterfactual.changed().inputs, own.counterfactual.recorded().inputs);
            QCOMPARE(replay.counterfactual.changed().restarts,
                     own.counterfactual.recorded().restarts);
            QCOMPARE(replay.counterfactual.changed().violations, QStringList());
        }
        QVERIFY(differences > runs * 2 / 3);
    }

    void requestedRestartsAreRepeated_data()
    {
        const Rows<FixedAgent::End> row("end");
        row("exit", FixedAgent::End::Exit);
        row("exit code 42", FixedAgent::End::Restart);
        row("request", FixedAgent::End::RequestRestart);
    }

    void requestedRestartsAreRepeated()
    {
        QFETCH(FixedAgent::End, end);
        RestartPolicy other = linear(3);
        other.requestedDelay = 1min;
        other.restartOn = RestartOn::Always;
        const auto record = [end](RecordedRun &run, const RestartPolicy &policy) {
            run.add("a", policy, 1s, 9s, end);
            run.supervisor.startAll();
            run.scheduler.advance(10min);
        };
        RecordedRun before;
        record(before, linear(3));
        RecordedRun after;
        record(after, other);
        const Replay replay(before, other);
        QVERIFY(replay.counterfactual.difference());
        QCOMPARE(replay.changed(), Replay(after, other).recorded());
    }

    void unhealthyProcessesAreRepeated()
    {
        RecordedRun run;
        run.add("a", linear(0), 1s, 1h);
        run.supervisor.startAll();
        run.scheduler.advance(10s);
        EvaluatorPort(run.supervisor.policyEvaluator())
            .reportUnhealthy(run.id("a"), 1, {FailureReason::HealthCheckFailed, {}});
        run.scheduler.advance(1min);
        const Replay replay(run, linear(2));
        QCOMPARE(replay.recorded().failures, 1);
        QCOMPARE(replay.changed().failures, 3);
        QCOMPARE(replay.changed().gaveUpAt, std::optional<Duration>(33s));
    }

    // The first difference comes between the start and its launch.
    void pendingLaunchFollows()
    {
        RecordedRun run;
        run.add("a", linear(0), 1s, 1h);
        run.add("b", linear(0), 1s, 1h);
        run.supervisor.start(run.id("a"));
        run.scheduler.advance(10s);
        run.supervisor.start(run.id("b"));
        EvaluatorPort(run.supervisor.policyEvaluator())
            .reportUnhealthy(run.id("a"), 1, {FailureReason::HealthCheckFailed, {}});
        run.scheduler.advance(1min);
        const Replay replay(run, linear(2));
        QCOMPARE(replay.counterfactual.difference()->at, Duration(10s));
        QCOMPARE(replay.changed(0).starts, 3);
        QCOMPARE(replay.changed(1).starts, 1);
        QCOMPARE(replay.changed(1).up, Duration(59s));
    }

    // It would have crashed like the others.
    void processStoppedByOperatorIsNotRepeated()
    {
        RecordedRun run;
        run.add("a", linear(1));
        run.supervisor.startAll();
        run.scheduler.advance(60s); // crashes at 10 s and 21 s
        run.supervisor.start(run.id("a"));
        run.scheduler.advance(5s);
        run.supervisor.stop(run.id("a"));
        run.scheduler.advance(10s);
        run.supervisor.start(run.id("a"));
        run.scheduler.advance(30s);
        const Replay replay(run, linear(2));
        QCOMPARE(replay.recorded().starts, 5);
        QCOMPARE(replay.changed().starts, 7);
        QCOMPARE(replay.changed().gaveUpAt, std::optional<Duration>(33s));
    }

    // It is assumed that the last process would have continued to run.
    void longestProcessRunsOn()
    {
        RecordedRun run;
        recordCrashLoop(run, linear(1));
        const JournalEntry lastLaunch =
            *std::find_if(run.inputs.rbegin(), run.inputs.rend(),
                          [](const JournalEntry &each) { return each.input == InputKind::Launch; });
        // Without its end, the second process runs until the end of the run.
        while (run.inputs.last().time > lastLaunch.time + 1s)
            run.inputs.removeLast();
        RestartPolicy policy = linear(1);
        policy.initialDelay = 500ms;
        const Replay replay(run, policy);
        QCOMPARE(replay.recorded().up, Duration(9s + 2min - 12s));
        QCOMPARE(replay.changed().up, Duration(9s + 2min - 11500ms));
        QCOMPARE(replay.changed().starts, 2);
    }

    // It shows only when the operator stopped it.
    void processStoppedBeforeReadyIsNotRepeated()
    {
        RecordedRun run;
        run.add("a", linear(0));
        run.supervisor.startAll();
        run.scheduler.advance(10s); // the crash
        run.supervisor.start(run.id("a"));
        run.scheduler.advance(500ms);
        run.supervisor.stop(run.id("a"));
        run.scheduler.advance(500ms);
        run.supervisor.start(run.id("a"));
        run.scheduler.advance(1min);
        const Replay replay(run, linear(1));
        QCOMPARE(replay.recorded().failures, 2);
        // Crashes at 10 s and, after another start by the operator, at 21 s and 32 s.
        QCOMPARE(replay.changed().failures, 3);
        QCOMPARE(replay.changed().gaveUpAt, std::optional<Duration>(32s));
    }

    // As a reload does that replaces an agent.
    void removedAgentsAreStopped()
    {
        RestartPolicy other = linear(5);
        other.initialDelay = 2s;
        const auto record = [](RecordedRun &run, RestartPolicy policy) {
            policy.circuitBreaker = CircuitBreakerPolicy{.threshold = 1};
            run.add("a", policy);
            run.supervisor.startAll();
            run.scheduler.advance(15s); // its breaker is open
            run.supervisor.remove(run.id("a"));
            run.scheduler.advance(45s);
            policy.circuitBreaker.reset();
            run.add("a", policy);
            run.supervisor.startAll();
            run.scheduler.advance(1min);
        };
        RecordedRun before;
        record(before, linear(5));
        const Replay own(before, linear(5));
        QCOMPARE(own.recorded().breakerOpen, Duration(5s));
        QCOMPARE(own.counterfactual.difference()->input, QStringLiteral("Failed"));
        RecordedRun after;
        after.add("a", other);
        after.supervisor.startAll();
        after.scheduler.advance(15s);
        after.supervisor.remove(after.id("a"));
        after.scheduler.advance(45s);
        after.add("a", other);
        after.supervisor.startAll();
        after.scheduler.advance(1min);
        const Replay actual(after, other);
        QVERIFY(!actual.counterfactual.difference());
        QCOMPARE(actual.recorded().failures, 5);
        QCOMPARE(Replay(before, other).changed(), actual.recorded());
    }

    void namesAgentsThatAreMissing()
    {
        RecordedRun run;
        run.add("a", linear(1));
        run.add("b", linear(1));
        run.supervisor.startAll();
        run.scheduler.advance(2min);
        const Replay replay(run, configurationOf(R"(
            {"name": "c", "kind": "process", "program": "true"},
            {"name": "b", "kind": "process", "program": "true", "dependsOn": ["c"],
             "policy": {"type": "linear", "maxRetries": 2, "jitter": {"kind": "none"},
                        "circuitBreaker": "off"}})"));
        QCOMPARE(replay.counterfactual.notConfigured(), QStringList(QStringLiteral("a")));
        QCOMPARE(replay.counterfactual.notRecorded(), QStringList(QStringLiteral("c")));
        QCOMPARE(replay.counterfactual.recorded().agents.size(), 2);
        QCOMPARE(replay.counterfactual.changed().agents.size(), 1);
        QCOMPARE(replay.changed().name, QStringLiteral("b"));
        QCOMPARE(replay.changed().starts, 3);
    }

    // The dependencies of the configuration apply from the first difference on.
    void startsWaitForDependencies()
    {
        RecordedRun run;
        run.add("a", linear(2), 1s, 9s);
        run.add("b", linear(2), 1s, 1h);
        run.supervisor.startAll();
        run.scheduler.advance(27s);
        run.supervisor.restart(run.id("b"));
        run.scheduler.advance(1min);
        const Replay replay(run, configurationOf(R"(
            {"name": "a", "kind": "process", "program": "true",
             "policy": {"type": "linear", "initialDelay": "4s", "jitter": {"kind": "none"}}},
            {"name": "b", "kind": "process", "program": "true", "dependsOn": ["a"]})"));
        // a exits at 24 s and is ready again at 33 s.
        QCOMPARE(replay.recorded(1).longestOutage, Duration(1s));
        QCOMPARE(replay.changed(1).longestOutage, Duration(7s));
        QCOMPARE(replay.changed(1).starts, 2);
    }

    void tierLimitsPolicy()
    {
        RecordedRun run;
        recordCrashLoop(run, linear(2));
        CounterfactualReplay replay(linear(2), LicenseTier::Core);
        for (const JournalEntry &each : run.inputs)
            replay.apply(each);
        replay.finish(run.clock.now());
        QCOMPARE(replay.changed().agents.at(0).starts, 1);
        QCOMPARE(replay.changed().agents.at(0).gaveUpAt, std::optional<Duration>(10s));
    }

private:
    /// Two agents, a sequence of operator commands, and two policies of each agent.
    class RandomSettings
    {
    public:
        explicit RandomSettings(unsigned seed)
            : m_random(seed)
        {
            for (Settings &each : m_agents) {
                each.ready = 100ms * (1 + below(30));
                each.life = 1s * (1 + below(60));
                each.policies = {policy(), policy()};
            }
            for (int i = 0; i < 6; ++i)
                m_commands.append({1s * below(120), below(2), below(6)});
        }

        void record(RecordedRun &run, std::size_t settings) const
        {
            run.add("a", m_agents[0].policies[settings], m_agents[0].ready, m_agents[0].life);
            run.add("b", m_agents[1].policies[settings], m_agents[1].ready, m_agents[1].life);
            run.supervisor.startAll();
            run.scheduler.advance(5min); // so that each agent has a whole process
            for (const Command &each : m_commands) {
                run.scheduler.advance(each.after);
                const QUuid id = run.id(each.agent == 0 ? "a" : "b");
                RestartPolicyEvaluator &evaluator = run.supervisor.policyEvaluator();
                const std::array<std::function<void()>, 6> commands = {
                    [&] { run.supervisor.start(id); },
                    [&] { run.supervisor.stop(id); },
                    [&] { run.supervisor.restart(id); },
                    [&] { evaluator.resetCircuitBreaker(id); },
                    [&] { evaluator.isolateCircuitBreaker(id); },
                    [&] { evaluator.releaseCircuitBreaker(id); },
                };
                commands.at(static_cast<std::size_t>(each.what))();
            }
            run.scheduler.advance(20min);
        }

        [[nodiscard]] Configuration configuration() const
        {
            Configuration configuration = configurationOf(R"(
                {"name": "a", "kind": "process", "program": "true"},
                {"name": "b", "kind": "process", "program": "true"})");
            configuration.agents[0].policy = m_agents[0].policies[1];
            configuration.agents[1].policy = m_agents[1].policies[1];
            return configuration;
        }

    private:
        struct Settings
        {
            Duration ready{};
            Duration life{};
            std::array<RestartPolicy, 2> policies;
        };
        struct Command
        {
            Duration after{};
            int agent = 0;
            int what = 0;
        };

        int below(int end) { return std::uniform_int_distribution(0, end - 1)(m_random); }

        RestartPolicy policy()
        {
            RestartPolicy policy;
            policy.type =
                below(2) == 0 ? RestartPolicyType::Linear : RestartPolicyType::Exponential;
            policy.maxRetries = below(2) == 0 ? std::nullopt : std::optional(below(6));
            policy.jitter.kind = JitterKind::None;
            policy.initialDelay = 100ms * below(30);
            policy.stableAfter = 1s * below(40);
            policy.startTimeout = 1s * (4 + below(30));
            policy.minInterval = 1s * below(30);
            if (below(3) == 0)
                policy.circuitBreaker.reset();
            else
                policy.circuitBreaker->threshold = 1 + below(4);
            if (below(3) == 0)
                policy.window = RestartWindow{.restarts = 1 + below(3), .period = 20s};
            if (below(3) == 0)
                policy.rearmAfter = 30s * (1 + below(4));
            return policy;
        }

        std::mt19937 m_random;
        std::array<Settings, 2> m_agents;
        QList<Command> m_commands;
    };
};

REKINDLE_TEST(CounterfactualReplayTest)
#include "counterfactualreplaytest.moc"
