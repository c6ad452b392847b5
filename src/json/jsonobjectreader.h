// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "jsonplace.h"

#include <QStringList>

#include <type_traits>

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
    [[nodiscard]] std::optional<JsonPlace> member(const QString &name);
    /// The same; a missing member is a fault.
    [[nodiscard]] std::optional<JsonPlace> required(const QString &name);

    /// Reads a bool, an int with its range, a Duration with or without a range, or an enum with its
    /// EnumName rows.
    template<typename T>
    void read(const QString &name, T &target, const auto &...permitted)
    {
        const std::optional<JsonPlace> place = member(name);
        if (!place)
            return;
        if constexpr (std::is_same_v<T, bool>)
            target = place->boolean().value_or(target);
        else if constexpr (std::is_same_v<T, int>)
            target = place->integer(permitted...).value_or(target);
        else if constexpr (std::is_same_v<T, Duration>)
            target = place->duration(permitted...).value_or(target);
        else
            target = place->choice(permitted...).value_or(target);
    }

    /// Call it last: every member that was not read is a fault.
    void finish() const;

private:
    JsonPlace m_object;
    QStringList m_known;
};

} // namespace Rekindle
