// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "recordedlives_p.h"

#include <algorithm>
#include <array>

namespace Rekindle {

namespace {

bool isReport(InputKind input)
{
    using enum InputKind;
    constexpr std::array kinds = {Started, ExtendStart, Ready,          Failed,
                                  Exited,  Unhealthy,   RequestRestart, ExitedForRestart};
    return std::find(kinds.begin(), kinds.end(), input) != kinds.end();
}

} // namespace

void RecordedLives::add(const JournalEntry &entry, const Outcome &outcome)
{
    if (m_lives.empty() || m_lives.back().end || outcome.stale)
        return;
    RecordedLife &life = m_lives.back();
    const bool isOwn = isReport(entry.input);
    if (isOwn)
        life.reports.push_back(entry);
    life.isReady = life.isReady || entry.input == InputKind::Ready;
    if (!isEnd(entry.input) && outcome.stop == Outcome::Stop::No)
        return;
    life.end = entry.time;
    life.hasKnownEnd = isOwn || entry.input == InputKind::Deadline;
}

void RecordedLives::cut(Instant time)
{
    if (!m_lives.empty() && !m_lives.back().end)
        m_lives.back().end = time;
}

void RecordedLives::finish(Instant end)
{
    cut(end);
    Duration longest{0};
    for (const RecordedLife &life : m_lives) {
        if (life.hasKnownEnd)
            longest = std::max(longest, *life.end - life.launchedAt);
    }
    for (RecordedLife &life : m_lives)
        life.isRepeatable =
            life.hasKnownEnd || (life.isReady && *life.end - life.launchedAt > longest);
}

const RecordedLife *RecordedLives::take(std::size_t &position) const
{
    for (std::size_t i = 0; i < m_lives.size(); ++i) {
        const RecordedLife &life = m_lives[position++ % m_lives.size()];
        if (life.isRepeatable)
            return &life;
    }
    return nullptr;
}

} // namespace Rekindle
