// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringView>

#include <array>
#include <optional>

namespace Rekindle {

/// One value of an enum and its name; a table has one row for each value.
template<typename Enum>
struct EnumName
{
    Enum value;
    QLatin1String name;
};

template<typename Enum, std::size_t size>
[[nodiscard]] QString nameOf(const std::array<EnumName<Enum>, size> &names, Enum value)
{
    for (const EnumName<Enum> &row : names) {
        if (row.value == value)
            return row.name;
    }
    return {};
}

template<typename Enum, std::size_t size>
[[nodiscard]] std::optional<Enum> valueOf(const std::array<EnumName<Enum>, size> &names,
                                          QStringView name)
{
    for (const EnumName<Enum> &row : names) {
        if (name == row.name)
            return row.value;
    }
    return {};
}

} // namespace Rekindle
