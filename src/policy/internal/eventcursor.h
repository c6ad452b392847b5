// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/export.h>

#include <QString>

#include <optional>

namespace Rekindle {

/// A position in the events of a host process, as the text "RUN:SEQ".
struct REKINDLE_POLICY_EXPORT EventCursor
{
    QString run{};
    quint64 sequence = 0; ///< EventHeader::sequence of the last event before the position

    /// Returns nothing if the text is malformed.
    [[nodiscard]] static std::optional<EventCursor> of(const QString &text);
    [[nodiscard]] QString text() const;

    bool operator==(const EventCursor &) const = default;
};

} // namespace Rekindle
