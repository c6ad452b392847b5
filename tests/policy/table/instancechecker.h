// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "policy/breaker/referencebreaker.h"

#include <rekindle/policy/instancetable.h>

#include <QString>

#include <algorithm>
#include <initializer_list>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace Rekindle {

bool isOneOf(auto value, std::initializer_list<decltype(value)> values)
{
    return std::find(values.begin(), values.end(), value) != values.end();
}

inline bool runs(InstanceState state)
{
    return isOneOf(state, {InstanceState::Starting, InstanceState::Running});
}

/// Applies inputs to the instance table and checks the rules of spec 3 after each. It derives its
/// expectations from inputs and events, not from the data of the instance. It stops at the first
/// fault.
class InstanceChecker
{
public:
    explicit InstanceChecker(std::shared_ptr<const RestartPolicy> policy);

    void apply(InstanceInput input, double draw = 0.5);
    void apply(InputKind kind, bool ofThisGeneration = true);
    void pass(Duration time) { m_now += time; }
    /// Advances to the deadline, if there is one, and applies it.
    void passToDeadline();

    /// Kills the host; another one continues from the stored state.
    void killHost();

    /// A launch was requested and has not happened.
    [[nodiscard]] bool launchRequested() const { return m_launchRequested; }

    /// Continues a copy with an agent that never becomes ready: half-open must end.
    void checkThatHalfOpenEnds() const;
    /// Stops it and ends the process: nothing may remain pending.
    void stopAndCheck();

    /// For each pair of state and input that occurred, the states that followed.
    using Cells = std::map<std::pair<InstanceState, InputKind>, std::set<InstanceState>>;
    [[nodiscard]] const Cells &reached() const { return m_reached; }

    [[nodiscard]] const Instance &instance() const { return m_instance; }
    [[nodiscard]] QString fault() const { return m_fault; }

private:
    void expect(bool holds, const char *rule) const;
    void checkNothingHappened(const Instance &before, const Outcome &outcome) const;
    void beforeEvents(const InstanceInput &input, InstanceState before);
    void checkLaunch();
    void checkEvents(const InstanceInput &input, const Outcome &outcome);
    void checkAttempt(const InstanceInput &input, const InstanceEvent &event);
    void checkWindow();
    void afterEvents(const InstanceInput &input, InstanceState before);
    void checkOrders(const InstanceInput &input, const Outcome &outcome, InstanceState before);
    void checkState(const InstanceInput &input) const;
    void adopt(const RestartPolicy &policy);

    Instance m_instance;
    Cells m_reached;
    Instant m_now{std::chrono::hours(1)};
    mutable QString m_fault;

    ReferenceBreaker m_breaker;
    CircuitBreakerState m_emittedBreakerState = CircuitBreakerState::Closed;
    std::vector<Instant> m_automaticStarts; // while a window applies
    std::optional<Instant> m_lastStart;
    std::optional<Instant> m_launchFailedAt; // before AgentStarted was emitted
    Duration m_leastInterval{0};             // of the policies since the last start
    quint64 m_generation = 0;
    int m_begun = 0;     // automatic starts of the sequence
    int m_open = 0;      // the attempt that has not ended
    int m_scheduled = 0; // the attempt that has not begun
    bool m_alive = false;
    bool m_launchRequested = false;
    Holds m_holds;
    Holds m_emittedHolds;                              // of the start that is due
    PlannedStart m_plannedBefore = PlannedStart::None; // before the input
    bool m_wantedByOperator = false; // the next start is no attempt and has no limits
    bool m_freedByOperator = false;  // reset or release: the next start is immediate
    bool m_failed = false;           // emitted for this input
    bool m_collateral = false;       // of this failure
    bool m_refunded = false;         // by this input
    bool m_declined = false;         // emitted for this input
    bool m_failedAttempt = false;    // the last start that failed was automatic
    CircuitBreakerState m_breakerAtFailure = CircuitBreakerState::Closed; // before it
    bool m_succeeded = false; // stable was emitted for this input
    bool m_emittedStarted = false;
    bool m_emittedReady = false;
    bool m_emittedStable = false;
    bool m_emittedFailed = false;
};

} // namespace Rekindle
