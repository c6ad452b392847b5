// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "enumnames.h"
#include "jsonfaults.h"
#include "jsonnode.h"

#include "durationtext.h"

#include <QStringList>

#include <array>
#include <optional>
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

    void fault(const QString &message) const;
    void warn(const QString &message) const;
    /// "expected ..., found ...".
    void mismatch(const QString &expected) const;

    [[nodiscard]] std::optional<bool> boolean() const;
    /// A string without a zero character, because programs cannot receive one.
    [[nodiscard]] std::optional<QString> text() const;
    [[nodiscard]] std::optional<QString> textNotEmpty() const;
    [[nodiscard]] std::optional<double> number() const;
    /// `also` is the alternative to a number, for the message: " or \"unlimited\"".
    [[nodiscard]] std::optional<int> integer(int least, int greatest,
                                             const QString &also = {}) const;
    [[nodiscard]] std::optional<Duration> duration() const;
    [[nodiscard]] std::optional<Duration> duration(Duration least, Duration greatest) const;
    [[nodiscard]] std::optional<QString> oneOf(const QStringList &names) const;

    template<typename Enum, std::size_t size>
    [[nodiscard]] std::optional<Enum> choice(const std::array<EnumName<Enum>, size> &rows) const
    {
        QStringList names;
        for (const EnumName<Enum> &row : rows)
            names.append(row.name);
        const std::optional<QString> name = oneOf(names);
        return name ? valueOf(rows, *name) : std::nullopt;
    }

    /// For an enum that has a toText() in the namespace.
    template<typename Enum, std::size_t size>
    [[nodiscard]] std::optional<Enum> choice(const std::array<Enum, size> &values) const
    {
        QStringList names;
        for (const Enum value : values)
            names.append(toText(value));
        const std::optional<QString> name = oneOf(names);
        return name ? std::optional(values[static_cast<std::size_t>(names.indexOf(*name))])
                    : std::nullopt;
    }

    /// Whether it is an object; otherwise that is a fault.
    [[nodiscard]] bool wantObject() const;
    /// The items of an array; another type is a fault.
    [[nodiscard]] std::optional<std::vector<JsonPlace>> items() const;
    /// The members of an object, in order; empty for other types.
    [[nodiscard]] std::vector<JsonPlace> members() const;

private:
    const JsonNode *m_node;
    QString m_pointer;
    JsonFaults *m_faults;
};

} // namespace Rekindle
