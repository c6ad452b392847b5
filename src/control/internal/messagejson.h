// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "json/jsonwriter.h"

#include <rekindle/control/controlmessages.h>

#include <QJsonArray>
#include <QJsonObject>

#include <chrono>
#include <optional>
#include <type_traits>
#include <utility>

// Writes and reads what fields() of a message lists: pairs of a key and a value.

namespace Rekindle {

class FieldWriter
{
public:
    explicit FieldWriter(JsonWriter &json)
        : m_json(json)
    {
    }

    template<typename T>
    static const T *optional(const T &value)
    {
        if constexpr (requires { value.isEmpty(); })
            return value.isEmpty() ? nullptr : &value;
        else
            return value ? &value : nullptr;
    }
    static std::optional<QStringView> orNull(const QString &text)
    {
        return text.isEmpty() ? std::nullopt : std::optional<QStringView>(text);
    }

    template<typename T, typename... Rest>
    void operator()(const char *key, const T &value, const Rest &...rest)
    {
        if constexpr (std::is_pointer_v<T>) {
            if (value)
                (*this)(key, *value);
        } else {
            m_json.key(QLatin1String(key));
            write(value);
        }
        if constexpr (sizeof...(rest) > 0)
            (*this)(rest...);
    }

    void write(const QByteArray &json) { m_json.json(json); }
    void write(UtcTime time) { m_json.value(toRfc3339(time)); }
    void write(std::chrono::milliseconds time) { m_json.value(time.count()); }
    template<typename T>
    void write(const std::optional<T> &value)
    {
        value ? write(*value) : m_json.null();
    }
    template<typename T>
    void write(const QList<T> &values)
    {
        m_json.beginArray();
        for (const T &each : values)
            write(each);
        m_json.endArray();
    }
    template<typename T>
    void write(const T &value)
    {
        if constexpr (requires { m_json.value(value); }) {
            m_json.value(value);
        } else {
            m_json.object([&] { T::fields(*this, value); });
        }
    }

private:
    JsonWriter &m_json;
};

/// An object with these keys and values.
[[nodiscard]] QByteArray objectJson(const auto &...fields)
{
    return jsonObject([&](JsonWriter &json) { FieldWriter{json}(fields...); });
}

/// A message, or a list of messages.
[[nodiscard]] QByteArray messageJson(const auto &message)
{
    QByteArray text;
    JsonWriter json(text);
    FieldWriter(json).write(message);
    return text;
}

/// A field that is missing keeps its value.
class FieldReader
{
public:
    explicit FieldReader(QJsonObject object)
        : m_object(std::move(object))
    {
    }

    static auto &optional(auto &value) { return value; }
    static auto &orNull(auto &value) { return value; }

    template<typename T, typename... Rest>
    void operator()(const char *key, T &value, Rest &...rest)
    {
        const QJsonValue json = m_object[QLatin1String(key)];
        if (!json.isNull() && !json.isUndefined())
            read(json, value);
        if constexpr (sizeof...(rest) > 0)
            (*this)(rest...);
    }

    template<typename Rep, typename Period>
    static void read(const QJsonValue &json, std::chrono::duration<Rep, Period> &value)
    {
        value = std::chrono::round<std::chrono::duration<Rep, Period>>(
            std::chrono::duration<double, std::milli>(json.toDouble()));
    }
    static void read(const QJsonValue &json, UtcTime &value)
    {
        value = utcTimeFromRfc3339(json.toString()).value_or(value);
    }
    template<typename T>
    static void read(const QJsonValue &json, std::optional<T> &value)
    {
        // With an argument, because clang regards the members of a class as incomplete here.
        read(json, value.emplace(T{}));
    }
    template<typename T>
    static void read(const QJsonValue &json, QList<T> &values)
    {
        for (const auto &each : json.toArray())
            read(each, values.emplaceBack());
    }
    template<typename T>
    static void read(const QJsonValue &json, T &value)
    {
        if constexpr (requires(FieldReader io) { T::fields(io, value); }) {
            FieldReader reader(json.toObject());
            T::fields(reader, value);
        } else {
            value = json.toVariant().value<T>();
        }
    }

private:
    const QJsonObject m_object;
};

/// A value, a message or a list of messages.
template<typename T>
[[nodiscard]] T fromJson(const QJsonValue &json)
{
    T value{};
    FieldReader::read(json, value);
    return value;
}

} // namespace Rekindle
