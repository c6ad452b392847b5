// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "base/durablefile_p.h"
#include "json/jsonwriter.h"

#include <rekindle/policy/timepoint.h>

#include <optional>

namespace Rekindle {

class Messages;

/// Writes the file of --perfetto in the trace format of Chrome, which ui.perfetto.dev, speedscope
/// and Qt Creator open. Events are not stored in memory. An error ends the command, and the file is
/// unchanged.
class TraceFile
{
public:
    static constexpr QLatin1String option{"--perfetto"};

    /// `path` "-" is stdout.
    TraceFile(const QString &path, Messages &messages);
    Q_DISABLE_COPY_MOVE(TraceFile)

    /// A row of the trace. Both numbers begin with 1, because 0 is the idle task of a processor.
    struct Track
    {
        qsizetype process = 1;
        qsizetype thread = 1;
    };
    void nameProcess(qsizetype process, const QString &name);
    void nameTrack(Track track, const QString &name);

    /// Writes a span of time. Spans of a track must not overlap. An empty span is ignored. The
    /// detail is shown when the span is selected.
    void slice(Track track, const QString &name, Duration begin, Duration end,
               const QString &detail = {});
    void instant(Track track, const QString &name, Duration at, const QString &detail = {});

    /// Call it once, at the end.
    void finish();

private:
    void event(const char *type, Track track, const QString &name, const auto &writeMore);
    void time(JsonName name, Duration time);
    void addDetail(const QString &detail);
    void flush();

    const QString m_path;
    Messages &m_messages;
    std::optional<FileReplacement> m_file; ///< unless it is stdout
    QByteArray m_bytes;                    ///< not written yet
    JsonWriter m_json{m_bytes};
};

} // namespace Rekindle
