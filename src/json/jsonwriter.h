// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QJsonObject>
#include <QJsonValue>
#include <QString>
#include <QStringList>
#include <QStringView>
#include <QUuid>

#include <array>
#include <charconv>
#include <chrono>
#include <concepts>
#include <optional>

namespace Rekindle {

/// The name of a member: ASCII without characters that need an escape.
struct JsonName
{
    template<std::size_t size>
    constexpr JsonName(const char (&literal)[size])
        : text(literal, qsizetype{size} - 1)
    {
    }
    constexpr JsonName(QLatin1String name)
        : text(name)
    {
    }

    QLatin1String text;
};

/// Appends compact JSON to a buffer. Also for lines that are written thousands of times per second.
/// It writes the commas. The caller must close objects and arrays and write a key before each value
/// of an object.
class JsonWriter
{
public:
    /// `out` must outlive it.
    explicit JsonWriter(QByteArray &out)
        : m_out(out)
    {
    }

    void beginObject() { open('{'); }
    void endObject() { close('}'); }
    void beginArray() { open('['); }
    void endArray() { close(']'); }

    /// An object whose members `write` writes.
    void object(const auto &write)
    {
        beginObject();
        write();
        endObject();
    }
    void object(JsonName name, const auto &write)
    {
        key(name);
        object(write);
    }
    /// An array. `write` writes each item.
    void array(const auto &items, const auto &write)
    {
        beginArray();
        for (const auto &each : items)
            write(each);
        endArray();
    }
    void array(JsonName name, const auto &items, const auto &write)
    {
        key(name);
        array(items, write);
    }

    void key(JsonName name);

    /// Invalid UTF-16 becomes U+FFFD.
    void value(QStringView text);
    void value(QLatin1String text);
    template<std::size_t size>
    void value(const char (&literal)[size])
    {
        value(QLatin1String(literal, qsizetype{size} - 1));
    }
    void value(bool truth);
    void value(std::integral auto number)
    {
        separate();
        addNumber(number);
    }
    /// The shortest digits that read back to the same value, with a point or an exponent. Infinity
    /// and NaN are written as null.
    void value(double number);
    void null();
    /// A value that is compact JSON already.
    void json(QByteArrayView text);
    /// In milliseconds with their fraction.
    void value(std::chrono::nanoseconds duration);
    void value(const QStringList &texts);
    void value(const QJsonObject &object);
    /// Without braces.
    void value(const QUuid &id);
    /// An empty optional is written as null.
    template<typename T>
    void value(const std::optional<T> &optional)
    {
        optional ? value(*optional) : null();
    }

    void member(JsonName name, const auto &content)
    {
        key(name);
        value(content);
    }

    /// A text in pieces. A surrogate pair must not be split between pieces.
    void beginText();
    void addText(QStringView text);
    void addText(QLatin1String text);
    /// ASCII without characters that need an escape.
    void addPlain(const char *bytes, qsizetype size) { m_out.append(bytes, size); }
    void addPlain(QLatin1String text) { m_out.append(text.data(), text.size()); }
    void addNumber(std::integral auto number)
    {
        std::array<char, 24> digits{}; // 20 are the most
        const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), number);
        addPlain(digits.data(), result.ptr - digits.data());
    }
    void endText() { m_out += '"'; }

private:
    void open(char bracket);
    void close(char bracket);
    void separate();
    void addCodeUnit(char16_t unit);

    QByteArray &m_out;
    bool m_needsComma = false;
};

/// The text of an object. `write` receives the writer and writes the members.
[[nodiscard]] QByteArray jsonObject(const auto &write)
{
    QByteArray text;
    JsonWriter json(text);
    json.object([&] { write(json); });
    return text;
}

/// The JSON of a value that is not undefined.
[[nodiscard]] QByteArray compactJson(const QJsonValue &value);

/// The same JSON on several lines, with two spaces for each level.
[[nodiscard]] QByteArray onLines(QByteArrayView json);

} // namespace Rekindle
