// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "json/jsonwriter.h"

#include <rekindle/json/enumnames.h>
#include <rekindle/policy/timepoint.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace Rekindle {

/// The greatest distance of a time from the time of the record.
inline constexpr std::chrono::milliseconds maxRecordTime = std::chrono::days(3650);

/// Writes the members of a JSON object that are described once for this class and MemberReader (see
/// memoryfields.h). Times are nanoseconds relative to the time of the record; earlier ones are
/// negative.
class MemberWriter
{
public:
    MemberWriter(QByteArray &out, Instant recordTime)
        : m_json(out)
        , m_recordTime(recordTime)
    {
    }

    template<typename Describe>
    void members(Describe describe)
    {
        m_json.beginObject();
        describe(*this);
        m_json.endObject();
    }

    void addedField(const char *name, bool value) { field(name, value); }
    void field(const char *name, const auto &value) { m_json.member(QLatin1String(name), value); }
    void field(const char *name, Duration value) { field(name, qint64{value.count()}); }
    void field(const char *name, Instant value) { field(name, relative(value)); }
    template<typename Value>
    void field(const char *name, const std::optional<Value> &value)
    {
        value ? field(name, *value) : null(name);
    }
    void field(const char *name, const std::vector<Instant> &values)
    {
        m_json.key(QLatin1String(name));
        m_json.beginArray();
        for (const Instant value : values)
            m_json.value(relative(value));
        m_json.endArray();
    }
    template<typename Enum, std::size_t size>
    void field(const char *name, Enum value, const std::array<EnumName<Enum>, size> &names)
    {
        field(name, nameOf(names, value));
    }
    /// A value that is JSON already.
    void json(const char *name, const QByteArray &text)
    {
        m_json.key(QLatin1String(name));
        m_json.json(text);
    }
    template<typename Describe>
    void object(const char *name, Describe describe)
    {
        m_json.key(QLatin1String(name));
        members(describe);
    }
    template<typename Describe>
    void objectOrNull(const char *name, bool isPresent, Describe describe)
    {
        isPresent ? object(name, describe) : null(name);
    }

private:
    void null(const char *name)
    {
        m_json.key(QLatin1String(name));
        m_json.null();
    }
    [[nodiscard]] qint64 relative(Instant time) const
    {
        return std::clamp<Duration>(time - m_recordTime, -maxRecordTime, maxRecordTime).count();
    }

    JsonWriter m_json;
    Instant m_recordTime;
};

} // namespace Rekindle
