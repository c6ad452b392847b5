// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// The official clients in a session with the reference servers, which are killed and restarted
// under it behind `rekindle mcp`; and the official inspector's command line.

#include "testprogram.h"

#include <QtTest>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>

class ReferenceServersTest : public QObject
{
    Q_OBJECT

    const QString modules = QStringLiteral(REKINDLE_NODE_MODULES);
    QTemporaryDir folder;

    [[nodiscard]] QStringList server(const QString &name) const
    {
        QStringList words{
            QStringLiteral(REKINDLE_NODE),
            modules + QStringLiteral("/@modelcontextprotocol/server-%1/dist/index.js").arg(name)};
        if (name == QStringLiteral("modern")) // of both eras, with the official package
            return {words[0], QStringLiteral(REKINDLE_MODERN_SERVER), modules};
        if (name == QStringLiteral("everything"))
            words << QStringLiteral("stdio");
        if (name == QStringLiteral("filesystem"))
            words << folder.path();
        return words;
    }

    // The steps of tests/mcp/node/session.mjs by their names; empty if it has failed.
    QHash<QString, QJsonObject> session(const QJsonObject &plan) const
    {
        QProcess node;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("MEMORY_FILE_PATH"),
                           folder.filePath(QStringLiteral("memory.json")));
        node.setProcessEnvironment(environment);
        node.setWorkingDirectory(folder.path());
        node.start(QStringLiteral(REKINDLE_NODE),
                   {QStringLiteral(REKINDLE_SESSION),
                    QString::fromUtf8(QJsonDocument(plan).toJson(QJsonDocument::Compact))});
        if (!node.waitForFinished(120000) || node.exitCode() != 0) {
            qWarning().noquote() << node.readAllStandardOutput() << node.readAllStandardError();
            return {};
        }
        QHash<QString, QJsonObject> steps;
        const QList<QByteArray> lines = node.readAllStandardOutput().split('\n');
        for (const QByteArray &line : lines) {
            const QJsonObject step = QJsonDocument::fromJson(line).object();
            steps.insert(step[QLatin1String("step")].toString(), step);
        }
        return steps;
    }

    // What the inspector's CLI says of a method of the server behind the proxy.
    QJsonObject inspect(const QStringList &method) const
    {
        QProcess node;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("HOME"), folder.path()); // it keeps its settings there
        node.setProcessEnvironment(environment);
        node.setWorkingDirectory(folder.path());
        const QString inspector = modules
            + QStringLiteral("/@modelcontextprotocol/inspector/clients/launcher/build/index.js");
        // The inspector takes a -- for its own: the proxy stands in a script.
        node.start(QStringLiteral(REKINDLE_NODE),
                   QStringList{inspector, QStringLiteral("--cli"),
                               folder.filePath(QStringLiteral("proxied")),
                               QStringLiteral("--method")}
                       + method);
        if (!node.waitForFinished(120000) || node.exitCode() != 0)
            qWarning().noquote() << node.readAllStandardError();
        return QJsonDocument::fromJson(node.readAllStandardOutput()).object();
    }

private Q_SLOTS:
    void theInspectorTalksToAServer()
    {
        QFile script(folder.filePath(QStringLiteral("proxied")));
        QVERIFY(script.open(QIODevice::WriteOnly));
        const QStringList words = QStringList{QStringLiteral(REKINDLE_COMMAND),
                                              QStringLiteral("mcp"), QStringLiteral("--")}
            + server(QStringLiteral("everything"));
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

    void aSessionOutlivesItsServers_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("client");
        QTest::addColumn<QString>("mode");
        QTest::addColumn<QString>("tool");
        QTest::addColumn<QByteArray>("arguments");
        const auto row = [](const char *title, const char *name, const char *client,
                            const char *mode, const char *tool, const QByteArray &arguments) {
            QTest::newRow(title) << QString::fromLatin1(name) << QString::fromLatin1(client)
                                 << QString::fromLatin1(mode) << QString::fromLatin1(tool)
                                 << arguments;
        };
        const QByteArray echo = R"({"message":"hi"})";
        row("everything", "everything", "sdk", "", "echo", echo);
        row("everything, newer client", "everything", "client", "legacy", "echo", echo);
        row("everything, client asks which era", "everything", "client", "auto", "echo", echo);
        row("modern era", "modern", "client", "auto", "echo", echo);
        row("both eras, older client", "modern", "client", "legacy", "echo", echo);
        row("filesystem", "filesystem", "sdk", "", "list_directory", R"({"path":"."})");
        row("memory", "memory", "sdk", "", "read_graph", "{}");
        row("sequential-thinking", "sequential-thinking", "sdk", "", "sequentialthinking",
            R"({"thought":"a","nextThoughtNeeded":false,"thoughtNumber":1,"totalThoughts":1})");
    }

    void aSessionOutlivesItsServers()
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
            {QStringLiteral("modules"), modules},
            {QStringLiteral("client"), client},
            {QStringLiteral("mode"), mode},
            {QStringLiteral("command"), QJsonArray::fromStringList(server(name))},
            {QStringLiteral("call"), call}};
        const QHash<QString, QJsonObject> expected = session(direct);
        QVERIFY(!expected.isEmpty());

        const QString events = folder.filePath(QStringLiteral("events.jsonl"));
        QFile::remove(events);
        QJsonObject proxied = direct;
        proxied[QStringLiteral("events")] = events;
        proxied[QStringLiteral("command")] = QJsonArray::fromStringList(
            QStringList{QStringLiteral(REKINDLE_COMMAND), QStringLiteral("mcp"),
                        QStringLiteral("--events"), events, QStringLiteral("--store"),
                        QStringLiteral("off"), QStringLiteral("--")}
            + server(name));
        const QHash<QString, QJsonObject> steps = session(proxied);
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
        QVERIFY2(!text("restartAsked").isEmpty(), "restart_server has answered");
        QVERIFY2(!text("verified").isEmpty(), "verify_server_restarted has answered");
        // The client has greeted once, although it has talked with three servers.
        QCOMPARE(steps[QStringLiteral("closed")][QLatin1String("initialized")].toInt(),
                 expected[QStringLiteral("closed")][QLatin1String("initialized")].toInt());
    }

    // From the shell, without a client of others.
    void toolsFromTheShell()
    {
        const auto tools = [this](const QStringList &words) {
            QProcess rekindle;
            rekindle.start(QStringLiteral(REKINDLE_COMMAND),
                           QStringList{QStringLiteral("tools")} + words
                               + QStringList{QStringLiteral("--")}
                               + server(QStringLiteral("everything")));
            return rekindle.waitForFinished(60000) && rekindle.exitCode() == 0
                ? rekindle.readAllStandardOutput()
                : rekindle.readAllStandardError();
        };
        const QByteArray list = tools({QStringLiteral("list")});
        QVERIFY2(list.contains("\necho "), list.constData());
        QCOMPARE(tools({QStringLiteral("call"), QStringLiteral("echo"),
                        QStringLiteral(R"({"message": "hi"})")}),
                 QByteArray("Echo: hi\n"));
    }
};

REKINDLE_TEST(ReferenceServersTest)
#include "referenceserverstest.moc"
