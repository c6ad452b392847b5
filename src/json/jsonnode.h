// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QJsonValue>
#include <QString>
#include <QStringView>

#include <optional>
#include <vector>

namespace Rekindle {

/// A place in a text; both count from 1, columns in characters (code points).
struct JsonPosition
{
    int line = 0;
    int column = 0;

    bool operator==(const JsonPosition &) const = default;
};

/// One value of a JSON text, with the place of its first character.
struct JsonNode
{
    enum class Kind { Null, Boolean, Number, String, Array, Object };

    Kind kind = Kind::Null;
    bool boolean = false;
    double number = 0;
    std::optional<qint64> integer{};  ///< of a number that is whole and fits, "5" and "5.0" alike
    QString text{};                   ///< a string's value; a number as it was written
    std::vector<JsonNode> children{}; ///< items or members, in the order of the text
    JsonPosition position{};

    QString name{}; ///< of an object's member
    JsonPosition namePosition{};

    /// The member of that name, or nullptr.
    [[nodiscard]] const JsonNode *member(QAnyStringView memberName) const;

    /// The node of a JSON pointer, or its nearest parent that exists.
    [[nodiscard]] const JsonNode &nearest(QStringView pointer) const;

    /// For messages, on one line: 'null', 'true', '5', '"text"', 'an array', 'an object'.
    [[nodiscard]] QString describe() const;

    [[nodiscard]] QJsonValue toJsonValue() const;
};

/// The text on one line: control characters are escaped, long texts are truncated.
[[nodiscard]] QString printable(QStringView text);

/// "/" and the name, escaped according to RFC 6901.
[[nodiscard]] QString pointerToken(QStringView name);

} // namespace Rekindle
