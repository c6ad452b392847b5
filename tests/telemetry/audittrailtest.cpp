// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "stores.h"
#include "testprogram.h"
#include "testrow.h"
#include "valuetype.h"

#include <rekindle/telemetry/audittrail.h>

#include <concepts>
#include <type_traits>

using namespace Rekindle;

static_assert(isValue<AuditHead> && std::equality_comparable<AuditHead>);
static_assert(isValue<AuditFault> && isValue<AuditReport>);

/// Detection of changes to an audit trail.
class AuditTrailTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();

    void acceptsIntactTrail();
    void acceptsEmptyTrail();
    void triggersRejectChanges_data();
    void triggersRejectChanges();
    void detectsChangedColumns();
    void detectsRemovedRows();
    void detectsSwappedRows();
    void detectsInsertedRows();
    void detectsTruncatedTrail();
    void detectsChangedHead_data();
    void detectsChangedHead();
    void storedHeadRevealsRecomputedChain();
    void storedHeadRevealsTruncatedTrail();
    void convertsHeadsToText();
    void faultRemainsAfterFurtherRows();
    void reportsUnreadableStores();

private:
    [[nodiscard]] qint64 firstBadRow(const std::optional<AuditHead> &knownHead = {}) const
    {
        const AuditReport report = AuditTrail::verify(m_path, knownHead);
        if (!report.error.isEmpty())
            QTest::qFail(qPrintable(report.error), __FILE__, __LINE__);
        return report.fault ? report.fault->row : 0;
    }

    QTemporaryDir m_folder;
    QString m_intact;
    QString m_path;
    int m_copies = 0;
    static constexpr int count = 6;
};

void AuditTrailTest::initTestCase()
{
    m_intact = m_folder.filePath(QStringLiteral("intact.sqlite"));
    writeTrail(m_intact, count / 2);
}

void AuditTrailTest::init()
{
    m_path = m_folder.filePath(QStringLiteral("%1.sqlite").arg(++m_copies));
    QVERIFY(QFile::copy(m_intact, m_path));
}

void AuditTrailTest::acceptsIntactTrail()
{
    const AuditReport report = AuditTrail::verify(m_path);
    QVERIFY(report.isIntact());
    QCOMPARE(report.rows, qint64{count});
    QCOMPARE(report.head.row, qint64{count});
    QCOMPARE(report.head.hash.size(), 32);
    QCOMPARE(report.removedThrough, qint64{0});
    QVERIFY(AuditTrail::verify(m_path, report.head).isIntact());
}

void AuditTrailTest::acceptsEmptyTrail()
{
    const QString path = m_folder.filePath(QStringLiteral("empty.sqlite"));
    writeTrail(path, 0);
    const AuditReport report = AuditTrail::verify(path);
    QVERIFY2(report.isIntact(), qPrintable(report.error));
    QCOMPARE(report.rows, qint64{0});
    QCOMPARE(report.head.row, qint64{0});
}

void AuditTrailTest::triggersRejectChanges_data()
{
    const Rows<QString> row("statement");
    for (const char *statement :
         {"UPDATE audit SET agent = 'x' WHERE id = 2", "DELETE FROM audit WHERE id = 2",
          "DELETE FROM audit", "DELETE FROM audit_head",
          "INSERT INTO audit SELECT 99, kind, run, mono_ns, utc_ms, instance, agent, rule, data,"
          " prev, hash FROM audit WHERE id = 2",
          "INSERT OR REPLACE INTO audit SELECT 2, kind, run, mono_ns, utc_ms, instance, agent,"
          " rule, data, prev, hash FROM audit WHERE id = 3"})
        row(statement);
}

void AuditTrailTest::triggersRejectChanges()
{
    QFETCH(QString, statement);
    OwnConnection own(m_path);
    QVERIFY(!own.tryExecute(statement));
    QCOMPARE(own.number(QStringLiteral("SELECT count(*) FROM audit")), qint64{count});
    QCOMPARE(firstBadRow(), qint64{0});
}

void AuditTrailTest::detectsChangedColumns()
{
    OwnConnection own(m_path);
    own.dropTriggers();
    const QList<std::pair<QString, QString>> changes = {
        {QStringLiteral("id"), QStringLiteral("id + 1000")},
        {QStringLiteral("kind"), QStringLiteral("'gap'")},
        {QStringLiteral("run"), QStringLiteral("run || 'x'")},
        {QStringLiteral("mono_ns"), QStringLiteral("mono_ns + 1")},
        {QStringLiteral("utc_ms"), QStringLiteral("utc_ms - 1")},
        {QStringLiteral("instance"), QStringLiteral("''")},
        {QStringLiteral("agent"), QStringLiteral("upper(agent)")},
        {QStringLiteral("rule"), QStringLiteral("rule || ' '")},
        {QStringLiteral("data"), QStringLiteral("data || ' '")},
        {QStringLiteral("prev"), QStringLiteral("zeroblob(31) || x'01'")},
        {QStringLiteral("hash"), QStringLiteral("zeroblob(32)")},
    };
    // The list must contain every column.
    QCOMPARE(own.number(QStringLiteral("SELECT count(*) FROM pragma_table_info('audit')")),
             qint64{changes.size()});
    for (const auto &[column, changed] : changes) {
        for (int row = 1; row <= count; ++row) {
            own.execute(QStringLiteral("CREATE TABLE copy AS SELECT * FROM audit"));
            own.execute(QStringLiteral("UPDATE audit SET %1 = %2 WHERE id = %3")
                            .arg(column,
                                 column == QLatin1String("prev")
                                     ? QStringLiteral("CAST(%1 AS BLOB)").arg(changed)
                                     : changed)
                            .arg(row));
            QVERIFY2(firstBadRow() == row, qPrintable(column + QString::number(row)));
            own.execute(QStringLiteral("DELETE FROM audit"));
            own.execute(QStringLiteral("INSERT INTO audit SELECT * FROM copy"));
            own.execute(QStringLiteral("DROP TABLE copy"));
            QCOMPARE(firstBadRow(), qint64{0});
        }
    }
}

void AuditTrailTest::detectsRemovedRows()
{
    OwnConnection own(m_path);
    own.dropTriggers();
    for (int row = 1; row <= count; ++row) {
        own.execute(
            QStringLiteral("CREATE TABLE copy AS SELECT * FROM audit WHERE id = %1").arg(row));
        own.execute(QStringLiteral("DELETE FROM audit WHERE id = %1").arg(row));
        QCOMPARE(firstBadRow(), qint64{row});
        own.execute(QStringLiteral("INSERT INTO audit SELECT * FROM copy"));
        own.execute(QStringLiteral("DROP TABLE copy"));
    }
    QCOMPARE(firstBadRow(), qint64{0});
}

void AuditTrailTest::detectsSwappedRows()
{
    OwnConnection own(m_path);
    own.dropTriggers();
    const auto swap = [&](int a, int b) {
        own.execute(QStringLiteral("UPDATE audit SET id = -1 WHERE id = %1").arg(a));
        own.execute(QStringLiteral("UPDATE audit SET id = %1 WHERE id = %2").arg(a).arg(b));
        own.execute(QStringLiteral("UPDATE audit SET id = %1 WHERE id = -1").arg(b));
    };
    for (int a = 1; a <= count; ++a) {
        for (int b = a + 1; b <= count; ++b) {
            swap(a, b);
            QCOMPARE(firstBadRow(), qint64{a});
            swap(a, b);
        }
    }
    QCOMPARE(firstBadRow(), qint64{0});
}

void AuditTrailTest::detectsInsertedRows()
{
    OwnConnection own(m_path);
    own.dropTriggers();
    // After the end, with a valid chain except for the hash.
    own.execute(QStringLiteral("INSERT INTO audit SELECT %1, kind, run, mono_ns, utc_ms, instance,"
                               " agent, rule, data, hash, hash FROM audit WHERE id = %2")
                    .arg(count + 1)
                    .arg(count));
    QCOMPARE(firstBadRow(), qint64{count + 1});
    own.execute(QStringLiteral("DELETE FROM audit WHERE id > %1").arg(count));
    // Between other rows, which are renumbered.
    own.execute(QStringLiteral("UPDATE audit SET id = id + 100 WHERE id > 3"));
    own.execute(QStringLiteral("UPDATE audit SET id = id - 99 WHERE id > 100"));
    own.execute(QStringLiteral("INSERT INTO audit SELECT 4, kind, run, mono_ns, utc_ms, instance,"
                               " agent, rule, data, prev, hash FROM audit WHERE id = 3"));
    QCOMPARE(firstBadRow(), qint64{4});
    // Before the first row.
    own.execute(QStringLiteral("INSERT INTO audit SELECT 0, kind, run, mono_ns, utc_ms, instance,"
                               " agent, rule, data, prev, hash FROM audit WHERE id = 3"));
    QCOMPARE(firstBadRow(), qint64{0}); // the number of the row
    QVERIFY(AuditTrail::verify(m_path).fault.has_value());
}

void AuditTrailTest::detectsTruncatedTrail()
{
    OwnConnection own(m_path);
    own.dropTriggers();
    for (int last = count - 1; last >= 0; --last) {
        own.execute(QStringLiteral("DELETE FROM audit WHERE id > %1").arg(last));
        QCOMPARE(firstBadRow(), qint64{last + 1});
    }
}

void AuditTrailTest::detectsChangedHead_data()
{
    const Rows<QString, qint64> row("change", "row");
    row("fewer", "last_id = 4", qint64{5});
    row("more", "last_id = 9", qint64{7});
    row("hash", "hash = zeroblob(32)", qint64{6});
    row("removed", "removed_through = 1", qint64{1});
}

void AuditTrailTest::detectsChangedHead()
{
    QFETCH(QString, change);
    OwnConnection own(m_path);
    own.execute(QStringLiteral("UPDATE audit_head SET ") + change);
    QTEST(firstBadRow(), "row");
}

// Someone with write access to the file can write a trail of other decisions.
void AuditTrailTest::storedHeadRevealsRecomputedChain()
{
    const AuditHead knownHead = AuditTrail::verify(m_path).head;
    const QString forged = m_folder.filePath(QStringLiteral("forged.sqlite"));
    writeTrail(forged, count / 2);
    m_path = forged;
    QCOMPARE(firstBadRow(), qint64{0});
    QCOMPARE(firstBadRow(knownHead), qint64{count});
}

void AuditTrailTest::storedHeadRevealsTruncatedTrail()
{
    const AuditHead knownHead = AuditTrail::verify(m_path).head;
    OwnConnection own(m_path);
    own.dropTriggers();
    own.execute(QStringLiteral("DELETE FROM audit WHERE id > 4"));
    own.execute(QStringLiteral("UPDATE audit_head SET last_id = 4,"
                               " hash = (SELECT hash FROM audit WHERE id = 4)"));
    QCOMPARE(firstBadRow(), qint64{0});
    QCOMPARE(firstBadRow(knownHead), qint64{5});
}

void AuditTrailTest::convertsHeadsToText()
{
    const AuditHead head = AuditTrail::verify(m_path).head;
    QVERIFY(head.toString().startsWith(QLatin1String("6:")));
    QCOMPARE(AuditHead::fromString(head.toString()), head);
    for (const QString &bad :
         QStringList{QString(), QStringLiteral("6"), QStringLiteral(":"), QStringLiteral("6:ab"),
                     head.toString().mid(1), head.toString() + QLatin1String("00"),
                     QLatin1Char('-') + head.toString(), head.toString().replace(u':', u'-'),
                     head.toString().chopped(1) + u'g'})
        QVERIFY2(!AuditHead::fromString(bad), qPrintable(bad));
}

void AuditTrailTest::faultRemainsAfterFurtherRows()
{
    {
        OwnConnection own(m_path);
        own.dropTriggers();
        own.execute(QStringLiteral("DELETE FROM audit WHERE id > 4"));
    }
    writeTrail(m_path, 3);
    QCOMPARE(firstBadRow(), qint64{5});
    OwnConnection own(m_path);
    QCOMPARE(own.number(QStringLiteral("SELECT count(*) FROM audit WHERE id > 6")), qint64{6});
}

void AuditTrailTest::reportsUnreadableStores()
{
    QVERIFY(!AuditTrail::verify(QStringLiteral("/nowhere/store.sqlite")).error.isEmpty());
    const QString text = m_folder.filePath(QStringLiteral("text"));
    QFile file(text);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray(5000, 'x'));
    file.close();
    QVERIFY(!AuditTrail::verify(text).error.isEmpty());
    QVERIFY(!AuditTrail::verify(text).isIntact());
}

REKINDLE_TEST(AuditTrailTest)
#include "audittrailtest.moc"
