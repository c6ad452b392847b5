// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// The official clients in a session with the reference servers behind `rekindle mcp`. The servers
// are killed and restarted during the session. Also the command line of the official inspector.

#include "contains.h"
#include "officialclient.h"
#include "testprogram.h"
#include "testrow.h"

using namespace Rekindle;

class ReferenceServersTest : public QObject
{
    Q_OBJECT

    const OfficialClient official{};

    // Returns what the inspector prints about a method of the server behind the proxy.
    [[nodiscard]] QJsonObject inspect(const QStringList &method) const
    {
        const QString inspector = official.modules
            + QStringLiteral("/@modelcontextprotocol/inspector/clients/launcher/build/index.js");
        // The inspector interprets "--", so a script contains the command line of the proxy.
        return QJsonDocument::fromJson(
                   official.run(QStringList{inspector, QStringLiteral("--cli"),
                                            official.folder.filePath(QStringLiteral("proxied")),
                                            QStringLiteral("--method")}
                                + method))
            .object();
    }

private Q_SLOTS:
    void worksWithInspector()
    {
        QFile script(official.folder.filePath(QStringLiteral("proxied")));
        QVERIFY(script.open(QIODevice::WriteOnly));
        const QStringList words = QStringList{QStringLiteral(REKINDLE_COMMAND),
                                              QStringLiteral("mcp"), QStringLiteral("--")}
            + official.server(QStringLiteral("everything"));
        script.write("#!/bin/sh\nexec '" + words.join(QStringLiteral("' '")).toUtf8() + "'\n");
        script.close();
        QVERIFY(script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));

        QStringList names;
        const QJsonArray tools =
            inspect({QStringLiteral("tools/list")})[QLatin1String("tools")].toArray();
        for (const QJsonValue &tool : tools)
            names << tool[QLatin1String("name")].toString();
        QVERIFY2(names.contains(QStringLiteral("echo")), qPrintable(names.join(u' ')));
        QVERIFY2(names.contains(QStringLiteral("restart_server")), qPrintable(names.join(u' ')));

        const QJsonObject echoed = inspect(
            {QStringLiteral("tools/call"), QStringLiteral("--tool-name"), QStringLiteral("echo"),
             QStringLiteral("--tool-arg"), QStringLiteral("message=hi")});
        QCOMPARE(echoed[QLatin1String("content")][0][QLatin1String("text")].toString(),
                 QStringLiteral("Echo: hi"));
    }

    void survivesRestarts_data()
    {
        const Rows<QString, QString, QString, QString, QByteArray> row("name", "client", "mode",
                                                                       "tool", "arguments");
        const QByteArray echo = R"({"message":"hi"})";
        row("everything", "everything", "sdk", "", "echo", echo);
        row("everything, newer client", "everything", "client", "legacy", "echo", echo);
        row("everything, client detects the revision", "everything", "client", "auto", "echo",
            echo);
        row("modern revision", "modern", "client", "auto", "echo", echo);
        row("both revisions, legacy client", "modern", "client", "legacy", "echo", echo);
        row("filesystem", "filesystem", "sdk", "", "list_directory", R"({"path":"."})");
        row("memory", "memory", "sdk", "", "read_graph", "{}");
        row("sequential-thinking", "sequential-thinking", "sdk", "", "sequentialthinking",
            R"({"thought":"a","nextThoughtNeeded":false,"thoughtNumber":1,"totalThoughts":1})");
    }

    void survivesRestarts()
    {
        QFETCH(QString, name);
        QFETCH(QString, client);
        QFETCH(QString, mode);
        QFETCH(QString, tool);
        QFETCH(QByteArray, arguments);
        const QJsonObject call{
            {QStringLiteral("name"), tool},
            {QStringLiteral("arguments"), QJsonDocument::fromJson(arguments).object()}};
        const QJsonObject direct{
            {QStringLiteral("modules"), official.modules},
            {QStringLiteral("client"), client},
            {QStringLiteral("mode"), mode},
            {QStringLiteral("command"), QJsonArray::fromStringList(official.server(name))},
            {QStringLiteral("call"), call}};
        const QHash<QString, QJsonObject> expected = official.session(REKINDLE_SESSION, direct);
        QVERIFY(!expected.isEmpty());

        const QString events = official.folder.filePath(QStringLiteral("events.jsonl"));
        QFile::remove(events);
        QJsonObject proxied = direct;
        proxied[QStringLiteral("events")] = events;
        proxied[QStringLiteral("command")] = QJsonArray::fromStringList(
            QStringList{QStringLiteral(REKINDLE_COMMAND), QStringLiteral("mcp"),
                        QStringLiteral("--events"), events, QStringLiteral("--store"),
                        QStringLiteral("off"), QStringLiteral("--")}
            + official.server(name));
        const QHash<QString, QJsonObject> steps = official.session(REKINDLE_SESSION, proxied);
        QVERIFY(!steps.isEmpty());

        const auto text = [&](const char *step) {
            return steps[QString::fromLatin1(step)][QLatin1String("text")].toString();
        };
        const QString answer = expected[QStringLiteral("called")][QLatin1String("text")].toString();
        QVERIFY(!answer.isEmpty());
        QCOMPARE(steps[QStringLiteral("connected")][QLatin1String("server")],
                 expected[QStringLiteral("connected")][QLatin1String("server")]);
        QJsonArray tools = expected[QStringLiteral("listed")][QLatin1String("tools")].toArray();
        tools << QStringLiteral("restart_server") << QStringLiteral("verify_server_restarted");
        QCOMPARE(steps[QStringLiteral("listed")][QLatin1String("tools")].toArray(), tools);
        QCOMPARE(text("called"), answer);
        QCOMPARE(text("calledAfterKill"), answer);
        QCOMPARE(text("calledAfterRestart"), answer);
        QCOMPARE(steps[QStringLiteral("calledAfterRestart")][QLatin1String("tools")].toArray(),
                 tools);
        QVERIFY2(!text("restartRequested").isEmpty(), "restart_server has answered");
        QVERIFY2(!text("verified").isEmpty(), "verify_server_restarted has answered");
        // The client has performed one handshake, although there were three servers.
        QCOMPARE(steps[QStringLiteral("closed")][QLatin1String("initialized")].toInt(),
                 expected[QStringLiteral("closed")][QLatin1String("initialized")].toInt());
    }

    void worksWithToolsCommand()
    {
        const auto tools = [this](const QStringList &words) {
            QProcess rekindle;
            rekindle.start(QStringLiteral(REKINDLE_COMMAND),
                           QStringList{QStringLiteral("tools")} + words
                               + QStringList{QStringLiteral("--")}
                               + official.server(QStringLiteral("everything")));
            return rekindle.waitForFinished(60000) && rekindle.exitCode() == 0
                ? rekindle.readAllStandardOutput()
                : rekindle.readAllStandardError();
        };
        const QByteArray list = tools({QStringLiteral("list")});
        VERIFY_CONTAINS(list, "\necho ");
        QCOMPARE(tools({QStringLiteral("call"), QStringLiteral("echo"),
                        QStringLiteral(R"({"message": "hi"})")}),
                 QByteArray("Echo: hi\n"));
    }
};

REKINDLE_TEST(ReferenceServersTest)
#include "referenceserverstest.moc"
