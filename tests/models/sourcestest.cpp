// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "servedagents.h"
#include "stage.h"
#include "testprogram.h"

#include <rekindle/groups/sharedbreakers.h>
#include <rekindle/lifecycle/virtualscheduler.h>
#include <rekindle/models/agenttablemodel.h>
#include <rekindle/models/localagents.h>
#include <rekindle/models/remoteagents.h>

#include <QTemporaryDir>

using namespace Rekindle;

namespace {

QString stateOf(const AgentSource &source, const QUuid &id)
{
    return source.agent(id).value_or(AgentStatus()).state;
}

constexpr int limit = 30'000;

} // namespace

class SourcesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void localAgentsReportChangesAndEvents();
    void localAgentsExplainDecisions();
    void localAgentsEndWithTheirSupervisor();
    void localAgentsRefuseWrongIds();
    void localOperationsAreAnnounced();
    void localRestartRespectsSharedBreakers();
    void remoteAgentsFollowTheirHost();
    void remoteAgentsSendEventsWithTheirData();
    void remoteAgentsExplainDecisions();
    void remoteAgentsAreAddedAndRemoved();
    void remoteAgentsOfAHostThatExitsAndReturns();
    void remoteAgentsAreOperated();
    void remoteAgentsRefuseWithoutHost();
    void remoteAgentsUseTheSocketOfAConnector();
    void remoteSourceMayBeDeletedInASlot();
    void localOutputIsFollowed();
    void remoteOutputIsFollowed();
};

void SourcesTest::localAgentsReportChangesAndEvents()
{
    Stage stage;
    LocalAgents source(stage.supervisor);
    QSignalSpy added(&source, &AgentSource::agentAdded);
    QSignalSpy changed(&source, &AgentSource::agentChanged);
    QList<AgentEvent> events;
    connect(&source, &AgentSource::eventReceived, this,
            [&](const AgentEvent &event) { events.append(event); });
    const QUuid id =
        stage.add(QStringLiteral("web"), {.runs = QStringLiteral("started ready fail")});
    QCOMPARE(added.count(), 1);
    QCOMPARE(source.ids(), QList<QUuid>{id});
    stage.play(QStringLiteral("start"));
    QVERIFY(changed.count() > 0);
    QCOMPARE(stateOf(source, id), toText(InstanceState::Waiting));
    QCOMPARE(source.policy(id)->type, RestartPolicyType::Exponential);
    QCOMPARE(source.tier(), LicenseTier::Enterprise);
    const auto failed = std::find_if(events.begin(), events.end(), [](const AgentEvent &each) {
        return each.type == QLatin1String("agent.failed");
    });
    QVERIFY(failed != events.end());
    QCOMPARE(failed->severity, AgentEvent::Severity::Error);
    QCOMPARE(failed->agent, QStringLiteral("web"));
    QCOMPARE(failed->instanceId, id);
}

void SourcesTest::localAgentsExplainDecisions()
{
    Stage stage;
    const QUuid id = stage.addFailing(QStringLiteral("web"));
    LocalAgents source(stage.supervisor);
    QVERIFY(!source.explain(id).result().value.hasDecisions());
    stage.play(QStringLiteral("start"));
    QCOMPARE(source.state(id), InstanceState::Waiting);
    QCOMPARE(source.policy(id), policyOf({}));
    QCOMPARE(source.utcNow(), stage.clock.utcNow());
    const auto explained = source.explain(id).result();
    QVERIFY(!explained.error);
    QVERIFY(explained.value.toText(source.utcNow()).contains(QLatin1String("Restart attempt 1")));
    const auto unknown = source.explain(QUuid::createUuid()).result();
    QCOMPARE(unknown.error->code, ControlError::Code::UnknownAgent);
}

void SourcesTest::localAgentsEndWithTheirSupervisor()
{
    auto stage = std::make_unique<Stage>();
    const QUuid id = stage->add(QStringLiteral("web"), {});
    LocalAgents source(stage->supervisor);
    QVERIFY(source.isAvailable());
    const QSignalSpy reset(&source, &AgentSource::reset);
    const QSignalSpy availability(&source, &AgentSource::availabilityChanged);
    stage.reset();
    QCOMPARE(reset.count(), 1);
    QCOMPARE(availability.count(), 1);
    QVERIFY(!source.isAvailable());
    QVERIFY(!source.fault().isEmpty());
    QVERIFY(source.ids().isEmpty());
    QVERIFY(!source.agent(id));
    QVERIFY(!source.tier());
    QVERIFY(!source.state(id));
    QVERIFY(!source.policy(id));
    QVERIFY(source.explain(id).result().error);
    QVERIFY(source.operate(ControlOperation::Start, id).result().error);
}

void SourcesTest::localAgentsRefuseWrongIds()
{
    Stage stage;
    LocalAgents source(stage.supervisor);
    const QUuid wrong = QUuid::createUuid();
    QVERIFY(!source.agent(wrong));
    QVERIFY(!source.policy(wrong));
    const auto done = source.operate(ControlOperation::Start, wrong).result();
    QVERIFY(done.error);
    QCOMPARE(done.error->code, ControlError::Code::UnknownAgent);
}

void SourcesTest::localOperationsAreAnnounced()
{
    Stage stage;
    const QUuid id = stage.add(QStringLiteral("web"), {});
    LocalAgents source(stage.supervisor);
    QList<OperatorAction> actions;
    connect(&stage.supervisor, &AgentSupervisor::operatorActed, this,
            [&](const OperatorAction &action) { actions.append(action); });
    const auto done =
        source.operate(ControlOperation::Start, id, QStringLiteral("because")).result();
    QVERIFY(!done.error);
    QVERIFY(done.value.isAccepted);
    QCOMPARE(done.value.agent, QStringLiteral("web"));
    QCOMPARE(actions.size(), 1);
    QCOMPARE(actions[0].request, QStringLiteral("agents.start"));
    QCOMPARE(actions[0].reason, QStringLiteral("because"));
    QCOMPARE(actions[0].clientProcessId, QCoreApplication::applicationPid());
    const auto isolated = source.operate(ControlOperation::IsolateBreaker, id).result();
    QVERIFY(isolated.value.isAccepted);
    QVERIFY(!source.operate(ControlOperation::IsolateBreaker, id).result().value.isAccepted);
}

void SourcesTest::localRestartRespectsSharedBreakers()
{
    Stage stage;
    const QUuid id = stage.add(QStringLiteral("web"), {});
    SharedBreakers breakers(stage.supervisor);
    QCOMPARE(breakers.setBreakers({{.name = QStringLiteral("api")}}), QStringList());
    breakers.setRequired(QStringLiteral("web"), {QStringLiteral("api")});
    LocalAgents source(stage.supervisor);
    source.setSharedBreakers(&breakers);
    stage.play(QStringLiteral("start"));
    breakers.isolate(QStringLiteral("api"));
    const auto done = source.operate(ControlOperation::Restart, id).result();
    QVERIFY(!done.value.isAccepted);
    QCOMPARE(done.value.openSharedBreakers, QStringList(QStringLiteral("api")));
    QCOMPARE(stage.state(), InstanceState::Running);
}

void SourcesTest::remoteAgentsFollowTheirHost()
{
    const QTemporaryDir folder;
    ServedAgents host(folder.path());
    const QUuid id = host.add(QStringLiteral("web"));
    const QUuid other = host.add(QStringLiteral("worker"));
    RemoteAgents source(QStringLiteral("web"), folder.path());
    AgentTableModel model(source);
    const QAbstractItemModelTester tester(&model);
    QVERIFY(!source.isAvailable());
    QTRY_VERIFY_WITH_TIMEOUT(source.isAvailable(), limit);
    QCOMPARE(source.ids(), (QList<QUuid>{id, other}));
    QCOMPARE(source.host().processId, QCoreApplication::applicationPid());
    QCOMPARE(model.rowCount(), 2);
    QList<AgentEvent> events;
    connect(&source, &AgentSource::eventReceived, this,
            [&](const AgentEvent &event) { events.append(event); });
    host.supervisor.start(id);
    QTRY_COMPARE_WITH_TIMEOUT(stateOf(source, id), toText(InstanceState::Running), limit);
    QVERIFY(!events.isEmpty());
    QCOMPARE(events[0].instanceId, id);
    QCOMPARE(events[0].agent, QStringLiteral("web"));
    QTRY_COMPARE_WITH_TIMEOUT(model.data(model.index(0, AgentTableModel::State)).toString(),
                              QStringLiteral("Running"), limit);
    QCOMPARE(stateOf(source, other), toText(InstanceState::Stopped));
    host.supervisor.stop(id);
    QTRY_COMPARE_WITH_TIMEOUT(stateOf(source, id), toText(InstanceState::Stopped), limit);
}

void SourcesTest::remoteAgentsSendEventsWithTheirData()
{
    const QTemporaryDir folder;
    ServedAgents host(folder.path());
    const QUuid id = host.add(QStringLiteral("web"));
    RemoteAgents source(QStringLiteral("web"), folder.path());
    QTRY_VERIFY_WITH_TIMEOUT(source.isAvailable(), limit);
    std::optional<AgentStarted> started;
    connect(&source, &AgentSource::lifecycleEvent, this, [&](const LifecycleEvent &event) {
        if (const auto *found = std::get_if<AgentStarted>(&event))
            started = *found;
    });
    host.supervisor.start(id);
    QTRY_VERIFY_WITH_TIMEOUT(started, limit);
    QCOMPARE(started->instanceId, id);
    QVERIFY(started->sequence > 0);
    QVERIFY(std::chrono::abs(started->time - source.utcNow()) < std::chrono::minutes(5));
}

void SourcesTest::remoteAgentsExplainDecisions()
{
    const QTemporaryDir folder;
    ServedAgents host(folder.path());
    const QUuid id = host.add(QStringLiteral("web"), QStringLiteral("started fail"));
    RemoteAgents source(QStringLiteral("web"), folder.path());
    QCOMPARE(source.explain(id).result().error->code, ControlError::Code::NotConnected);
    QTRY_VERIFY_WITH_TIMEOUT(source.isAvailable(), limit);
    host.supervisor.start(id);
    const auto hasDecisions = [&] {
        const auto explained = source.explain(id);
        return QTest::qWaitFor([&] { return explained.isFinished(); }, limit)
            && explained.result().value.hasDecisions();
    };
    QTRY_VERIFY_WITH_TIMEOUT(hasDecisions(), limit);
}

// Also without an event: the list is read again.
void SourcesTest::remoteAgentsAreAddedAndRemoved()
{
    const QTemporaryDir folder;
    ServedAgents host(folder.path());
    const QUuid id = host.add(QStringLiteral("web"));
    VirtualClock clock;
    VirtualScheduler times(clock);
    RemoteAgents source(times, QStringLiteral("web"), folder.path());
    times.advance({}); // connects
    const QSignalSpy added(&source, &AgentSource::agentAdded);
    const QSignalSpy removed(&source, &AgentSource::agentRemoved);
    QTRY_VERIFY_WITH_TIMEOUT(source.isAvailable(), limit);
    const QUuid later = host.add(QStringLiteral("later"));
    host.supervisor.start(later); // its event names an unknown agent
    QTRY_COMPARE_WITH_TIMEOUT(added.count(), 1, limit);
    QCOMPARE(added[0][0].toUuid(), later);
    QCOMPARE(source.ids(), (QList<QUuid>{id, later}));
    host.supervisor.remove(id);
    constexpr std::chrono::seconds listedWithin{6}; // if no request is in flight
    QTRY_VERIFY_WITH_TIMEOUT(times.nextDue() < times.now() + listedWithin, limit);
    times.advance(listedWithin);
    QTRY_COMPARE_WITH_TIMEOUT(removed.count(), 1, limit);
    QCOMPARE(removed[0][0].toUuid(), id);
    QVERIFY(!source.agent(id));
}

void SourcesTest::remoteAgentsOfAHostThatExitsAndReturns()
{
    const QTemporaryDir folder;
    auto host = std::make_unique<ServedAgents>(folder.path());
    host->supervisor.start(host->add(QStringLiteral("web")));
    VirtualClock clock;
    VirtualScheduler times(clock);
    RemoteAgents source(times, QStringLiteral("web"), folder.path());
    const AgentTableModel model(source);
    times.advance({}); // connects
    QTRY_VERIFY_WITH_TIMEOUT(source.isAvailable(), limit);
    host.reset();
    QTRY_VERIFY_WITH_TIMEOUT(!source.isAvailable(), limit);
    QVERIFY(source.ids().isEmpty());
    QCOMPARE(model.rowCount(), 0);
    QVERIFY(!source.fault().isEmpty());
    host = std::make_unique<ServedAgents>(folder.path());
    const QUuid id = host->add(QStringLiteral("web"));
    QVERIFY(!source.isAvailable());
    times.advance(std::chrono::seconds(1)); // connects again
    QTRY_VERIFY_WITH_TIMEOUT(source.isAvailable(), limit);
    QCOMPARE(source.ids(), QList<QUuid>{id});
    QCOMPARE(model.rowCount(), 1);
}

void SourcesTest::remoteAgentsAreOperated()
{
    const QTemporaryDir folder;
    ServedAgents host(folder.path());
    const QUuid id = host.add(QStringLiteral("web"));
    RemoteAgents source(QStringLiteral("web"), folder.path());
    QTRY_VERIFY_WITH_TIMEOUT(source.isAvailable(), limit);
    const auto started = source.operate(ControlOperation::Start, id);
    QTRY_VERIFY_WITH_TIMEOUT(started.isFinished(), limit);
    QVERIFY(started.result().value.isAccepted);
    const auto again = source.operate(ControlOperation::ReleaseBreaker, id);
    QTRY_VERIFY_WITH_TIMEOUT(again.isFinished(), limit);
    QVERIFY(!again.result().value.isAccepted);
    const auto wrong = source.operate(ControlOperation::Start, QUuid::createUuid());
    QVERIFY(wrong.isFinished());
    QCOMPARE(wrong.result().error->code, ControlError::Code::UnknownAgent);
}

void SourcesTest::remoteAgentsRefuseWithoutHost()
{
    const QTemporaryDir folder;
    RemoteAgents source(QStringLiteral("none"), folder.path());
    const QSignalSpy availability(&source, &AgentSource::availabilityChanged);
    QTRY_VERIFY_WITH_TIMEOUT(availability.count() > 0, limit); // another fault
    QVERIFY(!source.isAvailable());
    const auto refused = source.operate(ControlOperation::Start, QUuid::createUuid());
    QCOMPARE(refused.result().error->code, ControlError::Code::NotConnected);
}

void SourcesTest::remoteAgentsUseTheSocketOfAConnector()
{
    const QTemporaryDir folder;
    ServedAgents host(folder.path());
    const QUuid id = host.add(QStringLiteral("web"));
    int calls = 0;
    RemoteAgents source(QStringLiteral("far"), [&] {
        return ++calls == 1 ? ControlClient::Connection{.fault = QStringLiteral("no tunnel")}
                            : ControlClient::connectedSocket(host.server.socketPath());
    });
    QCOMPARE(source.name(), QStringLiteral("far"));
    QTRY_COMPARE_WITH_TIMEOUT(source.fault(), QStringLiteral("no tunnel"), limit);
    QTRY_VERIFY_WITH_TIMEOUT(source.isAvailable(), limit);
    QCOMPARE(calls, 2);
    QCOMPARE(source.ids(), QList<QUuid>{id});
}

void SourcesTest::remoteSourceMayBeDeletedInASlot()
{
    const QTemporaryDir folder;
    ServedAgents host(folder.path());
    const QUuid id = host.add(QStringLiteral("web"));
    QPointer<RemoteAgents> source(new RemoteAgents(QStringLiteral("web"), folder.path()));
    connect(source, &AgentSource::agentChanged, source, &QObject::deleteLater);
    QTRY_VERIFY_WITH_TIMEOUT(source->isAvailable(), limit);
    host.supervisor.start(id);
    QTRY_VERIFY_WITH_TIMEOUT(source.isNull(), limit);
}

void SourcesTest::localOutputIsFollowed()
{
    Stage stage;
    const QUuid id = stage.add(QStringLiteral("web"), {.runs = QStringLiteral("started out:one")});
    const QUuid other = stage.add(QStringLiteral("db"), {.runs = QStringLiteral("started err:x")});
    LocalAgents source(stage.supervisor);
    const QSignalSpy received(&source, &AgentSource::lineReceived);
    QVERIFY(source.followOutput({}).isEmpty()); // stores lines from now on
    stage.play(QStringLiteral("start"));
    QCOMPARE(received.count(), 0);
    const QList<OutputLine> known = source.followOutput(id);
    QCOMPARE(known.size(), 1);
    QCOMPARE(known[0].text, QStringLiteral("one"));
    QCOMPARE(known[0].stream, QStringLiteral("stdout"));
    stage.play(QStringLiteral("restart start:db"));
    QCOMPARE(received.count(), 1);
    QCOMPARE(received[0][0].toUuid(), id);
    QCOMPARE(source.followOutput(id).size(), 2);
    QCOMPARE(source.followOutput(other).value(0).stream, QStringLiteral("stderr"));
}

void SourcesTest::remoteOutputIsFollowed()
{
    const QTemporaryDir folder;
    ServedAgents host(folder.path());
    const QUuid id = host.add(QStringLiteral("web"), QStringLiteral("started ready out:one"));
    RemoteAgents source(QStringLiteral("web"), folder.path());
    const QSignalSpy received(&source, &AgentSource::lineReceived);
    QVERIFY(source.followOutput(id).isEmpty()); // not connected yet
    QTRY_VERIFY_WITH_TIMEOUT(source.isAvailable(), limit);
    host.supervisor.start(id);
    QVERIFY(source.followOutput(id).isEmpty());
    QTRY_COMPARE_WITH_TIMEOUT(received.count(), 1, limit);
    host.supervisor.restart(id);
    QTRY_COMPARE_WITH_TIMEOUT(received.count(), 2, limit);
    QCOMPARE(source.followOutput(id).size(), 2);
    QCOMPARE(source.followOutput(id)[0].text, QStringLiteral("one"));
}

REKINDLE_TEST(SourcesTest)
#include "sourcestest.moc"
