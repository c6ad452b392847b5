// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/output/agenttable_p.h"
#include "contains.h"
#include "testprogram.h"
#include "testrow.h"

using namespace Rekindle;
using namespace std::chrono_literals;

/// The table of the live views.
class AgentTableTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cutsWithEllipsis();
    void neverWiderThanTheTerminal_data();
    void neverWiderThanTheTerminal();
    void hidesColumnsInNarrowTerminal();
    void colorsStates_data();
    void colorsStates();
    void removesControlCharacters();
    void countsStates();

private:
    [[nodiscard]] static AgentRow row(const QString &state = QStringLiteral("CircuitOpen"))
    {
        return {.agent = {.agent = QStringLiteral("worker"),
                          .state = state,
                          .generation = 12,
                          .attempt = 3,
                          .maxRetries = 5,
                          .processId = 4711,
                          .uptime = 80min,
                          .memoryBytes = qint64{1536} * 1024 * 1024,
                          .nextStartIn = 4200ms,
                          .breaker = AgentStatus::Breaker{.state = QStringLiteral("HalfOpen")},
                          .lastFailure =
                              AgentStatus::LastFailure{
                                  .text = QStringLiteral("ProcessCrash: exit code 1")}},
                .cpuShare = 0.123};
    }
};

void AgentTableTest::cutsWithEllipsis()
{
    QCOMPARE(cut(QStringLiteral("worker"), 6), QStringLiteral("worker"));
    QCOMPARE(cut(QStringLiteral("worker"), 5), QStringLiteral("work") + QChar(0x2026));
    QCOMPARE(cut(QStringLiteral("worker"), 0), QString());
}

void AgentTableTest::neverWiderThanTheTerminal_data()
{
    QTest::addColumn<int>("width");
    for (const int width : {10, 40, 60, 80, 100, 200})
        QTest::addRow("%d", width) << width;
}

void AgentTableTest::neverWiderThanTheTerminal()
{
    QFETCH(int, width);
    const AgentTable table({row()}, width, false);
    QVERIFY(table.header().width <= width);
    QCOMPARE(table.line(0).width, table.text(0).size());
    QVERIFY(table.text(0).size() <= width);
}

void AgentTableTest::hidesColumnsInNarrowTerminal()
{
    QCOMPARE(AgentTable({row()}, 200, false).text(0).simplified(),
             QStringLiteral("worker CircuitOpen 4711 1h 20m 12% 1.5G 12 3/5 HalfOpen - trial in "
                            "4.2s; ProcessCrash: exit code 1"));
    const QByteArray header = AgentTable({row()}, 50, false).header().bytes;
    QVERIFY(!header.contains("STARTS"));
    QVERIFY(header.contains("STATE"));
    QVERIFY(header.contains("DETAIL"));
}

void AgentTableTest::colorsStates_data()
{
    const Rows<QString, QByteArray> row("state", "color");
    row("runs", "Running", "\x1b[32m");
    row("waits", "Waiting", "\x1b[33m");
    row("given up", "Exhausted", "\x1b[31m");
    row("stopped", "Stopped", {});
    row("state of a newer host", "Sleeping", {});
}

void AgentTableTest::colorsStates()
{
    QFETCH(const QString, state);
    QFETCH(const QByteArray, color);
    const QByteArray line = AgentTable({row(state)}, 100, true).line(0).bytes;
    const QByteArray shown = "  " + color + state.toLatin1();
    VERIFY_CONTAINS(line, shown);
    QVERIFY(!AgentTable({row(state)}, 100, false).line(0).bytes.contains('\x1b'));
}

void AgentTableTest::removesControlCharacters()
{
    AgentRow agent = row(QStringLiteral("Waiting"));
    agent.agent.lastFailure->text = QStringLiteral("a\x1b[2J\nb");
    QVERIFY(AgentTable({agent}, 200, true).text(0).endsWith(QLatin1String("; a b")));
}

void AgentTableTest::countsStates()
{
    std::array<int, instanceStateCount> counts{};
    QCOMPARE(stateCounts(counts), QString());
    counts[static_cast<std::size_t>(InstanceState::Stopped)] = 1;
    counts[static_cast<std::size_t>(InstanceState::Running)] = 10;
    QCOMPARE(stateCounts(counts), QStringLiteral("10 Running, 1 Stopped"));
}

REKINDLE_TEST(AgentTableTest)
#include "agenttabletest.moc"
