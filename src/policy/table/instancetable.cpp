// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "instancerules_p.h"

#include <algorithm>
#include <array>

// The state machine of an instance. A row is an input, a column a state; the cell names the rule
// that is applied. Every pair is written down, because ignoring an input is a decision, too. The
// rules are declared, with the states that they lead to, in instancerules_p.h.

namespace Rekindle::InstanceTable {

namespace {

using Rule = void (*)(Transition &);

struct Row
{
    InputKind input{};
    std::array<Rule, instanceStateCount> rules{}; // in the order of InstanceState
};

// Holds have the same rule in every state.
constexpr auto rowCount = static_cast<std::size_t>(InputKind::AddHolds);

// clang-format off
#define ROW(input, a, b, c, d, e, f, g, h, i, j) \
    Row{InputKind::input, {{Rules::a, Rules::b, Rules::c, Rules::d, Rules::e, Rules::f, Rules::g, Rules::h, Rules::i, Rules::j}}}

constexpr std::array<Row, rowCount> table = {
//                    Stopped  Starting          Running           Waiting    CircuitOpen  Evaluating  Stopping      Exhausted   Failed     Gated
ROW(Start,            start,   clear,            clear,            start,     start,       start,      queue,        start,      start,     start),
ROW(Stop,             ignore,  stop,             stop,             cancel,    cancel,      cancel,     unqueue,      cancel,     cancel,    cancel),
ROW(Restart,          start,   restart,          restart,          start,     start,       start,      queue,        start,      start,     start),
ROW(ResetBreaker,     reset,   reset,            reset,            reset,     resetHeld,   reset,      reset,        reset,      reset,     reset),
ROW(IsolateBreaker,   isolate, isolate,          isolate,          hold,      hold,        decideHeld, isolate,      isolate,    isolate,   isolate),
ROW(ReleaseBreaker,   release, release,          release,          release,   releaseHeld, release,    release,      release,    release,   release),
ROW(ChangePolicy,     adopt,   adopt,            adopt,            replan,    replan,      adopt,      adopt,        adoptRearm, adopt,     replan),
ROW(Launch,           refuse,  refuse,           refuse,           launch,    launch,      refuse,     refuse,       refuse,     refuse,    refuse),
ROW(Started,          ignore,  started,          ignore,           ignore,    ignore,      ignore,     ignore,       ignore,     ignore,    ignore),
ROW(ExtendStart,      ignore,  extend,           ignore,           ignore,    ignore,      ignore,     ignore,       ignore,     ignore,    ignore),
ROW(Ready,            ignore,  ready,            ignore,           ignore,    ignore,      ignore,     ignore,       ignore,     ignore,    ignore),
ROW(Failed,           ignore,  failed,           failed,           oldExited, oldExited,   oldExited,  stopped,      oldExited,  oldExited, oldExited),
ROW(Unhealthy,        ignore,  unhealthy,        unhealthy,        ignore,    ignore,      ignore,     ignore,       ignore,     ignore,    ignore),
ROW(Exited,           ignore,  exited,           exited,           oldExited, oldExited,   oldExited,  stopped,      oldExited,  oldExited, oldExited),
ROW(ExitedForRestart, ignore,  exitedForRestart, exitedForRestart, oldExited, oldExited,   oldExited,  stopped,      oldExited,  oldExited, oldExited),
ROW(RequestRestart,   refuse,  request,          request,          refuse,    refuse,      refuse,     refuse,       refuse,     refuse,    refuse),
ROW(Deadline,         ignore,  timeOut,          becomeStable,     due,       due,         noVerdict,  ignore,       rearm,      ignore,    ignore),
ROW(Verdict,          ignore,  ignore,           ignore,           ignore,    ignore,      verdict,    ignore,       ignore,     ignore,    ignore),
ROW(Success,          success, ignore,           stable,           ignore,    ignore,      ignore,     ignore,       ignore,     ignore,    ignore),
ROW(Resume,           resume,  ignore,           ignore,           ignore,    ignore,      ignore,     ignore,       ignore,     ignore,    ignore),
ROW(GroupStop,        ignore,  groupStop,        groupStop,        groupWait, groupWait,   groupAsk,   groupQueue,   ignore,     ignore,    ignore),
ROW(GiveUp,           ignore,  stopForGood,      stopForGood,      abandon,   abandon,     abandon,    abandonLater, ignore,     ignore,    ignore),
ROW(Refund,           ignore,  ignore,           ignore,           refund,    refund,      refundAsk,  ignore,       refund,     ignore,    ignore),
};
// clang-format on
#undef ROW

static_assert(std::is_sorted(table.begin(), table.end(),
                             [](const Row &a, const Row &b) { return a.input <= b.input; }),
              "one row for each input, in the order of InputKind");

Rule ruleOf(InstanceState state, InputKind input)
{
    return table[static_cast<std::size_t>(input)].rules[static_cast<std::size_t>(state)];
}

bool hasGeneration(InputKind kind)
{
    using enum InputKind;
    constexpr std::array kinds = {Started,          ExtendStart,    Ready,  Unhealthy, Exited,
                                  ExitedForRestart, RequestRestart, Failed, Verdict,   Refund};
    return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

} // namespace

Outcome apply(Instance &instance, const InstanceInput &input, Instant now, double draw)
{
    Outcome outcome;
    if (hasGeneration(input.kind) && input.generation != instance.generation) {
        ++instance.staleReports;
        outcome.stale = true;
        return outcome;
    }
    // The state may have changed since the timer was armed.
    if (input.kind == InputKind::Deadline && (!instance.deadline || now < *instance.deadline))
        return outcome;
    Transition transition{instance, input, now, draw, outcome};
    if (input.kind == InputKind::AddHolds)
        Rules::addHolds(transition);
    else if (input.kind == InputKind::LiftHolds)
        Rules::liftHolds(transition);
    else
        ruleOf(instance.state, input.kind)(transition);
    return outcome;
}

} // namespace Rekindle::InstanceTable
