// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"
#include "testrow.h"

#include <rekindle/policy/eventtext.h>
#include <rekindle/policy/lifecycleevent.h>
#include <rekindle/policy/toolcallfinished.h>

#include <csignal>

using namespace Rekindle;
using namespace std::chrono_literals;

/// Texts of events and failures.
class EventTextTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void describesEvents_data();
    void describesEvents();
    void describesFailures();
};

void EventTextTest::describesEvents_data()
{
    const Rows<QString, QByteArray> add("type", "json");
    QSet<QString> types;
    const auto row = [&](const char *text, const LifecycleEvent &event) {
        types.insert(eventType(event));
        add(text, eventType(event), eventToJson(event));
        QCOMPARE(eventText(event), QString::fromUtf8(text));
    };
    const EventHeader head;
    row("start 3, process 4711", AgentStarted{head, 3, 4711});
    row("ready after 1.5s", AgentReady{head, 3, 1500ms});
    row("stable: attempts and failures reset", AgentStable{head, 3});
    row("stopped", AgentStopped{head, 3});
    row("finished", AgentStopped{head, 3, QStringLiteral("finished")});
    row("stopped: dependency db (Exhausted) is down",
        AgentStopped{head, 3, QStringLiteral("dependency db (Exhausted) is down")});
    row("failed (ProcessCrash: exit code 7)",
        AgentFailed{head, 3, FailureReason::ProcessCrash, {.exitCode = 7, .processId = 4711}});
    row("failed (Timeout: not ready within 30s)",
        AgentFailed{
            head, 3, FailureReason::Timeout, {.message = QStringLiteral("not ready within 30s")}});
    row("failed (ProcessCrash: SIGSEGV)",
        AgentFailed{head, 3, FailureReason::ProcessCrash, {.signal = SIGSEGV, .processId = 4711}});
    row("restart requested (update)", RestartRequested{head, QStringLiteral("update")});
    row("restart requested (\uFFFDa)", RestartRequested{head, QString(QChar(0xd800)) + u'a'});
    RestartScheduled scheduled;
    scheduled.attemptNumber = 2;
    scheduled.delay = 1937ms;
    row("restart 2 in 1.94s", scheduled);
    scheduled.maxAttempts = 5;
    row("restart 2 of 5 in 1.94s", scheduled);
    scheduled.trial = true;
    row("restart 2 of 5 in 1.94s (trial)", scheduled);
    row("restart 2 started", RestartStarted{head, 2, {}, {}});
    row("restart 2 succeeded after 1s", RestartSucceeded{head, 2, 1s, {}});
    row("restart 2 failed (Timeout)", RestartFailed{head, 2, FailureReason::Timeout, true, 4s});
    row("restart 2 failed (Timeout); no further attempt",
        RestartFailed{head, 2, FailureReason::Timeout, false, {}});
    row("given up after 1 restart in 3s", RestartExhausted{head, 1, 3s, {}});
    row("given up without a restart", RestartExhausted{head, 0, 0s, {}});
    using Cause = RestartDeclined::Cause;
    row("not restarted: its policy is none", RestartDeclined{head, Cause::Policy});
    row("not restarted: permanent failure", RestartDeclined{head, Cause::PermanentFailure});
    row("not restarted: its evaluator refused", RestartDeclined{head, Cause::Evaluator});
    row("not restarted: the license tier permits no restarts",
        RestartDeclined{head, Cause::License});
    row("restart canceled", RestartCancelled{head, 1});
    row("circuit breaker Open (was Closed), trial in 5m",
        CircuitBreakerStateChanged{
            head, CircuitBreakerState::Closed, CircuitBreakerState::Open, {}, 5min, false});
    row("circuit breaker Open, restored from the previous host with 5s left",
        CircuitBreakerStateChanged{
            head, CircuitBreakerState::Closed, CircuitBreakerState::Open, {}, 5s, true});
    row("circuit breaker isolated (was Closed)",
        CircuitBreakerStateChanged{
            head, CircuitBreakerState::Closed, CircuitBreakerState::Open, {}, {}, false});
    row("circuit breaker isolated, restored from the previous host",
        CircuitBreakerStateChanged{
            head, CircuitBreakerState::Closed, CircuitBreakerState::Open, {}, {}, true});
    row("license tier Core does not permit linear restarts; restarts are disabled",
        PolicyDowngraded{head, QStringLiteral("Core"), RestartPolicyType::Linear,
                         RestartPolicyType::None});
    AgentHealthStatus health;
    row("health unknown after a start",
        HealthChanged{head, 3, AgentHealthStatus::State::Healthy, health});
    health.state = AgentHealthStatus::State::Unhealthy;
    health.consecutiveMisses = 3;
    health.detail = QStringLiteral("no answer");
    health.history.append({.probe = QStringLiteral("tcp:80")});
    row("unhealthy, consecutive probe failures: 3 (tcp:80: no answer)",
        HealthChanged{head, 3, AgentHealthStatus::State::Healthy, health});
    health.state = AgentHealthStatus::State::Healthy;
    row("healthy (tcp:80)", HealthChanged{head, 3, AgentHealthStatus::State::Unknown, health});
    row("stderr: no database",
        AgentOutput{head, 3, AgentOutput::Stream::Error, QStringLiteral("no database"), false, 0});
    row("stop requested by user 1000, process 4711 (/usr/bin/rekindle): new certificate",
        OperatorAction{head, QStringLiteral("agents.stop"), QStringLiteral("new certificate"), 1000,
                       4711, QStringLiteral("/usr/bin/rekindle")});
    row("isolation of shared breaker api requested by user 0, process 4711: a test",
        OperatorAction{head,
                       QStringLiteral("breaker.isolate"),
                       QStringLiteral("a test"),
                       0,
                       4711,
                       {},
                       QStringLiteral("api")});
    row("reset of the circuit breaker requested by user 0, process 4711",
        OperatorAction{head, QStringLiteral("breaker.reset"), {}, 0, 4711, {}});
    row("configuration applied: updated",
        ConfigurationApplied{
            head, ConfigurationApplied::Change::Updated, {QStringLiteral("policy")}});
    row("waits for dependency db (Stopped); governor",
        StartHeld{head,
                  Hold::Dependency | Hold::Governor,
                  {{Hold::Dependency, QStringLiteral("dependency db (Stopped)")},
                   {Hold::Governor, QStringLiteral("governor")}}});
    row("group backend restarts db, api",
        GroupRestarting{head,
                        QStringLiteral("backend"),
                        GroupStrategy::OneForAll,
                        {QStringLiteral("db"), QStringLiteral("api")}});
    row("group backend has given up", GroupExhausted{head, QStringLiteral("backend")});
    row("shared breaker api Open (was Closed), trial in 30s",
        SharedBreakerStateChanged{head, QStringLiteral("api"), CircuitBreakerState::Closed,
                                  CircuitBreakerState::Open, 30s});
    QCOMPARE(types.size(), qsizetype{std::variant_size_v<LifecycleEvent>});
    ToolCallFinished call;
    call.tool = QStringLiteral("search");
    call.duration = 2s;
    add("call of search: answered after 2s", QString(toolCallFinishedType), toJson(call));
    add("gap: 3 events and 1 decisions dropped", "events.gap", R"({"events": 3, "decisions": 1})");
    add(R"(restart.declined {"cause":"weather"})", "restart.declined",
        R"({"seq": 5, "cause": "weather"})");
    add(R"(agent.renamed {"to":"x"})", "agent.renamed", R"({"seq": 5, "agent": "a", "to": "x"})");
}

void EventTextTest::describesEvents()
{
    QFETCH(QString, type);
    QFETCH(QByteArray, json);
    QCOMPARE(eventText(type, json), QString::fromUtf8(QTest::currentDataTag()));
}

void EventTextTest::describesFailures()
{
    FailureDetail detail;
    detail.message = QStringLiteral("Program x was not found");
    detail.exitCode = 127;
    QCOMPARE(failureText(FailureReason::InitializationFailed, detail),
             QStringLiteral("InitializationFailed: Program x was not found"));
    detail.processId = 1234;
    QCOMPARE(failureText(FailureReason::ProcessCrash, detail),
             QStringLiteral("ProcessCrash: exit code 127"));
    detail.exitCode.reset();
    detail.signal = SIGSEGV;
    QCOMPARE(failureText(FailureReason::ProcessCrash, detail),
             QStringLiteral("ProcessCrash: SIGSEGV"));
    QCOMPARE(failureText(FailureReason::Unknown, {}), QStringLiteral("Unknown"));
}

REKINDLE_TEST(EventTextTest)
#include "eventtexttest.moc"
