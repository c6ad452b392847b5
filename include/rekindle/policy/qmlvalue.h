// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/timepoint.h>

#include <QDateTime>
#include <QList>
#include <QVariant>

#include <optional>
#include <variant>

/// QML cannot read the types of the standard library and lists of gadgets. toQml() converts them.
namespace Rekindle {

/// Types that QML can read are not changed.
template<typename T>
[[nodiscard]] T toQml(const T &value)
{
    return value;
}

/// Milliseconds with their fraction.
[[nodiscard]] inline double toQml(Duration duration) { return toMilliseconds(duration); }

/// Milliseconds of the monotonic clock, which are comparable only with those of the same boot.
[[nodiscard]] inline double toQml(Instant instant)
{
    return toMilliseconds(instant.time_since_epoch());
}

/// A `Date` in QML.
[[nodiscard]] inline QDateTime toQml(UtcTime time)
{
    return QDateTime::fromMSecsSinceEpoch(time.time_since_epoch().count());
}

/// The value, or an invalid QVariant, which is `undefined` in QML.
template<typename T>
[[nodiscard]] QVariant toQml(const std::optional<T> &value)
{
    return value ? QVariant::fromValue(toQml(*value)) : QVariant();
}

/// The current alternative, for example the event in a LifecycleEvent.
template<typename... Types>
[[nodiscard]] QVariant toQml(const std::variant<Types...> &value)
{
    return std::visit([](const auto &each) { return QVariant::fromValue(toQml(each)); }, value);
}

template<typename T>
[[nodiscard]] QVariantList toQml(const QList<T> &values)
{
    QVariantList list;
    list.reserve(values.size());
    for (const T &each : values)
        list += QVariant::fromValue(toQml(each));
    return list;
}

} // namespace Rekindle

/// Declares a property for QML whose value is toQml() of the member with the same name. `type` is
/// the type that toQml() returns. It costs nothing until the property is read.
#define REKINDLE_QML_PROPERTY(type, name)                                                          \
    Q_PROPERTY(type name READ name##ForQml)                                                        \
    [[nodiscard]] type name##ForQml() const { return Rekindle::toQml(name); }
