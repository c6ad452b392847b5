// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "control/rings/decisionring_p.h"

#include <algorithm>
#include <utility>

namespace Rekindle {

void DecisionRing::add(DecisionRecord record)
{
    std::vector<Entry> &entries = m_entries[record.instanceId];
    if (record.kind == DecisionRecord::Kind::Shadow) {
        // The draw identifies a failure. The evaluation belongs to the first decision about it.
        const auto entry = std::find_if(entries.begin(), entries.end(), [&](const Entry &each) {
            return each.made.decision.inputs.draw == record.decision.inputs.draw;
        });
        if (entry != entries.end())
            entry->shadow = std::make_shared<const DecisionRecord>(std::move(record));
        return;
    }
    if (entries.size() == maxPerAgent)
        entries.erase(entries.begin());
    entries.push_back({.made = std::move(record)});
}

void DecisionRing::cancel(const RestartCancelled &event)
{
    const auto entries = m_entries.find(event.instanceId);
    if (entries == m_entries.end() || entries->empty())
        return;
    const RestartDecision &newest = entries->back().made.decision;
    if (newest.shouldRestart && newest.attemptNumber == event.attemptNumber)
        entries->back().isCanceled = true;
}

} // namespace Rekindle
