// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "policy/internal/decisionrecord.h"

#include <rekindle/policy/lifecycleevent.h>

#include <QHash>
#include <QUuid>

#include <memory>
#include <vector>

namespace Rekindle {

/// The newest decisions about each agent.
class DecisionRing
{
public:
    static constexpr int maxPerAgent = 5;

    struct Entry
    {
        DecisionRecord made{};
        /// What an evaluator in shadow mode would have decided; null without one.
        std::shared_ptr<const DecisionRecord> shadow{};
        bool isCanceled = false; ///< its restart was canceled, for example by an operator
    };

    void add(DecisionRecord record);
    void cancel(const RestartCancelled &event);
    void remove(const QUuid &instanceId) { m_entries.remove(instanceId); }

    /// Oldest first.
    [[nodiscard]] std::vector<Entry> of(const QUuid &instanceId) const
    {
        return m_entries.value(instanceId);
    }

private:
    QHash<QUuid, std::vector<Entry>> m_entries;
};

} // namespace Rekindle
