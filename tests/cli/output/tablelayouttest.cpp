// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/output/tablelayout_p.h"
#include "testprogram.h"

#include <rekindle/lifecycle/agenttablemodel.h>

#include <QTest>

using namespace Rekindle;

/// The columns of the live table.
class TableLayoutTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cutsWithEllipsis();
    void neverWiderThanTheTerminal_data();
    void neverWiderThanTheTerminal();
    void hidesColumnsInNarrowTerminal();

private:
    const QStringList m_header =
        QStringLiteral("Agent State Start Attempt Next Breaker Uptime Last").split(u' ');
    const QStringList m_row =
        QStringLiteral("worker|CircuitOpen|12|3/5|4.2s|HalfOpen|1h20m|ProcessCrash: exit code 1")
            .split(u'|');
};

void TableLayoutTest::cutsWithEllipsis()
{
    QCOMPARE(cut(QStringLiteral("worker"), 6), QStringLiteral("worker"));
    QCOMPARE(cut(QStringLiteral("worker"), 5), QStringLiteral("work") + QChar(0x2026));
    QCOMPARE(cut(QStringLiteral("worker"), 0), QString());
}

void TableLayoutTest::neverWiderThanTheTerminal_data()
{
    QTest::addColumn<int>("width");
    for (const int width : {40, 60, 80, 100, 200})
        QTest::addRow("%d", width) << width;
}

void TableLayoutTest::neverWiderThanTheTerminal()
{
    QFETCH(int, width);
    const TableLayout layout(m_header, {m_row}, width);
    const QString gap(TableLayout::gap, u' ');
    QVERIFY(layout.line(m_row).join(gap).size() <= width);
    QVERIFY(layout.line(m_header).join(gap).size() <= width);
    QCOMPARE(layout.line(m_row).size(), layout.columns().size());
}

void TableLayoutTest::hidesColumnsInNarrowTerminal()
{
    QCOMPARE(TableLayout(m_header, {m_row}, 100).columns().size(), m_header.size());
    const TableLayout narrow(m_header, {m_row}, 50);
    QVERIFY(!narrow.columns().contains(AgentTableModel::Generation));
    QVERIFY(narrow.columns().contains(AgentTableModel::State));
    QVERIFY(narrow.columns().contains(AgentTableModel::LastReason));
}

REKINDLE_TEST(TableLayoutTest)
#include "tablelayouttest.moc"
