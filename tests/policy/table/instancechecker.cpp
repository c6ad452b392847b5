// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "instancechecker.h"

#include <rekindle/policy/instancememory.h>

#include <algorithm>

namespace Rekindle {

using enum InputKind;
using State = InstanceState;
using EventKind = InstanceEvent::Kind;
using namespace std::chrono_literals;

namespace {

bool hasGeneration(InputKind kind)
{
    return isOneOf(kind,
                   {Started, ExtendStart, Ready, Failed, Unhealthy, Exited, ExitedForRestart,
                    RequestRestart, Verdict, Refund});
}

bool isStartRequest(InputKind kind) { return isOneOf(kind, {Start, Restart}); }

} // namespace

InstanceChecker::InstanceChecker(std::shared_ptr<const RestartPolicy> policy)
    : m_instance(policy)
{
    m_instance.evaluatorAvailable = true;
    adopt(*policy);
    m_leastInterval = policy->minInterval;
}

void InstanceChecker::expect(bool holds, const char *rule) const
{
    if (!holds && m_fault.isEmpty())
        m_fault = QLatin1String(rule);
}

void InstanceChecker::adopt(const RestartPolicy &policy)
{
    m_breaker.policy = policy.circuitBreaker;
    m_leastInterval = std::min(m_leastInterval, policy.minInterval);
    // A window that is off stores nothing, a smaller one only the newest starts.
    const std::size_t kept = policy.window ? static_cast<std::size_t>(policy.window->restarts) : 0;
    while (m_automaticStarts.size() > kept)
        m_automaticStarts.erase(m_automaticStarts.begin());
}

void InstanceChecker::apply(InputKind kind, bool ofThisGeneration)
{
    InstanceInput input;
    input.kind = kind;
    input.generation = m_generation - (ofThisGeneration ? 0 : 1);
    apply(input);
}

void InstanceChecker::passToDeadline()
{
    if (m_instance.deadline)
        m_now = std::max(m_now, *m_instance.deadline);
    apply(Deadline);
}

void InstanceChecker::killHost()
{
    if (!m_fault.isEmpty())
        return;
    const InstanceMemory memory = remember(m_instance, m_now);
    const bool gated = std::exchange(m_instance, Instance(m_instance.policy)).gated;
    m_instance.evaluatorAvailable = true;
    m_instance.gated = gated;
    m_generation = 0;
    m_open = m_scheduled = 0;
    m_alive = m_launchRequested = false;
    m_holds = m_emittedHolds = {};
    m_launchFailedAt.reset(); // the state file does not store it
    m_failedAttempt = false;
    m_breakerAtFailure = CircuitBreakerState::Closed;
    m_emittedBreakerState = CircuitBreakerState::Closed;
    m_breaker.restore(m_now);
    const bool hadEnded = !memory.stoppedByOperator && !memory.givenUpByGroup
        && (memory.state == State::Stopped
            || (memory.state == State::Stopping && memory.planned != PlannedStart::Requested
                && memory.planned != PlannedStart::Group));
    if (hadEnded) { // counts as a start by an operator, except that an isolation stays
        m_wantedByOperator = true;
        m_breaker.clearFailures();
    }
    InstanceInput input;
    input.kind = Resume;
    input.memory = &memory;
    apply(input);
    expect(!memory.stoppedByOperator || m_instance.state == State::Stopped,
           "an agent that an operator has stopped stays stopped");
    expect(!memory.givenUpByGroup || m_instance.state == State::Exhausted,
           "an agent whose group has given up stays so");
}

void InstanceChecker::apply(InstanceInput input, double draw)
{
    if (!m_fault.isEmpty())
        return;
    const Instance before = m_instance;
    const bool stale = hasGeneration(input.kind) && input.generation != m_generation;
    const bool premature = input.kind == Deadline && (!before.deadline || m_now < *before.deadline);
    static const Failure crash{FailureReason::ProcessCrash, {}};
    if (!input.failure)
        input.failure = &crash;
    const Outcome outcome = InstanceTable::apply(m_instance, input, m_now, draw);
    m_reached[{before.state, input.kind}].insert(m_instance.state);

    expect(outcome.stale == stale, "only reports of another generation are stale");
    if (stale || premature || outcome.refused) {
        checkNothingHappened(before, outcome);
        return;
    }
    expect(m_instance.generation == before.generation + (input.kind == Launch ? 1 : 0),
           "only a launch increases the generation, by one");
    m_plannedBefore = before.planned;
    beforeEvents(input, before.state);
    checkEvents(input, outcome);
    expect(m_declined
               == (m_instance.state != before.state
                   && isOneOf(m_instance.state, {State::Failed, State::Gated})),
           "RestartDeclined is emitted when the agent begins to stay down");
    afterEvents(input, before.state);
    checkOrders(input, outcome, before.state);
    if (!m_instance.startDue || !m_holds)
        m_emittedHolds = {};
    checkState(input);
}

void InstanceChecker::checkNothingHappened(const Instance &before, const Outcome &outcome) const
{
    const Instance &after = m_instance;
    expect(outcome.eventCount == 0 && !outcome.launch && !outcome.evaluate
               && outcome.stop == Outcome::Stop::No,
           "a stale, premature or refused input has no effect");
    expect(before.state == after.state && before.deadline == after.deadline
               && before.generation == after.generation && before.attempt == after.attempt
               && before.planned == after.planned && before.startDue == after.startDue
               && before.processAlive == after.processAlive
               && before.breaker.generation() == after.breaker.generation()
               && before.breaker.failureCount() == after.breaker.failureCount(),
           "a stale, premature or refused input changes nothing");
}

// The meaning of an input, before its events are checked.
void InstanceChecker::beforeEvents(const InstanceInput &input, State before)
{
    m_failed = m_succeeded = m_collateral = m_refunded = m_declined = false;
    const bool isFirstStart = input.kind == Resume && before == State::Stopped && !input.memory;
    if (isStartRequest(input.kind) || isFirstStart) {
        if (m_breaker.isolated)
            m_breaker.setIsolated(false);
        m_breaker.clearFailures();
        if (runs(before) && input.kind != Restart)
            m_begun = 0;
        else
            m_wantedByOperator = true;
    }
    if (input.kind == Deadline && before == State::Exhausted)
        m_begun = 0; // rearmed: a new sequence
    if (input.kind == ChangePolicy)
        adopt(*input.policy);
    if (isOneOf(input.kind, {ResetBreaker, ReleaseBreaker}) && before == State::CircuitOpen)
        m_freedByOperator = true;
    if (isOneOf(input.kind, {Failed, Exited, ExitedForRestart}))
        m_alive = false;
    if (input.kind == AddHolds)
        m_holds |= input.holds;
    if (input.kind == LiftHolds)
        m_holds &= ~input.holds;
    if (input.kind == GroupStop
        && (runs(before) || m_plannedBefore != PlannedStart::None || before == State::Evaluating))
        m_holds |= input.holds;
    if (input.kind == Refund) {
        const bool wasGivenUp = before == State::Exhausted && !m_instance.givenUpByGroup;
        m_refunded =
            before == State::Evaluating || wasGivenUp || m_plannedBefore == PlannedStart::Attempt;
        const bool isHeld = isOneOf(before, {State::Waiting, State::CircuitOpen});
        if (m_refunded || isHeld)
            m_holds |= input.holds;
    }
    if (input.kind == Launch)
        checkLaunch();
}

void InstanceChecker::checkLaunch()
{
    expect(!m_alive, "at most one live process");
    expect(!m_holds, "no start while a hold is set");
    expect(m_launchRequested, "every launch was requested");
    const bool byHand = m_wantedByOperator || m_freedByOperator;
    if (m_breaker.state() == CircuitBreakerState::Open) {
        expect(m_wantedByOperator || (!m_breaker.isolated && m_now >= m_breaker.until),
               "no start while the breaker is open");
    }
    if (m_lastStart && !byHand)
        expect(m_now - *m_lastStart >= m_leastInterval, "minInterval between two starts");
    if (m_launchFailedAt && !byHand)
        expect(m_now - *m_launchFailedAt >= 100ms, "a pause after a failed launch");
    if (m_wantedByOperator)
        m_begun = 0;
    ++m_generation;
    m_alive = true;
    m_launchRequested = false;
    m_emittedStarted = m_emittedReady = m_emittedStable = m_emittedFailed = false;
    m_lastStart = m_now;
    m_launchFailedAt.reset();
    m_leastInterval = m_instance.policy->minInterval;
}

void InstanceChecker::checkEvents(const InstanceInput &input, const Outcome &outcome)
{
    bool isRequested = false;
    for (int i = 0; i < outcome.eventCount; ++i) {
        const InstanceEvent &event = outcome.events[static_cast<std::size_t>(i)];
        switch (event.kind) {
        case EventKind::AgentStarted:
            expect(!std::exchange(m_emittedStarted, true), "AgentStarted once per start");
            break;
        case EventKind::AgentReady:
            expect(m_emittedStarted, "AgentStarted before AgentReady");
            expect(!std::exchange(m_emittedReady, true), "AgentReady once per start");
            break;
        case EventKind::AgentStable:
            expect(m_emittedReady && !std::exchange(m_emittedStable, true),
                   "AgentStable once per start, after AgentReady");
            m_begun = 0;
            m_succeeded = true;
            break;
        case EventKind::AgentFailed:
            expect(i == 0 && outcome.failed, "AgentFailed comes first");
            expect(!std::exchange(m_emittedFailed, true), "AgentFailed once per start");
            m_failed = true;
            m_collateral = event.collateral;
            if (!m_collateral) {
                m_failedAttempt = m_open != 0;
                m_breakerAtFailure = m_breaker.beneath;
            }
            expect(m_collateral
                       == (!m_instance.lastPermanent
                           && (m_holds & (Hold::Group | Hold::SharedBreaker)) != Holds()),
                   "a failure is collateral because of the group or a shared breaker");
            if (!m_emittedStarted)
                m_launchFailedAt = m_now;
            break;
        case EventKind::CircuitBreakerStateChanged:
            expect(event.oldState == m_emittedBreakerState
                       && event.newState != m_emittedBreakerState,
                   "breaker events chain");
            m_emittedBreakerState = event.newState;
            break;
        case EventKind::RestartRequested:
            expect(!std::exchange(isRequested, true), "RestartRequested once per request");
            break;
        case EventKind::StartHeld:
            expect(event.holds == m_holds && m_holds, "StartHeld names the holds that are set");
            expect(event.holds != std::exchange(m_emittedHolds, event.holds)
                       || !isOneOf(input.kind, {AddHolds, LiftHolds}),
                   "StartHeld is emitted for another start or a change");
            break;
        case EventKind::AgentStopped:
            break;
        default:
            checkAttempt(input, event);
        }
    }
    expect(isRequested || input.kind != Restart, "every restart by an operator is emitted");
}

void InstanceChecker::checkAttempt(const InstanceInput &input, const InstanceEvent &event)
{
    const RestartPolicy &policy = *m_instance.policy;
    switch (event.kind) {
    case EventKind::RestartScheduled:
        expect(m_open == 0, "nothing is scheduled before the attempt in flight has ended");
        expect(event.attempt == m_begun + 1, "attempt numbers are consecutive");
        expect(event.trial == (m_instance.breaker.state() == CircuitBreakerState::Open),
               "the next attempt of an open breaker is a trial");
        m_scheduled = event.attempt;
        break;
    case EventKind::RestartStarted:
        expect(m_scheduled == event.attempt, "each attempt was scheduled");
        m_scheduled = 0;
        expect(input.kind == Launch, "an attempt begins with a launch");
        expect(m_open == 0, "an attempt ends before the next begins");
        expect(!m_wantedByOperator, "a start by an operator is no attempt");
        expect(event.attempt == m_begun + 1, "attempt numbers are consecutive");
        expect(!policy.maxRetries || event.attempt <= *policy.maxRetries,
               "never more than maxRetries automatic starts in a sequence");
        expect(policy.effectiveType() != RestartPolicyType::None, "type none restarts nothing");
        expect(m_breaker.beneath != CircuitBreakerState::HalfOpen, "one trial at a time");
        m_open = m_begun = event.attempt;
        checkWindow();
        break;
    case EventKind::RestartSucceeded:
        expect(m_emittedReady, "an attempt succeeds at ready");
        [[fallthrough]];
    case EventKind::RestartFailed:
        expect(m_open != 0 && event.attempt == m_open, "only the attempt in flight can end");
        expect(event.kind == EventKind::RestartSucceeded || m_emittedFailed,
               "an attempt fails after its agent");
        m_open = 0;
        break;
    case EventKind::RestartCancelled:
        expect(m_open != 0 ? event.attempt == m_open
                           : event.attempt == 0 || event.attempt == m_begun + 1,
               "only an attempt in flight or planned can be cancelled");
        if (m_open == 0 && event.attempt != 0)
            expect(std::exchange(m_scheduled, 0) == event.attempt,
                   "what is cancelled was scheduled");
        m_open = 0;
        break;
    case EventKind::RestartExhausted:
        expect(m_open == 0, "the attempt in flight ends before exhaustion");
        expect(event.attempt == m_begun, "exhaustion reports the attempts made");
        break;
    case EventKind::RestartDeclined:
        expect(m_open == 0 && m_scheduled == 0, "no attempt is left when a restart is declined");
        expect(
            m_instance.state
                == (event.cause == RestartDeclined::Cause::License ? State::Gated : State::Failed),
            "a declined agent stays down");
        m_declined = true;
        break;
    default:
        expect(false, "no such event");
    }
}

void InstanceChecker::checkWindow()
{
    const std::optional<RestartWindow> &window = m_instance.policy->window;
    if (!window)
        return;
    m_automaticStarts.push_back(m_now);
    const auto recent =
        std::count_if(m_automaticStarts.begin(), m_automaticStarts.end(),
                      [&](Instant start) { return m_now - start <= window->period; });
    expect(m_freedByOperator || recent <= window->restarts, "the window is never exceeded");
    // A start by an operator can exceed the window by one.
    if (m_automaticStarts.size() > static_cast<std::size_t>(window->restarts))
        m_automaticStarts.erase(m_automaticStarts.begin());
}

// Applies the result of the input to the reference breaker.
void InstanceChecker::afterEvents(const InstanceInput &input, State before)
{
    if (m_failed && !m_collateral)
        m_breaker.fail(m_now);
    if (m_refunded) {
        if (std::exchange(m_failedAttempt, false)) {
            m_begun = std::max(0, m_begun - 1);
            if (!m_automaticStarts.empty())
                m_automaticStarts.pop_back();
        }
        m_breaker.forgetFailure(m_breakerAtFailure, m_now);
    }
    if (input.kind == Success && before == State::Stopped)
        m_breaker.admit(m_now);
    if (m_succeeded || (input.kind == Success && isOneOf(before, {State::Stopped, State::Running})))
        m_breaker.succeed();
    const bool noEvidence = input.kind == Stop || (input.kind == Restart && runs(before))
        || (input.kind == Exited && runs(before) && !m_failed)
        || (input.kind == GroupStop && m_plannedBefore != PlannedStart::Operator
            && (runs(before)
                || isOneOf(before, {State::Waiting, State::CircuitOpen, State::Evaluating})));
    const bool givesUp = input.kind == GiveUp
        && (runs(before) || isOneOf(before, {State::Waiting, State::CircuitOpen, State::Evaluating})
            || (before == State::Stopping && m_plannedBefore != PlannedStart::None));
    if (noEvidence || givesUp || m_collateral)
        m_breaker.ignore(m_now);
    if (input.kind == Verdict && before == State::Evaluating
        && input.verdict.kind == EvaluatorVerdict::Kind::OpenBreaker)
        m_breaker.trip(m_now);
    if (input.kind == Launch)
        m_breaker.beginTrial();
    if (input.kind == ResetBreaker)
        m_breaker.reset();
    if (input.kind == IsolateBreaker || input.kind == ReleaseBreaker)
        m_breaker.setIsolated(input.kind == IsolateBreaker);
    expect(m_emittedBreakerState == m_breaker.state(),
           "breaker events match the changes of the breaker");
    expect(m_instance.breaker.state() == m_breaker.state(), "the breaker matches the reference");
    if (m_breaker.state() == CircuitBreakerState::Open && !m_breaker.isolated)
        expect(m_instance.breaker.resetAt() == m_breaker.until,
               "the reset time matches the reference");
}

void InstanceChecker::checkOrders(const InstanceInput &input, const Outcome &outcome, State before)
{
    const bool kills = outcome.stop == Outcome::Stop::AtOnce;
    expect(outcome.stop == Outcome::Stop::No || m_alive, "only a live process is stopped");
    expect(kills == (m_failed && m_alive), "a failed live process is killed");
    if (runs(before) && isOneOf(input.kind, {Stop, Restart, RequestRestart, GroupStop, GiveUp}))
        expect(outcome.stop == Outcome::Stop::InOrder, "a running agent is stopped in order");
    if (outcome.launch) {
        expect(!m_alive, "a launch is requested after the old process has exited");
        expect(!m_holds, "a launch is requested after the last hold is lifted");
    }
    m_launchRequested = m_instance.startDue && !m_holds && (m_launchRequested || outcome.launch);
    if (isOneOf(input.kind, {Stop, Launch, GiveUp}))
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
        expect(*i.deadline <= *i.lastStartAt + 10 * i.policy->startTimeout,
               "a start lasts at most ten times its timeout");
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
    expect(!i.startDue || m_alive || m_holds || m_launchRequested,
           "a due start without an old process and a hold is launched");
    expect(i.holds == m_holds, "the holds match the inputs");
    expect(m_emittedHolds == (i.startDue ? m_holds : Holds()), "every held start is emitted");
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
    if (m_holds) {
        InstanceInput input;
        input.kind = LiftHolds;
        input.holds = m_holds;
        ahead.apply(input);
    }
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
