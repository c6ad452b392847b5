// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/lifecycleevent.h>
#include <rekindle/policy/restartdecision.h>

#include <QByteArray>

#include <variant>

namespace Rekindle {

/// A decision, and what was known of the failure that it is about.
struct DecisionRecord
{
    QUuid instanceId{};
    QString agent{};
    Instant monotonicTime{};
    UtcTime time{};
    RestartDecision decision{};
    FailureDetail detail{};
};

/// Stands where something was dropped.
struct StoreGap
{
    Instant monotonicTime{}; ///< of the first one, as far as that is known
    UtcTime time{};
    quint64 firstSequence = 0; ///< of the first event among them; 0 where there is none
    quint64 events = 0;
    quint64 decisions = 0;
};

/// Something that waits to be written.
using StoreItem = std::variant<LifecycleEvent, DecisionRecord, StoreGap>;

/// What stands in a decision's row.
struct DecisionText
{
    QString rule{};
    QByteArray data{}; ///< JSON
};
[[nodiscard]] DecisionText toText(const DecisionRecord &record);
[[nodiscard]] QByteArray toJson(const StoreGap &gap);

/// Text as a database gives it back: without NUL and without halves of characters, which it would
/// change.
[[nodiscard]] QString storable(const QString &text);

} // namespace Rekindle
