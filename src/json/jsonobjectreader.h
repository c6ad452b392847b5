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
    [[nodiscard]] std::optional<JsonPlace> member(const QString &name);
    /// The same; a missing member is a fault.
    [[nodiscard]] std::optional<JsonPlace> required(const QString &name);

    void read(const QString &name, bool &target);
    void read(const QString &name, double &target);
    void read(const QString &name, Duration &target);
    void read(const QString &name, Duration &target, Duration least, Duration greatest);
    void read(const QString &name, int &target, int least, int greatest);

    /// One of a list of values or of EnumName rows.
    template<typename Enum, typename Choices>
    void read(const QString &name, Enum &target, const Choices &choices)
    {
        if (const std::optional<JsonPlace> place = member(name))
            target = place->choice(choices).value_or(target);
    }

    /// Call it last: every member that was not read is a fault.
    void finish() const;

private:
    JsonPlace m_object;
    QStringList m_known;
};

} // namespace Rekindle
