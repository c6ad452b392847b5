// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "instancerules_p.h"

#include <utility>

// The state machine of an instance. A row is a state, a column an input; the cell names the rule
// that is applied. Every pair is written down: "-" is a decision too. What a rule does stands in
// operatorrules.cpp, agentrules.cpp, timerules.cpp and resumerules.cpp.

namespace Rekindle::InstanceTable {

namespace {

struct Cell
{
    QLatin1String name;
    void (*rule)(Transition &);
};

#define RULE(function)                                                                             \
    Cell { QLatin1String(#function), Rules::function }
constexpr Cell afresh = RULE(startAfresh);
constexpr Cell newSeq = RULE(beginSequence);
constexpr Cell queued = RULE(queueStart);
constexpr Cell stopPl = RULE(stopPlanned);
constexpr Cell stopRn = RULE(stopRunning);
constexpr Cell unqueu = RULE(cancelQueued);
constexpr Cell rstart = RULE(restartRunning);
constexpr Cell resets = RULE(resetBreaker);
constexpr Cell resetG = RULE(resetAndStart);
constexpr Cell isolat = RULE(isolate);
constexpr Cell isoHld = RULE(isolateAndHold);
constexpr Cell releas = RULE(release);
constexpr Cell relRes = RULE(releaseAndResume);
constexpr Cell adopts = RULE(adoptPolicy);
constexpr Cell replan = RULE(replanPolicy);
constexpr Cell launch = RULE(launch);
constexpr Cell starts = RULE(started);
constexpr Cell readyR = RULE(ready);
constexpr Cell failed = RULE(failed);
constexpr Cell wedged = RULE(wedged);
constexpr Cell endedR = RULE(ended);
constexpr Cell ended4 = RULE(endedForRestart);
constexpr Cell reqest = RULE(requestRestart);
constexpr Cell refuse = RULE(refuseRequest);
constexpr Cell oldGon = RULE(oldProcessGone);
constexpr Cell stoppd = RULE(stopped);
constexpr Cell timout = RULE(startTimedOut);
constexpr Cell stable = RULE(becomeStable);
constexpr Cell proven = RULE(breakerSuccess);
constexpr Cell isDueR = RULE(startIsDue);
constexpr Cell rearms = RULE(rearm);
constexpr Cell silent = RULE(evaluatorSilent);
constexpr Cell answer = RULE(evaluatorAnswered);
constexpr Cell resume = RULE(resume);
constexpr Cell o{QLatin1String("-"), Rules::ignore};
#undef RULE

using Row = std::array<Cell, inputKindCount>;

// clang-format off
constexpr std::array<Row, instanceStateCount> table = {{
//                Start   Stop    Retry   Restart Reset   Isolate Release Policy  Launch  Started Ready   Failed  Wedged  Ended   Ended42 Request Deadline Verdict Proven  Resume
/* Stopped     */ Row{afresh, o,      afresh, afresh, resets, isolat, releas, adopts, refuse, o,      o,      o,      o,      o,      o,      refuse, o,      o,      proven, resume},
/* Starting    */ Row{newSeq, stopRn, newSeq, rstart, resets, isolat, releas, adopts, refuse, starts, readyR, failed, wedged, endedR, ended4, reqest, timout, o,      o,      o},
/* Running     */ Row{newSeq, stopRn, newSeq, rstart, resets, isolat, releas, adopts, refuse, o,      o,      failed, wedged, endedR, ended4, reqest, stable, o,      stable, o},
/* Waiting     */ Row{afresh, stopPl, afresh, afresh, resets, isoHld, releas, replan, launch, o,      o,      oldGon, o,      oldGon, oldGon, refuse, isDueR, o,      o,      o},
/* CircuitOpen */ Row{afresh, stopPl, afresh, afresh, resetG, isoHld, relRes, replan, launch, o,      o,      oldGon, o,      oldGon, oldGon, refuse, isDueR, o,      o,      o},
/* Evaluating  */ Row{afresh, stopPl, afresh, afresh, resets, isoHld, releas, adopts, refuse, o,      o,      oldGon, o,      oldGon, oldGon, refuse, silent, answer, o,      o},
/* Stopping    */ Row{queued, unqueu, queued, queued, resets, isolat, releas, adopts, refuse, o,      o,      stoppd, o,      stoppd, stoppd, refuse, o,      o,      o,      o},
/* Exhausted   */ Row{afresh, stopPl, afresh, afresh, resets, isolat, releas, replan, refuse, o,      o,      oldGon, o,      oldGon, oldGon, refuse, rearms, o,      o,      o},
/* Failed      */ Row{afresh, stopPl, afresh, afresh, resets, isolat, releas, adopts, refuse, o,      o,      oldGon, o,      oldGon, oldGon, refuse, o,      o,      o,      o},
/* Gated       */ Row{afresh, stopPl, afresh, afresh, resets, isolat, releas, replan, refuse, o,      o,      oldGon, o,      oldGon, oldGon, refuse, o,      o,      o,      o},
}};
// clang-format on

const Cell &cell(InstanceState state, InputKind input)
{
    return table[static_cast<std::size_t>(state)][static_cast<std::size_t>(input)];
}

bool isReport(InputKind kind)
{
    switch (kind) {
    case InputKind::Started:
    case InputKind::Ready:
    case InputKind::Failed:
    case InputKind::Wedged:
    case InputKind::Ended:
    case InputKind::EndedForRestart:
    case InputKind::RequestRestart:
    case InputKind::Verdict:
        return true;
    default:
        return false;
    }
}

// The state may have changed since the timer was armed.
bool isPremature(const Instance &instance, Instant now)
{
    return !instance.deadline || now < *instance.deadline;
}

} // namespace

Outcome apply(Instance &instance, const InstanceInput &input, Instant now, double draw)
{
    Outcome outcome;
    if (isReport(input.kind) && input.generation != instance.generation) {
        ++instance.staleReports;
        outcome.stale = true;
        return outcome;
    }
    if (input.kind == InputKind::Deadline && isPremature(instance, now))
        return outcome;
    Transition transition{instance, input, now, draw, outcome};
    cell(instance.state, input.kind).rule(transition);
    return outcome;
}

QLatin1String ruleName(InstanceState state, InputKind input) { return cell(state, input).name; }

} // namespace Rekindle::InstanceTable
