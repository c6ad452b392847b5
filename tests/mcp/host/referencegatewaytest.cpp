// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// The official clients in a session with reference servers behind `rekindle mcp --config`.
// One server is killed during the session.

#include "officialclient.h"
#include "testprogram.h"
#include "testrow.h"

using namespace Rekindle;

class ReferenceGatewayTest : public QObject
{
    Q_OBJECT

    const OfficialClient official{};

    [[nodiscard]] QJsonObject server(const QString &name) const
    {
        // The delay is long enough to observe the missing server.
        const QJsonObject policy{{QStringLiteral("type"), QStringLiteral("linear")},
                                 {QStringLiteral("initialDelay"), QStringLiteral("4s")}};
        const QStringList words = official.server(name);
        return {{QStringLiteral("policy"), policy},
                {QStringLiteral("command"), words.first()},
                {QStringLiteral("args"), QJsonArray::fromStringList(words.mid(1))}};
    }

private Q_SLOTS:
    void survivesKilledServer_data()
    {
        const Rows<QString, QString, QString> row("client", "mode", "killed");
        const QString both = QStringLiteral("everything");
        const QString modern = QStringLiteral("modern-only"); // without initialize
        row("legacy", "sdk", {}, both);
        row("modern", "client", "auto", both);
        row("legacy client, modern server", "sdk", {}, modern);
        row("both modern", "client", "auto", modern);
    }

    void survivesKilledServer()
    {
        QFETCH(QString, client);
        QFETCH(QString, mode);
        QFETCH(QString, killed);
        QFile file(official.folder.filePath(QStringLiteral("mcp.json")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        const QJsonObject servers{
            {QStringLiteral("everything"), server(QStringLiteral("everything"))},
            {QStringLiteral("files"), server(QStringLiteral("filesystem"))},
            {QStringLiteral("memory"), server(QStringLiteral("memory"))},
            {QStringLiteral("modern-only"), server(QStringLiteral("modern-only"))}};
        file.write(QJsonDocument(QJsonObject{{QStringLiteral("mcpServers"), servers}}).toJson());
        file.close();
        const QString events = official.folder.filePath(QStringLiteral("events.jsonl"));
        QFile::remove(events);
        const auto call = [](const char *name, const QJsonObject &arguments) {
            return QJsonObject{{QStringLiteral("name"), QString::fromLatin1(name)},
                               {QStringLiteral("arguments"), arguments}};
        };
        const bool isEverything = killed == QStringLiteral("everything");
        const bool hasTasks = mode.isEmpty() && isEverything;
        const char *const echo = isEverything ? "echo" : "modern-only__echo";
        const QJsonObject task =
            call("simulate-research-query", {{QStringLiteral("topic"), QStringLiteral("hi")}});
        const QHash<QString, QJsonObject> steps = official.session(
            REKINDLE_GATEWAY_SESSION,
            {{QStringLiteral("task"), hasTasks ? QJsonValue(task) : QJsonValue()},
             {QStringLiteral("modules"), official.modules},
             {QStringLiteral("client"), client},
             {QStringLiteral("mode"), mode},
             {QStringLiteral("events"), events},
             {QStringLiteral("command"),
              QJsonArray{QStringLiteral(REKINDLE_COMMAND), QStringLiteral("mcp"),
                         QStringLiteral("--events"), events, QStringLiteral("--config"),
                         file.fileName()}},
             {QStringLiteral("tools"),
              QJsonArray{QStringLiteral("echo"), QStringLiteral("list_directory"),
                         QStringLiteral("read_graph"), QStringLiteral("modern-only__echo")}},
             {QStringLiteral("killed"), killed},
             {QStringLiteral("call"),
              call(echo, {{QStringLiteral("message"), QStringLiteral("hi")}})},
             {QStringLiteral("other"), call("read_graph", {})}});
        QVERIFY(!steps.isEmpty());

        const auto step = [&](const char *name) { return steps[QString::fromLatin1(name)]; };
        const auto text = [&](const char *name) {
            return step(name)[QLatin1String("text")].toString();
        };
        QCOMPARE(text("called"), QStringLiteral("Echo: hi"));
        QCOMPARE(text("calledAgain"), text("called"));
        QVERIFY(text("calledOther").contains(QStringLiteral("entities")));
        QCOMPARE(text("otherWhileDead"), text("calledOther"));
        // The next server answers it.
        QCOMPARE(text("calledWhileDead"), text("called"));
        // The tools of the killed server stay listed.
        const QJsonArray tools = step("listed")[QLatin1String("tools")].toArray();
        for (const char *name : {"echo", "list_directory", "read_graph", "restart_server"})
            QVERIFY2(tools.contains(QString::fromLatin1(name)), name);
        QCOMPARE(step("listedWhileDead")[QLatin1String("tools")].toArray(), tools);
        if (hasTasks) {
            const QString id = step("task")[QLatin1String("taskId")].toString();
            QVERIFY(!id.isEmpty());
            QCOMPARE(step("task")[QLatin1String("status")].toString(), QStringLiteral("working"));
            QCOMPARE(step("task")[QLatin1String("listed")].toArray(), QJsonArray{id});
            const QJsonObject failed = step("taskAfterExit");
            QCOMPARE(failed[QLatin1String("taskId")].toString(), id);
            QCOMPARE(failed[QLatin1String("status")].toString(), QStringLiteral("failed"));
            QVERIFY(failed[QLatin1String("statusMessage")].toString().contains(
                QStringLiteral("SIGKILL")));
        }
        QVERIFY(step("prompts")[QLatin1String("prompts")].toArray().size() > 0);
    }
};

REKINDLE_TEST(ReferenceGatewayTest)
#include "referencegatewaytest.moc"
