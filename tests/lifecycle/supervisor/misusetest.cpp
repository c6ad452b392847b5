// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "contains.h"
#include "stage.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/lifecycle/agentmonitor.h>
#include <rekindle/lifecycle/fixedlicenseprovider.h>
#include <rekindle/policy/instancememory.h>

#include <atomic>
#include <functional>
#include <thread>

using namespace Rekindle;

// Mistakes of a host are reported and have no later effect.
class MisuseTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void missingLicenseProviderIsAWarning();
    void missingEvaluatorsAreAWarning();
    void refusedAgentIsLogged();
    void refusesAgentWithParent();
    void refusesAgentOfAnotherThread();
    void survivesAgentDeletedElsewhere();
    void unknownIdIsLogged();
    void nameIsFreeAfterTheEvaluatorRemovedTheAgent();
    void refusedInstanceIsLogged();
    void callFromAnotherThreadDoesNothing_data();
    void callFromAnotherThreadDoesNothing();
    void destructionInOwnStartIsLogged_data();
    void destructionInOwnStartIsLogged();
    void destructionInSlotOfOwnStartIsLogged();
    void movedSupervisorReturns();
    void faultsOfAgentAreRejected();
    void unusableNamesAreRejected_data();
    void unusableNamesAreRejected();
    void supervisorBeforeApplicationIsLogged();
};

namespace {

std::unique_ptr<ScriptedAgent> agentOf(Stage &stage)
{
    return std::make_unique<ScriptedAgent>(stage.scheduler, AgentScript{});
}

void expectLog(QtMsgType type, const char *pattern)
{
    QTest::ignoreMessage(type, QRegularExpression(QString::fromLatin1(pattern)));
}

QString firstMessage(const QList<Fault> &faults)
{
    return faults.isEmpty() ? QString() : faults.constFirst().toString();
}

} // namespace

void MisuseTest::missingLicenseProviderIsAWarning()
{
    Stage stage;
    stage.supervisor.featureGate().setProvider(nullptr);
    const auto added = stage.supervisor.add(QStringLiteral("a"), agentOf(stage));
    QVERIFY(added);
    QVERIFY(firstMessage(added.faults).startsWith(QLatin1String("/type: warning: no license")));
    // Tier Core permits this policy.
    RestartPolicy none;
    none.type = RestartPolicyType::None;
    QVERIFY(stage.supervisor.add(QStringLiteral("b"), agentOf(stage), none).faults.isEmpty());
}

void MisuseTest::missingEvaluatorsAreAWarning()
{
    Stage stage;
    RestartPolicy custom;
    custom.type = RestartPolicyType::Custom;
    custom.evaluator = EvaluatorReference{.id = QStringLiteral("quiet-hours")};
    const auto added = stage.supervisor.add(QStringLiteral("a"), agentOf(stage), custom);
    QVERIFY(added);
    QVERIFY(firstMessage(added.faults).contains(QLatin1String("no custom evaluators")));
}

void MisuseTest::refusedAgentIsLogged()
{
    Stage stage;
    QVERIFY(stage.supervisor.add(QStringLiteral("a"), agentOf(stage)));
    expectLog(QtWarningMsg, "Agent \"a\" was not added: /name: duplicate name");
    QVERIFY(!stage.supervisor.add(QStringLiteral("a"), agentOf(stage)));
}

void MisuseTest::refusesAgentWithParent()
{
    Stage stage;
    QObject parent;
    auto agent = agentOf(stage);
    agent->setParent(&parent);
    expectLog(QtWarningMsg, "was not added: /: the agent has a parent");
    QVERIFY(!stage.supervisor.add(QStringLiteral("a"), std::move(agent)));
    QVERIFY(parent.children().isEmpty());
}

void MisuseTest::refusesAgentOfAnotherThread()
{
    Stage stage;
    QThread other;
    auto agent = agentOf(stage);
    agent->moveToThread(&other);
    expectLog(QtWarningMsg, "was not added: /: the agent lives in another thread");
    QVERIFY(!stage.supervisor.add(QStringLiteral("a"), std::move(agent)));
}

void MisuseTest::survivesAgentDeletedElsewhere()
{
    Stage stage;
    stage.add(QStringLiteral("a"), {});
    stage.add(QStringLiteral("b"), {});
    stage.play(QStringLiteral("startAll"));
    QSignalSpy removed(&stage.supervisor, &AgentSupervisor::agentRemoved);
    expectLog(QtCriticalMsg, "Agent \"a\" was deleted by other code");
    delete stage.supervisor.agent(stage.first());
    QCOMPARE(removed.count(), 1);
    QVERIFY(stage.supervisor.idOf(QStringLiteral("a")).isNull());
    stage.play(QStringLiteral("stopAll"));
    QVERIFY(stage.log.text().endsWith(QLatin1String("ALLSTOPPED")));
}

void MisuseTest::unknownIdIsLogged()
{
    Stage stage;
    const QUuid id = QUuid::createUuid();
    AgentSupervisor &supervisor = stage.supervisor;
    for (const char *call :
         {"start", "retryNow", "stop", "restart", "resume", "remove", "setPolicy"})
        expectLog(QtWarningMsg,
                  qPrintable(QLatin1String(call) + QStringLiteral("\\(\\): no agent has the id")));
    supervisor.start(id);
    supervisor.retryNow(id);
    supervisor.stop(id);
    supervisor.restart(id);
    supervisor.resume(id, {});
    supervisor.remove(id);
    QVERIFY(hasErrors(supervisor.setPolicy(id, {})));
    QVERIFY(hasErrors(supervisor.monitor().setHealth(id, {})));
}

void MisuseTest::nameIsFreeAfterTheEvaluatorRemovedTheAgent()
{
    Stage stage;
    const QUuid id = stage.add(QStringLiteral("a"), {});
    stage.supervisor.policyEvaluator().remove(id);
    stage.supervisor.remove(id);
    QVERIFY(stage.supervisor.add(QStringLiteral("a"), agentOf(stage)));
}

void MisuseTest::refusedInstanceIsLogged()
{
    Stage stage;
    RestartPolicyEvaluator &evaluator = stage.supervisor.policyEvaluator();
    expectLog(QtWarningMsg, "add\\(\\) was refused: .*the instance id is null or taken");
    QVERIFY(hasErrors(evaluator.add({}, QStringLiteral("a"), {})));
    expectLog(QtWarningMsg, "setPolicy\\(\\) was refused: .*no instance has this id");
    QVERIFY(hasErrors(evaluator.setPolicy(QUuid::createUuid(), {})));
}

void MisuseTest::callFromAnotherThreadDoesNothing_data()
{
    using S = AgentSupervisor &;
    using Id = const QUuid &;
    const Rows<std::function<void(S, Id)>> row("call");
    row("startAll", [](S s, Id) { s.startAll(); });
    row("stopAll", [](S s, Id) { s.stopAll(); });
    row("killAll", [](S s, Id) { s.killAll(); });
    row("stop", [](S s, Id id) { s.stop(id); });
    row("restart", [](S s, Id id) { s.restart(id); });
    row("remove", [](S s, Id id) { s.remove(id); });
    row("retire", [](S s, Id id) { s.retire(id, QStringLiteral("test")); });
    row("setOrder", [](S s, Id) { s.setOrder({}); });
    row("setStopOrder", [](S s, Id) { s.setStopOrder([](const QList<QUuid> &) {}); });
    row("snapshot", [](S s, Id id) { static_cast<void>(s.snapshot(id)); });
    row("agent", [](S s, Id id) { static_cast<void>(s.agent(id)); });
    row("tags", [](S s, Id id) { static_cast<void>(s.tags(id)); });
    row("ids", [](S s, Id) { static_cast<void>(s.ids()); });
    row("isIdle", [](S s, Id) { static_cast<void>(s.isIdle()); });
    row("isStuck", [](S s, Id id) { static_cast<void>(s.isStuck(id)); });
    row("requestedPolicy", [](S s, Id id) { static_cast<void>(s.requestedPolicy(id)); });
    row("setPolicy", [](S s, Id id) { s.setPolicy(id, {}); });
    row("setTags", [](S s, Id id) { s.setTags(id, {}); });
    row("setGroup", [](S s, Id id) { s.setGroup(id, {}); });
    row("setManualStart", [](S s, Id id) { s.setManualStart(id); });
    row("setLaunchGate",
        [](S s, Id) { s.setLaunchGate(Hold::Governor, [](const QUuid &) { return false; }); });
    row("quitGracefully", [](S s, Id) { s.quitGracefully(*QCoreApplication::instance()); });
    row("idOf", [](S s, Id) { static_cast<void>(s.idOf(QStringLiteral("a"))); });
    row("gate.setProvider", [](S s, Id) { s.featureGate().setProvider(nullptr); });
    row("gate.tier", [](S s, Id) { static_cast<void>(s.featureGate().tier()); });
    row("gate.status", [](S s, Id) { static_cast<void>(s.featureGate().status()); });
    row("gate.gate", [](S s, Id) { static_cast<void>(s.featureGate().gate({})); });
    row("monitor.watch", [](S s, Id id) { s.monitor().watch(id, nullptr); });
    row("monitor.setHealth", [](S s, Id id) { s.monitor().setHealth(id, {}); });
    row("monitor.setOutputEvents", [](S s, Id id) { s.monitor().setOutputEvents(id); });
    using E = RestartPolicyEvaluator &;
    const auto addEvaluatorRow = [&row](const char *name, std::function<void(E, Id)> call) {
        row(name, [call](S s, Id id) { call(s.policyEvaluator(), id); });
    };
    addEvaluatorRow("evaluator.check", [](E e, Id) { static_cast<void>(e.check({})); });
    addEvaluatorRow("evaluator.add",
                    [](E e, Id) { e.add(QUuid::createUuid(), QStringLiteral("b"), {}); });
    addEvaluatorRow("evaluator.remove", [](E e, Id id) { e.remove(id); });
    addEvaluatorRow("evaluator.evaluate", [](E e, Id) { e.evaluate({}); });
    addEvaluatorRow("evaluator.setFeatureGate", [](E e, Id) { e.setFeatureGate(nullptr); });
    addEvaluatorRow("evaluator.calculateDelay",
                    [](E e, Id) { static_cast<void>(e.calculateDelay({}, 1)); });
    addEvaluatorRow("evaluator.circuitBreakerState",
                    [](E e, Id id) { static_cast<void>(e.circuitBreakerState(id)); });
    addEvaluatorRow("evaluator.resetCircuitBreaker", [](E e, Id id) { e.resetCircuitBreaker(id); });
    addEvaluatorRow("evaluator.recordSuccess", [](E e, Id id) { e.recordSuccess(id); });
    addEvaluatorRow("evaluator.start", [](E e, Id id) { e.start(id); });
    addEvaluatorRow("evaluator.restart", [](E e, Id id) { e.restart(id, {}); });
    addEvaluatorRow("evaluator.retryNow", [](E e, Id id) { e.retryNow(id); });
    addEvaluatorRow("evaluator.setPolicy", [](E e, Id id) { e.setPolicy(id, {}); });
    addEvaluatorRow("evaluator.setCustomEvaluators",
                    [](E e, Id) { e.setCustomEvaluators(nullptr); });
    addEvaluatorRow("evaluator.addHolds", [](E e, Id id) { e.addHolds(id, Hold::Lease); });
    addEvaluatorRow("evaluator.setHoldCauseSource",
                    [](E e, Id) { e.setHoldCauseSource(Hold::Lease, {}); });
    addEvaluatorRow("evaluator.activeCount", [](E e, Id) { static_cast<void>(e.activeCount()); });
    row("evaluator.stop", [](S s, Id id) { s.policyEvaluator().stop(id); });
    row("evaluator.snapshot",
        [](S s, Id id) { static_cast<void>(s.policyEvaluator().snapshot(id)); });
    row("monitor.health", [](S s, Id id) { static_cast<void>(s.monitor().health(id)); });
    row("monitor.unwatch", [](S s, Id id) { s.monitor().unwatch(id); });
}

void MisuseTest::callFromAnotherThreadDoesNothing()
{
    QFETCH(std::function<void(AgentSupervisor &, const QUuid &)>, call);
    Stage stage;
    const QUuid id = stage.add(QStringLiteral("a"), {});
    stage.play(QStringLiteral("start +1h"));
    const QString before = stage.log.text();
    // Qt Test does not report a second message.
    static QStringList messages;
    messages.clear();
    const QtMessageHandler outer = qInstallMessageHandler(
        [](QtMsgType, const QMessageLogContext &, const QString &text) { messages << text; });
    std::thread([&] { call(stage.supervisor, id); }).join();
    qInstallMessageHandler(outer);
    QCOMPARE(messages.size(), 1);
    VERIFY_CONTAINS(messages.constFirst().toUtf8(),
                    "called from a thread other than its own and does nothing");
    stage.play(QStringLiteral("+1h"));
    QCOMPARE(stage.log.text(), before);
    stage.play(QStringLiteral("stopAll"));
    QVERIFY2(stage.log.text().endsWith(QLatin1String("STOP stopped ALLSTOPPED")),
             qPrintable(stage.log.text()));
}

void MisuseTest::destructionInOwnStartIsLogged_data()
{
    const Rows<bool> row("removesAgent");
    row("supervisor", false);
    row("agent and supervisor", true);
}

// The functions of an agent must be able to return.
void MisuseTest::destructionInOwnStartIsLogged()
{
    QFETCH(bool, removesAgent);
    class Destroyer : public Agent
    {
    public:
        void start() override
        {
            action();
            hasReturned = true;
            Q_EMIT started();
            Q_EMIT ready();
        }
        void stop() override { Q_EMIT stopped(); }

        std::function<void()> action;
        bool hasReturned = false;
    };
    auto supervisor = std::make_unique<AgentSupervisor>();
    auto owned = std::make_unique<Destroyer>();
    const QPointer<Destroyer> agent = owned.get();
    RestartPolicy policy;
    policy.type = RestartPolicyType::None;
    const QUuid id = supervisor->add(QStringLiteral("a"), std::move(owned), policy).id;
    agent->action = [&] {
        if (removesAgent)
            supervisor->remove(id);
        supervisor.reset();
    };
    expectLog(QtCriticalMsg, "AgentSupervisor was destroyed in start\\(\\), stop\\(\\) or kill");
    supervisor->start(id);
    QTRY_VERIFY(!supervisor);
    QVERIFY(agent.isNull() || agent->hasReturned);
    QTRY_VERIFY(agent.isNull());
}

// The scheduler of the supervisor is still on the stack.
void MisuseTest::destructionInSlotOfOwnStartIsLogged()
{
    auto supervisor = std::make_unique<AgentSupervisor>();
    FixedLicenseProvider license(LicenseTier::Enterprise);
    supervisor->featureGate().setProvider(&license);
    VirtualClock clock;
    VirtualScheduler agentTime(clock);
    const QUuid id =
        supervisor
            ->add(QStringLiteral("a"), std::make_unique<ScriptedAgent>(agentTime, AgentScript{}))
            .id;
    connect(supervisor.get(), &AgentSupervisor::stateChanged, this,
            [&](const QUuid &, InstanceState state) {
                if (state == InstanceState::Starting)
                    supervisor.reset();
            });
    expectLog(QtCriticalMsg, "or in a slot of such a start; call deleteLater");
    supervisor->start(id);
    QTRY_VERIFY(!supervisor);
}

void MisuseTest::movedSupervisorReturns()
{
    Stage stage;
    const QUuid id = stage.add(QStringLiteral("a"), {});
    QThread other;
    // ThreadSanitizer does not see that wait() synchronizes with the thread.
    std::atomic_bool hasEnded = false;
    connect(&other, &QThread::finished, this, [&] { hasEnded = true; }, Qt::DirectConnection);
    expectLog(QtCriticalMsg, "AgentSupervisor was moved to another thread and returns to its own");
    stage.supervisor.moveToThread(&other);
    other.start();
    QTRY_COMPARE(stage.supervisor.thread(), QThread::currentThread());
    other.quit();
    QVERIFY(other.wait());
    QVERIFY(hasEnded);
    stage.play(QStringLiteral("start +1h"));
    QCOMPARE(stage.supervisor.snapshot(id)->state, InstanceState::Running);
}

void MisuseTest::faultsOfAgentAreRejected()
{
    class Faulty : public Agent
    {
    public:
        void start() override {}
        void stop() override {}
        [[nodiscard]] QList<Fault> faults() const override
        {
            return {{QStringLiteral("/program"), QStringLiteral("missing")}};
        }
    };
    Stage stage;
    expectLog(QtWarningMsg, "Agent \"a\" was not added: /program: missing");
    QVERIFY(!stage.supervisor.add(QStringLiteral("a"), std::make_unique<Faulty>()));
}

// The same names as in a configuration.
void MisuseTest::unusableNamesAreRejected_data()
{
    const Rows<QString> row("name");
    row("empty", {});
    row("long", QString(65, u'x'));
    for (const char *name :
         {"a b", "a/b", "\xc3\xbc", "a\nb", "\x1b[31m", "\x7f", "a\xe2\x80\xaetxt.exe"})
        QTest::addRow("%s", QByteArray(name).toHex().constData()) << QString::fromUtf8(name);
}

void MisuseTest::unusableNamesAreRejected()
{
    QFETCH(QString, name);
    Stage stage;
    expectLog(QtWarningMsg, "was not added: /name: expected 1 to 64 of A-Z a-z 0-9 . _ -, found ");
    const auto added = stage.supervisor.add(name, agentOf(stage));
    QVERIFY(!added);
    QCOMPARE(added.faults[0].message, nameFault(name));
}

void MisuseTest::supervisorBeforeApplicationIsLogged()
{
    QProcess host;
    host.setProcessChannelMode(QProcess::MergedChannels);
    host.start(QStringLiteral(REKINDLE_EARLYSUPERVISORHOST), {});
    QVERIFY(host.waitForFinished(120'000));
    QCOMPARE(host.exitCode(), 0);
    const QByteArray output = host.readAll();
    VERIFY_CONTAINS(output,
                    "AgentSupervisor was created before QCoreApplication; create it after "
                    "the application");
}

REKINDLE_TEST(MisuseTest)
#include "misusetest.moc"
