// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QHashFunctions>

namespace Rekindle {

/// The id of a JSON-RPC message, or a progress token: a string or an integer. 0 and "0" are
/// different ids. Strings are compared unescaped, because a peer may answer "\u0061" with "a".
class MessageId
{
public:
    enum class Type { None, Integer, String };

    MessageId() = default;

    /// Reads a JSON value; None if it is not an id (null, 1.5, 1e3, true, an object).
    static MessageId ofJson(QByteArrayView value);

    [[nodiscard]] Type type() const { return m_type; }
    [[nodiscard]] bool isPresent() const { return m_type != Type::None; }

    /// Returns the id as it was written, including quotes. A response repeats it.
    [[nodiscard]] const QByteArray &json() const { return m_json; }

    friend bool operator==(const MessageId &one, const MessageId &other)
    {
        return one.m_type == other.m_type && one.m_meaning == other.m_meaning;
    }
    friend size_t qHash(const MessageId &id, size_t seed = 0)
    {
        return qHash(id.m_meaning, seed + static_cast<size_t>(id.m_type));
    }

private:
    Type m_type = Type::None;
    QByteArray m_json;
    QByteArray m_meaning; // the text of a string, the digits of a number
};

} // namespace Rekindle
