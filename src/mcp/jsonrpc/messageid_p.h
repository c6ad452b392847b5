// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/mcp/export.h>

#include <QByteArray>
#include <QByteArrayView>
#include <QHashFunctions>

namespace Rekindle {

/// The id of a JSON-RPC message, or a progress token: a string or an integer; 0 and "0" are two
/// ids. Two ids are equal if they say the same: a peer may well answer "\u0061" with "a".
class REKINDLE_MCP_EXPORT MessageId
{
public:
    enum class Type { None, Integer, String };

    MessageId() = default;

    /// Of a JSON value; none where it is no id (null, 1.5, 1e3, true, an object).
    static MessageId ofJson(QByteArrayView value);
    static MessageId ofInteger(qint64 number);

    [[nodiscard]] Type type() const { return m_type; }
    [[nodiscard]] bool isPresent() const { return m_type != Type::None; }

    /// Exactly as it was written, quotes included: what an answer repeats.
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
    QByteArray m_meaning; // of a string its text, of a number its digits
};

} // namespace Rekindle
