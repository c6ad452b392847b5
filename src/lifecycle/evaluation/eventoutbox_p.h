// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/restartpolicyevaluator.h>

#include <functional>
#include <utility>
#include <variant>
#include <vector>

namespace Rekindle {

/// Emits the signals of a RestartPolicyEvaluator in order, whatever the connected slots do: the
/// outermost call of drain() empties the queue, and calls from inside a slot only add to it.
class EventOutbox
{
public:
    /// Emits one signal. It must not refer to a record, because the instance may be removed first.
    using Emission = std::function<void(RestartPolicyEvaluator &evaluator, const QUuid &id)>;

    explicit EventOutbox(RestartPolicyEvaluator &evaluator);
    Q_DISABLE_COPY_MOVE(EventOutbox)
    ~EventOutbox();

    void post(LifecycleEvent event);
    /// Emits decided().
    void post(const QUuid &id, const RestartDecision &decision);
    /// `id` is the instance that the signal concerns; null if it concerns no single one.
    void post(const QUuid &id, Emission emission);

    /// Drops all entries of an instance.
    void discard(const QUuid &id);

    /// Emits all entries. A slot may delete the evaluator, and this object with it.
    void drain();

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
        std::variant<LifecycleEvent, RestartDecision, Emission> content;
    };
    void emitEvent(LifecycleEvent &event, const bool &isDestroyed);

    RestartPolicyEvaluator &m_evaluator;
    std::vector<Entry> m_entries;  ///< the memory is reused, because an entry needs about 200 bytes
    std::size_t m_next = 0;        ///< the entries before it are emitted
    quint64 m_sequence = 0;        ///< of the latest event; assigned at emission, so that discarded
                                   ///< entries leave no gap
    bool *m_isDestroyed = nullptr; ///< a variable of drain(), while it runs
};

} // namespace Rekindle
