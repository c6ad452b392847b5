// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "control/rings/eventring_p.h"

#include <rekindle/control/eventarchive.h>

#include <initializer_list>
#include <utility>

namespace Rekindle {

/// An archive whose pages come from the test.
class ScriptedArchive final : public EventArchive
{
public:
    void read(const Position &asked, Done whenDone) override
    {
        position = asked;
        done = std::move(whenDone);
        ++reads;
    }

    [[nodiscard]] quint64 droppedRows() const override { return dropped; }

    void respond(Page page)
    {
        const Done whenDone = std::exchange(done, {});
        whenDone(std::move(page));
    }
    [[nodiscard]] EventCursor requested() const { return {position.run, position.sequence}; }

    Position position;
    Done done; ///< null if no read is pending
    int reads = 0;
    quint64 dropped = 0;
};

using ArchivePart = std::vector<EventArchive::Event>;

inline ArchivePart events(const char *run, std::initializer_list<quint64> sequences)
{
    ArchivePart all;
    for (const quint64 each : sequences)
        all.push_back({.run = QLatin1String(run),
                       .sequence = each,
                       .type = QStringLiteral("agent.ready"),
                       .agent = QStringLiteral("a"),
                       .json = "{\"id\":\"" + QByteArray::number(each) + "\"}"});
    return all;
}

inline ArchivePart gap(const char *run, quint64 first, quint64 count)
{
    return {{.run = QLatin1String(run), .sequence = first + count - 1, .missing = count}};
}

inline ArchivePart operator+(ArchivePart first, const ArchivePart &second)
{
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

} // namespace Rekindle
