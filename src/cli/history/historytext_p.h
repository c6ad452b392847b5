// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/telemetry/historyreader.h>

#include <QByteArray>
#include <QHash>
#include <QString>

namespace Rekindle {

/// Formats events as lines: time, agent, what happened. Adds a line for the start of a host if its
/// events are complete (`whole`) or include its first one, and a line for its end. If hosts wrote
/// at the same time, each line names its host. `lastEventTimes` has the time of the last event of
/// each host that is not among `events`.
[[nodiscard]] QByteArray historyText(const QList<StoredEvent> &events, const QList<StoredRun> &runs,
                                     bool whole, const QHash<QString, UtcTime> &lastEventTimes);

} // namespace Rekindle
