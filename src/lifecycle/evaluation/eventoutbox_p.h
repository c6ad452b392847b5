// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/restartpolicyevaluator.h>

#include <QObject>

#include <functional>
#include <utility>
#include <variant>
#include <vector>

namespace Rekindle {

/// Emits the signals of a RestartPolicyEvaluator in order, whatever the connected slots do. The
/// outermost call of drain() empties the queue, and calls from inside a slot only add to it. If a
/// slot runs a nested event loop, that loop continues with the queue: an event that was posted to
/// this object before the slot was called is only delivered by such a loop, or later without
/// effect.
class EventOutbox final : public QObject
{
public:
    /// Emits one signal. It must not refer to a record, because the instance may be removed first.
    using Emission = std::function<void(RestartPolicyEvaluator &evaluator, const QUuid &id)>;

    explicit EventOutbox(RestartPolicyEvaluator &evaluator);
    ~EventOutbox() override;

    /// Sets who emits the same signals after all receivers of the evaluator's own signals, so that
    /// a slot of a host that runs a nested event loop delays none of them. It must outlive the
    /// outbox; null: none.
    void setForward(LifecycleSignals *forward) { m_forward = forward; }

    void post(LifecycleEvent event);
    /// Emits decided().
    void post(const QUuid &id, const RestartDecision &decision);
    /// Emits stateChanged().
    void post(const QUuid &id, InstanceState state);

    /// An operator command that was applied.
    struct Command
    {
        OperatorCommand command;
        InstanceState before;
        bool byHost = false;
    };
    /// Emits operatorCommanded().
    void post(const QUuid &id, const Command &command);
    /// `id` is the instance that the signal concerns; null if it concerns no single one.
    void post(const QUuid &id, Emission emission);

    /// Drops all entries of an instance.
    void discard(const QUuid &id);

    /// Emits all entries, unless they are deferred. A slot may delete the evaluator, and this
    /// object with it.
    void drain();

    /// Until the same number of calls of release(), drain() emits nothing.
    void defer() { ++m_deferrals; }
    void release();

protected:
    void customEvent(QEvent *continuation) override;

private:
    struct Entry
    {
        // Constructs the content in place: an event is large to move.
        Entry(const QUuid &id, auto &&posted)
            : instanceId(id)
            , content(std::forward<decltype(posted)>(posted))
        {
        }

        QUuid instanceId;
        std::variant<LifecycleEvent, RestartDecision, InstanceState, Command, Emission> content;
    };
    [[nodiscard]] bool hasPending() const { return m_next < m_entries.size(); }
    void postContinuation();
    void emitAll();
    void emitEntry(Entry &entry, const bool &isDestroyed);
    static void emitEvent(LifecycleSignals &receiver, const LifecycleEvent &event,
                          const bool &isDestroyed);

    RestartPolicyEvaluator &m_evaluator;
    std::vector<Entry> m_entries; ///< the memory is reused, because an entry needs about 200 bytes
    std::size_t m_next = 0;       ///< the entries before it are emitted
    quint64 m_sequence = 0;       ///< of the latest event; assigned at emission, so that discarded
                                  ///< entries leave no gap
    LifecycleSignals *m_forward = nullptr;
    bool *m_isDestroyed = nullptr; ///< a variable of the innermost emitAll(), while it runs
    int m_deferrals = 0;
    bool m_isContinuationPosted = false;
};

} // namespace Rekindle
