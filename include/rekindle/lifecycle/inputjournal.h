// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/export.h>
#include <rekindle/policy/instancetable.h>

#include <QString>
#include <QUuid>

namespace Rekindle {

/// Receives every input of the state table, with its time and its random number: with the same
/// inputs, the same instances make the same decisions again.
///
/// Set it with RestartPolicyEvaluator::setInputJournal(). The functions are called in the thread of
/// the evaluator, in the middle of a change: they must not call the evaluator, and should only
/// store what they receive.
class REKINDLE_LIFECYCLE_EXPORT InputJournal
{
public:
    virtual ~InputJournal();

    virtual void added(const QUuid &instanceId, const QString &name,
                       const RestartPolicy &policy) = 0;
    virtual void removed(const QUuid &instanceId) = 0;

    /// Called before the input is applied. `input` and what it refers to are valid during the call.
    virtual void applied(const QUuid &instanceId, const InstanceInput &input, Instant time,
                         double draw) = 0;
};

} // namespace Rekindle
