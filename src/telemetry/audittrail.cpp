// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "auditchain_p.h"
#include "storeconnection_p.h"
#include "storeschema_p.h"

#include <rekindle/telemetry/audittrail.h>

#include <QVariant>

namespace Rekindle {

namespace {

// What the store itself says about its trail.
struct StoredHead
{
    qint64 lastRow = 0;
    QByteArray hash;
    qint64 removedThrough = 0;
};

StoreFault readHead(StoreConnection &connection, StoredHead &head)
{
    QSqlQuery query(connection.database());
    if (!query.exec(QStringLiteral("SELECT last_id, hash, removed_through FROM audit_head")))
        return toFault(query.lastError());
    if (!query.next())
        return {StoreFault::Kind::Damaged, QStringLiteral("the head of the audit trail is gone")};
    head.lastRow = query.value(0).toLongLong();
    head.hash = query.value(1).toByteArray();
    head.removedThrough = query.value(2).toLongLong();
    return {};
}

// Goes along the rows and stops at the first one that does not follow from those before it.
class Walk
{
public:
    explicit Walk(const StoredHead &head, const std::optional<AuditHead> &kept)
        : m_stored(head)
        , m_kept(kept)
    {
        m_report.removedThrough = head.removedThrough;
        m_report.head = {head.removedThrough, {}};
        if (head.removedThrough == 0)
            m_report.head.hash = AuditChain::beginning();
    }

    /// False where the walk is over.
    bool step(const AuditRow &row, const QByteArray &previous, const QByteArray &hash)
    {
        const qint64 expected = m_report.head.row + 1;
        if (row.id > expected)
            return fail(expected, QStringLiteral("it is missing"));
        if (row.id < expected)
            return fail(row.id, QStringLiteral("it stands before the beginning of the trail"));
        if (m_report.rows == 0 && m_stored.removedThrough > 0)
            m_removedHash = previous; // to be confirmed by a checkpoint
        else if (previous != m_report.head.hash)
            return fail(row.id, QStringLiteral("it does not follow the row before it"));
        if (AuditChain::hashOf(previous, row) != hash)
            return fail(row.id, QStringLiteral("it was changed"));
        if (m_kept && m_kept->row == row.id && m_kept->hash != hash)
            return fail(row.id, QStringLiteral("it is not the row that the kept head names"));
        if (row.kind == QLatin1String("checkpoint"))
            m_checkpoint = AuditChain::checkpointFrom(row.data);
        ++m_report.rows;
        m_report.head = {row.id, hash};
        return true;
    }

    AuditReport end()
    {
        if (!m_report.fault)
            lookAtTheEnds();
        return m_report;
    }

private:
    bool fail(qint64 row, const QString &what)
    {
        m_report.fault = AuditFault{row, what};
        return false;
    }

    void lookAtTheEnds()
    {
        const AuditHead &last = m_report.head;
        const qint64 removed = m_stored.removedThrough;
        if (last.row < m_stored.lastRow) {
            fail(last.row + 1,
                 QStringLiteral("it and all after it are missing, up to row %1")
                     .arg(m_stored.lastRow));
        } else if (last.row > m_stored.lastRow) {
            fail(m_stored.lastRow + 1, QStringLiteral("it stands behind the end of the trail"));
        } else if (last.hash != m_stored.hash && m_report.rows > 0) {
            fail(last.row, QStringLiteral("the head of the trail names another hash"));
        } else if (removed > 0
                   && (m_checkpoint.removedThrough != removed
                       || m_checkpoint.hash != m_removedHash)) {
            fail(removed, QStringLiteral("it was removed, and no checkpoint says so"));
        } else if (m_kept && m_kept->row > last.row) {
            fail(last.row + 1,
                 QStringLiteral("it is missing: the kept head is row %1").arg(m_kept->row));
        } else if (m_kept && m_kept->row > 0 && m_kept->row == removed
                   && m_kept->hash != m_removedHash) {
            fail(removed, QStringLiteral("it was not the row that the kept head names"));
        }
    }

    const StoredHead m_stored;
    const std::optional<AuditHead> m_kept;
    AuditReport m_report;
    QByteArray m_removedHash;
    AuditChain::Checkpoint m_checkpoint;
};

AuditRow rowFrom(const QSqlQuery &query)
{
    return {.id = query.value(0).toLongLong(),
            .kind = query.value(1).toString(),
            .run = query.value(2).toString(),
            .monotonicNs = query.value(3).toLongLong(),
            .utcMs = query.value(4).toLongLong(),
            .instance = query.value(5).toString(),
            .agent = query.value(6).toString(),
            .rule = query.value(7).toString(),
            .data = query.value(8).toString().toUtf8()};
}

StoreFault walk(StoreConnection &connection, const std::optional<AuditHead> &kept,
                AuditReport &report)
{
    StoredHead head;
    if (StoreFault fault = readHead(connection, head))
        return fault;
    QSqlQuery query(connection.database());
    query.setForwardOnly(true);
    // Not the index: the rows in the order in which they lie in the table itself.
    if (!query.exec(QStringLiteral("SELECT id, kind, run, mono_ns, utc_ms, instance, agent, rule,"
                                   " data, prev, hash FROM audit ORDER BY id")))
        return toFault(query.lastError());
    Walk steps(head, kept);
    while (query.next()
           && steps.step(rowFrom(query), query.value(9).toByteArray(),
                         query.value(10).toByteArray())) {
    }
    if (query.lastError().isValid())
        return toFault(query.lastError());
    report = steps.end();
    return {};
}

} // namespace

AuditReport AuditTrail::verify(const QString &path, const std::optional<AuditHead> &kept)
{
    AuditReport report;
    StoreConnection connection(path, StoreConnection::Mode::Read);
    StoreFault fault = connection.open();
    if (!fault)
        fault = StoreSchema::check(connection);
    // One transaction: what a host appends meanwhile is not seen.
    if (!fault)
        fault = connection.execute(QStringLiteral("BEGIN"));
    if (!fault)
        fault = walk(connection, kept, report);
    if (fault)
        report.error = fault.what;
    return report;
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
