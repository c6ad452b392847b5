// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "callerstage.h"
#include "testprogram.h"

#include <rekindle/mcp/toolcatalog.h>

using namespace Rekindle;

class ToolCatalogTest : public QObject
{
    Q_OBJECT

    static QList<McpTool> tools(const QString &names)
    {
        QList<McpTool> list;
        const QStringList words = names.split(u' ', Qt::SkipEmptyParts);
        for (const QString &name : words)
            list.push_back({name, {{QStringLiteral("name"), name}}});
        return list;
    }

    static QString namesOf(const ToolCatalog &catalog)
    {
        QStringList names;
        const QList<ToolCatalog::Entry> entries = catalog.entries();
        for (const ToolCatalog::Entry &entry : entries)
            names.push_back(entry.name);
        return names.join(u' ');
    }

    const QString one = QStringLiteral("one");
    const QString two = QStringLiteral("two");

private Q_SLOTS:
    void findsBackend()
    {
        ToolCatalog catalog;
        catalog.setTools(one, tools(QStringLiteral("a b")));
        catalog.setTools(two, tools(QStringLiteral("c")));
        QCOMPARE(namesOf(catalog), QStringLiteral("a b c"));
        QCOMPARE(catalog.find(QStringLiteral("c"))->backend, two);
        QVERIFY(!catalog.find(QStringLiteral("d")));
        QVERIFY(!catalog.find(QString()));
        QVERIFY(catalog.collisions().isEmpty());
    }

    void followsServer()
    {
        CallerStage stage;
        ToolCatalog catalog;
        catalog.add(*stage.backend);
        QCOMPARE(namesOf(catalog), QStringLiteral("writes reads sets"));
        QCOMPARE(catalog.find(QStringLiteral("reads"))->backend, QStringLiteral("server"));
        stage.lose();
        QCOMPARE(namesOf(catalog), QStringLiteral("writes reads sets"));
        stage.backend->comeUp();
        stage.channel().notify("notifications/tools/list_changed");
        stage.channel().answer(stage.channel().lastId(), R"({"tools":[{"name":"other"}]})");
        QCOMPARE(namesOf(catalog), QStringLiteral("other"));
        stage.caller.reset();
        stage.backend.reset();
        QCOMPARE(namesOf(catalog), QString());
    }

    void followsServerThatStartsLater()
    {
        VirtualClock clock;
        VirtualScheduler scheduler(clock);
        ScriptedBackend backend(scheduler);
        ToolCatalog catalog;
        catalog.add(backend);
        QCOMPARE(namesOf(catalog), QString());
        backend.comeUp();
        QCOMPARE(namesOf(catalog), QStringLiteral("writes reads sets"));
    }

    void firstServerKeepsName()
    {
        ToolCatalog catalog;
        catalog.setTools(one, tools(QStringLiteral("a b")));
        catalog.setTools(two, tools(QStringLiteral("b c")));
        QCOMPARE(namesOf(catalog), QStringLiteral("a b two__b c"));
        QCOMPARE(catalog.find(QStringLiteral("b"))->backend, one);
        const auto other = catalog.find(QStringLiteral("two__b"));
        QCOMPARE(other->backend, two);
        QCOMPARE(other->tool.name, QStringLiteral("b"));
        const QList<ToolCatalog::Collision> expected{
            {QStringLiteral("b"), {QStringLiteral("b"), QStringLiteral("two__b")}, {one, two}}};
        QCOMPARE(catalog.collisions(), expected);
    }

    void neverReusesNames()
    {
        ToolCatalog catalog;
        catalog.setTools(one, tools(QStringLiteral("a")));
        catalog.setTools(two, tools(QStringLiteral("a")));
        catalog.setTools(one, {});
        QCOMPARE(namesOf(catalog), QStringLiteral("two__a"));
        QVERIFY(!catalog.find(QStringLiteral("a")));
        QVERIFY(catalog.collisions().isEmpty());
        catalog.setTools(two, tools(QStringLiteral("a b")));
        QCOMPARE(namesOf(catalog), QStringLiteral("two__a b"));
        catalog.setTools(one, tools(QStringLiteral("a b")));
        QCOMPARE(namesOf(catalog), QStringLiteral("a one__b two__a b"));
    }
};

REKINDLE_TEST(ToolCatalogTest)
#include "toolcatalogtest.moc"
