// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "waituntil.h"

#include <rekindle/etcd/etcdstore.h>

#include <QTest>

#include <algorithm>
#include <vector>

namespace Rekindle {

/// Waits for the result.
inline FleetReadResult readFrom(FleetStore &store, const QByteArray &prefix = {})
{
    std::optional<FleetReadResult> result;
    QObject context;
    store.read(prefix, &context, [&result](const FleetReadResult &read) { result = read; });
    return waitUntil([&result] { return result.has_value(); }) ? *result : FleetReadResult();
}

/// Waits for the result.
inline FleetCommitResult commitTo(FleetStore &store, const FleetTransaction &transaction)
{
    std::optional<FleetCommitResult> result;
    QObject context;
    store.commit(transaction, &context,
                 [&result](const FleetCommitResult &committed) { result = committed; });
    return waitUntil([&result] { return result.has_value(); }) ? *result : FleetCommitResult();
}

/// Writes the key if the revision of its last write is as expected.
inline FleetTransaction put(const QByteArray &key, const QByteArray &value, qint64 expected = 0)
{
    return {.comparisons = {{.key = key, .expected = expected}},
            .writes = {{.key = key, .value = value}}};
}

/// The values of the keys, or an error.
inline QByteArray valuesIn(const FleetReadResult &result)
{
    if (!result.known)
        return "unknown: " + result.error.toUtf8();
    QByteArray text;
    for (const FleetRecord &record : result.records)
        text += record.key + "=" + record.value + ";";
    return text;
}

/// The events of a watch.
class WatchLog : public QObject
{
public:
    WatchLog(FleetStore &store, const QByteArray &prefix, qint64 afterRevision)
        : watch(store.watch(prefix, afterRevision, this,
                            [this](const FleetWatchEvent &event) { events.push_back(event); }))
    {
    }

    [[nodiscard]] bool hasEnded() const
    {
        return !events.empty() && events.back().kind != FleetWatchEvent::Kind::Changes;
    }
    [[nodiscard]] bool waitForEnd() const
    {
        return waitUntil([this] { return hasEnded(); });
    }
    [[nodiscard]] bool waitForCount(std::size_t count) const
    {
        return waitUntil([this, count] { return events.size() >= count || hasEnded(); })
            && events.size() >= count;
    }
    /// "+KEY=VALUE" or "-KEY"; "|" after each event.
    [[nodiscard]] QByteArray text() const
    {
        QByteArray text;
        for (const FleetWatchEvent &event : events) {
            for (const FleetRecord &record : event.records)
                text += "+" + record.key + "=" + record.value + " ";
            for (const QByteArray &key : event.deleted)
                text += "-" + key + " ";
            if (event.kind == FleetWatchEvent::Kind::Compacted)
                text += "compacted ";
            if (event.kind == FleetWatchEvent::Kind::Lost)
                text += "lost " + event.error.toUtf8();
            text += "|";
        }
        return text;
    }

    std::vector<FleetWatchEvent> events;
    std::unique_ptr<FleetStore::Watch> watch;
};

} // namespace Rekindle
