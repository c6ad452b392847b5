// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "policy/internal/memberwriter.h"

#include <rekindle/policy/groupsnapshot.h>
#include <rekindle/policy/instancememory.h>

#include <QByteArray>
#include <QHash>
#include <QString>

#include <optional>

namespace Rekindle {

/// A time on all available clocks.
struct SavedTime
{
    QString boot{}; ///< QSysInfo::bootUniqueId()
    Instant mono{};
    UtcTime utc{};
};

/// Returns the time from `saved` by an earlier host until now. Within one boot, this is measured
/// with the monotonic clock. Otherwise only the wall clock is available; if it was set back, the
/// result is zero.
[[nodiscard]] Duration elapsed(const SavedTime &saved, const SavedTime &now);

/// Changes the memory to that after an orderly exit of the host, which stops the agent.
void recordOrderlyExit(InstanceMemory &memory);

/// Does the same for a shared breaker.
void recordOrderlyExit(CircuitBreakerSnapshot &breaker);

/// Returns whether a new breaker has the same state, so that nothing must be stored.
[[nodiscard]] bool isBlank(const CircuitBreakerSnapshot &breaker);

/// Does the same for a group.
[[nodiscard]] inline bool isBlank(const GroupSnapshot &group)
{
    return group.incidents.empty() && !group.exhausted;
}

/// Returns whether the next host continues with the agent in this state. Other agents are started
/// or remain given up.
[[nodiscard]] bool continuesAfterKill(const InstanceMemory &memory);

/// Returns whether the next host starts or continues an agent with a manual start: it was started
/// on request, and was neither stopped nor failed for good.
[[nodiscard]] bool continuesManualStart(const InstanceMemory &memory);

/// The stored data of an agent.
struct StoredAgent
{
    InstanceMemory memory{};
    /// When a host first ran without this agent; nullopt while a host has it.
    std::optional<Instant> absentSince{};
};

/// The contents of a state file. All times are of the clock of `saved`.
struct StateContents
{
    SavedTime saved{};
    QString run{};                                           ///< of the host
    QHash<QString, StoredAgent> agents{};                    ///< by name
    QHash<QString, CircuitBreakerSnapshot> sharedBreakers{}; ///< by name
    QHash<QString, GroupSnapshot> groups{};                  ///< by name

    /// Returns the contents with all times converted to the clock of `now`.
    [[nodiscard]] StateContents movedTo(const SavedTime &now) const;
};

/// The only supported version of the format.
inline constexpr int stateVersion = 1;

/// The maximum number of agents in a file, so that reading it does not delay a start.
inline constexpr qsizetype maxStoredAgents = 10'000;

/// The maximum number of shared breakers in a file.
inline constexpr qsizetype maxStoredBreakers = 1'000;

/// The maximum number of groups in a file.
inline constexpr qsizetype maxStoredGroups = 10'000;

/// At most maxStoredAgents are written. Agents of the host come first, then the other ones; the
/// longest absent are dropped.
[[nodiscard]] QByteArray toText(const StateContents &contents);

/// The result of reading a text: the contents, or a fault without a period.
struct StateReading
{
    StateContents contents{};
    QString fault{};
};

/// Reads the output of toText(). Anything else is a fault, also more lines than toText() writes.
/// Never throws.
[[nodiscard]] StateReading stateFromText(const QByteArray &text);

} // namespace Rekindle
