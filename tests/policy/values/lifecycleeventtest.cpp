// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"
#include "testrow.h"

#include <rekindle/policy/eventtext.h>
#include <rekindle/policy/lifecycleevent.h>

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

const QUuid instanceId(QStringLiteral("6F9619FF-8B86-D011-B42D-00CF4FC964FF"));
const UtcTime utc{1763687989261ms};

EventHeader head()
{
    return {instanceId, QStringLiteral("indexer"), 42, Instant(81234567890ns), utc};
}

// The beginning of the data of every event.
const QByteArray common = R"("instanceId":"6f9619ff-8b86-d011-b42d-00cf4fc964ff",)"
                          R"("agent":"indexer","seq":42,"monoNs":81234567890)";

} // namespace

class LifecycleEventTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void writesGoldenLines_data();
    void writesGoldenLines();
    void readsItsOwnJson_data() { writesGoldenLines_data(); }
    void readsItsOwnJson();
    void readsOnlyKnownTypes();
    void faultyMembersKeepTheirDefaults();
    void failureReasonsHaveNames();
};

void LifecycleEventTest::writesGoldenLines_data()
{
    const Rows<LifecycleEvent, QByteArray> row("event", "data");
    row("agent.started", AgentStarted{head(), 3, 4711}, R"(,"generation":3,"pid":4711)");
    row("agent.ready", AgentReady{head(), 3, 1500us}, R"(,"generation":3,"durationMs":1.5)");
    row("agent.stable", AgentStable{head(), 3}, R"(,"generation":3)");
    row("agent.stopped", AgentStopped{head(), 3}, R"(,"generation":3)");
    const AgentStopped stopped{head(), 3, QStringLiteral("dependency db")};
    row("agent.stopped", stopped, R"(,"generation":3,"reason":"dependency db")");
    FailureDetail exited;
    exited.message = QStringLiteral("exited with code 3");
    exited.exitCode = 3;
    exited.processId = 4711;
    exited.stderrTail = {QStringLiteral("one"), QStringLiteral("two")};
    row("agent.failed", AgentFailed{head(), 3, FailureReason::ProcessCrash, exited},
        R"(,"generation":3,"reason":"ProcessCrash","detail":"exited with code 3","pid":4711,)"
        R"("exitCode":3,"stderrTail":["one","two"])");
    FailureDetail killed;
    killed.message = QStringLiteral("killed");
    killed.signal = 9;
    row("agent.failed by a signal", AgentFailed{head(), 3, FailureReason::ProcessCrash, killed},
        R"(,"generation":3,"reason":"ProcessCrash","detail":"killed","pid":0,)"
        R"("signal":9,"stderrTail":[])");

    row("agent.failed collateral",
        AgentFailed{head(), 3, FailureReason::ProcessCrash, killed, true},
        R"(,"generation":3,"reason":"ProcessCrash","detail":"killed","pid":0,)"
        R"("signal":9,"stderrTail":[],"collateral":true)");

    // JsonWriterTest covers all characters.
    row("restart.requested", RestartRequested{head(), QStringLiteral("a\n\"b\"") + QChar(0xd800)},
        ",\"reason\":\"a\\n\\\"b\\\"\xef\xbf\xbd\"");
    row("restart.scheduled",
        RestartScheduled{head(), 2, 10, 2250ms, 2s, utc + 2250ms, FailureReason::Timeout},
        R"(,"attemptNumber":2,"maxAttempts":10,"delayMs":2250.0,"calculatedDelayMs":2000.0,)"
        R"("scheduledAt":"2025-11-21T01:19:51.511Z","failureReason":"Timeout")");
    row("restart.scheduled without limit",
        RestartScheduled{head(), 2, {}, 0s, 0s, utc, FailureReason::Unknown},
        R"(,"attemptNumber":2,"maxAttempts":null,"delayMs":0.0,"calculatedDelayMs":0.0,)"
        R"("scheduledAt":"2025-11-21T01:19:49.261Z","failureReason":"Unknown")");
    row("restart.scheduled of a trial",
        RestartScheduled{head(), 2, {}, 0s, 0s, utc, FailureReason::Unknown, true},
        R"(,"attemptNumber":2,"maxAttempts":null,"delayMs":0.0,"calculatedDelayMs":0.0,)"
        R"("scheduledAt":"2025-11-21T01:19:49.261Z","failureReason":"Unknown","trial":true)");
    row("restart.declined",
        RestartDeclined{head(), RestartDeclined::Cause::PermanentFailure, FailureReason::Timeout},
        R"(,"cause":"permanentFailure","failureReason":"Timeout")");
    row("restart.started", RestartStarted{head(), 2, utc, 250us},
        R"(,"attemptNumber":2,"startedAt":"2025-11-21T01:19:49.261Z","latenessMs":0.25)");
    row("restart.succeeded", RestartSucceeded{head(), 2, 1s, utc},
        R"(,"attemptNumber":2,"durationMs":1000.0,"completedAt":"2025-11-21T01:19:49.261Z")");
    row("restart.failed", RestartFailed{head(), 2, FailureReason::ProcessCrash, true, 4s},
        R"(,"attemptNumber":2,"failureReason":"ProcessCrash","willRetry":true,)"
        R"("nextRetryDelayMs":4000.0)");
    row("restart.failed without a retry",
        RestartFailed{head(), 2, FailureReason::ProcessCrash, false, {}},
        R"(,"attemptNumber":2,"failureReason":"ProcessCrash","willRetry":false,)"
        R"("nextRetryDelayMs":null)");
    row("restart.exhausted", RestartExhausted{head(), 10, 1min, utc},
        R"(,"totalAttempts":10,"totalDurationMs":60000.0,)"
        R"("abandonedAt":"2025-11-21T01:19:49.261Z")");
    row("restart.cancelled", RestartCancelled{head(), 2}, R"(,"attemptNumber":2)");
    row("policy.downgraded",
        PolicyDowngraded{head(), QStringLiteral("WriterPro"), RestartPolicyType::Exponential,
                         RestartPolicyType::Linear},
        R"(,"tier":"WriterPro","requestedType":"exponential","effectiveType":"linear")");
    AgentHealthStatus unhealthy;
    unhealthy.state = AgentHealthStatus::State::Unhealthy;
    unhealthy.consecutiveMisses = 2;
    unhealthy.detail = QStringLiteral("status 503");
    unhealthy.history = {{utc, true, 1ms, QStringLiteral("status 200"), QStringLiteral("http")},
                         {utc, false, 2ms, unhealthy.detail, QStringLiteral("http-2")}};
    row("health.changed", HealthChanged{head(), 3, AgentHealthStatus::State::Healthy, unhealthy},
        R"(,"generation":3,"oldState":"Healthy","newState":"Unhealthy","consecutiveMisses":2,)"
        R"("probe":"http-2","detail":"status 503")");
    AgentHealthStatus unknown;
    unknown.history = unhealthy.history;
    row("health.changed by a new start",
        HealthChanged{head(), 4, AgentHealthStatus::State::Unhealthy, unknown},
        R"(,"generation":4,"oldState":"Unhealthy","newState":"Unknown","consecutiveMisses":0,)"
        R"("probe":"","detail":"")");
    row("agent.output",
        AgentOutput{head(), 3, AgentOutput::Stream::Output, QStringLiteral("a \"line\"\t")},
        R"(,"generation":3,"stream":"stdout","line":"a \"line\"\t","cut":false,"dropped":0)");
    row("agent.output truncated",
        AgentOutput{head(), 3, AgentOutput::Stream::Error, QStringLiteral("long"), true, 17},
        R"(,"generation":3,"stream":"stderr","line":"long","cut":true,"dropped":17)");
    row("operator.action",
        OperatorAction{head(), QStringLiteral("agents.stop"), QStringLiteral("a \"reason\""), 1000,
                       4711, QStringLiteral("/usr/bin/rekindle")},
        R"(,"request":"agents.stop","reason":"a \"reason\"","uid":1000,"clientPid":4711,)"
        R"("program":"/usr/bin/rekindle")");
    row("configuration.applied",
        ConfigurationApplied{head(),
                             ConfigurationApplied::Change::Restarted,
                             {QStringLiteral("process"), QStringLiteral("policy")}},
        R"(,"change":"restarted","parts":["process","policy"])");
    row("configuration.applied to a new agent",
        ConfigurationApplied{head(), ConfigurationApplied::Change::Added, {}},
        R"(,"change":"added","parts":[])");
    row("start.held",
        StartHeld{head(),
                  Hold::Dependency | Hold::Governor,
                  {{Hold::Dependency, QStringLiteral("dependency db (Stopped)")},
                   {Hold::Governor, QStringLiteral("governor")}}},
        R"x(,"holds":["dependency","governor"],"causes":["dependency db (Stopped)","governor"])x");
    row("group.restarting",
        GroupRestarting{head(),
                        QStringLiteral("backend"),
                        GroupStrategy::RestForOne,
                        {QStringLiteral("api"), QStringLiteral("web")}},
        R"(,"group":"backend","strategy":"restForOne","members":["api","web"])");
    row("group.exhausted",
        GroupExhausted{
            head(), QStringLiteral("backend"), {QStringLiteral("api"), QStringLiteral("web")}},
        R"(,"group":"backend","members":["api","web"])");
    row("sharedbreaker.changed",
        SharedBreakerStateChanged{head(), QStringLiteral("api"), CircuitBreakerState::Closed,
                                  CircuitBreakerState::Open, 30s},
        R"(,"breaker":"api","oldState":"Closed","newState":"Open","resetDelayMs":30000.0)");
    row("sharedbreaker.changed restored",
        SharedBreakerStateChanged{head(),
                                  QStringLiteral("api"),
                                  CircuitBreakerState::Closed,
                                  CircuitBreakerState::Open,
                                  {},
                                  true},
        R"(,"breaker":"api","oldState":"Closed","newState":"Open","resetDelayMs":null,)"
        R"("restored":true)");
    row("circuit.changed",
        CircuitBreakerStateChanged{head(), CircuitBreakerState::Closed, CircuitBreakerState::Open,
                                   utc, 5min},
        R"(,"oldState":"Closed","newState":"Open","changedAt":"2025-11-21T01:19:49.261Z",)"
        R"("resetDelayMs":300000.0)");
    row("circuit.changed without a time",
        CircuitBreakerStateChanged{
            head(), CircuitBreakerState::Open, CircuitBreakerState::HalfOpen, utc, {}},
        R"(,"oldState":"Open","newState":"HalfOpen","changedAt":"2025-11-21T01:19:49.261Z",)"
        R"("resetDelayMs":null)");
    row("circuit.changed restored",
        CircuitBreakerStateChanged{head(), CircuitBreakerState::Closed, CircuitBreakerState::Open,
                                   utc, 4min, true},
        R"(,"oldState":"Closed","newState":"Open","changedAt":"2025-11-21T01:19:49.261Z",)"
        R"("resetDelayMs":240000.0,"restored":true)");
}

void LifecycleEventTest::writesGoldenLines()
{
    QFETCH(LifecycleEvent, event);
    QFETCH(QByteArray, data);
    const QByteArray type = QByteArray(QTest::currentDataTag()).split(' ').first();
    const QByteArray json = '{' + common + data + '}';
    QCOMPARE(eventToJson(event), json);
    QCOMPARE(eventType(event), QString::fromLatin1(type));
    QCOMPARE(header(event), head());
    const QByteArray line = R"({"specversion":"1.0","id":"42","source":"urn:uuid:1-2-3",)"
                            R"("type":"rekindle.)"
        + type
        + R"(.v1","subject":"agent/indexer","time":"2025-11-21T01:19:49.261Z",)"
          R"("datacontenttype":"application/json","data":)"
        + json + '}';
    QCOMPARE(toCloudEvent(event, QStringLiteral("urn:uuid:1-2-3")), line);
}

void LifecycleEventTest::readsItsOwnJson()
{
    QFETCH(LifecycleEvent, event);
    const auto read = eventFromJson(eventType(event), eventToJson(event));
    QVERIFY(read);
    QCOMPARE(eventToJson(*read), eventToJson(event));
    QCOMPARE(eventText(*read), eventText(event));
    std::visit([](EventHeader &common) { common.time = {}; }, event);
    // Not stored: the history of health. Not the same: invalid UTF-16.
    const bool isExact = !std::holds_alternative<HealthChanged>(event)
        && !eventToJson(event).contains(QByteArray("\xef\xbf\xbd"));
    if (isExact)
        QVERIFY(*read == event);
}

void LifecycleEventTest::readsOnlyKnownTypes()
{
    QVERIFY(eventFromJson(QStringLiteral("agent.started"), "{}"));
    QVERIFY(!eventFromJson(QStringLiteral("agent.example"), "{}"));
    QVERIFY(!eventFromJson(QStringLiteral("tool.finished"), "{}"));
    for (const char *json : {"", "[]", "null", "{", "{} {}"})
        QVERIFY2(!eventFromJson(QStringLiteral("agent.started"), json), json);
    for (const QString &type : eventTypes())
        QCOMPARE(eventType(eventFromJson(type, "{}").value()), type);
}

void LifecycleEventTest::faultyMembersKeepTheirDefaults()
{
    QVERIFY(
        eventFromJson(QStringLiteral("restart.scheduled"),
                      R"({"instanceId":1,"agent":["a"],"seq":-1,"monoNs":1.5,"attemptNumber":1e99,
                              "maxAttempts":"5","delayMs":1e300,"calculatedDelayMs":"1","trial":1,
                              "scheduledAt":"now","failureReason":"New","other":{}})")
        == LifecycleEvent(RestartScheduled{}));
    QVERIFY(eventFromJson(QStringLiteral("start.held"), R"({"holds":["new",3],"causes":"none"})")
            == LifecycleEvent(StartHeld{}));
}

// A new event needs a row above.
static_assert(std::variant_size_v<LifecycleEvent> == 23);

void LifecycleEventTest::failureReasonsHaveNames()
{
    QStringList found;
    for (const auto &[reason, name] : failureReasons) {
        found << name + QString::number(static_cast<int>(reason));
        QVERIFY(valueOf(failureReasons, toText(reason)) == reason);
        QVERIFY(!valueOf(failureReasons, toText(reason).toLower()));
    }
    QCOMPARE(found.join(u' '),
             QStringLiteral("UnhandledException0 HealthCheckFailed1 InitializationFailed2 Timeout3 "
                            "ResourceExhaustion4 DependencyFailure5 ProcessCrash6 Unknown99"));
}

REKINDLE_TEST(LifecycleEventTest)
#include "lifecycleeventtest.moc"
