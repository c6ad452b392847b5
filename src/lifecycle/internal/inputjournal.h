// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/export.h>
#include <rekindle/policy/journalentry.h>

namespace Rekindle {

/// Receives every input of the state table, with its time and its random number. The same inputs
/// lead to the same decisions again.
///
/// Set it with EvaluatorPort::setInputJournal(). record() is called in the thread of the
/// evaluator, in the middle of a change: it must not call the evaluator, and should only store the
/// entry.
class REKINDLE_LIFECYCLE_EXPORT InputJournal
{
public:
    virtual ~InputJournal();

    /// An instance was added or removed, or an input is about to be applied to one. The number of
    /// the entry counts from 1 since the journal was set.
    virtual void record(JournalEntry &&entry) = 0;
};

} // namespace Rekindle
