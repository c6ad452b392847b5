// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "durationtext.h"

#include <rekindle/json/fault.h>

#include <tuple>
#include <type_traits>

// A field table is a tuple of fields: the keys of an object, with member, type and range. Readers,
// writers and range checks follow it.

namespace Rekindle::FieldTable {

/// true or false.
struct Flag
{
};
/// A text that is not empty.
struct Text
{
};
/// An object whose keys are not checked here.
struct AnyObject
{
};
template<typename T>
struct Range
{
    T least;
    T greatest;
};
/// One of the values of EnumName rows.
template<typename Rows>
struct Choice
{
    const Rows &rows;
};
template<typename Rows>
Choice(const Rows &) -> Choice<Rows>; // Clang 14 deduces nothing for aggregates
template<typename T, typename Fields>
struct Object
{
    const Fields &fields;
};

/// One key of `Owner`.
template<typename Owner, typename Value, typename Type>
struct Field
{
    QLatin1String key;
    Value Owner::*member;
    Type type;
    QLatin1String empty; ///< the text for an empty optional; "": the key is left out
    bool required = false;
};

template<typename Owner, typename Value, typename Type>
constexpr Field<Owner, Value, Type> field(const char *key, Value Owner::*member, Type type,
                                          const char *empty = "")
{
    return {QLatin1String(key), member, type, QLatin1String(empty), false};
}

template<typename Owner, typename Value, typename Type>
constexpr Field<Owner, Value, Type> required(const char *key, Value Owner::*member, Type type)
{
    return {QLatin1String(key), member, type, {}, true};
}

template<typename T, typename Fields>
constexpr Object<T, Fields> object(const Fields &fields)
{
    return {fields};
}

/// Calls `visit` with each field of a table.
template<typename Fields, typename Visit>
void forEach(const Fields &fields, Visit visit)
{
    std::apply([&](const auto &...each) { (visit(each), ...); }, fields);
}

/// Adds a fault if `found` is outside of the range.
template<typename T>
void checkRange(const T &found, const Range<T> &range, const QString &path, QList<Fault> &faults)
{
    const auto text = [](T value) {
        if constexpr (std::is_same_v<T, Duration>)
            return formatDuration(value);
        else
            return QString::number(value);
    };
    // Written so that NaN is outside.
    if (!(found >= range.least && found <= range.greatest))
        faults.append({path,
                       QStringLiteral("expected %1 to %2, found %3")
                           .arg(text(range.least), text(range.greatest), text(found))});
}

} // namespace Rekindle::FieldTable
