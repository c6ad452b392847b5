// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "instancechecker.h"

#include <algorithm>

// What must hold after every input, whatever the events were.

namespace Rekindle {

using enum InputKind;
using State = InstanceState;
using EventKind = InstanceEvent::Kind;

void InstanceChecker::checkOrders(const InstanceInput &input, const Outcome &outcome, State before)
{
    const bool kills = outcome.stop == Outcome::Stop::AtOnce;
    expect(outcome.stop == Outcome::Stop::No || m_alive, "only what lives is stopped");
    expect(kills == (m_failed && m_alive), "what has failed and lives is killed");
    if (runs(before) && isOneOf(input.kind, {Stop, Restart, RequestRestart}))
        expect(outcome.stop == Outcome::Stop::InOrder, "what runs and shall end is stopped");
    if (outcome.launch)
        expect(!m_alive, "a launch is asked for when the old process is gone");
    m_launchAsked = m_instance.startDue && (m_launchAsked || outcome.launch);
    if (input.kind == Stop || input.kind == Launch)
        m_wantedByOperator = m_freedByOperator = false;

    for (int i = 0; i < outcome.eventCount; ++i) {
        const InstanceEvent &event = outcome.events[static_cast<std::size_t>(i)];
        if (event.kind == EventKind::RestartFailed && m_failed) {
            expect(event.willRetry
                       == isOneOf(m_instance.state, {State::Waiting, State::CircuitOpen}),
                   "willRetry tells whether a restart comes");
        }
    }
}

void InstanceChecker::checkState(const InstanceInput &input) const
{
    const Instance &i = m_instance;
    expect(i.processAlive == m_alive, "it knows whether its process lives");
    expect(i.openAttempt == m_open, "it knows the attempt under way");
    const bool waits = i.deadline || i.startDue;
    switch (i.state) {
    case State::Stopped:
        expect(!m_alive, "nothing lives when stopped");
        expect(!waits, "nothing is planned when stopped");
        break;
    case State::Starting:
        expect(m_alive && i.deadline, "a start has a timeout");
        break;
    case State::Running:
        expect(m_alive && m_toldReady, "what runs is ready");
        expect(i.deadline || m_toldStable, "what runs becomes stable");
        break;
    case State::Waiting:
        expect(waits, "Waiting has a next deadline");
        break;
    case State::CircuitOpen:
        expect(waits || m_breaker.isolated, "CircuitOpen has a next deadline");
        expect(!(waits && m_breaker.isolated), "isolated, nothing starts by itself");
        break;
    case State::Evaluating:
        expect(i.deadline.has_value(), "Evaluating has a next deadline");
        break;
    case State::Stopping:
        expect(m_alive, "Stopping waits for a process");
        expect(!waits, "nothing is due before it has ended");
        break;
    case State::Exhausted:
        expect(!i.deadline || i.policy->rearmAfter, "only rearmAfter ends exhaustion");
        break;
    case State::Failed:
    case State::Gated:
        expect(!waits, "nothing is planned when given up");
        break;
    }
    expect(!i.startDue || m_alive || m_launchAsked, "what is due and free is launched");
    expect(m_open == 0 || isOneOf(i.state, {State::Starting, State::Evaluating}),
           "no attempt outlives its start");
    if (m_breaker.state() == CircuitBreakerState::HalfOpen) {
        expect(isOneOf(i.state, {State::Starting, State::Running, State::Waiting, State::Stopping}),
               "half-open has a probe under way");
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
        if (ahead.m_launchAsked)
            ahead.give(Launch);
        else if (ahead.m_alive && !runs(ahead.m_instance.state))
            ahead.give(Failed);
        else
            ahead.passToDeadline();
    }
    expect(ahead.m_fault.isEmpty(), qPrintable(ahead.m_fault));
    expect(!isHalfOpen(), "half-open never sticks");
}

void InstanceChecker::stopAndCheck()
{
    give(Stop);
    if (m_alive)
        give(Failed);
    expect(m_instance.state == State::Stopped, "after a stop it is stopped once its process ended");
    expect(m_breaker.state() != CircuitBreakerState::HalfOpen, "no probe is left behind");
}

} // namespace Rekindle
