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

/// Feeds inputs to the instance table and checks after each that the rules of spec 3 hold. What it
/// knows it takes from the inputs and from the events, not from what the instance has written down
/// about itself. The first fault is kept; after it nothing is done any more.
class InstanceChecker
{
public:
    explicit InstanceChecker(std::shared_ptr<const RestartPolicy> policy);

    void give(InstanceInput input, double draw = 0.5);
    void give(InputKind kind, bool ofThisGeneration = true);
    void pass(Duration time) { m_now += time; }
    /// To the deadline, if there is one, and gives it.
    void passToDeadline();

    /// The host is killed, and another one goes on from what it remembers.
    void killHost();

    /// The supervisor was asked to launch and has not done so.
    [[nodiscard]] bool launchAsked() const { return m_launchAsked; }

    /// Drives a copy on, with an agent that never becomes ready: half-open must be left.
    void checkThatHalfOpenEnds() const;
    /// Stops it, ends the process: nothing may be left over.
    void stopAndCheck();

    /// For each pair of state and input that came up, the states that followed.
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
    CircuitBreakerState m_toldState = CircuitBreakerState::Closed;
    std::vector<Instant> m_automaticStarts; // while a window is in force
    std::optional<Instant> m_lastStart;
    Duration m_leastInterval{0}; // of the policies since the last start
    quint64 m_generation = 0;
    int m_begun = 0; // automatic starts of the sequence
    int m_open = 0;  // the attempt that has not ended
    bool m_alive = false;
    bool m_launchAsked = false;
    bool m_wantedByOperator = false; // the start to come costs nothing and obeys no limit
    bool m_freedByOperator = false;  // reset or release: it comes at once
    bool m_failed = false;           // told in this input
    bool m_succeeded = false;        // stable told in this input
    bool m_toldStarted = false;
    bool m_toldReady = false;
    bool m_toldStable = false;
    bool m_toldFailed = false;
};

} // namespace Rekindle
