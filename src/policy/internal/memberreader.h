// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "memberwriter.h"
#include "json/jsonobjectreader.h"

namespace Rekindle {

/// Reads what MemberWriter has written. All members are required. Every value is validated.
class MemberReader
{
public:
    static constexpr int maxCount = 1'000'000'000;
    static constexpr qint64 maxNanoseconds = Duration(maxRecordTime).count();

    MemberReader(const JsonPlace &place, Instant recordTime)
        : m_reader(place)
        , m_recordTime(recordTime)
    {
    }
    ~MemberReader() { m_reader.finish(); }
    Q_DISABLE_COPY_MOVE(MemberReader)

    [[nodiscard]] static std::optional<qint64> nanoseconds(const JsonPlace &place, qint64 min,
                                                           qint64 max = maxNanoseconds)
    {
        const std::optional<qint64> &found = place.node().integer;
        if (place.isNumber() && found && *found >= min && *found <= max)
            return found;
        place.mismatch(QStringLiteral("a whole number from %1 to %2").arg(min).arg(max));
        return {};
    }

    [[nodiscard]] std::optional<JsonPlace> at(const char *name)
    {
        return m_reader.required(QString::fromLatin1(name));
    }

    /// Returns nullopt if the member is null.
    [[nodiscard]] std::optional<JsonPlace> notNull(const char *name)
    {
        std::optional<JsonPlace> place = at(name);
        return place && !place->isNull() ? place : std::nullopt;
    }

    void field(const char *name, bool &target)
    {
        if (const auto place = at(name))
            target = place->boolean().value_or(target);
    }
    /// Of a member that files of earlier versions lack: `target` keeps its value then.
    void addedField(const char *name, bool &target)
    {
        if (const auto place = m_reader.member(QString::fromLatin1(name)))
            target = place->boolean().value_or(target);
    }
    void field(const char *name, int &target)
    {
        if (const auto place = at(name))
            target = place->integer(0, maxCount).value_or(target);
    }
    void field(const char *name, Duration &target)
    {
        if (const auto place = at(name))
            target = Duration(nanoseconds(*place, 0, maxNanoseconds).value_or(0));
    }
    void field(const char *name, Instant &target)
    {
        if (const auto place = at(name))
            target = time(*place).value_or(target);
    }
    void field(const char *name, std::optional<Instant> &target)
    {
        if (const auto place = notNull(name))
            target = time(*place);
    }
    void field(const char *name, std::optional<int> &target)
    {
        if (const auto place = notNull(name))
            target = place->integer(-maxCount, maxCount);
    }
    void field(const char *name, std::vector<Instant> &target)
    {
        const auto place = at(name);
        const auto items = place ? place->items() : std::nullopt;
        if (!items)
            return;
        for (const JsonPlace &item : *items)
            target.push_back(time(item).value_or(m_recordTime));
    }
    template<typename Enum, typename Choices>
    void field(const char *name, Enum &target, const Choices &choices)
    {
        if (const auto place = at(name))
            target = place->choice(choices).value_or(target);
    }

    void field(const char *name, double &target)
    {
        const auto place = at(name);
        if (!place)
            return;
        target = place->number().value_or(0);
        if (!(target >= 0 && target < 1))
            place->mismatch(QStringLiteral("a number from 0 to below 1"));
    }
    template<typename Describe>
    void object(const char *name, Describe describe)
    {
        if (const auto place = at(name))
            readObject(*place, describe);
    }
    template<typename Describe>
    void objectOrNull(const char *name, bool &isPresent, Describe describe)
    {
        const auto place = notNull(name);
        isPresent = place.has_value();
        if (place)
            readObject(*place, describe);
    }

private:
    template<typename Describe>
    void readObject(const JsonPlace &place, Describe describe) const
    {
        MemberReader members(place, m_recordTime);
        describe(members);
    }
    [[nodiscard]] std::optional<Instant> time(const JsonPlace &place) const
    {
        const std::optional<qint64> after = nanoseconds(place, -maxNanoseconds, maxNanoseconds);
        return after ? std::optional(m_recordTime + Duration(*after)) : std::nullopt;
    }

    JsonObjectReader m_reader;
    Instant m_recordTime;
};

} // namespace Rekindle
