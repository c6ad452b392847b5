// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// The official clients in a session with three reference servers behind `rekindle mcp --config`,
// one of which is killed under it.

#include "testprogram.h"

#include <QtTest>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>

class ReferenceGatewayTest : public QObject
{
    Q_OBJECT

    const QString modules = QStringLiteral(REKINDLE_NODE_MODULES);
    QTemporaryDir folder;

    [[nodiscard]] QJsonObject server(const QString &name, const QString &argument) const
    {
        const QString program =
            modules + QStringLiteral("/@modelcontextprotocol/server-%1/dist/index.js").arg(name);
        // Long enough to be seen dead.
        const QJsonObject policy{{QStringLiteral("type"), QStringLiteral("linear")},
                                 {QStringLiteral("initialDelay"), QStringLiteral("4s")}};
        return {
            {QStringLiteral("policy"), policy},
            {QStringLiteral("command"), QStringLiteral(REKINDLE_NODE)},
            {QStringLiteral("args"), QJsonArray{program, argument}},
            {QStringLiteral("env"),
             QJsonObject{{QStringLiteral("MEMORY_FILE_PATH"),
                          folder.filePath(QStringLiteral("memory.json"))}}},
        };
    }

    // The steps of tests/mcp/node/gateway.mjs by their names; empty if it has failed.
    [[nodiscard]] QHash<QString, QJsonObject> session(const QJsonObject &plan) const
    {
        QProcess node;
        node.setWorkingDirectory(folder.path());
        node.start(QStringLiteral(REKINDLE_NODE),
                   {QStringLiteral(REKINDLE_GATEWAY_SESSION),
                    QString::fromUtf8(QJsonDocument(plan).toJson(QJsonDocument::Compact))});
        const bool hasEnded = node.waitForFinished(200000);
        const QByteArray output = node.readAllStandardOutput();
        if (!hasEnded || node.exitCode() != 0) {
            qWarning().noquote() << output << node.readAllStandardError();
            return {};
        }
        QHash<QString, QJsonObject> steps;
        const QList<QByteArray> lines = output.split('\n');
        for (const QByteArray &line : lines) {
            const QJsonObject step = QJsonDocument::fromJson(line).object();
            steps.insert(step[QLatin1String("step")].toString(), step);
        }
        return steps;
    }

private Q_SLOTS:
    void oneServerIsKilled_data()
    {
        QTest::addColumn<QString>("client");
        QTest::addColumn<QString>("mode");
        QTest::newRow("legacy") << QStringLiteral("sdk") << QString();
        QTest::newRow("modern") << QStringLiteral("client") << QStringLiteral("auto");
    }

    void oneServerIsKilled()
    {
        QFETCH(QString, client);
        QFETCH(QString, mode);
        QFile file(folder.filePath(QStringLiteral("mcp.json")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        const QJsonObject servers{
            {QStringLiteral("everything"),
             server(QStringLiteral("everything"), QStringLiteral("stdio"))},
            {QStringLiteral("files"), server(QStringLiteral("filesystem"), folder.path())},
            {QStringLiteral("memory"), server(QStringLiteral("memory"), QString())}};
        file.write(QJsonDocument(QJsonObject{{QStringLiteral("mcpServers"), servers}}).toJson());
        file.close();
        const QString events = folder.filePath(QStringLiteral("events.jsonl"));
        QFile::remove(events);
        const auto call = [](const char *name, const QJsonObject &arguments) {
            return QJsonObject{{QStringLiteral("name"), QString::fromLatin1(name)},
                               {QStringLiteral("arguments"), arguments}};
        };
        const QHash<QString, QJsonObject> steps =
            session({{QStringLiteral("modules"), modules},
                     {QStringLiteral("client"), client},
                     {QStringLiteral("mode"), mode},
                     {QStringLiteral("events"), events},
                     {QStringLiteral("command"),
                      QJsonArray{QStringLiteral(REKINDLE_COMMAND), QStringLiteral("mcp"),
                                 QStringLiteral("--events"), events, QStringLiteral("--config"),
                                 file.fileName()}},
                     {QStringLiteral("killed"), QStringLiteral("everything")},
                     {QStringLiteral("call"),
                      call("echo", {{QStringLiteral("message"), QStringLiteral("hi")}})},
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
        const QJsonObject dead = step("calledWhileDead");
        QVERIFY2(dead[QLatin1String("message")].toString().contains(QStringLiteral("SIGKILL")),
                 qPrintable(QString::fromUtf8(QJsonDocument(dead).toJson())));
        QCOMPARE(dead[QLatin1String("data")][QLatin1String("server")].toString(),
                 QStringLiteral("everything"));
        // They stay, also those of the server that was dead.
        const QJsonArray tools = step("listed")[QLatin1String("tools")].toArray();
        for (const char *name : {"echo", "list_directory", "read_graph", "restart_server"})
            QVERIFY2(tools.contains(QString::fromLatin1(name)), name);
        QCOMPARE(step("listedWhileDead")[QLatin1String("tools")].toArray(), tools);
        QVERIFY(step("prompts")[QLatin1String("prompts")].toArray().size() > 0);
    }
};

REKINDLE_TEST(ReferenceGatewayTest)
#include "referencegatewaytest.moc"
