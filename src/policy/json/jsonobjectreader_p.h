// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "jsonplace_p.h"

#include <QStringList>

namespace Rekindle {

/// Reads the members of one object by name, remembers which names were asked for, and at the end
/// finds the rest unknown. What is absent leaves its target alone; what is wrong does too.
class REKINDLE_POLICY_EXPORT JsonObjectReader
{
public:
    /// Something that is no object is a fault, and has no members.
    explicit JsonObjectReader(JsonPlace object);

    [[nodiscard]] const JsonPlace &object() const { return m_object; }

    /// The member of that name; nothing if it is absent.
    [[nodiscard]] std::optional<JsonPlace> member(const QString &name);
    /// The same; that it is absent is a fault.
    [[nodiscard]] std::optional<JsonPlace> required(const QString &name);

    void read(const QString &name, bool &target);
    void read(const QString &name, double &target);
    void read(const QString &name, Duration &target);
    void read(const QString &name, Duration &target, Duration least, Duration greatest);
    void read(const QString &name, int &target, int least, int greatest);

    /// Of a list of values or of EnumName rows.
    template<typename Enum, typename Choices>
    void read(const QString &name, Enum &target, const Choices &choices)
    {
        if (const std::optional<JsonPlace> place = member(name))
            target = place->choice(choices).value_or(target);
    }

    /// Call it last: every member that was not asked for is a fault.
    void finish() const;

private:
    JsonPlace m_object;
    QStringList m_known;
};

} // namespace Rekindle
