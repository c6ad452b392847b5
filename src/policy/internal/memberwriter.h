// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "json/jsonwriter.h"

#include <rekindle/policy/enums.h>
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
/// negative. An enum is followed by its EnumName rows.
class MemberWriter
{
public:
    MemberWriter(QByteArray &out, Instant recordTime)
        : m_json(out)
        , m_recordTime(recordTime)
    {
    }

    void members(const auto &describe)
    {
        m_json.object([&] { describe(*this); });
    }

    void field(const char *name, const auto &value, const auto &...permitted)
    {
        write(key(name), value, permitted...);
    }
    void addedField(const char *name, bool value) { field(name, value); }
    template<typename Value>
    void unlessEmpty(const char *name, const Value &value, const auto &...permitted)
    {
        if (value != Value())
            field(name, value, permitted...);
    }
    void object(const char *name, const auto &describe)
    {
        key(name).object([&] { describe(*this); });
    }
    void objectOrNull(const char *name, bool isPresent, const auto &describe)
    {
        isPresent ? object(name, describe) : key(name).null();
    }

    /// For the value of a member that has no description.
    JsonWriter &key(const char *name)
    {
        m_json.key(QLatin1String(name));
        return m_json;
    }

private:
    static void write(JsonWriter &json, const auto &value) { json.value(value); }
    static void write(JsonWriter &json, Duration value) { json.value(qint64{value.count()}); }
    static void write(JsonWriter &json, Duration value, Duration) { write(json, value); }
    static void write(JsonWriter &json, UtcTime value) { json.value(toRfc3339(value)); }
    static void write(JsonWriter &json, Holds value) { json.value(toTexts(value)); }
    void write(JsonWriter &json, Instant value) const
    {
        write(json,
              std::clamp<Duration>(value - m_recordTime, -maxRecordTime, Duration(maxRecordTime)));
    }
    template<typename Value>
    void write(JsonWriter &json, const std::optional<Value> &value, const auto &...names) const
    {
        value ? write(json, *value, names...) : json.null();
    }
    void write(JsonWriter &json, const std::vector<Instant> &values) const
    {
        json.beginArray();
        for (const Instant value : values)
            write(json, value);
        json.endArray();
    }
    template<typename Enum, std::size_t size>
    static void write(JsonWriter &json, Enum value, const std::array<EnumName<Enum>, size> &names)
    {
        json.value(nameOf(names, value));
    }

    JsonWriter m_json;
    Instant m_recordTime;
};

} // namespace Rekindle
