// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/control/controlmessages.h>
#include <rekindle/models/agentevent.h>
#include <rekindle/policy/eventtext.h>

#include <variant>

namespace Rekindle {

namespace {

using Severity = AgentEvent::Severity;

struct SeverityOfEvent
{
    Severity operator()(const AgentFailed &event) const
    {
        return event.collateral ? Severity::Warning : Severity::Error;
    }
    Severity operator()(const RestartExhausted & /*event*/) const { return Severity::Error; }
    Severity operator()(const RestartDeclined & /*event*/) const { return Severity::Error; }
    Severity operator()(const GroupExhausted & /*event*/) const { return Severity::Error; }
    Severity operator()(const CircuitBreakerStateChanged &event) const
    {
        return ofBreaker(event.newState);
    }
    Severity operator()(const SharedBreakerStateChanged &event) const
    {
        return ofBreaker(event.newState);
    }
    Severity operator()(const HealthChanged &event) const
    {
        return event.health.state == AgentHealthStatus::State::Unhealthy ? Severity::Warning
                                                                         : Severity::Info;
    }
    // The failure itself is an event of its own.
    Severity operator()(const RestartFailed & /*event*/) const { return Severity::Warning; }
    Severity operator()(const StartHeld & /*event*/) const { return Severity::Warning; }
    Severity operator()(const PolicyDowngraded & /*event*/) const { return Severity::Warning; }
    Severity operator()(const GroupRestarting & /*event*/) const { return Severity::Warning; }
    Severity operator()(const EventHeader & /*event*/) const { return Severity::Info; }

    static Severity ofBreaker(CircuitBreakerState state)
    {
        return state == CircuitBreakerState::Open ? Severity::Error : Severity::Info;
    }
};

} // namespace

Severity severityOf(const LifecycleEvent &event) { return std::visit(SeverityOfEvent{}, event); }

AgentEvent AgentEvent::of(const LifecycleEvent &event)
{
    const EventHeader &common = header(event);
    return {.instanceId = common.instanceId,
            .agent = common.agent,
            .type = eventType(event),
            .time = common.time,
            .severity = severityOf(event),
            .text = eventText(event)};
}

AgentEvent AgentEvent::of(const ControlEvent &event)
{
    if (const std::optional<LifecycleEvent> known = event.event())
        return of(*known);
    return {.agent = event.agent,
            .type = event.type,
            .time = event.time,
            .text = eventText(event.type, event.data)};
}

} // namespace Rekindle
