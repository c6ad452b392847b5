// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "inputrow_p.h"

#include "storeitem_p.h"

#include <bit>

namespace Rekindle {

namespace {

// FNV-1a with 64 bits: a single changed byte always changes the sum.
class Sum
{
public:
    void add(const QByteArray &text)
    {
        add(text.size());
        for (const char each : text)
            addByte(static_cast<unsigned char>(each));
    }
    void add(qint64 number)
    {
        auto bits = static_cast<quint64>(number);
        for (int i = 0; i < 8; ++i, bits >>= 8U)
            addByte(bits & 0xffU);
    }
    [[nodiscard]] qint64 value() const { return static_cast<qint64>(m_value); }

private:
    void addByte(quint64 byte)
    {
        m_value ^= byte;
        m_value *= 0x100000001b3U;
    }

    quint64 m_value = 0xcbf29ce484222325U;
};

} // namespace

InputRow InputRow::of(const JournalEntry &entry)
{
    return {.number = static_cast<qint64>(entry.number),
            .monotonicNs = qint64{entry.time.time_since_epoch().count()},
            .instance = entry.instanceId.toByteArray(QUuid::WithoutBraces),
            .agent = storable(entry.agent),
            .kind = entry.kindText().toLatin1(),
            .generation = static_cast<qint64>(entry.generation),
            .draw = entry.draw,
            .data = entry.data()};
}

QString InputRow::read(JournalEntry &entry) const
{
    constexpr qint64 most = Duration(std::chrono::days(36500)).count();
    if (number < 1 || monotonicNs < 0 || monotonicNs > most)
        return QStringLiteral("a number is out of range");
    entry.number = static_cast<quint64>(number);
    entry.time = Instant(Duration(monotonicNs));
    entry.instanceId = QUuid(QString::fromLatin1(instance));
    entry.agent = QString::fromUtf8(agent);
    entry.generation = static_cast<quint64>(generation);
    entry.draw = draw;
    return entry.read(QString::fromLatin1(kind), data);
}

qint64 InputRow::sum() const
{
    Sum sum;
    for (const qint64 column : {number, monotonicNs, generation, std::bit_cast<qint64>(draw)})
        sum.add(column);
    for (const QByteArray &column : {instance, agent, kind, data})
        sum.add(column);
    return sum.value();
}

} // namespace Rekindle
