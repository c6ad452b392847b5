// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "policy/internal/decisionrecord.h"

#include <rekindle/policy/journalentry.h>
#include <rekindle/policy/toolcallfinished.h>

#include <QByteArray>

#include <variant>

namespace Rekindle {

/// A command of an operator. Its header has no sequence number.
struct CommandRecord : EventHeader
{
    OperatorCommand command = OperatorCommand::Start;
    InstanceState state = InstanceState::Stopped; ///< before the command
};

/// An entry of the journal of inputs.
struct InputRecord
{
    JournalEntry entry{};
    UtcTime time{};
};

/// Takes the place of dropped items.
struct StoreGap
{
    Instant monotonicTime{}; ///< of the first dropped item
    UtcTime time{};
    quint64 firstSequence = 0; ///< of the first dropped event; 0 if there is none
    quint64 events = 0;
    quint64 decisions = 0;
    quint64 commands = 0;
    quint64 calls = 0;
};

/// An item of the queue.
using StoreItem = std::variant<LifecycleEvent, DecisionRecord, CommandRecord, ToolCallFinished,
                               InputRecord, StoreGap>;

/// The column `data`, as toJson(const DecisionRecord &).
[[nodiscard]] QByteArray toJson(const CommandRecord &record);
[[nodiscard]] QByteArray toJson(const StoreGap &gap);

/// Converts to UTF-8. Replaces NUL and unpaired surrogates, which the database would change.
[[nodiscard]] QByteArray storable(const QString &text);

} // namespace Rekindle
