// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/lifecycleevent.h>

#include <array>

namespace Rekindle {

/// The types of events without prefix and version, in the order of LifecycleEvent.
inline constexpr std::array eventTypeNames = {
    QLatin1String("agent.started"),     QLatin1String("agent.ready"),
    QLatin1String("agent.stable"),      QLatin1String("agent.stopped"),
    QLatin1String("agent.failed"),      QLatin1String("restart.requested"),
    QLatin1String("restart.scheduled"), QLatin1String("restart.started"),
    QLatin1String("restart.succeeded"), QLatin1String("restart.failed"),
    QLatin1String("restart.exhausted"), QLatin1String("restart.cancelled"),
    QLatin1String("circuit.changed"),   QLatin1String("policy.downgraded"),
    QLatin1String("health.changed"),    QLatin1String("agent.output"),
    QLatin1String("operator.action"),   QLatin1String("configuration.applied"),
    QLatin1String("start.held"),        QLatin1String("group.restarting"),
    QLatin1String("group.exhausted"),   QLatin1String("sharedbreaker.changed"),
    QLatin1String("restart.declined"),
};
static_assert(eventTypeNames.size() == std::variant_size_v<LifecycleEvent>);

/// Passes the fields of an event, except those of its header, to `sink.member(key, value)` in the
/// order of the JSON. A value is a text, number, truth value, time, duration, list of texts, or an
/// optional of these.
template<typename Sink>
class EventFields
{
public:
    static void visit(const LifecycleEvent &event, Sink &sink)
    {
        std::visit(
            [&sink](const auto &e) {
                if constexpr (requires { e.generation; })
                    sink.member(QLatin1String("generation"), e.generation);
                if constexpr (requires { e.attemptNumber; })
                    sink.member(QLatin1String("attemptNumber"), e.attemptNumber);
                EventFields{sink}(e);
            },
            event);
    }

private:
    explicit EventFields(Sink &theSink)
        : sink(theSink)
    {
    }

    void operator()(const AgentStable &) const {}
    void operator()(const RestartCancelled &) const {}
    void operator()(const AgentStopped &e) const
    {
        if (!e.reason.isEmpty())
            sink.member(QLatin1String("reason"), e.reason);
    }
    void operator()(const AgentStarted &e) const { sink.member(QLatin1String("pid"), e.processId); }
    void operator()(const AgentReady &e) const
    {
        sink.member(QLatin1String("durationMs"), e.duration);
    }
    void operator()(const AgentFailed &e) const
    {
        sink.member(QLatin1String("reason"), toText(e.reason));
        sink.member(QLatin1String("detail"), e.detail.message);
        sink.member(QLatin1String("pid"), e.detail.processId);
        if (e.detail.exitCode)
            sink.member(QLatin1String("exitCode"), *e.detail.exitCode);
        if (e.detail.signal)
            sink.member(QLatin1String("signal"), *e.detail.signal);
        sink.member(QLatin1String("stderrTail"), e.detail.stderrTail);
        if (!e.detail.dependency.isEmpty())
            sink.member(QLatin1String("dependency"), e.detail.dependency);
        if (e.collateral)
            sink.member(QLatin1String("collateral"), e.collateral);
    }
    void operator()(const RestartRequested &e) const
    {
        sink.member(QLatin1String("reason"), e.reason);
    }
    void operator()(const RestartScheduled &e) const
    {
        sink.member(QLatin1String("maxAttempts"), e.maxAttempts);
        sink.member(QLatin1String("delayMs"), e.delay);
        sink.member(QLatin1String("calculatedDelayMs"), e.calculatedDelay);
        sink.member(QLatin1String("scheduledAt"), e.scheduledAt);
        sink.member(QLatin1String("failureReason"), toText(e.failureReason));
        if (e.trial)
            sink.member(QLatin1String("trial"), e.trial);
    }
    void operator()(const RestartStarted &e) const
    {
        sink.member(QLatin1String("startedAt"), e.startedAt);
        sink.member(QLatin1String("latenessMs"), e.lateness);
    }
    void operator()(const RestartSucceeded &e) const
    {
        sink.member(QLatin1String("durationMs"), e.duration);
        sink.member(QLatin1String("completedAt"), e.completedAt);
    }
    void operator()(const RestartFailed &e) const
    {
        sink.member(QLatin1String("failureReason"), toText(e.failureReason));
        sink.member(QLatin1String("willRetry"), e.willRetry);
        sink.member(QLatin1String("nextRetryDelayMs"), e.nextRetryDelay);
    }
    void operator()(const RestartExhausted &e) const
    {
        sink.member(QLatin1String("totalAttempts"), e.totalAttempts);
        sink.member(QLatin1String("totalDurationMs"), e.totalDuration);
        sink.member(QLatin1String("abandonedAt"), e.abandonedAt);
    }
    void operator()(const RestartDeclined &e) const
    {
        constexpr std::array causes = {QLatin1String("policy"), QLatin1String("permanentFailure"),
                                       QLatin1String("evaluator"), QLatin1String("license")};
        sink.member(QLatin1String("cause"), causes.at(static_cast<std::size_t>(e.cause)));
        sink.member(QLatin1String("failureReason"), toText(e.failureReason));
    }
    void operator()(const CircuitBreakerStateChanged &e) const
    {
        sink.member(QLatin1String("oldState"), toText(e.oldState));
        sink.member(QLatin1String("newState"), toText(e.newState));
        sink.member(QLatin1String("changedAt"), e.changedAt);
        sink.member(QLatin1String("resetDelayMs"), e.resetDelay);
        if (e.restored)
            sink.member(QLatin1String("restored"), e.restored);
    }
    void operator()(const PolicyDowngraded &e) const
    {
        sink.member(QLatin1String("tier"), e.tier);
        sink.member(QLatin1String("requestedType"), toText(e.requestedType));
        sink.member(QLatin1String("effectiveType"), toText(e.effectiveType));
    }
    void operator()(const HealthChanged &e) const
    {
        sink.member(QLatin1String("oldState"), toText(e.oldState));
        sink.member(QLatin1String("newState"), toText(e.health.state));
        sink.member(QLatin1String("consecutiveMisses"), e.health.consecutiveMisses);
        // After a new start, the history belongs to the start before.
        const bool isAnswered = e.health.state != AgentHealthStatus::State::Unknown;
        sink.member(QLatin1String("probe"), isAnswered ? e.health.latest().probe : QString());
        sink.member(QLatin1String("detail"), e.health.detail);
    }
    void operator()(const AgentOutput &e) const
    {
        const bool isError = e.stream == AgentOutput::Stream::Error;
        sink.member(QLatin1String("stream"), QLatin1String(isError ? "stderr" : "stdout"));
        sink.member(QLatin1String("line"), e.line);
        sink.member(QLatin1String("cut"), e.cut);
        sink.member(QLatin1String("dropped"), e.dropped);
    }
    void operator()(const OperatorAction &e) const
    {
        sink.member(QLatin1String("request"), e.request);
        sink.member(QLatin1String("reason"), e.reason);
        sink.member(QLatin1String("uid"), e.userId);
        sink.member(QLatin1String("clientPid"), e.clientProcessId);
        sink.member(QLatin1String("program"), e.program);
        if (!e.sharedBreaker.isEmpty())
            sink.member(QLatin1String("shared"), e.sharedBreaker);
    }
    void operator()(const ConfigurationApplied &e) const
    {
        constexpr std::array names = {QLatin1String("added"), QLatin1String("removed"),
                                      QLatin1String("restarted"), QLatin1String("updated")};
        sink.member(QLatin1String("change"), names.at(static_cast<std::size_t>(e.change)));
        sink.member(QLatin1String("parts"), e.parts);
    }
    void operator()(const StartHeld &e) const
    {
        sink.member(QLatin1String("holds"), toTexts(e.holds));
        sink.member(QLatin1String("causes"), toTexts(e.causes));
    }
    void operator()(const GroupRestarting &e) const
    {
        sink.member(QLatin1String("group"), e.group);
        sink.member(QLatin1String("strategy"), toText(e.strategy));
        sink.member(QLatin1String("members"), e.members);
    }
    void operator()(const GroupExhausted &e) const
    {
        sink.member(QLatin1String("group"), e.group);
        sink.member(QLatin1String("members"), e.members);
    }
    void operator()(const SharedBreakerStateChanged &e) const
    {
        sink.member(QLatin1String("breaker"), e.breaker);
        sink.member(QLatin1String("oldState"), toText(e.oldState));
        sink.member(QLatin1String("newState"), toText(e.newState));
        sink.member(QLatin1String("resetDelayMs"), e.resetDelay);
        if (e.restored)
            sink.member(QLatin1String("restored"), e.restored);
    }

    Sink &sink;
};

} // namespace Rekindle
