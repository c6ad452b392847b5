// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "waituntil.h"

#include <rekindle/etcd/etcdstore.h>

#include <QEventLoop>
#include <QTimer>

#include <utility>
#include <vector>

namespace Rekindle {

/// The result of a request, which `start` begins. Unlike waitUntil(), it does not sleep, because
/// that would delay each part of a large request.
template<typename Result, typename Start>
Result resultOf(Start start)
{
    Result result;
    QEventLoop loop;
    start(&loop, [&](const Result &value) {
        result = value;
        loop.quit();
    });
    QTimer::singleShot(std::chrono::minutes(2), &loop, &QEventLoop::quit);
    loop.exec();
    return result;
}

inline FleetReadResult readFrom(FleetStore &store, const QByteArray &prefix = {})
{
    return resultOf<FleetReadResult>([&](QObject *context, FleetStore::ReadCallback callback) {
        store.read(prefix, context, std::move(callback));
    });
}

inline FleetCommitResult commitTo(FleetStore &store, const FleetTransaction &transaction)
{
    return resultOf<FleetCommitResult>([&](QObject *context, FleetStore::CommitCallback callback) {
        store.commit(transaction, context, std::move(callback));
    });
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
                text += record.modRevision == 0
                    ? QByteArray("-" + record.key + " ")
                    : QByteArray("+" + record.key + "=" + record.value + " ");
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
