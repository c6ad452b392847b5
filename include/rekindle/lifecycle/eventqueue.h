// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/export.h>
#include <rekindle/policy/lifecycleevent.h>

#include <QObject>

#include <cstddef>
#include <memory>

namespace Rekindle {

class RestartPolicyEvaluator;

/// Events for a subscriber that may be slow, in a thread of its own or not: they wait in a bounded
/// queue, and the engine is never held back (spec 5). Where the queue was full, the newest events
/// are dropped and a gap marker stands in their place.
///
/// Push side: the evaluator's thread. Pull side: any one thread; take() is thread-safe.
class REKINDLE_LIFECYCLE_EXPORT EventQueue : public QObject
{
    Q_OBJECT

public:
    /// Stands where `count` events were dropped; the first of them had sequence number `first`.
    struct Gap
    {
        quint64 first = 0;
        quint64 count = 0;
        bool operator==(const Gap &) const = default;
    };
    using Item = std::variant<LifecycleEvent, Gap>;

    /// Keeps at most `capacity` events (at least 1) that were not taken yet.
    explicit EventQueue(RestartPolicyEvaluator &evaluator, std::size_t capacity = 10'000,
                        QObject *parent = nullptr);
    ~EventQueue() override;

    /// Takes what has come, oldest first; at most `most`.
    [[nodiscard]] QList<Item> take(qsizetype most = 1'000);

    /// How many events were dropped since the beginning.
    [[nodiscard]] quint64 dropped() const;

Q_SIGNALS:
    /// Something can be taken: emitted in the evaluator's thread when the queue was empty before.
    /// Connect it queued.
    void available();

private:
    void push(const LifecycleEvent &event);

    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
