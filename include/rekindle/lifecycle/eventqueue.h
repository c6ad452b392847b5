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

/// A bounded queue of events for a subscriber that may be slow (spec 5). It never blocks the
/// engine: if the queue is full, new events are dropped and replaced with a gap marker.
///
/// Create it in the evaluator's thread. take() and dropped() are thread-safe.
class REKINDLE_LIFECYCLE_EXPORT EventQueue : public QObject
{
    Q_OBJECT

public:
    /// Replaces `count` dropped events; `first` is the sequence number of the first one.
    struct Gap
    {
        quint64 first = 0;
        quint64 count = 0;
        bool operator==(const Gap &) const = default;
    };
    using Item = std::variant<LifecycleEvent, Gap>;

    /// `capacity` is the maximum number of events in the queue, at least 1. `evaluator` must
    /// outlive the queue or be destroyed in the same thread.
    explicit EventQueue(RestartPolicyEvaluator &evaluator, std::size_t capacity = 10'000,
                        QObject *parent = nullptr);
    ~EventQueue() override;

    /// Removes and returns at most `limit` items, the oldest first.
    [[nodiscard]] QList<Item> take(qsizetype limit = 1'000);

    /// Returns the number of events that were dropped since construction.
    [[nodiscard]] quint64 dropped() const;

Q_SIGNALS:
    /// An item was added to an empty queue. Emitted in the evaluator's thread; use a queued
    /// connection.
    void available();

private:
    void push(const LifecycleEvent &event);

    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
