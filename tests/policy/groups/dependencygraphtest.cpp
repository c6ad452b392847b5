// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"
#include "testrow.h"

#include <rekindle/policy/dependencygraph.h>

using namespace Rekindle;

namespace {

// "api:db,cache!restart web:api": the agents with their dependencies, which may have an onDown.
DependencyGraph graphOf(const QString &text)
{
    DependencyGraph graph;
    for (const QString &agent : text.split(u' ', Qt::SkipEmptyParts)) {
        QList<Dependency> dependencies;
        for (const QString &each : agent.section(u':', 1).split(u',', Qt::SkipEmptyParts)) {
            const OnDown onDown =
                valueOf(onDownNames, each.section(u'!', 1)).value_or(OnDown::Keep);
            dependencies.append({.agent = each.section(u'!', 0, 0), .onDown = onDown});
        }
        graph.setDependencies(agent.section(u':', 0, 0), dependencies);
    }
    return graph;
}

QString textOf(const QList<DependencyGraph::Effect> &effects)
{
    QStringList texts;
    for (const DependencyGraph::Effect &each : effects)
        texts.append(each.agent + u'!' + toText(each.how));
    return texts.join(u' ');
}

} // namespace

class DependencyGraphTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void findsCycles_data();
    void findsCycles();
    void ordersStarts_data();
    void ordersStarts();
    void findsEffects_data();
    void findsEffects();
    void replacesDependencies();
    void longChains();
    void checksAgentsInOrder();
};

void DependencyGraphTest::findsCycles_data()
{
    const Rows<QString, QString> row("graph", "cycle");
    row("none", "", "");
    row("chain", "web:api api:db", "");
    row("diamond", "web:api,worker api:db worker:db", "");
    row("itself", "web:web", "web web");
    row("two", "web:api api:web", "web api web");
    row("behind a chain", "web:api api:db db:cache cache:api", "api db cache api");
    row("second part", "a:b x:y y:z z:x", "x y z x");
}

void DependencyGraphTest::findsCycles()
{
    QFETCH(QString, graph);
    QFETCH(QString, cycle);
    QCOMPARE(graphOf(graph).cycle().join(u' '), cycle);
}

void DependencyGraphTest::ordersStarts_data()
{
    const Rows<QString, QString, QString> row("graph", "agents", "order");
    row("none", "", "c a b", "c a b");
    row("reverse", "a:b b:c", "a b c", "c b a");
    row("others stay", "b:d", "a b c d", "a d b c");
    row("diamond", "web:api,worker api:db worker:db", "web api worker db", "db api worker web");
    row("without the one between", "a:b b:c", "a c", "c a");
}

void DependencyGraphTest::ordersStarts()
{
    QFETCH(QString, graph);
    QFETCH(QString, agents);
    QFETCH(QString, order);
    QCOMPARE(graphOf(graph).inStartOrder(agents.split(u' ')).join(u' '), order);
}

void DependencyGraphTest::findsEffects_data()
{
    // effects: of db
    const Rows<QString, QString> row("graph", "effects");
    row("none", "", "");
    row("keep", "api:db", "");
    row("restart", "api:db!restart", "api!restart");
    row("stop", "api:db!stop", "api!stop");
    row("chain", "web:api!stop api:db!restart", "api!restart web!stop");
    row("keep ends it", "web:api!stop api:db", "");
    row("stop overrides restart", "web:api!restart,db!stop api:db!restart", "api!restart web!stop");
    row("stop overrides restart, in the other order", "api:db!stop web:db!restart,api!stop",
        "api!stop web!stop");
}

void DependencyGraphTest::findsEffects()
{
    QFETCH(QString, graph);
    QFETCH(QString, effects);
    QCOMPARE(textOf(graphOf(graph).effects(QStringLiteral("db"))), effects);
}

void DependencyGraphTest::replacesDependencies()
{
    const QString a = QStringLiteral("a");
    const QString b = QStringLiteral("b");
    const QString c = QStringLiteral("c");
    DependencyGraph graph = graphOf(QStringLiteral("a:b c:b"));
    QCOMPARE(graph.dependents(b), QStringList({a, c}));
    graph.setDependencies(a, {{.agent = c}});
    QCOMPARE(graph.dependents(b), QStringList{c});
    QCOMPARE(graph.dependents(c), QStringList{a});
    QCOMPARE(graph.agents(), QStringList({a, c}));
    graph.setDependencies(a, {});
    QCOMPARE(graph.dependents(c), QStringList());
    QCOMPARE(graph.agents(), QStringList{c});
    QCOMPARE(graph.dependencies(a), QList<Dependency>());
}

// No function may be recursive.
void DependencyGraphTest::longChains()
{
    constexpr int length = 100'000;
    DependencyGraph graph;
    QStringList names;
    for (int i = 0; i < length; ++i) {
        names.append(QString::number(i));
        graph.setDependencies(names.back(),
                              {{.agent = QString::number(i + 1), .onDown = OnDown::Restart}});
    }
    QCOMPARE(graph.cycle(), QStringList());
    QCOMPARE(graph.inStartOrder(names).front(), names.back());
    QCOMPARE(graph.effects(QString::number(length)).size(), length);
    graph.setDependencies(QString::number(length), {{.agent = QStringLiteral("0")}});
    QCOMPARE(graph.cycle().size(), length + 2);
}

// With a walk through all earlier agents for each one, this test would not end in time.
void DependencyGraphTest::checksAgentsInOrder()
{
    constexpr int length = 100'000;
    DependencyGraph graph;
    for (int i = 1; i < length; ++i) {
        const QString agent = QString::number(i);
        graph.setDependencies(agent, {{.agent = QString::number(i - 1)}});
        QVERIFY(graph.cycleThrough(agent).isEmpty());
    }
    const QString first = QStringLiteral("0");
    graph.setDependencies(first, {{.agent = QStringLiteral("2")}});
    QCOMPARE(graph.cycleThrough(first).join(u' '), QStringLiteral("0 2 1 0"));
    graph.setDependencies(first, {{.agent = first}});
    QCOMPARE(graph.cycleThrough(first).join(u' '), QStringLiteral("0 0"));
}

REKINDLE_TEST(DependencyGraphTest)
#include "dependencygraphtest.moc"
