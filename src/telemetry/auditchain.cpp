// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "auditchain_p.h"

#include <QCryptographicHash>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtEndian>

#include <array>

namespace Rekindle::AuditChain {

namespace {

class Hasher
{
public:
    void add(qint64 number)
    {
        std::array<char, sizeof number> bytes{};
        qToBigEndian(number, bytes.data());
        m_hash.addData(QByteArrayView(bytes.data(), static_cast<qsizetype>(bytes.size())));
    }
    void add(const QByteArray &bytes)
    {
        add(qint64{bytes.size()});
        m_hash.addData(QByteArrayView(bytes));
    }
    [[nodiscard]] QByteArray result() const { return m_hash.result(); }

private:
    QCryptographicHash m_hash{QCryptographicHash::Sha256};
};

} // namespace

QByteArray hashOf(const QByteArray &previous, const AuditRow &row)
{
    Hasher hasher;
    hasher.add(previous);
    hasher.add(row.id);
    hasher.add(row.kind);
    hasher.add(row.run);
    hasher.add(row.monotonicNs);
    hasher.add(row.utcMs);
    hasher.add(row.instance);
    hasher.add(row.agent);
    hasher.add(row.rule);
    hasher.add(row.data);
    return hasher.result();
}

QByteArray checkpoint(qint64 removedThrough, const QByteArray &hash)
{
    return R"({"removedThrough":)" + QByteArray::number(removedThrough) + R"(,"hash":")"
        + hash.toHex() + "\"}";
}

Checkpoint checkpointFrom(const QByteArray &data)
{
    const QJsonObject object = QJsonDocument::fromJson(data).object();
    return {object[QLatin1String("removedThrough")].toInteger(),
            QByteArray::fromHex(object[QLatin1String("hash")].toString().toLatin1())};
}

} // namespace Rekindle::AuditChain
