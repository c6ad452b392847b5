// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "durationtext.h"
#include "jsonfaults.h"
#include "jsonnode.h"

#include <rekindle/json/enumnames.h>

#include <QStringList>

#include <array>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace Rekindle {

/// A node and the pointer to it, with checked getters. A getter that finds another type records a
/// fault and returns nothing. The node and the faults must outlive it.
class JsonPlace
{
public:
    JsonPlace(const JsonNode &node, QString pointer, JsonFaults &faults);

    [[nodiscard]] const JsonNode &node() const { return *m_node; }
    [[nodiscard]] const QString &pointer() const { return m_pointer; }
    [[nodiscard]] JsonFaults &faults() const { return *m_faults; }

    [[nodiscard]] bool isNull() const { return m_node->kind == JsonNode::Kind::Null; }
    [[nodiscard]] bool isObject() const { return m_node->kind == JsonNode::Kind::Object; }
    [[nodiscard]] bool isString() const { return m_node->kind == JsonNode::Kind::String; }
    [[nodiscard]] bool isNumber() const { return m_node->kind == JsonNode::Kind::Number; }
    [[nodiscard]] bool isText(QAnyStringView text) const
    {
        return isString() && text == m_node->text;
    }

    /// The place of a JSON pointer within this one. If it does not exist, its node is the nearest
    /// parent.
    [[nodiscard]] JsonPlace at(QAnyStringView pointer) const;
    [[nodiscard]] std::optional<JsonPlace> member(QAnyStringView name) const;

    void fault(QAnyStringView text) const { add(text, Severity::Error, m_node->position); }
    void warn(QAnyStringView text) const { add(text, Severity::Warning, m_node->position); }
    /// Of a member, at its name.
    void faultAtName(QAnyStringView text) const
    {
        add(text, Severity::Error, m_node->namePosition);
    }
    void warnAtName(QAnyStringView text) const
    {
        add(text, Severity::Warning, m_node->namePosition);
    }
    /// Adds the faults of a file that this place names.
    void addFaults(const QString &file, const QList<Fault> &faults, QList<Fault> warnings) const;
    /// "expected ..., found ...".
    void mismatch(QAnyStringView expected) const;

    /// Counts the memory of a value that is larger than its text, see JsonFaults. Returns false
    /// after a fault.
    [[nodiscard]] bool claimMemory(qsizetype bytes) const;

    [[nodiscard]] std::optional<bool> boolean() const;
    /// A string without a null character, because programs cannot receive one.
    [[nodiscard]] std::optional<QString> text() const;
    [[nodiscard]] std::optional<QString> textNotEmpty() const;
    [[nodiscard]] std::optional<double> number() const;
    [[nodiscard]] std::optional<double> number(double least, double greatest) const;
    /// `also` is the alternative to a number, for the message: " or \"unlimited\"".
    [[nodiscard]] std::optional<int> integer(int least, int greatest,
                                             const QString &also = {}) const;
    [[nodiscard]] std::optional<Duration> duration() const;
    [[nodiscard]] std::optional<Duration> duration(Duration least, Duration greatest) const;
    /// A number of bytes, or a text such as "10MB"; from 4 KiB to 1 TiB.
    [[nodiscard]] std::optional<qint64> byteSize() const;
    [[nodiscard]] std::optional<QString> oneOf(const QStringList &names) const;

    /// The value of the EnumName row with this name.
    template<typename Rows>
    [[nodiscard]] auto choice(const Rows &rows) const
    {
        QStringList names;
        for (const auto &row : rows)
            names.append(row.name);
        const std::optional<QString> name = oneOf(names);
        return name ? std::optional(rows[static_cast<std::size_t>(names.indexOf(*name))].value)
                    : std::nullopt;
    }

    /// Sets `target` and returns true if the value is valid: a bool, a number or a Duration with
    /// their ranges, a text that is not empty, a qint64 of bytes, or an enum with its EnumName
    /// rows.
    template<typename T>
    bool to(T &target, const auto &...permitted) const
    {
        const auto assign = [&target](const auto &found) {
            if (found)
                target = *found;
            return found.has_value();
        };
        if constexpr (std::is_same_v<T, bool> && sizeof...(permitted) == 0)
            return assign(boolean());
        else if constexpr (std::is_same_v<T, int>)
            return assign(integer(permitted...));
        else if constexpr (std::is_same_v<T, double>)
            return assign(number(permitted...));
        else if constexpr (std::is_same_v<T, Duration>)
            return assign(duration(permitted...));
        else if constexpr (std::is_same_v<T, QString>)
            return assign(textNotEmpty());
        else if constexpr (std::is_same_v<T, qint64>)
            return assign(byteSize());
        else if constexpr (requires { target.has_value(); }) {
            typename T::value_type present{};
            const bool isValid = to(present, permitted...);
            if (isValid)
                target = present;
            return isValid;
        } else
            return assign(choice(permitted...));
    }

    /// Whether it is an object; otherwise that is a fault.
    [[nodiscard]] bool wantObject() const;
    /// The items of an array; another type is a fault.
    [[nodiscard]] std::optional<std::vector<JsonPlace>> items() const;
    /// The members of an object, in order; empty for other types.
    [[nodiscard]] std::vector<JsonPlace> members() const;

private:
    using Severity = Fault::Severity;

    void add(QAnyStringView message, Severity severity, JsonPosition position) const;

    const JsonNode *m_node;
    QString m_pointer;
    JsonFaults *m_faults;
};

/// Reads a parsed text with `read`, which receives the place of the whole and returns the value.
template<typename Read>
[[nodiscard]] auto readParsed(const Parsed<JsonNode> &parsed, Read read)
{
    JsonFaults faults;
    Parsed<decltype(read(JsonPlace(*parsed.value, {}, faults)))> result;
    if (parsed)
        result = faults.result(read(JsonPlace(*parsed.value, {}, faults)));
    else
        result.faults = parsed.faults;
    result.file = parsed.file;
    return result;
}

} // namespace Rekindle
