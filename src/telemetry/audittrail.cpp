// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "auditchain_p.h"
#include "storeconnection_p.h"
#include "storeschema_p.h"

#include <rekindle/telemetry/audittrail.h>

#include <utility>

namespace Rekindle {

namespace {

// Verifies the rows in order and stops at the first fault.
class ChainVerifier
{
public:
    explicit ChainVerifier(const StoreSchema::TrailHead &head, std::optional<AuditHead> knownHead)
        : m_stored(head)
        , m_knownHead(std::move(knownHead))
    {
        m_report.removedThrough = head.removedThrough;
        m_report.head = {head.removedThrough, {}};
        if (head.removedThrough == 0)
            m_report.head.hash = QByteArray(AuditChain::hashSize, '\0');
    }

    /// Returns false at the first fault.
    bool add(const AuditRow &row, const QByteArray &previous, const QByteArray &hash)
    {
        const qint64 expected = m_report.head.row + 1;
        if (row.id > expected)
            return fail(expected, QStringLiteral("missing"));
        if (row.id < expected)
            return fail(row.id, QStringLiteral("before the beginning of the trail"));
        if (m_report.rows == 0 && m_stored.removedThrough > 0)
            m_removedHash = previous; // a checkpoint must confirm it
        else if (previous != m_report.head.hash)
            return fail(row.id, QStringLiteral("does not follow the previous row"));
        if (AuditChain::hashOf(previous, row) != hash)
            return fail(row.id, QStringLiteral("changed"));
        if (m_knownHead && m_knownHead->row == row.id && m_knownHead->hash != hash)
            return fail(row.id, QStringLiteral("differs from the given head"));
        if (row.kind == "checkpoint")
            m_checkpoint = AuditChain::checkpointFrom(row.data);
        ++m_report.rows;
        m_report.head = {row.id, hash};
        return true;
    }

    AuditReport finish()
    {
        if (!m_report.fault)
            checkEnds();
        return m_report;
    }

private:
    bool fail(qint64 row, const QString &what)
    {
        m_report.fault = AuditFault{row, what};
        return false;
    }

    void checkEnds()
    {
        const AuditHead &last = m_report.head;
        const qint64 removed = m_stored.removedThrough;
        if (last.row < m_stored.lastRow) {
            fail(last.row + 1,
                 QStringLiteral("missing, with all rows up to %1").arg(m_stored.lastRow));
        } else if (last.row > m_stored.lastRow) {
            fail(m_stored.lastRow + 1, QStringLiteral("after the end of the trail"));
        } else if (last.hash != m_stored.hash && m_report.rows > 0) {
            fail(last.row, QStringLiteral("differs from the head of the trail"));
        } else if (removed > 0
                   && (m_checkpoint.removedThrough != removed
                       || m_checkpoint.hash != m_removedHash)) {
            fail(removed, QStringLiteral("removed without a checkpoint"));
        } else if (m_knownHead && m_knownHead->row > last.row) {
            fail(last.row + 1,
                 QStringLiteral("missing: the given head is row %1").arg(m_knownHead->row));
        } else if (m_knownHead && m_knownHead->row > 0 && m_knownHead->row == removed
                   && m_knownHead->hash != m_removedHash) {
            fail(removed, QStringLiteral("differs from the given head"));
        }
    }

    const StoreSchema::TrailHead m_stored;
    const std::optional<AuditHead> m_knownHead;
    AuditReport m_report;
    QByteArray m_removedHash;
    AuditChain::Checkpoint m_checkpoint;
};

AuditRow rowFrom(const QSqlQuery &query)
{
    const auto utf8 = [&query](int column) { return query.value(column).toString().toUtf8(); };
    return {.id = query.value(0).toLongLong(),
            .kind = utf8(1),
            .run = utf8(2),
            .monotonicNs = query.value(3).toLongLong(),
            .utcMs = query.value(4).toLongLong(),
            .instance = utf8(5),
            .agent = utf8(6),
            .rule = utf8(7),
            .data = utf8(8)};
}

AuditReport verifyRows(StoreConnection &connection, const std::optional<AuditHead> &knownHead)
{
    ChainVerifier chain(StoreSchema::readHead(connection), knownHead);
    // Ordered by id, which is the order of the table itself; an index could hide rows.
    QSqlQuery query = connection.query(
        QStringLiteral("SELECT id, kind, run, mono_ns, utc_ms, instance, agent, rule, data, prev,"
                       " hash FROM audit ORDER BY id"));
    while (
        StoreConnection::next(query)
        && chain.add(rowFrom(query), query.value(9).toByteArray(), query.value(10).toByteArray())) {
    }
    return chain.finish();
}

} // namespace

AuditReport AuditTrail::verify(const QString &path, const std::optional<AuditHead> &knownHead)
{
    try {
        StoreConnection connection(path, StoreConnection::Mode::Read);
        StoreSchema::check(connection);
        // One transaction, so that rows appended in the meantime are not visible.
        connection.execute(QStringLiteral("BEGIN"));
        return verifyRows(connection, knownHead);
    } catch (const StoreFault &fault) {
        return {.error = fault.what};
    }
}

QString AuditHead::toString() const
{
    return QString::number(row) + QLatin1Char(':') + QString::fromLatin1(hash.toHex());
}

std::optional<AuditHead> AuditHead::fromString(QStringView text)
{
    const qsizetype colon = text.indexOf(u':');
    if (colon < 1)
        return {};
    bool isNumber = false;
    AuditHead head{text.left(colon).toLongLong(&isNumber),
                   QByteArray::fromHex(text.mid(colon + 1).toLatin1())};
    const bool same = head.toString() == text.toString().toLower();
    if (!isNumber || head.row < 0 || head.hash.size() != AuditChain::hashSize || !same)
        return {};
    return head;
}

} // namespace Rekindle
