// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/instancememory.h>

#include <QByteArray>
#include <QHash>
#include <QString>

#include <optional>

namespace Rekindle {

/// One moment on all clocks that there are.
struct SavedMoment
{
    QString boot{}; ///< QSysInfo::bootUniqueId()
    Instant mono{};
    UtcTime utc{};
};

/// How much time lies between a moment of an earlier life and now. Within one boot the monotonic
/// clock knows, and nothing that happens to the wall clock matters; else there is only the wall
/// clock, and where that was set back, no time has passed.
[[nodiscard]] Duration elapsed(const SavedMoment &saved, const SavedMoment &now);

/// What an orderly end of the host leaves: what an operator's start after a stop does not forget.
void stopOrderly(InstanceMemory &memory);

/// Whether the next host lets it go on where it was; others it starts, or they stay given up.
[[nodiscard]] bool goesOn(const InstanceMemory &memory);

/// What is kept of one agent.
struct RememberedAgent
{
    InstanceMemory memory{};
    /// Since when hosts are known to have run without it; nothing while one has it.
    std::optional<Instant> seenAt{};
};

/// What a state file holds. All moments are of the clock of `saved`.
struct StateContents
{
    SavedMoment saved{};
    QHash<QString, RememberedAgent> agents{}; ///< by name

    /// The same for a host that lives `now`: no moment of the past is in its future.
    [[nodiscard]] StateContents movedTo(const SavedMoment &now) const;
};

/// The version of the format that is written, and the only one that is read.
inline constexpr int stateVersion = 1;
/// The longest time that a state file can speak of, before and after its moment.
inline constexpr std::chrono::milliseconds longestStateTime = std::chrono::days(3650);

[[nodiscard]] QByteArray toText(const StateContents &contents);

/// What came of reading a text: contents, or why there are none; one sentence without an end.
struct StateReading
{
    StateContents contents{};
    QString fault{};
};

/// Takes nothing but what toText() has made, whole and of this version. Never throws.
[[nodiscard]] StateReading stateFromText(const QByteArray &text);

} // namespace Rekindle
