// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "jsonplace.h"

#include <QStringList>

namespace Rekindle {

/// Reads the members of one object by name. finish() reports all other members as unknown. A
/// missing or faulty member does not change its target.
class JsonObjectReader
{
public:
    /// If the value is not an object, that is a fault, and it has no members.
    explicit JsonObjectReader(JsonPlace object);

    [[nodiscard]] const JsonPlace &object() const { return m_object; }

    /// The member with this name, if it exists.
    [[nodiscard]] std::optional<JsonPlace> member(QAnyStringView name);
    /// The same; a missing member is a fault.
    [[nodiscard]] std::optional<JsonPlace> required(QAnyStringView name);

    /// The items of an array; none if there is no array.
    [[nodiscard]] std::vector<JsonPlace> items(QAnyStringView name);

    /// Reads a value with JsonPlace::to().
    void read(QAnyStringView name, auto &target, const auto &...permitted)
    {
        if (const std::optional<JsonPlace> place = member(name))
            place->to(target, permitted...);
    }
    /// The same; a missing member is a fault.
    void readRequired(QAnyStringView name, auto &target, const auto &...permitted)
    {
        if (const std::optional<JsonPlace> place = required(name))
            place->to(target, permitted...);
    }
    /// The same as read(); the text `none` stands for T().
    template<typename T>
    void readUnless(QAnyStringView none, QAnyStringView name, T &target, const auto &...permitted)
    {
        const std::optional<JsonPlace> place = member(name);
        if (place && place->isText(none))
            target = T();
        else if (place)
            place->to(target, permitted...);
    }

    /// Passes the reader of an object to `read`. Its other members are faults.
    void nested(QAnyStringView name, const auto &read)
    {
        if (const std::optional<JsonPlace> place = member(name))
            readObject(*place, read);
    }

    /// Call it last: every member that was not read is a fault.
    void finish() const;

private:
    JsonPlace m_object;
    QStringList m_known;
};

/// Passes the reader of an object to `read`. Members that it does not read are faults.
void readObject(const JsonPlace &place, const auto &read)
{
    JsonObjectReader reader(place);
    read(reader);
    reader.finish();
}

} // namespace Rekindle
