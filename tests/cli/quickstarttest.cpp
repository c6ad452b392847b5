// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "commandrun.h"

#include <QTest>

using namespace Rekindle;

/// The quick start shows what it promises, and ends by itself where nobody presses Ctrl-C.
class QuickStartTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void shows();
};

void QuickStartTest::shows()
{
    CommandRun run(
        words("up", REKINDLE_SOURCE "/examples/quickstart/quickstart.json", "--for", "20s"));
    QCOMPARE(run.complete(), 0);
    const QByteArray lines = run.output();
    const auto typesOf = [&](const char *agent) { return eventTypes(lines, asText(agent)); };
    QVERIFY(typesOf("web").contains(QLatin1String("agent.ready")));
    QCOMPARE(typesOf("worker").count(QLatin1String("agent.failed")), 2);
    QCOMPARE(typesOf("worker").last(), QStringLiteral("agent.stopped"));
    QVERIFY(typesOf("reloader").contains(QLatin1String("restart.requested")));
    QCOMPARE(typesOf("once"), words("agent.started", "agent.stopped"));

    QStringList breaker;
    for (const QJsonObject &event : jsonLines(lines)) {
        if (event[QLatin1String("type")] == QLatin1String("rekindle.circuit.changed.v1"))
            breaker.append(event[QLatin1String("data")][QLatin1String("newState")].toString());
    }
    QCOMPARE(breaker.mid(0, 3), words("Open", "HalfOpen", "Open"));
}

QTEST_GUILESS_MAIN(QuickStartTest)
#include "quickstarttest.moc"
