// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "sanitizer.h"
#include "stage.h"
#include "testprogram.h"

#include <rekindle/lifecycle/agentmonitor.h>
#include <rekindle/lifecycle/agenttablemodel.h>
#include <rekindle/policy/instancememory.h>

#include <QProcess>
#include <QRegularExpression>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
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
    void modelOutlivesSupervisor();
    void refusedInstanceIsLogged();
    void callFromAnotherThreadAborts_data();
    void callFromAnotherThreadAborts();
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
    for (const char *call : {"start", "start", "stop", "restart", "resume", "remove", "setPolicy"})
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

void MisuseTest::modelOutlivesSupervisor()
{
    auto stage = std::make_unique<Stage>();
    stage->add(QStringLiteral("a"), {});
    AgentTableModel model(stage->supervisor);
    const QModelIndex cell = model.index(0, 0);
    stage.reset();
    QCOMPARE(model.rowCount(), 0);
    QVERIFY(!model.data(cell).isValid());
    model.refresh();
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

void MisuseTest::callFromAnotherThreadAborts_data()
{
    using Call = std::function<void(AgentSupervisor &)>;
    QTest::addColumn<Call>("call");
    const auto row = [](const char *name, const Call &call) { QTest::newRow(name) << call; };
    row("startAll", [](AgentSupervisor &s) { s.startAll(); });
    row("stopAll", [](AgentSupervisor &s) { s.stopAll(); });
    row("killAll", [](AgentSupervisor &s) { s.killAll(); });
    row("stop", [](AgentSupervisor &s) { s.stop({}); });
    row("snapshot", [](AgentSupervisor &s) { static_cast<void>(s.snapshot({})); });
    row("ids", [](AgentSupervisor &s) { static_cast<void>(s.ids()); });
    row("isIdle", [](AgentSupervisor &s) { static_cast<void>(s.isIdle()); });
    row("requestedPolicy", [](AgentSupervisor &s) { static_cast<void>(s.requestedPolicy({})); });
    row("evaluator.stop", [](AgentSupervisor &s) { s.policyEvaluator().stop({}); });
    row("evaluator.snapshot",
        [](AgentSupervisor &s) { static_cast<void>(s.policyEvaluator().snapshot({})); });
    row("monitor.health", [](AgentSupervisor &s) { static_cast<void>(s.monitor().health({})); });
    row("monitor.unwatch", [](AgentSupervisor &s) { s.monitor().unwatch({}); });
}

void MisuseTest::callFromAnotherThreadAborts()
{
#ifdef QT_NO_DEBUG
    QSKIP("checked in debug builds only");
#endif
    if (underThreadSanitizer)
        QSKIP("ThreadSanitizer does not support threads after fork()");
    QFETCH(std::function<void(AgentSupervisor &)>, call);
    Stage stage;
    const pid_t child = ::fork();
    if (child == 0) {
        const rlimit noCore{0, 0};
        ::setrlimit(RLIMIT_CORE, &noCore);
        std::signal(SIGABRT, SIG_DFL);
        qInstallMessageHandler([](QtMsgType, const QMessageLogContext &, const QString &) {});
        std::thread([&] { call(stage.supervisor); }).join();
        ::_exit(EXIT_SUCCESS);
    }
    int status = 0;
    QCOMPARE(::waitpid(child, &status, 0), child);
    QVERIFY(WIFSIGNALED(status));
    QCOMPARE(WTERMSIG(status), SIGABRT);
}

void MisuseTest::supervisorBeforeApplicationIsLogged()
{
    QProcess host;
    host.setProcessChannelMode(QProcess::MergedChannels);
    host.start(QStringLiteral(REKINDLE_EARLYSUPERVISORHOST), {});
    QVERIFY(host.waitForFinished(120'000));
    QCOMPARE(host.exitCode(), 0);
    const QByteArray output = host.readAll();
    QVERIFY2(output.contains("AgentSupervisor was created before QCoreApplication; create it after "
                             "the application"),
             output.constData());
}

REKINDLE_TEST(MisuseTest)
#include "misusetest.moc"
