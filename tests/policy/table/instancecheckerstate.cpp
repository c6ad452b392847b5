// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "instancechecker.h"

#include <algorithm>

// Rules that hold after every input, independent of the events.

namespace Rekindle {

using enum InputKind;
using State = InstanceState;
using EventKind = InstanceEvent::Kind;

void InstanceChecker::checkOrders(const InstanceInput &input, const Outcome &outcome, State before)
{
    const bool kills = outcome.stop == Outcome::Stop::AtOnce;
    expect(outcome.stop == Outcome::Stop::No || m_alive, "only a live process is stopped");
    expect(kills == (m_failed && m_alive), "a failed live process is killed");
    if (runs(before) && isOneOf(input.kind, {Stop, Restart, RequestRestart}))
        expect(outcome.stop == Outcome::Stop::InOrder, "a running agent is stopped in order");
    if (outcome.launch)
        expect(!m_alive, "a launch is requested after the old process has exited");
    m_launchRequested = m_instance.startDue && (m_launchRequested || outcome.launch);
    if (input.kind == Stop || input.kind == Launch)
        m_wantedByOperator = m_freedByOperator = false;

    for (int i = 0; i < outcome.eventCount; ++i) {
        const InstanceEvent &event = outcome.events[static_cast<std::size_t>(i)];
        if (event.kind == EventKind::RestartFailed && m_failed) {
            expect(event.willRetry
                       == isOneOf(m_instance.state, {State::Waiting, State::CircuitOpen}),
                   "willRetry matches whether a restart follows");
        }
    }
}

void InstanceChecker::checkState(const InstanceInput &input) const
{
    const Instance &i = m_instance;
    expect(i.processAlive == m_alive, "processAlive matches the process");
    expect(i.openAttempt == m_open, "openAttempt matches the attempt in flight");
    const bool waits = i.deadline || i.startDue;
    switch (i.state) {
    case State::Stopped:
        expect(!m_alive, "no process is alive when stopped");
        expect(!waits, "nothing is planned when stopped");
        break;
    case State::Starting:
        expect(m_alive && i.deadline, "a start has a timeout");
        break;
    case State::Running:
        expect(m_alive && m_emittedReady, "a running agent is ready");
        expect(i.deadline || m_emittedStable, "a running agent becomes stable");
        break;
    case State::Waiting:
        expect(waits, "Waiting has a next deadline");
        break;
    case State::CircuitOpen:
        expect(waits || m_breaker.isolated, "CircuitOpen has a next deadline");
        expect(!(waits && m_breaker.isolated), "no automatic start while isolated");
        break;
    case State::Evaluating:
        expect(i.deadline.has_value(), "Evaluating has a next deadline");
        break;
    case State::Stopping:
        expect(m_alive, "Stopping waits for a process");
        expect(!waits, "nothing is due before the process has exited");
        break;
    case State::Exhausted:
        expect(!i.deadline || i.policy->rearmAfter, "only rearmAfter ends exhaustion");
        break;
    case State::Failed:
    case State::Gated:
        expect(!waits, "nothing is planned when given up");
        break;
    }
    expect(!i.startDue || m_alive || m_launchRequested,
           "a due start without an old process is launched");
    expect(m_open == 0 || isOneOf(i.state, {State::Starting, State::Evaluating}),
           "no attempt outlives its start");
    if (m_breaker.state() == CircuitBreakerState::HalfOpen) {
        expect(isOneOf(i.state, {State::Starting, State::Running, State::Waiting, State::Stopping}),
               "half-open has a trial in flight");
    }
    if (input.kind == Stop) {
        expect(isOneOf(i.state, {State::Stopped, State::Stopping}), "a stop always works");
        expect(i.planned == PlannedStart::None && !i.deadline && m_open == 0,
               "a stop cancels what is pending");
    }
}

void InstanceChecker::checkThatHalfOpenEnds() const
{
    InstanceChecker ahead = *this;
    const auto isHalfOpen = [&] {
        return ahead.m_breaker.state() == CircuitBreakerState::HalfOpen;
    };
    for (int step = 0; step < 20 && isHalfOpen() && ahead.m_fault.isEmpty(); ++step) {
        if (ahead.m_launchRequested)
            ahead.apply(Launch);
        else if (ahead.m_alive && !runs(ahead.m_instance.state))
            ahead.apply(Failed);
        else
            ahead.passToDeadline();
    }
    expect(ahead.m_fault.isEmpty(), qPrintable(ahead.m_fault));
    expect(!isHalfOpen(), "half-open always ends");
}

void InstanceChecker::stopAndCheck()
{
    apply(Stop);
    if (m_alive)
        apply(Failed);
    expect(m_instance.state == State::Stopped,
           "an agent is Stopped after stop and the exit of its process");
    expect(m_breaker.state() != CircuitBreakerState::HalfOpen, "no trial remains in flight");
}

} // namespace Rekindle
