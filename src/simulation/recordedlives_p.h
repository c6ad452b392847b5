// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/journalentry.h>

#include <optional>
#include <vector>

namespace Rekindle {

/// One process of a recorded run.
struct RecordedLife
{
    Instant launchedAt{};
    std::vector<JournalEntry> reports{}; ///< until its end
    bool isReady = false;
    std::optional<Instant> end{}; ///< it exited, or the host stopped or removed it

    /// Whether it exited by itself, or the host stopped it because of a report or because it was
    /// not ready in time. Otherwise, it is unknown how long it would have run.
    bool hasKnownEnd = false;
    bool isRepeatable = false; ///< see RecordedLives::finish()
};

/// The processes of an agent in a recorded run. A simulation repeats them: each start is the next
/// one, and the first one follows the last one.
class RecordedLives
{
public:
    /// Adds a process.
    void launch(Instant time) { m_lives.push_back({.launchedAt = time}); }

    /// Adds an input of the latest process that has this outcome; inputs that are no reports of a
    /// process only end it.
    void add(const JournalEntry &entry, const Outcome &outcome);

    /// The latest process is gone, and its end is unknown, if it has not ended before.
    void cut(Instant time);

    /// Call it once, at the end of the run. If the end of a process is unknown, it is repeatable
    /// only if it was ready and ran longer than every process with a known end. Then it is assumed
    /// to run until it is stopped.
    void finish(Instant end);

    [[nodiscard]] std::size_t launches() const { return m_lives.size(); }
    /// The number of reports of the latest process.
    [[nodiscard]] std::size_t reports() const
    {
        return m_lives.empty() ? 0 : m_lives.back().reports.size();
    }
    [[nodiscard]] const RecordedLife &at(std::size_t position) const { return m_lives[position]; }

    /// Returns the next process that can be repeated, from `position` on, and sets the position
    /// after it. Null if there is none.
    [[nodiscard]] const RecordedLife *take(std::size_t &position) const;

private:
    std::vector<RecordedLife> m_lives;
};

/// Whether this report of an agent ends its process.
[[nodiscard]] constexpr bool isEnd(InputKind input)
{
    return input == InputKind::Failed || input == InputKind::Exited
        || input == InputKind::ExitedForRestart;
}

} // namespace Rekindle
