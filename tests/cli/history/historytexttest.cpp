// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/history/historytext_p.h"
#include "testprogram.h"
#include "testrow.h"

using namespace Rekindle;

/// Events of several hosts in one store.
class HistoryTextTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namesConcurrentHosts_data();
    void namesConcurrentHosts();
};

void HistoryTextTest::namesConcurrentHosts_data()
{
    const Rows<QString, bool> row("order", "named");
    row("one", "aaa", false);
    row("one after the other", "aabb", false);
    row("at the same time", "aaba", true);
    row("the first of three alone", "abcbc", true);
}

void HistoryTextTest::namesConcurrentHosts()
{
    QFETCH(const QString, order);
    QFETCH(const bool, named);
    QList<StoredEvent> events;
    QList<StoredRun> runs;
    for (const QChar run : order) {
        StoredEvent event;
        event.row = events.size() + 1;
        event.run = run;
        event.type = QStringLiteral("agent.stopped");
        event.agent = QStringLiteral("web");
        event.data = "{}";
        events.append(event);
    }
    for (const char run : {'a', 'b', 'c'}) {
        StoredRun known;
        known.run = QLatin1Char(run);
        known.processId = run;
        runs.append(known);
    }
    const QString line = QStringLiteral("1970-01-01T00:00:00.000Z  web  stopped");
    QString expected;
    for (const QChar run : order) {
        expected += line;
        if (named)
            expected += QStringLiteral("  [host process %1]").arg(uint{run.unicode()});
        expected += u'\n';
    }
    QCOMPARE(QString::fromUtf8(historyText(events, runs, false, {})), expected);
}

REKINDLE_TEST(HistoryTextTest)
#include "historytexttest.moc"
