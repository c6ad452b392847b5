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
    [[nodiscard]] JsonPlace at(const QString &pointer) const;
    [[nodiscard]] std::optional<JsonPlace> member(QStringView name) const;

    void fault(const QString &message) const;
    void warn(const QString &message) const;
    /// Of a member, at its name.
    void faultAtName(const QString &message) const;
    void warnAtName(const QString &message) const;
    /// "expected ..., found ...".
    void mismatch(const QString &expected) const;

    /// Counts the memory of a value that is larger than its text, see JsonFaults. Returns false
    /// after a fault.
    [[nodiscard]] bool claimMemory(qsizetype bytes) const;

    [[nodiscard]] std::optional<bool> boolean() const;
    /// A string without a null character, because programs cannot receive one.
    [[nodiscard]] std::optional<QString> text() const;
    [[nodiscard]] std::optional<QString> textNotEmpty() const;
    [[nodiscard]] std::optional<double> number() const;
    /// `also` is the alternative to a number, for the message: " or \"unlimited\"".
    [[nodiscard]] std::optional<int> integer(int least, int greatest,
                                             const QString &also = {}) const;
    [[nodiscard]] std::optional<Duration> duration() const;
    [[nodiscard]] std::optional<Duration> duration(Duration least, Duration greatest) const;
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
