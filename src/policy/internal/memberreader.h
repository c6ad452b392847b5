// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "memberwriter.h"
#include "json/jsonobjectreader.h"

namespace Rekindle {

/// Reads what MemberWriter has written. All members without a default are required. Every value is
/// validated.
class MemberReader
{
public:
    MemberReader(const JsonPlace &place, Instant recordTime)
        : m_reader(place)
        , m_recordTime(recordTime)
    {
    }
    ~MemberReader() { m_reader.finish(); }
    Q_DISABLE_COPY_MOVE(MemberReader)

    [[nodiscard]] JsonObjectReader &object() { return m_reader; }

    void field(const char *name, auto &target, const auto &...permitted)
    {
        if (const auto place = m_reader.required(name))
            read(*place, target, permitted...);
    }
    /// Of a member that files of earlier versions lack: `target` keeps its value then.
    void addedField(const char *name, bool &target) { m_reader.read(name, target); }
    void unlessEmpty(const char *name, auto &target, const auto &...permitted)
    {
        if (const auto place = m_reader.member(name))
            read(*place, target, permitted...);
    }
    void object(const char *name, const auto &describe)
    {
        if (const auto place = m_reader.required(name))
            readObject(*place, describe);
    }
    void objectOrNull(const char *name, bool &isPresent, const auto &describe)
    {
        const auto place = m_reader.required(name);
        isPresent = place && !place->isNull();
        if (isPresent)
            readObject(*place, describe);
    }

private:
    static constexpr int maxCount = 1'000'000'000;

    void readObject(const JsonPlace &place, const auto &describe) const
    {
        MemberReader members(place, m_recordTime);
        describe(members);
    }

    static void read(const JsonPlace &place, bool &target) { place.to(target); }
    static void read(const JsonPlace &place, int &target) { place.to(target, 0, maxCount); }
    static void read(const JsonPlace &place, QString &target)
    {
        target = place.text().value_or(QString());
    }
    static void read(const JsonPlace &place, double &target)
    {
        if (place.to(target) && !(target >= 0 && target < 1))
            place.mismatch(QStringLiteral("a number from 0 to below 1"));
    }
    static void read(const JsonPlace &place, Duration &target, Duration least = Duration{0})
    {
        constexpr qint64 most = Duration(maxRecordTime).count();
        const std::optional<qint64> &found = place.node().integer;
        if (place.isNumber() && found && *found >= least.count() && *found <= most)
            target = Duration(*found);
        else
            place.mismatch(
                QStringLiteral("a whole number from %1 to %2").arg(least.count()).arg(most));
    }
    void read(const JsonPlace &place, Instant &target) const
    {
        Duration after{0};
        read(place, after, -maxRecordTime);
        target = m_recordTime + after;
    }
    static void read(const JsonPlace &place, UtcTime &target)
    {
        const auto time = utcTimeFromRfc3339(place.text().value_or(QString()));
        if (!time)
            place.mismatch(QStringLiteral("a time such as 2026-01-31T12:00:00.000Z"));
        target = time.value_or(target);
    }
    static void read(const JsonPlace &place, Holds &target)
    {
        for (const JsonPlace &each : place.items().value_or(std::vector<JsonPlace>()))
            target.setFlag(each.choice(holdNames).value_or(Hold()));
    }
    void read(const JsonPlace &place, std::vector<Instant> &target) const
    {
        for (const JsonPlace &each : place.items().value_or(std::vector<JsonPlace>()))
            read(each, target.emplace_back());
    }
    static void read(const JsonPlace &place, std::optional<int> &target)
    {
        if (!place.isNull())
            place.to(target, -maxCount, maxCount);
    }
    template<typename Value>
    void read(const JsonPlace &place, std::optional<Value> &target, const auto &...names) const
    {
        if (!place.isNull())
            read(place, target.emplace(), names...);
    }
    template<typename Enum, std::size_t size>
    static void read(const JsonPlace &place, Enum &target,
                     const std::array<EnumName<Enum>, size> &names)
    {
        place.to(target, names);
    }

    JsonObjectReader m_reader;
    Instant m_recordTime;
};

} // namespace Rekindle
