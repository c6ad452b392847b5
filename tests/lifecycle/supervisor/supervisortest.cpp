// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "stage.h"
#include "testprogram.h"
#include "testrow.h"

using namespace Rekindle;
using namespace std::chrono_literals;

// Each row has a policy, the scripts of one agent and of the operator, and the expected log.
class SupervisorTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void oneAgent_data();
    void oneAgent();
    void manyAgents_data();
    void manyAgents();
    void forwardsSignalOfEvaluator_data();
    void forwardsSignalOfEvaluator();

private:
    static void crashRows();
    static void breakerRows();
    static void requestRows();
    static void timeoutRows();
    static void stopRows();
    static void operatorRows();
    static void policyRows();
    static void invalidSignalRows();
};

namespace {

const QString breaker2 = QStringLiteral("'circuitBreaker':{'threshold':2,'timeout':'10s'}");
const QString crashScript = QStringLiteral("started ready +1s fail");

void addRow(const char *name, const QString &policy, const AgentScript &agent,
            const char *operatorScript, const char *log, const char *state)
{
    QTest::newRow(name) << policy << agent.runs << agent.onStop << agent.onKill << operatorScript
                        << log << state;
}

QString text(const char *latin1) { return QString::fromLatin1(latin1); }

// An event of this type; any event for LifecycleEvent.
template<std::size_t Index = 0>
std::optional<LifecycleEvent> eventOf(QMetaType type)
{
    if constexpr (Index < std::variant_size_v<LifecycleEvent>) {
        using Event = std::variant_alternative_t<Index, LifecycleEvent>;
        if (type == QMetaType::fromType<Event>() || type == QMetaType::fromType<LifecycleEvent>())
            return Event{};
        return eventOf<Index + 1>(type);
    }
    return {};
}

} // namespace

void SupervisorTest::crashRows()
{
    addRow("runs until it is stable", {}, {}, "start +2m", "START started ready 1m stable",
           "Running");
    addRow("crash loop with exponential delays, exhausted", text("'maxRetries':3"),
           {text("started fail")}, "start +1m",
           "START started failed scheduled#1 "
           "1s attempt#1 START started failed unsuccessful#1+ scheduled#2 "
           "3s attempt#2 START started failed unsuccessful#2+ scheduled#3 "
           "7s attempt#3 START started failed unsuccessful#3- exhausted#3",
           "Exhausted");
    addRow("recovers on the third attempt", {},
           {text("started fail|started fail|started fail|started ready")}, "start +2m",
           "START started failed scheduled#1 "
           "1s attempt#1 START started failed unsuccessful#1+ scheduled#2 "
           "3s attempt#2 START started failed unsuccessful#2+ scheduled#3 "
           "7s attempt#3 START started ready succeeded#3 "
           "67s stable",
           "Running");
    addRow("failure after ready continues the sequence", {}, {crashScript}, "start +6s",
           "START started ready 1s failed scheduled#1 "
           "2s attempt#1 START started ready succeeded#1 3s failed scheduled#2 "
           "5s attempt#2 START started ready succeeded#2 6s failed scheduled#3",
           "Waiting");
    addRow("stable begins a new sequence", text("'stableAfter':'5s'"),
           {text("started ready +1s fail|started ready +6s fail")}, "start +10s",
           "START started ready 1s failed scheduled#1 "
           "2s attempt#1 START started ready succeeded#1 7s stable 8s failed scheduled#1 "
           "9s attempt#1 START started ready succeeded#1",
           "Running");
    addRow("no restart at all", text("'type':'none'"), {text("started ready fail")}, "start",
           "START started ready failed declined:Policy", "Failed");
    addRow("no retries", text("'maxRetries':0"), {text("started ready fail")}, "start",
           "START started ready failed exhausted#0", "Exhausted");
    addRow("permanent before ready", {}, {text("started fail:127")}, "start",
           "START started failed declined:PermanentFailure", "Failed");
    addRow("clean exit", {}, {text("started ready +1s stopped")}, "start +1m",
           "START started ready 1s stopped", "Stopped");
    addRow("clean exit that counts as a failure", text("'restartOn':'always'"),
           {text("started ready +1s stopped")}, "start +2s",
           "START started ready 1s failed scheduled#1 2s attempt#1 START started ready succeeded#1",
           "Running");
    addRow("rearms after exhaustion", text("'maxRetries':1,'rearmAfter':'1m'"),
           {text("started fail")}, "start +62s",
           "START started failed scheduled#1 1s attempt#1 START started failed unsuccessful#1- "
           "exhausted#1 "
           "61s scheduled#1 attempt#1 START started failed unsuccessful#1- exhausted#1",
           "Exhausted");
    addRow("at most two in a minute",
           text("'type':'immediate','window':{'restarts':2,'period':'1m'}"), {crashScript},
           "start +1m",
           "START started ready 1s failed scheduled#1 attempt#1 START started ready succeeded#1 "
           "2s failed scheduled#2 attempt#2 START started ready succeeded#2 3s failed exhausted#2",
           "Exhausted");
}

void SupervisorTest::breakerRows()
{
    addRow("open, half-open, closed", breaker2 + text(",'stableAfter':'5s'"),
           {text("started fail|started fail|started ready")}, "start +30s",
           "START started failed scheduled#1 "
           "1s attempt#1 START started failed unsuccessful#1+ closed>open "
           "trial#2 11s open>halfopen attempt#2 START started ready succeeded#2 "
           "16s stable halfopen>closed",
           "Running");
    addRow("reopens for a longer time",
           text("'circuitBreaker':{'threshold':2,'timeout':'10s','growth':2}"),
           {text("started fail")}, "start +72s",
           "START started failed scheduled#1 "
           "1s attempt#1 START started failed unsuccessful#1+ closed>open "
           "trial#2 11s open>halfopen attempt#2 START started failed unsuccessful#2+ halfopen>open "
           "trial#3 31s open>halfopen attempt#3 START started failed unsuccessful#3+ halfopen>open "
           "trial#4 71s open>halfopen attempt#4 START started failed unsuccessful#4+ halfopen>open "
           "trial#5",
           "CircuitOpen");
    addRow("failed half-open trial opens it again", breaker2, {crashScript}, "start +16s",
           "START started ready 1s failed scheduled#1 "
           "2s attempt#1 START started ready succeeded#1 3s failed closed>open "
           "trial#2 13s open>halfopen attempt#2 START started ready succeeded#2 "
           "14s failed halfopen>open trial#3",
           "CircuitOpen");
    addRow("reset begins the pending start", breaker2,
           {text("started fail|started fail|started ready")}, "start +2s reset +1s",
           "START started failed scheduled#1 1s attempt#1 START started failed unsuccessful#1+ "
           "closed>open trial#2 "
           "2s open>closed scheduled#2 attempt#2 START started ready succeeded#2",
           "Running");
    addRow("retry now makes an open breaker half-open", breaker2,
           {text("started fail|started fail|started ready")}, "start +2s retry +1s",
           "START started failed scheduled#1 1s attempt#1 START started failed unsuccessful#1+ "
           "closed>open trial#2 "
           "2s cancelled#2 open>halfopen START started ready",
           "Running");
    addRow("stopped while open", breaker2, {text("started fail")}, "start +2s stop +1m",
           "START started failed scheduled#1 1s attempt#1 START started failed unsuccessful#1+ "
           "closed>open trial#2 2s cancelled#2",
           "Stopped");
    addRow("isolated while it runs", {}, {text("started ready +1s fail|started ready")},
           "start isolate +1m release +1s",
           "START started ready closed>open 1s failed 1m open>closed "
           "scheduled#1 attempt#1 START started ready succeeded#1",
           "Running");
    addRow("isolated while it waits", {}, {text("started fail|started ready")},
           "start isolate +1m release +1s",
           "START started failed scheduled#1 cancelled#1 closed>open "
           "1m open>closed scheduled#1 attempt#1 START started ready succeeded#1",
           "Running");
    addRow("start lifts an isolation", {}, {}, "isolate start +1s",
           "closed>open open>closed START started ready", "Running");
}

void SupervisorTest::requestRows()
{
    addRow("exit 42", text("'type':'none','requestedDelay':'500ms'"),
           {text("started ready +1s exit42|started ready")}, "start +2s",
           "START started ready 1s requested stopped 1.5s START started ready", "Running");
    addRow("exit 42 before ready", {}, {text("started exit42|started ready")}, "start +2s",
           "START started requested stopped START started ready", "Running");
    addRow("live request", {}, {text("started ready +1s ask|started ready"), text("+2s stopped")},
           "start +4s", "START started ready 1s requested STOP 3s stopped START started ready",
           "Running");
    addRow("eleventh exit 42 in a minute", {}, {text("started ready exit42")}, "start",
           "START started ready requested stopped START started ready requested stopped "
           "START started ready requested stopped START started ready requested stopped "
           "START started ready requested stopped START started ready requested stopped "
           "START started ready requested stopped START started ready requested stopped "
           "START started ready requested stopped START started ready requested stopped "
           "START started ready failed scheduled#1",
           "Waiting");
    addRow("stopped while a requested restart is pending", text("'requestedDelay':'5s'"),
           {text("started ready exit42")}, "start +1s stop +1m",
           "START started ready requested stopped 1s cancelled#0", "Stopped");
}

void SupervisorTest::timeoutRows()
{
    addRow("not ready in time", text("'startTimeout':'5s'"), {text("started|started ready")},
           "start +7s",
           "START started 5s failed:Timeout scheduled#1 KILL 6s attempt#1 START started ready "
           "succeeded#1",
           "Running");
    addRow("start waits for the previous exit", text("'startTimeout':'5s'"),
           {text("started|started ready"), {}, text("+10s stopped")}, "start +20s",
           "START started 5s failed:Timeout scheduled#1 KILL 15s STUCK attempt#1 START started "
           "ready succeeded#1",
           "Running");
    addRow("agent that does not exit is not started twice", text("'startTimeout':'5s'"),
           {text("started"), {}, {}}, "start +1h retry start +1h",
           "START started 5s failed:Timeout scheduled#1 KILL 15s STUCK 1h cancelled#1", "Waiting");
    addRow("timeout without restarts", text("'type':'none','startTimeout':'5s'"), {text("started")},
           "start +1m", "START started 5s failed:Timeout declined:Policy KILL", "Failed");
    addRow("no signal at start", text("'startTimeout':'5s','maxRetries':0"), {{}}, "start +1m",
           "START 5s failed:Timeout exhausted#0 KILL", "Exhausted");
}

void SupervisorTest::stopRows()
{
    addRow("stop while running", {}, {}, "start stop", "START started ready STOP stopped",
           "Stopped");
    addRow("stop while starting", {}, {text("started")}, "start stop", "START started STOP stopped",
           "Stopped");
    addRow("stop before the start", {}, {}, "start&stop +1m", "", "Stopped");
    addRow("stop while waiting", {}, {text("started fail")}, "start +500ms stop +1m",
           "START started failed scheduled#1 500ms cancelled#1", "Stopped");
    addRow(
        "stop an attempt", {}, {text("started fail|started")}, "start +2s stop +1m",
        "START started failed scheduled#1 1s attempt#1 START started 2s cancelled#1 STOP stopped",
        "Stopped");
    addRow("slow stop", {}, {text("started ready"), text("+5s stopped")}, "start stop +10s",
           "START started ready STOP 5s stopped", "Stopped");
    addRow("fails because of the stop", {}, {text("started ready"), text("fail")}, "start stop +1m",
           "START started ready STOP stopped", "Stopped");
    addRow("start while stopping", {}, {text("started ready"), text("+5s stopped")},
           "start stop start +10s", "START started ready STOP 5s stopped START started ready",
           "Running");
    addRow("start while stopping, and stop again", {}, {text("started ready"), text("+5s stopped")},
           "start stop start stop +10s", "START started ready STOP 5s stopped", "Stopped");
    addRow("exits before the stop", {}, {text("started ready +1s stopped")}, "start +1s stop +1m",
           "START started ready 1s stopped", "Stopped");
    addRow("ignores stop, is killed after 10 s", {}, {text("started ready"), {}},
           "start stopAll +10s", "START started ready STOP 10s KILL stopped ALLSTOPPED", "Stopped");
    addRow("ignores stop, is killed after stopTimeout", text("'stopTimeout':'2s'"),
           {text("started ready"), {}}, "start stop +1m",
           "START started ready STOP 2s KILL stopped", "Stopped");
    addRow("ignores stop and kill: stuck", text("'stopTimeout':'2s'"),
           {text("started ready"), {}, {}}, "start stopAll +4s",
           "START started ready STOP 2s KILL 4s STUCK ALLSTOPPED", "Stopping");
    addRow("stuck, and exits later", text("'stopTimeout':'2s'"),
           {text("started ready"), {}, text("+10s stopped")}, "start restart +1m",
           "START started ready requested STOP 2s KILL 4s STUCK 12s stopped START started ready",
           "Running");
    addRow("stopAll with an agent that is stuck", text("'stopTimeout':'2s'"),
           {text("started ready"), {}, {}}, "start stop +10s stopAll",
           "START started ready STOP 2s KILL 4s STUCK 10s ALLSTOPPED", "Stopping");
    addRow("not ready in time and ignores kill: stuck",
           text("'startTimeout':'1s','stopTimeout':'2s'"), {text("started"), {}, {}}, "start +1m",
           "START started 1s failed:Timeout scheduled#1 KILL 3s STUCK", "Waiting");
    addRow("ignores stop, ends on kill", text("'stopTimeout':'1h'"), {text("started ready"), {}},
           "start stopAll +1m killAll", "START started ready STOP 1m KILL stopped ALLSTOPPED",
           "Stopped");
    addRow("killed immediately", {}, {text("started ready"), {}}, "start killAll",
           "START started ready STOP KILL stopped ALLSTOPPED", "Stopped");
    addRow("nothing to kill", {}, {}, "killAll", "ALLSTOPPED", "Stopped");
    addRow("kill after the exit", {}, {text("started ready +1s stopped")}, "start +1m killAll",
           "START started ready 1s stopped 1m ALLSTOPPED", "Stopped");
    addRow("killed twice", {}, {text("started ready"), {}, text("+1s stopped")},
           "start killAll killAll +1s", "START started ready STOP KILL KILL 1s stopped ALLSTOPPED",
           "Stopped");
    addRow("stopAll with nothing running", {}, {}, "stopAll stopAll", "ALLSTOPPED ALLSTOPPED",
           "Stopped");
    addRow("stopAll while waiting", {}, {text("started fail")}, "start stopAll",
           "START started failed scheduled#1 cancelled#1 ALLSTOPPED", "Stopped");
    addRow("start after stopAll", {}, {text("started ready"), text("+5s stopped")},
           "start stopAll retry +10s stop +10s",
           "START started ready STOP 5s stopped START started ready 10s STOP 15s stopped",
           "Stopped");
}

void SupervisorTest::operatorRows()
{
    addRow("restart while running", {}, {}, "start restart",
           "START started ready requested STOP stopped START started ready", "Running");
    addRow("restart while stopped", {}, {}, "restart", "requested START started ready", "Running");
    addRow("restart while waiting", {}, {text("started fail|started ready")}, "start restart",
           "START started failed scheduled#1 requested cancelled#1 START started ready", "Running");
    addRow("start twice", {}, {}, "start&start start", "START started ready", "Running");
    addRow("retry while stopped", {}, {}, "retry", "START started ready", "Running");
    addRow("retry while starting", {}, {text("started +1s ready")}, "start retry +1s",
           "START started 1s ready", "Running");
    addRow("retry while running", {}, {}, "start retry", "START started ready", "Running");
    addRow("retry while waiting", {}, {text("started fail|started ready")}, "start +500ms retry",
           "START started failed scheduled#1 500ms cancelled#1 START started ready", "Running");
    addRow("retry while stopping", {}, {text("started ready"), text("+5s stopped")},
           "start stop retry +5s", "START started ready STOP 5s stopped START started ready",
           "Running");
    addRow("retry when exhausted", text("'maxRetries':0"), {text("started fail|started ready")},
           "start retry", "START started failed exhausted#0 START started ready", "Running");
    addRow("retry when failed", text("'type':'none'"), {text("started fail|started ready")},
           "start retry", "START started failed declined:Policy START started ready", "Running");
    addRow("operator start begins a new sequence", text("'maxRetries':1"),
           {text("started fail|started fail|started fail|started ready")}, "start +1s start +1s",
           "START started failed scheduled#1 1s attempt#1 START started failed unsuccessful#1- "
           "exhausted#1 "
           "START started failed scheduled#1 2s attempt#1 START started ready succeeded#1",
           "Running");
}

void SupervisorTest::policyRows()
{
    addRow("new delay while waiting", {}, {text("started fail")},
           "start +500ms policy:'initialDelay':'3s' +2s",
           "START started failed scheduled#1 500ms scheduled#1", "Waiting");
    addRow("restarts disabled while waiting", {}, {text("started fail")},
           "start policy:'type':'none' +1h",
           "START started failed scheduled#1 cancelled#1 declined:Policy", "Failed");
    addRow("shorter start timeout", {}, {text("started")},
           "start +2s policy:'startTimeout':'5s','type':'none' +4s",
           "START started 5s failed:Timeout declined:Policy KILL", "Failed");
}

void SupervisorTest::invalidSignalRows()
{
    addRow("ready before started", {}, {text("ready started")}, "start", "START started ready",
           "Running");
    addRow("stopped twice", {}, {text("started ready"), text("stopped stopped")},
           "start stop +1s start", "START started ready STOP stopped 1s START started ready",
           "Running");
    addRow("failed after stopped", {}, {text("started ready stopped fail")}, "start +1m",
           "START started ready stopped", "Stopped");
    addRow("failed twice", {}, {text("started fail fail|started ready")}, "start +1s",
           "START started failed scheduled#1 1s attempt#1 START started ready succeeded#1",
           "Running");
    addRow("all signals twice", {}, {text("started started ready ready")}, "start",
           "START started ready", "Running");
    addRow("fails inside start, without a delay", text("'type':'immediate','maxRetries':2"),
           {text("started fail")}, "start",
           "START started failed scheduled#1 attempt#1 START started failed unsuccessful#1+ "
           "scheduled#2 attempt#2 START started failed unsuccessful#2- exhausted#2",
           "Exhausted");
}

void SupervisorTest::oneAgent_data()
{
    QTest::addColumn<QString>("policy");
    QTest::addColumn<QString>("runs");
    QTest::addColumn<QString>("onStop");
    QTest::addColumn<QString>("onKill");
    QTest::addColumn<QString>("operatorScript");
    QTest::addColumn<QString>("log");
    QTest::addColumn<QString>("state");
    crashRows();
    breakerRows();
    requestRows();
    timeoutRows();
    stopRows();
    operatorRows();
    policyRows();
    invalidSignalRows();
}

void SupervisorTest::oneAgent()
{
    QFETCH(QString, policy);
    QFETCH(QString, runs);
    QFETCH(QString, onStop);
    QFETCH(QString, onKill);
    QFETCH(QString, operatorScript);
    Stage stage;
    stage.add(QStringLiteral("web"), {runs, onStop, onKill}, policy);
    stage.play(operatorScript);
    QTEST(stage.log.text(), "log");
    QTEST(toText(stage.state()), "state");
    QVERIFY(stage.log.isWithoutGaps());
    // Exactly the terminal states without a planned start are idle.
    static const QStringList atRest = {text("Stopped"), text("Exhausted"), text("Failed")};
    const AgentSnapshot snapshot = stage.supervisor.snapshot(stage.first()).value();
    QCOMPARE(stage.supervisor.isIdle(),
             atRest.contains(toText(snapshot.state)) && !snapshot.nextStartAt);
}

void SupervisorTest::manyAgents_data()
{
    const Rows<QString, QString> row("operatorScript", "log");
    row("reverse order", "startAll stopAll +1s",
        "a.START a.started a.ready b.START b.started b.ready c.START c.started c.ready "
        "c.STOP b.STOP a.STOP 1s c.stopped b.stopped a.stopped ALLSTOPPED");
    row("removed while others stop", "startAll stopAll remove:a +1s",
        "a.START a.started a.ready b.START b.started b.ready c.START c.started c.ready "
        "c.STOP b.STOP a.STOP 1s c.stopped b.stopped ALLSTOPPED");
    row("last agent removed", "start:a stopAll remove:a",
        "a.START a.started a.ready a.STOP ALLSTOPPED");
    row("removed before its start", "start:a&remove:a start:b", "b.START b.started b.ready");
}

void SupervisorTest::manyAgents()
{
    QFETCH(QString, operatorScript);
    Stage stage;
    stage.log.showNames();
    for (const char *name : {"a", "b", "c"})
        stage.add(text(name), {text("started ready"), text("+1s stopped")});
    stage.play(operatorScript);
    QTEST(stage.log.text(), "log");
}

// All signals that both classes have.
void SupervisorTest::forwardsSignalOfEvaluator_data()
{
    const Rows<QMetaMethod> row("signal");
    const QMetaObject &meta = LifecycleSignals::staticMetaObject;
    for (int i = meta.methodOffset(); i < meta.methodCount(); ++i)
        row(meta.method(i).name().constData(), meta.method(i));
}

void SupervisorTest::forwardsSignalOfEvaluator()
{
    QFETCH(const QMetaMethod, signal);
    Stage stage;
    stage.add(QStringLiteral("a"), {});
    const QSignalSpy spy(&stage.supervisor, signal);
    // A second connection must not forward the signal twice.
    const QSignalSpy second(&stage.supervisor, signal);

    const QMetaType parameter = signal.parameterMetaType(0);
    if (parameter == QMetaType::fromType<QUuid>()) {
        stage.supervisor.start(stage.first());
    } else {
        const std::optional<LifecycleEvent> event = eventOf(parameter);
        QVERIFY(event);
        stage.supervisor.policyEvaluator().announce(stage.first(), *event);
    }
    QCOMPARE(spy.count(), 1);
    QCOMPARE(second.count(), 1);
}

REKINDLE_TEST(SupervisorTest)
#include "supervisortest.moc"
