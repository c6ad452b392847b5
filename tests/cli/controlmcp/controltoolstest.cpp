// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/controlmcp/controltools_p.h"
#include "testprogram.h"
#include "testrow.h"

using namespace Rekindle;

namespace {

QJsonArray definitionsOf(const ControlTools &tools)
{
    return QJsonDocument::fromJson('[' + tools.definitions() + ']').array();
}

} // namespace

/// The tools of `rekindle control-mcp`, and their requests to a host.
class ControlToolsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void offersOnlyReadingToolsByDefault();
    void describesEachTool();
    void passesArgumentsToTheHost();
    void adaptsEventsAndWaits();
    void refuses_data();
    void refuses();
};

void ControlToolsTest::offersOnlyReadingToolsByDefault()
{
    QCOMPARE(definitionsOf(ControlTools(false)).size(), 5);
    for (const auto &each : definitionsOf(ControlTools(false)))
        QCOMPARE(each[QLatin1String("annotations")][QLatin1String("readOnlyHint")], true);
    QCOMPARE(definitionsOf(ControlTools(true)).size(), ControlTools::names().size());
}

void ControlToolsTest::describesEachTool()
{
    QSet<QString> names;
    for (const auto &each : definitionsOf(ControlTools(true))) {
        const QString name = each[QLatin1String("name")].toString();
        names.insert(name);
        QVERIFY(!each[QLatin1String("description")].toString().isEmpty());
        const QJsonValue schema = each[QLatin1String("inputSchema")];
        QCOMPARE(schema[QLatin1String("additionalProperties")], false);
        const QJsonObject properties = schema[QLatin1String("properties")].toObject();
        for (const auto &required : schema[QLatin1String("required")].toArray())
            QVERIFY2(properties.contains(required.toString()), qPrintable(name));
        const bool interrupts = name == QLatin1String("restart") || name == QLatin1String("stop");
        QCOMPARE(each[QLatin1String("annotations")][QLatin1String("destructiveHint")].toBool(),
                 interrupts);
    }
    const QStringList all = ControlTools::names();
    QCOMPARE(names, QSet<QString>(all.begin(), all.end()));
}

void ControlToolsTest::passesArgumentsToTheHost()
{
    const QJsonObject arguments{{QStringLiteral("agent"), QStringLiteral("web")}};
    const auto request = ControlTools(false).requestOf(QStringLiteral("explain_agent"), arguments);
    HostRequest expected{.method = QStringLiteral("agents.explain"), .params = arguments};
    QCOMPARE(std::get<HostRequest>(request), expected);
    const auto logs = ControlTools(false).requestOf(QStringLiteral("read_logs"), arguments);
    expected.method = QStringLiteral("logs.read");
    expected.needsCursor = true;
    QCOMPARE(std::get<HostRequest>(logs), expected);
}

void ControlToolsTest::adaptsEventsAndWaits()
{
    const ControlTools tools(false);
    const auto events = std::get<HostRequest>(tools.requestOf(
        QStringLiteral("recent_events"),
        {{QStringLiteral("cursor"), QStringLiteral("r:7")}, {QStringLiteral("limit"), 5}}));
    QCOMPARE(events.params,
             QJsonObject({{QStringLiteral("from"), QStringLiteral("r:7")},
                          {QStringLiteral("until"), QStringLiteral("now")}}));
    QCOMPARE(events.eventLimit, std::optional(5));
    QVERIFY(events.hasCursor);
    const auto oldest = std::get<HostRequest>(tools.requestOf(QStringLiteral("recent_events"), {}));
    QCOMPARE(oldest.params[QLatin1String("from")], QStringLiteral("recent"));
    QCOMPARE(oldest.eventLimit, std::optional(100));
    const auto wait = std::get<HostRequest>(
        tools.requestOf(QStringLiteral("wait_for"), {{QStringLiteral("timeoutSeconds"), 1.5}}));
    QCOMPARE(wait.params[QLatin1String("timeout")], 1500);
    QVERIFY(wait.limit > std::chrono::milliseconds(1500));
}

void ControlToolsTest::refuses_data()
{
    const Rows<QString, QJsonObject, QString> row("tool", "arguments", "message");
    row("operation", "stop", {},
        "stop is not permitted; it needs rekindle control-mcp --allow operate");
    row("limit", "recent_events", {{QStringLiteral("limit"), 1001}},
        "limit: expected a number from 1 to 1000");
    row("type of limit", "recent_events", {{QStringLiteral("limit"), QStringLiteral("many")}},
        "limit: expected a number from 1 to 1000");
    row("cursor", "recent_events", {{QStringLiteral("cursor"), 7}}, "cursor: expected a string");
    row("timeout", "wait_for", {{QStringLiteral("timeoutSeconds"), 601}},
        "timeoutSeconds: expected a number from 0 to 600");
    row("argument of the host", "recent_events", {{QStringLiteral("from"), QStringLiteral("now")}},
        "from: unknown argument of recent_events");
    row("unknown", "fly", {}, "no tool named fly");
}

void ControlToolsTest::refuses()
{
    QFETCH(QString, tool);
    QFETCH(QJsonObject, arguments);
    QTEST(std::get<QString>(ControlTools(false).requestOf(tool, arguments)), "message");
}

REKINDLE_TEST(ControlToolsTest)
#include "controltoolstest.moc"
