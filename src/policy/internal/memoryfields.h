// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/enums.h>
#include <rekindle/policy/instancememory.h>

#include <array>

/// The members of an InstanceMemory in a file, for MemberWriter and MemberReader.
namespace Rekindle::MemoryFields {

inline constexpr std::array<EnumName<PlannedStart>, 5> plannedStarts = {{
    {PlannedStart::None, QLatin1String("none")},
    {PlannedStart::Operator, QLatin1String("operator")},
    {PlannedStart::Attempt, QLatin1String("attempt")},
    {PlannedStart::Requested, QLatin1String("requested")},
    {PlannedStart::Group, QLatin1String("group")},
}};

void describeBreaker(auto &members, auto &breaker)
{
    members.field("state", breaker.state, circuitBreakerStates);
    members.field("isolated", breaker.isolated);
    members.field("failures", breaker.failureCount);
    members.field("reopened", breaker.reopened);
    if (breaker.state != CircuitBreakerState::Closed) {
        members.field("openedAtNs", breaker.openedAt);
        members.field("resetAtNs", breaker.resetAt);
    }
    members.field("lastSuccessAtNs", breaker.lastSuccessAt);
    members.field("lastFailureAtNs", breaker.lastFailureAt);
}

void describeFailure(auto &members, auto &memory)
{
    members.field("firstAtNs", memory.firstFailureAt);
    members.field("lastAtNs", memory.lastFailureAt);
    members.field("reason", memory.lastReason, failureReasons);
    members.field("exitCode", memory.lastExitCode);
    members.field("permanent", memory.lastPermanent);
    members.field("draw", memory.draw);
    members.field("plannedDelayNs", memory.plannedDelay);
    members.field("previousDelayNs", memory.previousDelay);
}

void describeMemory(auto &members, auto &memory)
{
    members.field("state", memory.state, instanceStates);
    members.field("planned", memory.planned, plannedStarts);
    members.field("startAtNs", memory.startAt);
    members.field("lastStartAtNs", memory.lastStartAt);
    members.field("attempt", memory.attempt);
    members.field("onceReady", memory.onceReady);
    members.addedField("stoppedByOperator", memory.stoppedByOperator);
    members.addedField("givenUpByGroup", memory.givenUpByGroup);
    members.objectOrNull("failure", memory.inSequence,
                         [&memory](auto &inner) { describeFailure(inner, memory); });
    members.object("breaker", [&memory](auto &inner) { describeBreaker(inner, memory.breaker); });
    members.field("restartsAtNs", memory.restarts);
    members.field("requestsAtNs", memory.requests);
}

} // namespace Rekindle::MemoryFields
