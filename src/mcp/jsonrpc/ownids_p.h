// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "wire/messageid_p.h"

#include <QRandomGenerator>
#include <QString>

namespace Rekindle {

/// Ids for the requests of a session itself. They are integers, as in the official clients,
/// because some servers accept no other ids, and fit into 32 bits.
class OwnIds
{
public:
    /// The first id if no other one was chosen.
    static constexpr qint64 usualFirst = 1'000'000'001;
    /// The ids of two sessions at this distance do not meet.
    static constexpr qint64 distance = 500'000'000;

    explicit OwnIds(qint64 first)
        : m_first(first)
        , m_next(first)
    {
    }

    /// A first id that clients are unlikely to use. Most of them count from 0 or 1.
    [[nodiscard]] static qint64 randomFirst()
    {
        constexpr quint32 range = 400'000'000;
        return usualFirst + QRandomGenerator::system()->bounded(range);
    }

    [[nodiscard]] MessageId next() { return MessageId::ofJson(QByteArray::number(m_next++)); }

    /// Why a request of the client with such an id is refused: the responses could be confused.
    [[nodiscard]] static QString refusal()
    {
        return QStringLiteral(
            "Invalid Request: rekindle uses this id for a request of its own; use "
            "another id");
    }

    /// Whether next() has returned this id.
    [[nodiscard]] bool contains(const MessageId &id) const
    {
        if (id.type() != MessageId::Type::Integer)
            return false;
        const qint64 number = id.json().toLongLong();
        return number >= m_first && number < m_next;
    }

private:
    qint64 m_first;
    qint64 m_next;
};

} // namespace Rekindle
