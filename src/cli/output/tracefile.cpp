// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "tracefile_p.h"

#include "distinctfiles_p.h"
#include "messages_p.h"

namespace Rekindle {

TraceFile::TraceFile(const QString &path, Messages &messages)
    : m_path(path)
    , m_messages(messages)
{
    if (path != QLatin1String("-")) {
        m_file.emplace(path, WrittenFile::Trace, byUmask);
        requireWritten(option, path, m_file->error(), messages);
    }
    m_json.beginObject();
    // The first member distinguishes the file from those of other programs.
    m_json.object("otherData", [this] { m_json.member("producer", "rekindle"); });
    m_json.key("traceEvents");
    m_json.beginArray();
}

void TraceFile::nameProcess(qsizetype process, const QString &name)
{
    event("M", {process, 0}, QStringLiteral("process_name"),
          [&] { m_json.object("args", [&] { m_json.member("name", name); }); });
}

void TraceFile::nameTrack(Track track, const QString &name)
{
    event("M", track, QStringLiteral("thread_name"),
          [&] { m_json.object("args", [&] { m_json.member("name", name); }); });
}

void TraceFile::slice(Track track, const QString &name, Duration begin, Duration end,
                      const QString &detail)
{
    if (end <= begin)
        return;
    event("X", track, name, [&] {
        time("ts", begin);
        time("dur", end - begin);
        addDetail(detail);
    });
}

void TraceFile::instant(Track track, const QString &name, Duration at, const QString &detail)
{
    event("i", track, name, [&] {
        time("ts", at);
        m_json.member("s", "t"); // drawn on the track only
        addDetail(detail);
    });
}

void TraceFile::finish()
{
    m_json.endArray();
    m_json.endObject();
    m_bytes += '\n';
    flush();
    if (m_file) {
        m_file->commit();
        requireWritten(option, m_path, m_file->error(), m_messages);
    }
}

void TraceFile::event(const char *type, Track track, const QString &name, const auto &writeMore)
{
    constexpr qsizetype buffered = qsizetype{64} * 1024;
    m_json.object([&] {
        m_json.member("ph", QLatin1String(type));
        m_json.member("pid", track.process);
        m_json.member("tid", track.thread);
        m_json.member("name", name);
        writeMore();
    });
    if (m_bytes.size() >= buffered)
        flush();
}

// In microseconds. Without an exponent, which some readers do not accept.
void TraceFile::time(JsonName name, Duration time)
{
    const auto whole = std::chrono::floor<std::chrono::microseconds>(time);
    m_json.member(name, qint64{whole.count()});
    if (const qint64 rest = (time - whole).count(); rest > 0)
        m_bytes += '.' + QByteArray::number(rest).rightJustified(3, '0');
}

void TraceFile::addDetail(const QString &detail)
{
    if (!detail.isEmpty())
        m_json.object("args", [&] { m_json.member("event", detail); });
}

void TraceFile::flush()
{
    if (m_file) {
        m_file->write(m_bytes);
        requireWritten(option, m_path, m_file->error(), m_messages);
    } else {
        printOrEnd(m_messages, m_bytes);
    }
    m_bytes.resize(0); // keeps the memory
}

} // namespace Rekindle
