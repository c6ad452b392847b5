// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"

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
    QTest::addColumn<QString>("type");
    QTest::addColumn<QByteArray>("json");
    const auto row = [](const char *text, const LifecycleEvent &event) {
        QTest::newRow(text) << eventType(event) << eventToJson(event);
    };
    const EventHeader head;
    row("start 3, process 4711", AgentStarted{head, 3, 4711});
    row("ready after 1.5s", AgentReady{head, 3, 1500ms});
    row("stable: attempts and failures reset", AgentStable{head, 3});
    row("stopped", AgentStopped{head, 3});
    row("failed (ProcessCrash: exit code 7)",
        AgentFailed{head, 3, FailureReason::ProcessCrash, {.exitCode = 7, .processId = 4711}});
    row("restart requested (update)", RestartRequested{head, QStringLiteral("update")});
    RestartScheduled scheduled;
    scheduled.attemptNumber = 2;
    scheduled.delay = 1937ms;
    row("restart 2 in 1.94s", scheduled);
    scheduled.maxAttempts = 5;
    row("restart 2 of 5 in 1.94s", scheduled);
    row("restart 2 started", RestartStarted{head, 2, {}, {}});
    row("restart 2 succeeded after 1s", RestartSucceeded{head, 2, 1s, {}});
    row("restart 2 failed (Timeout)", RestartFailed{head, 2, FailureReason::Timeout, true, 4s});
    row("restart 2 failed (Timeout); no further attempt",
        RestartFailed{head, 2, FailureReason::Timeout, false, {}});
    row("given up after 1 restart in 3s", RestartExhausted{head, 1, 3s, {}});
    row("given up without a restart", RestartExhausted{head, 0, 0s, {}});
    row("restart canceled", RestartCancelled{head, 1});
    row("circuit breaker Open (was Closed), half-open in 5m",
        CircuitBreakerStateChanged{
            head, CircuitBreakerState::Closed, CircuitBreakerState::Open, {}, 5min, false});
    row("circuit breaker Open, restored from the previous host",
        CircuitBreakerStateChanged{
            head, CircuitBreakerState::Closed, CircuitBreakerState::Open, {}, {}, true});
    row("license tier Core does not permit linear restarts; restarts are disabled",
        PolicyDowngraded{head, QStringLiteral("Core"), RestartPolicyType::Linear,
                         RestartPolicyType::None});
    AgentHealthStatus health;
    row("health unknown after a start",
        HealthChanged{head, 3, AgentHealthStatus::State::Healthy, health});
    row("stderr: no database",
        AgentOutput{head, 3, AgentOutput::Stream::Error, QStringLiteral("no database"), false, 0});
    ToolCallFinished call;
    call.tool = QStringLiteral("search");
    call.duration = 2s;
    QTest::newRow("call of search: answered after 2s")
        << QString(toolCallFinishedType) << toJson(call);
    QTest::newRow("gap: 3 events and 1 decisions dropped")
        << QStringLiteral("events.gap") << QByteArray(R"({"events": 3, "decisions": 1})");
    QTest::newRow(R"(agent.renamed {"to":"x"})")
        << QStringLiteral("agent.renamed") << QByteArray(R"({"seq": 5, "agent": "a", "to": "x"})");
}

void EventTextTest::describesEvents()
{
    QFETCH(QString, type);
    QFETCH(QByteArray, json);
    QCOMPARE(eventText(type, json), QString::fromLatin1(QTest::currentDataTag()));
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
