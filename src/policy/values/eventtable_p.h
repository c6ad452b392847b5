// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "policy/internal/words.h"

#include <rekindle/policy/lifecycleevent.h>

#include <array>
#include <type_traits>

namespace Rekindle {

/// The table of events. Each type of LifecycleEvent has a row with:
/// - `type`: its name without prefix and version
/// - `fields()`: the members of its JSON, except the header's, in their order. `io` writes
///   or reads them: `io.member(key, value)` always, `io.unlessEmpty(key, value)` only if the value
///   is not its default. An enum is followed by its EnumName rows.
/// - `text()`: the event for people, see eventText(). Longer ones are in eventtext.cpp.
///
/// An event with `generation` or `attemptNumber` has this member first, see visitFields().
template<typename Event>
struct EventRow;

template<>
struct EventRow<AgentStarted>
{
    static constexpr QLatin1String type{"agent.started"};
    static void fields(auto &io, auto &e) { io.member("pid", e.processId); }
    static QString text(const AgentStarted &e)
    {
        return Words::tr("start %1, process %2").arg(e.generation).arg(e.processId);
    }
};

template<>
struct EventRow<AgentReady>
{
    static constexpr QLatin1String type{"agent.ready"};
    static void fields(auto &io, auto &e) { io.member("durationMs", e.duration); }
    static QString text(const AgentReady &e)
    {
        return Words::tr("ready after %1").arg(readable(e.duration));
    }
};

template<>
struct EventRow<AgentStable>
{
    static constexpr QLatin1String type{"agent.stable"};
    static void fields(auto &, auto &) {}
    static QString text(const AgentStable & /*e*/)
    {
        return Words::tr("stable: attempts and failures reset");
    }
};

template<>
struct EventRow<AgentStopped>
{
    static constexpr QLatin1String type{"agent.stopped"};
    static void fields(auto &io, auto &e) { io.unlessEmpty("reason", e.reason); }
    static QString text(const AgentStopped &e);
};

template<>
struct EventRow<AgentFailed>
{
    static constexpr QLatin1String type{"agent.failed"};
    static void fields(auto &io, auto &e)
    {
        io.member("reason", e.reason, failureReasons);
        io.member("detail", e.detail.message);
        io.member("pid", e.detail.processId);
        io.unlessEmpty("exitCode", e.detail.exitCode);
        io.unlessEmpty("signal", e.detail.signal);
        io.member("stderrTail", e.detail.stderrTail);
        io.unlessEmpty("dependency", e.detail.dependency);
        io.unlessEmpty("collateral", e.collateral);
    }
    static QString text(const AgentFailed &e);
};

template<>
struct EventRow<RestartRequested>
{
    static constexpr QLatin1String type{"restart.requested"};
    static void fields(auto &io, auto &e) { io.member("reason", e.reason); }
    static QString text(const RestartRequested &e)
    {
        return Words::tr("restart requested (%1)").arg(e.reason);
    }
};

template<>
struct EventRow<RestartScheduled>
{
    static constexpr QLatin1String type{"restart.scheduled"};
    static void fields(auto &io, auto &e)
    {
        io.member("maxAttempts", e.maxAttempts);
        io.member("delayMs", e.delay);
        io.member("calculatedDelayMs", e.calculatedDelay);
        io.member("scheduledAt", e.scheduledAt);
        io.member("failureReason", e.failureReason, failureReasons);
        io.unlessEmpty("trial", e.trial);
    }
    static QString text(const RestartScheduled &e);
};

template<>
struct EventRow<RestartStarted>
{
    static constexpr QLatin1String type{"restart.started"};
    static void fields(auto &io, auto &e)
    {
        io.member("startedAt", e.startedAt);
        io.member("latenessMs", e.lateness);
    }
    static QString text(const RestartStarted &e)
    {
        return Words::tr("restart %1 started").arg(e.attemptNumber);
    }
};

template<>
struct EventRow<RestartSucceeded>
{
    static constexpr QLatin1String type{"restart.succeeded"};
    static void fields(auto &io, auto &e)
    {
        io.member("durationMs", e.duration);
        io.member("completedAt", e.completedAt);
    }
    static QString text(const RestartSucceeded &e)
    {
        return Words::tr("restart %1 succeeded after %2")
            .arg(QString::number(e.attemptNumber), readable(e.duration));
    }
};

template<>
struct EventRow<RestartFailed>
{
    static constexpr QLatin1String type{"restart.failed"};
    static void fields(auto &io, auto &e)
    {
        io.member("failureReason", e.failureReason, failureReasons);
        io.member("willRetry", e.willRetry);
        io.member("nextRetryDelayMs", e.nextRetryDelay);
    }
    static QString text(const RestartFailed &e);
};

template<>
struct EventRow<RestartExhausted>
{
    static constexpr QLatin1String type{"restart.exhausted"};
    static void fields(auto &io, auto &e)
    {
        io.member("totalAttempts", e.totalAttempts);
        io.member("totalDurationMs", e.totalDuration);
        io.member("abandonedAt", e.abandonedAt);
    }
    static QString text(const RestartExhausted &e);
};

template<>
struct EventRow<RestartCancelled>
{
    static constexpr QLatin1String type{"restart.cancelled"};
    static void fields(auto &, auto &) {}
    static QString text(const RestartCancelled & /*e*/) { return Words::tr("restart canceled"); }
};

template<>
struct EventRow<CircuitBreakerStateChanged>
{
    static constexpr QLatin1String type{"circuit.changed"};
    static void fields(auto &io, auto &e)
    {
        io.member("oldState", e.oldState, circuitBreakerStates);
        io.member("newState", e.newState, circuitBreakerStates);
        io.member("changedAt", e.changedAt);
        io.member("resetDelayMs", e.resetDelay);
        io.unlessEmpty("restored", e.restored);
    }
    static QString text(const CircuitBreakerStateChanged &e);
};

template<>
struct EventRow<StartHeld>
{
    static constexpr QLatin1String type{"start.held"};
    template<typename Event>
    static void fields(auto &io, Event &e)
    {
        io.member("holds", e.holds);
        io.member("causes", e.causes);
        if constexpr (!std::is_const_v<Event>)
            assignHolds(e);
    }
    static QString text(const StartHeld &e);

private:
    /// The causes in JSON are texts, in the order of the holds.
    static void assignHolds(StartHeld &e);
};

template<>
struct EventRow<RestartDeclined>
{
    static constexpr QLatin1String type{"restart.declined"};
    using Cause = RestartDeclined::Cause;
    static constexpr std::array<EnumName<Cause>, 4> causes = {{
        {Cause::Policy, QLatin1String("policy")},
        {Cause::PermanentFailure, QLatin1String("permanentFailure")},
        {Cause::Evaluator, QLatin1String("evaluator")},
        {Cause::License, QLatin1String("license")},
    }};
    static void fields(auto &io, auto &e)
    {
        io.member("cause", e.cause, causes);
        io.member("failureReason", e.failureReason, failureReasons);
    }
    static QString text(const RestartDeclined &e);
};

template<>
struct EventRow<PolicyDowngraded>
{
    static constexpr QLatin1String type{"policy.downgraded"};
    static void fields(auto &io, auto &e)
    {
        io.member("tier", e.tier);
        io.member("requestedType", e.requestedType, restartPolicyTypes);
        io.member("effectiveType", e.effectiveType, restartPolicyTypes);
    }
    static QString text(const PolicyDowngraded &e);
};

template<>
struct EventRow<HealthChanged>
{
    static constexpr QLatin1String type{"health.changed"};
    template<typename Event>
    static void fields(auto &io, Event &e)
    {
        io.member("oldState", e.oldState, agentHealthStates);
        io.member("newState", e.health.state, agentHealthStates);
        io.member("consecutiveMisses", e.health.consecutiveMisses);
        if constexpr (std::is_const_v<Event>) {
            io.member("probe", probeOf(e));
        } else {
            QString probe;
            io.member("probe", probe);
            if (!probe.isEmpty())
                e.health.history = {ProbeResult{.probe = probe}};
        }
        io.member("detail", e.health.detail);
    }
    static QString text(const HealthChanged &e);

private:
    /// After a new start, the history belongs to the start before.
    static QString probeOf(const HealthChanged &e)
    {
        return e.health.state == AgentHealthStatus::State::Unknown ? QString()
                                                                   : e.health.latest().probe;
    }
};

template<>
struct EventRow<AgentOutput>
{
    static constexpr QLatin1String type{"agent.output"};
    static constexpr std::array<EnumName<AgentOutput::Stream>, 2> streams = {{
        {AgentOutput::Stream::Output, QLatin1String("stdout")},
        {AgentOutput::Stream::Error, QLatin1String("stderr")},
    }};
    static void fields(auto &io, auto &e)
    {
        io.member("stream", e.stream, streams);
        io.member("line", e.line);
        io.member("cut", e.cut);
        io.member("dropped", e.dropped);
    }
    static QString text(const AgentOutput &e)
    {
        return nameOf(streams, e.stream) + QLatin1String(": ") + e.line;
    }
};

template<>
struct EventRow<OperatorAction>
{
    static constexpr QLatin1String type{"operator.action"};
    static void fields(auto &io, auto &e)
    {
        io.member("request", e.request);
        io.member("reason", e.reason);
        io.member("uid", e.userId);
        io.member("clientPid", e.clientProcessId);
        io.member("program", e.program);
        io.unlessEmpty("shared", e.sharedBreaker);
    }
    static QString text(const OperatorAction &e);
};

template<>
struct EventRow<ConfigurationApplied>
{
    static constexpr QLatin1String type{"configuration.applied"};
    using Change = ConfigurationApplied::Change;
    static constexpr std::array<EnumName<Change>, 4> changes = {{
        {Change::Added, QLatin1String("added")},
        {Change::Removed, QLatin1String("removed")},
        {Change::Restarted, QLatin1String("restarted")},
        {Change::Updated, QLatin1String("updated")},
    }};
    static void fields(auto &io, auto &e)
    {
        io.member("change", e.change, changes);
        io.member("parts", e.parts);
    }
    static QString text(const ConfigurationApplied &e)
    {
        return Words::tr("configuration applied: %1").arg(Words::ofData(nameOf(changes, e.change)));
    }
};

template<>
struct EventRow<GroupRestarting>
{
    static constexpr QLatin1String type{"group.restarting"};
    static void fields(auto &io, auto &e)
    {
        io.member("group", e.group);
        io.member("strategy", e.strategy, groupStrategies);
        io.member("members", e.members);
    }
    static QString text(const GroupRestarting &e)
    {
        return Words::tr("group %1 restarts %2").arg(e.group, e.members.join(QLatin1String(", ")));
    }
};

template<>
struct EventRow<GroupExhausted>
{
    static constexpr QLatin1String type{"group.exhausted"};
    static void fields(auto &io, auto &e)
    {
        io.member("group", e.group);
        io.member("members", e.members);
    }
    static QString text(const GroupExhausted &e)
    {
        return Words::tr("group %1 has given up").arg(e.group);
    }
};

template<>
struct EventRow<SharedBreakerStateChanged>
{
    static constexpr QLatin1String type{"sharedbreaker.changed"};
    static void fields(auto &io, auto &e)
    {
        io.member("breaker", e.breaker);
        io.member("oldState", e.oldState, circuitBreakerStates);
        io.member("newState", e.newState, circuitBreakerStates);
        io.member("resetDelayMs", e.resetDelay);
        io.unlessEmpty("restored", e.restored);
    }
    static QString text(const SharedBreakerStateChanged &e);
};

/// An event that was read from JSON.
struct DecodedEvent
{
    LifecycleEvent event;
    bool hasUnknownName = false; ///< a value of an enum is one of a newer version
};

/// The same as eventFromJson().
[[nodiscard]] std::optional<DecodedEvent> decodeEvent(const QString &type, const QByteArray &json);

/// Passes all fields of an event, except the header's, to `io`. `Event` is const to write.
template<typename Event>
void visitFields(auto &io, Event &event)
{
    if constexpr (requires { event.generation; })
        io.member("generation", event.generation);
    if constexpr (requires { event.attemptNumber; })
        io.member("attemptNumber", event.attemptNumber);
    EventRow<std::remove_const_t<Event>>::fields(io, event);
}

} // namespace Rekindle
