// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/customevaluators.h>
#include <rekindle/lifecycle/restartpolicyevaluator.h>

#include <deque>
#include <functional>
#include <variant>

namespace Rekindle {

// What a RestartPolicyEvaluator emits besides events. No entry points into a record, because the
// instance may be removed before the entry is emitted.
struct LaunchDue
{
    QUuid id;
};
struct StopDue
{
    QUuid id;
    quint64 generation = 0;
    bool atOnce = false;
};
struct Decided
{
    QUuid id;
    RestartDecision decision;
};
struct StateChanged
{
    QUuid id;
    InstanceState state = InstanceState::Stopped;
};
struct MemoryChanged
{
    QUuid id;
};
struct ReportIgnored
{
    QUuid id;
};
struct BecameIdle
{
};
struct EvaluationDue
{
    QUuid id;
    EvaluatorRequest request;
};
struct ShadowDecided
{
    QUuid id;
    RestartDecision builtIn;
    RestartDecision wouldBe;
};

/// Emits the signals of a RestartPolicyEvaluator in order, whatever the connected slots do: the
/// outermost call of drain() empties the queue, and calls from inside a slot only add to it.
class EvaluatorOutbox
{
public:
    using Entry =
        std::variant<LifecycleEvent, LaunchDue, StopDue, Decided, StateChanged, MemoryChanged,
                     ReportIgnored, BecameIdle, EvaluationDue, ShadowDecided>;

    /// Entries that are no plain signal.
    struct Handlers
    {
        std::function<void(const EvaluatorRequest &)> requestEvaluation;
        std::function<bool()> isIdle; ///< becameIdle() is only emitted if this still holds
    };

    EvaluatorOutbox(RestartPolicyEvaluator &evaluator, Handlers handlers);

    void post(Entry entry) { m_entries.push_back(std::move(entry)); }

    /// Drops all entries of an instance.
    void discard(const QUuid &id);

    /// Emits all entries. A slot may delete the evaluator, and this object with it.
    void drain();

private:
    void emitEntry(Entry &entry);
    void emitEvent(LifecycleEvent &event);

    RestartPolicyEvaluator &m_evaluator;
    const Handlers m_handlers;
    std::deque<Entry> m_entries;
    quint64 m_sequence = 0; ///< of the latest event; assigned at emission, so that discarded
                            ///< entries leave no gap
    bool m_draining = false;
};

} // namespace Rekindle
