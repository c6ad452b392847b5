// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"

#include <rekindle/config/configuredagents.h>
#include <rekindle/host/programfactory.h>
#include <rekindle/lifecycle/agentmonitor.h>
#include <rekindle/lifecycle/featuregate.h>
#include <rekindle/lifecycle/fixedlicenseprovider.h>
#include <rekindle/process/processagent.h>

#include <csignal>

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

AgentDefinition sleeper(const QString &name)
{
    AgentDefinition agent;
    agent.name = name;
    agent.process.program = QStringLiteral("sleep");
    agent.process.arguments = QStringList(QStringLiteral("1000"));
    agent.process.readiness.kind = Readiness::Kind::Now;
    return agent;
}

Configuration sleepers(int count)
{
    Configuration configuration;
    for (int i = 0; i < count; ++i)
        configuration.agents.append(sleeper(QStringLiteral("agent-%1").arg(i)));
    return configuration;
}

} // namespace

/// Applies configurations to real processes.
class ConfiguredAgentsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void restartsOnlyTheChangedProcess();
    void startsAnAgentThatHasFailed();
    void replacesPoliciesWithoutTouchingProcesses();
    void replacesProbesWithoutTouchingProcesses();
    void replacesOptionsWithoutTouchingProcesses();
    void replacesDependencies();
    void startsNoDependencyThatAnOperatorHasStopped();
    void replacesGroupsWithoutTouchingProcesses();
    void orderOfGroupsIsNoChange();
    void replacesSharedBreakersWithoutTouchingProcesses();
    void addsAndRemovesAgents();
    void addedAgentWaitsForRemovedOne();
    void doesNotStartWhatDoesNotRun();
    void changesNothingIfAnEntryIsInvalid();
    void leavesOtherAgentsAlone();
    void appliesOrder();

private:
    void startAll(const Configuration &configuration);
    void start(const Configuration &configuration);
    [[nodiscard]] QHash<QString, qint64> pids() const;
    [[nodiscard]] std::optional<AgentSnapshot> snapshot(const QString &name) const
    {
        return m_supervisor->snapshot(m_supervisor->idOf(name));
    }

    FixedLicenseProvider m_license{LicenseTier::Enterprise};
    std::unique_ptr<AgentSupervisor> m_supervisor;
    std::unique_ptr<ConfiguredAgents> m_agents;
};

void ConfiguredAgentsTest::init()
{
    m_agents.reset();
    m_supervisor = std::make_unique<AgentSupervisor>();
    m_supervisor->featureGate().setProvider(&m_license);
    m_agents = std::make_unique<ConfiguredAgents>(*m_supervisor, programFactory());
}

void ConfiguredAgentsTest::startAll(const Configuration &configuration)
{
    QVERIFY(!hasErrors(m_agents->addAll(configuration)));
    m_supervisor->startAll();
}

void ConfiguredAgentsTest::start(const Configuration &configuration)
{
    startAll(configuration);
    QTRY_COMPARE_WITH_TIMEOUT(pids().size(), configuration.agents.size(), 60'000);
}

// Of the agents that are ready.
QHash<QString, qint64> ConfiguredAgentsTest::pids() const
{
    QHash<QString, qint64> pids;
    for (const QUuid &id : m_supervisor->ids()) {
        const auto agent = m_supervisor->snapshot(id);
        if (agent && agent->state == InstanceState::Running)
            pids.insert(agent->name, agent->processId);
    }
    return pids;
}

void ConfiguredAgentsTest::restartsOnlyTheChangedProcess()
{
    Configuration configuration = sleepers(100);
    start(configuration);
    const QHash<QString, qint64> before = pids();
    configuration.agents[42].process.arguments = QStringList(QStringLiteral("2000"));
    QList<ConfigurationApplied> applied;
    connect(m_supervisor.get(), &AgentSupervisor::configurationApplied, this,
            [&](const ConfigurationApplied &event) { applied.append(event); });
    const ConfiguredAgents::Result result = m_agents->apply(configuration);
    QVERIFY(result);
    QCOMPARE(result.changes.unchanged.size(), 99);
    QCOMPARE(applied.size(), 1);
    QCOMPARE(applied.front().agent, QStringLiteral("agent-42"));
    QCOMPARE(applied.front().change, ConfigurationApplied::Change::Restarted);
    QCOMPARE(applied.front().parts, QStringList(QStringLiteral("process")));
    QCOMPARE(result.changes.changed,
             QList<ChangedAgent>({{QStringLiteral("agent-42"),
                                   DefinitionPart::Process,
                                   {QStringLiteral("arguments")},
                                   true}}));
    const auto changed = [&] { return pids().value(QStringLiteral("agent-42")); };
    QTRY_VERIFY_WITH_TIMEOUT(
        changed() != 0 && changed() != before.value(QStringLiteral("agent-42")), 60'000);
    QFile commandLine(QStringLiteral("/proc/%1/cmdline").arg(changed()));
    QVERIFY(commandLine.open(QIODevice::ReadOnly));
    QTRY_VERIFY_WITH_TIMEOUT(commandLine.seek(0) && commandLine.readAll().contains("2000"), 60'000);
    QHash<QString, qint64> after = pids();
    after.insert(QStringLiteral("agent-42"), before.value(QStringLiteral("agent-42")));
    QCOMPARE(after, before);
    QVERIFY(m_agents->changesTo(configuration).changes.changed.isEmpty());
}

void ConfiguredAgentsTest::startsAnAgentThatHasFailed()
{
    Configuration configuration = sleepers(2);
    for (AgentDefinition &each : configuration.agents) {
        each.process.program = QStringLiteral("false");
        each.policy.maxRetries = 1;
    }
    startAll(configuration);
    const auto isExhausted = [this](const QString &name) {
        return snapshot(name)->state == InstanceState::Exhausted;
    };
    const QString corrected = QStringLiteral("agent-0");
    const QString isolated = QStringLiteral("agent-1");
    QTRY_VERIFY_WITH_TIMEOUT(isExhausted(corrected) && isExhausted(isolated), 60'000);
    m_supervisor->policyEvaluator().isolateCircuitBreaker(m_supervisor->idOf(isolated));
    for (AgentDefinition &each : configuration.agents)
        each.process.program = QStringLiteral("sleep");
    const ConfiguredAgents::Result result = m_agents->apply(configuration);
    QVERIFY(result);
    QVERIFY(result.changes.changed.at(0).isRestarted);
    QVERIFY(!result.changes.changed.at(1).isRestarted);
    QTRY_COMPARE_WITH_TIMEOUT(snapshot(corrected)->state, InstanceState::Running, 60'000);
    QVERIFY(snapshot(isolated)->state != InstanceState::Running);
}

void ConfiguredAgentsTest::replacesPoliciesWithoutTouchingProcesses()
{
    Configuration configuration = sleepers(100);
    start(configuration);
    const QHash<QString, qint64> before = pids();
    for (AgentDefinition &each : configuration.agents)
        each.policy.maxRetries = 3;
    const ConfiguredAgents::Result result = m_agents->apply(configuration);
    QVERIFY(result);
    QCOMPARE(result.changes.changed.size(), 100);
    QCOMPARE(result.faults.size(), 0); // the reader of a configuration reports warnings
    QCOMPARE(pids(), before);
    for (const QUuid &id : m_supervisor->ids())
        QCOMPARE(m_supervisor->policyEvaluator().policy(id).maxRetries, std::optional(3));
}

void ConfiguredAgentsTest::replacesProbesWithoutTouchingProcesses()
{
    Configuration configuration = sleepers(1);
    start(configuration);
    const QHash<QString, qint64> before = pids();
    HealthSchedule often;
    often.interval = std::chrono::milliseconds(100);
    often.timeout = std::chrono::milliseconds(100);
    configuration.agents[0].process.health = {execProbe({QStringLiteral("true")}, often)};
    const ConfiguredAgents::Result result = m_agents->apply(configuration);
    QVERIFY(result);
    QVERIFY(!result.changes.changed.constFirst().isRestarted);
    const QUuid id = m_supervisor->idOf(QStringLiteral("agent-0"));
    QTRY_COMPARE_WITH_TIMEOUT(m_supervisor->monitor().health(id).state,
                              AgentHealthStatus::State::Healthy, 60'000);
    QCOMPARE(pids(), before);
}

void ConfiguredAgentsTest::replacesOptionsWithoutTouchingProcesses()
{
    Configuration configuration = sleepers(2);
    configuration.agents[0].watch = QStringList(QStringLiteral("/a.py"));
    start(configuration);
    const QHash<QString, qint64> before = pids();
    QCOMPARE(m_agents->changesTo(configuration).changes.unchanged.size(), 2);
    configuration.agents[0].watch.clear();
    configuration.agents[1].watch = QStringList(QStringLiteral("/b.py"));
    configuration.agents[1].tags = QStringList(QStringLiteral("batch"));
    const ConfiguredAgents::Result result = m_agents->apply(configuration);
    QVERIFY(result);
    QCOMPARE(
        result.changes.changed,
        QList<ChangedAgent>(
            {{QStringLiteral("agent-0"), DefinitionPart::Options, {QStringLiteral("watch")}, false},
             {QStringLiteral("agent-1"),
              DefinitionPart::Options,
              {QStringLiteral("tags"), QStringLiteral("watch")},
              false}}));
    QCOMPARE(pids(), before);
    QCOMPARE(m_agents->changesTo(configuration).changes.unchanged.size(), 2);
}

void ConfiguredAgentsTest::replacesDependencies()
{
    Configuration configuration = sleepers(3);
    configuration.agents[0].dependsOn = {{.agent = QStringLiteral("agent-2")}};
    start(configuration);
    QVERIFY(*snapshot(QStringLiteral("agent-2"))->startedAt
            < *snapshot(QStringLiteral("agent-0"))->startedAt);
    const QHash<QString, qint64> before = pids();
    QCOMPARE(m_agents->changesTo(configuration).changes.unchanged.size(), 3);
    // The other way around: no intermediate state is a cycle.
    configuration.agents[0].dependsOn.clear();
    configuration.agents[2].dependsOn = {{.agent = QStringLiteral("agent-0")}};
    const ConfiguredAgents::Result result = m_agents->apply(configuration);
    QVERIFY(result);
    QCOMPARE(result.changes.changed,
             QList<ChangedAgent>({{QStringLiteral("agent-0"),
                                   DefinitionPart::Options,
                                   {QStringLiteral("dependsOn")},
                                   false},
                                  {QStringLiteral("agent-2"),
                                   DefinitionPart::Options,
                                   {QStringLiteral("dependsOn")},
                                   false}}));
    QCOMPARE(pids(), before);
    const DependencyGraph &graph = m_agents->dependencies().graph();
    QCOMPARE(graph.agents(), QStringList(QStringLiteral("agent-2")));
    QCOMPARE(m_agents->changesTo(configuration).changes.unchanged.size(), 3);
    configuration.agents[2].dependsOn.clear();
    QVERIFY(m_agents->apply(configuration));
    QVERIFY(graph.agents().isEmpty());
}

void ConfiguredAgentsTest::startsNoDependencyThatAnOperatorHasStopped()
{
    Configuration configuration = sleepers(2);
    configuration.agents[0].dependsOn = {{.agent = QStringLiteral("agent-1")}};
    start(configuration);
    m_supervisor->stop(m_supervisor->idOf(QStringLiteral("agent-1")));
    configuration.agents[0].process.arguments = QStringList(QStringLiteral("2000"));
    QVERIFY(m_agents->apply(configuration));
    QTRY_COMPARE_WITH_TIMEOUT(snapshot(QStringLiteral("agent-0"))->state, InstanceState::Waiting,
                              60'000);
    QTRY_COMPARE_WITH_TIMEOUT(snapshot(QStringLiteral("agent-1"))->state, InstanceState::Stopped,
                              60'000);
    QVERIFY(snapshot(QStringLiteral("agent-1"))->stoppedByOperator);
}

void ConfiguredAgentsTest::replacesGroupsWithoutTouchingProcesses()
{
    const auto group = [](const QStringList &members) {
        GroupDefinition definition{.name = QStringLiteral("g"),
                                   .strategy = GroupStrategy::OneForAll};
        for (const QString &each : members)
            definition.members.append({.name = each});
        return definition;
    };
    const QString first = QStringLiteral("agent-0");
    const QString last = QStringLiteral("agent-2");
    Configuration configuration = sleepers(3);
    configuration.groups = {group({last, first})};
    start(configuration);
    QVERIFY(*snapshot(last)->startedAt < *snapshot(first)->startedAt);
    const QHash<QString, qint64> before = pids();
    QCOMPARE(m_supervisor->group(m_supervisor->idOf(first)), QStringLiteral("g"));

    // The order and a dependency the other way around: no intermediate state is a cycle.
    configuration.groups = {group({first, last})};
    configuration.agents[2].dependsOn = {{.agent = first}};
    const ConfiguredAgents::Result result = m_agents->apply(configuration);
    QVERIFY(result);
    QCOMPARE(result.changes.sections, QStringList(QStringLiteral("groups")));
    QCOMPARE(m_agents->changesTo(configuration).changes.sections, QStringList());
    QCOMPARE(pids(), before);
    QCOMPARE(m_agents->groups().state(QStringLiteral("g")), GroupState::Running);

    configuration.groups.clear();
    configuration.agents[2].dependsOn.clear();
    configuration.agents[0].dependsOn = {{.agent = last}};
    QVERIFY(m_agents->apply(configuration));
    QCOMPARE(m_agents->dependencies().graph().agents(), QStringList(first));
    QCOMPARE(pids(), before);
    QVERIFY(m_agents->groups().groups().isEmpty());
    QCOMPARE(m_supervisor->group(m_supervisor->idOf(first)), QString());

    configuration.agents[0].dependsOn.clear();
    configuration.groups = {group({first, last})};
    QVERIFY(m_agents->apply(configuration));
    QCOMPARE(pids(), before);
    ::kill(static_cast<pid_t>(before.value(first)), SIGKILL);
    const auto isReplaced = [&](const QString &agent) {
        return pids().value(agent) != 0 && pids().value(agent) != before.value(agent);
    };
    QTRY_VERIFY_WITH_TIMEOUT(isReplaced(first) && isReplaced(last), 60'000);
    QCOMPARE(pids().value(QStringLiteral("agent-1")), before.value(QStringLiteral("agent-1")));
}

void ConfiguredAgentsTest::orderOfGroupsIsNoChange()
{
    const GroupDefinition inner{.name = QStringLiteral("inner"),
                                .members = {{.name = QStringLiteral("agent-0")}}};
    const GroupDefinition outer{.name = QStringLiteral("outer"),
                                .members = {{.name = QStringLiteral("inner"), .isGroup = true},
                                            {.name = QStringLiteral("agent-1")}}};
    Configuration configuration = sleepers(2);
    configuration.groups = {inner, outer};
    QVERIFY(!hasErrors(m_agents->addAll(configuration)));
    QCOMPARE(m_agents->changesTo(configuration).changes.sections, QStringList());
    configuration.groups = {outer, inner};
    QCOMPARE(m_agents->changesTo(configuration).changes.sections, QStringList());
}

void ConfiguredAgentsTest::replacesSharedBreakersWithoutTouchingProcesses()
{
    const QString api = QStringLiteral("api");
    Configuration configuration = sleepers(2);
    configuration.sharedBreakers = {{.name = api}};
    configuration.agents[0].requiredBreakers = {api};
    start(configuration);
    const QHash<QString, qint64> before = pids();
    SharedBreakers &breakers = m_agents->sharedBreakers();
    breakers.isolate(api);

    configuration.sharedBreakers = {{.name = api, .threshold = 7}, {.name = QStringLiteral("db")}};
    configuration.agents[1].requiredBreakers = {api};
    const ConfiguredAgents::Result result = m_agents->apply(configuration);
    QVERIFY(result);
    QCOMPARE(result.changes.changed.size(), 1);
    QCOMPARE(result.changes.changed.at(0).parts, DefinitionParts(DefinitionPart::Options));
    QCOMPARE(pids(), before);
    QCOMPARE(breakers.breakers().at(0).threshold, 7);
    QVERIFY(breakers.info(api)->isolated);
    QCOMPARE(breakers.agents(api).size(), 2);
    QVERIFY(m_agents->changesTo(configuration).changes.changed.isEmpty());

    // The requirement does not outlive its agent.
    configuration.agents.removeLast();
    QVERIFY(m_agents->apply(configuration));
    QCOMPARE(breakers.required(QStringLiteral("agent-1")), QStringList());
}

void ConfiguredAgentsTest::addsAndRemovesAgents()
{
    Configuration configuration = sleepers(2);
    start(configuration);
    const QHash<QString, qint64> before = pids();
    QSignalSpy stopped(m_supervisor.get(), &AgentSupervisor::agentStopped);
    QStringList applied;
    connect(m_supervisor.get(), &AgentSupervisor::configurationApplied, this,
            [&](const ConfigurationApplied &event) {
                applied.append(event.agent + QLatin1Char(':')
                               + QVariant::fromValue(event.change).toString());
            });
    configuration.agents[0] = sleeper(QStringLiteral("new"));
    configuration.agents.append(sleeper(QStringLiteral("later")));
    configuration.agents.last().start = AgentDefinition::Start::Manual;
    QVERIFY(m_agents->apply(configuration));
    QCOMPARE(applied,
             QStringList({QStringLiteral("agent-0:Removed"), QStringLiteral("new:Added"),
                          QStringLiteral("later:Added")}));
    QVERIFY(snapshot(QStringLiteral("agent-0")));                           // until it has stopped
    QCOMPARE(snapshot(QStringLiteral("new"))->holds, Holds(Hold::Removal)); // until then
    const ConfiguredAgents::Result back = m_agents->changesTo(sleepers(2));
    QVERIFY(!back);
    QVERIFY(back.faults.constFirst().message.contains(QStringLiteral("is still stopping")));
    QTRY_VERIFY_WITH_TIMEOUT(!snapshot(QStringLiteral("agent-0")), 60'000);
    QCOMPARE(stopped.count(), 1);
    QTRY_VERIFY_WITH_TIMEOUT(pids().value(QStringLiteral("new")) != 0, 60'000);
    QCOMPARE(pids().value(QStringLiteral("agent-1")), before.value(QStringLiteral("agent-1")));
    QCOMPARE(snapshot(QStringLiteral("later"))->state, InstanceState::Stopped);
}

// They may use the same port. The removed agent cannot be started again.
void ConfiguredAgentsTest::addedAgentWaitsForRemovedOne()
{
    Configuration before;
    before.agents = {sleeper(QStringLiteral("hung"))};
    before.agents[0].process.program = QStringLiteral("sh");
    before.agents[0].process.arguments = {
        QStringLiteral("-c"), QStringLiteral("trap '' TERM; while :; do sleep 0.1; done")};
    before.agents[0].policy.stopTimeout = 1s;
    start(before);
    Configuration after;
    after.agents = {sleeper(QStringLiteral("added")), sleeper(QStringLiteral("manual"))};
    after.agents[1].start = AgentDefinition::Start::Manual;
    QVERIFY(m_agents->apply(after));
    const QUuid hung = m_supervisor->idOf(QStringLiteral("hung"));
    QVERIFY(m_supervisor->isRetired(hung));
    m_supervisor->start(hung);
    m_supervisor->restart(hung);
    m_supervisor->startAll();
    m_supervisor->start(m_supervisor->idOf(QStringLiteral("manual")));
    for (const QString &name : {QStringLiteral("added"), QStringLiteral("manual")}) {
        QVERIFY(snapshot(name)->state == InstanceState::Waiting);
        QCOMPARE(snapshot(name)->holds, Holds(Hold::Removal));
        QCOMPARE(toTexts(snapshot(name)->holdCauses),
                 QStringList(QStringLiteral("the exit of hung (removed)")));
    }
    QVERIFY(m_agents->changesTo(before).faults.size() == 1); // a name cannot be used twice
    QTRY_COMPARE_WITH_TIMEOUT(pids().size(), 2, 60'000);
    QCOMPARE(m_supervisor->ids().size(), 2);
    QCOMPARE(m_supervisor->agent(hung), nullptr);
}

void ConfiguredAgentsTest::doesNotStartWhatDoesNotRun()
{
    Configuration configuration = sleepers(1);
    start(configuration);
    const QUuid id = m_supervisor->idOf(QStringLiteral("agent-0"));
    m_supervisor->stop(id);
    QTRY_COMPARE_WITH_TIMEOUT(m_supervisor->snapshot(id)->state, InstanceState::Stopped, 60'000);
    configuration.agents[0].process.arguments = QStringList(QStringLiteral("2000"));
    const ConfiguredAgents::Result result = m_agents->apply(configuration);
    QVERIFY(result);
    QVERIFY(!result.changes.changed.constFirst().isRestarted);
    QCOMPARE(m_supervisor->snapshot(id)->state, InstanceState::Stopped);
    const auto *agent = qobject_cast<ProcessAgent *>(m_supervisor->agent(id));
    QCOMPARE(agent->definition().arguments, QStringList(QStringLiteral("2000")));
}

void ConfiguredAgentsTest::changesNothingIfAnEntryIsInvalid()
{
    const Configuration configuration = sleepers(2);
    start(configuration);
    const QHash<QString, qint64> before = pids();
    Configuration invalid = configuration;
    invalid.agents[0].policy.maxRetries = 3;
    invalid.agents[1].policy.multiplier = -1;
    invalid.agents.append(sleeper(QStringLiteral("new")));
    const ConfiguredAgents::Result result = m_agents->apply(invalid);
    QVERIFY(!result);
    QVERIFY(!snapshot(QStringLiteral("new")));
    QCOMPARE(pids(), before);
    QVERIFY(m_agents->changesTo(configuration).changes.changed.isEmpty());

    Configuration server = configuration;
    server.agents[0].kind = AgentDefinition::Kind::McpServer;
    QVERIFY(!m_agents->apply(server));
}

void ConfiguredAgentsTest::leavesOtherAgentsAlone()
{
    start(sleepers(1));
    const QString own = QStringLiteral("own");
    QVERIFY(m_supervisor->add(
        own, std::make_unique<ProcessAgent>(sleeper(own).process, m_supervisor->scheduler())));
    QVERIFY(m_agents->apply(sleepers(1)));
    QVERIFY(snapshot(own));
    Configuration configuration = sleepers(1);
    configuration.agents.append(sleeper(own));
    const ConfiguredAgents::Result result = m_agents->apply(configuration);
    QVERIFY(!result);
    QVERIFY(result.faults.constFirst().message.contains(QStringLiteral("another agent named own")));
}

void ConfiguredAgentsTest::appliesOrder()
{
    const auto names = [this] {
        QStringList all;
        for (const QUuid &id : m_supervisor->ids())
            all.append(m_supervisor->snapshot(id)->name);
        return all.join(u' ');
    };
    Configuration configuration = sleepers(3);
    start(configuration);
    const auto before = pids();
    std::swap(configuration.agents[0], configuration.agents[2]);
    configuration.agents.insert(1, sleeper(QStringLiteral("new")));
    const ConfiguredAgents::Result result = m_agents->apply(configuration);
    QVERIFY(result);
    QCOMPARE(result.changes.unchanged.size(), 3);
    QCOMPARE(names(), QStringLiteral("agent-2 new agent-1 agent-0"));
    auto after = pids();
    after.remove(QStringLiteral("new"));
    QCOMPARE(after, before);
}

REKINDLE_TEST(ConfiguredAgentsTest)
#include "configuredagentstest.moc"
