// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/fifo.h"
#include "gatewayfile.h"
#include "testprogram.h"

using namespace Rekindle;

// rekindle mcp --config: the last messages of servers, and an editor that exits or does not read.
class McpGatewayEndTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void incompleteResponseIsLost();
    void answersManyCallsAtTheEnd();
    void answersWhatWasAskedBeforeTheEndOfStdin();

private:
    // For a gateway of one server.
    [[nodiscard]] QStringList options(const QByteArray &command) const
    {
        const QString path =
            writeFile(m_folder.path(), QStringLiteral("mcp.json"),
                      R"({"mcpServers":{"one":{"command":")" + command + R"("}}})");
        return words("--quiet", "--config", path);
    }

    // A shell script as server, which responds correctly except in these cases.
    [[nodiscard]] QByteArray script(const QByteArray &cases) const
    {
        const QString path = writeFile(
            m_folder.path(), QStringLiteral("server"),
            "#!/bin/sh\n"
            "answer() { printf '{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s' \"$id\" \"$1\"; }\n"
            "while read -r line; do\n"
            "id=$(echo \"$line\" | sed -n 's/.*\"id\":\\(\"[^\"]*\"\\|[0-9]*\\).*/\\1/p')\n"
            "case $line in\n"
                + cases
                + "*'\"initialize\"'*) answer '{\"protocolVersion\":\"2025-11-25\","
                  "\"capabilities\":{\"tools\":{}}}}'; echo;;\n"
                  "*'\"tools/list\"'*) answer '{\"tools\":[{\"name\":\"t\"}]}}'; echo;;\n"
                  "*'\"tools/call\"'*) answer '{\"content\":[]}}'; echo;;\n"
                  "esac\ndone\n");
        QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        return path.toUtf8();
    }

    QTemporaryDir m_folder;
};

// It is not a message; the call is lost with the server.
void McpGatewayEndTest::incompleteResponseIsLost()
{
    const QByteArray half = "*'\"tools/call\"'*) answer '{\"content\":['; kill -9 $$;;\n";
    Editor editor(options(script(half)));
    QVERIFY(editor.beginSession());
    (void)editor.ask("1", "tools/list");
    const QJsonValue error = editor.use("2", "t")[QLatin1String("error")];
    QCOMPARE(error[QLatin1String("data")][QLatin1String("reason")].toString(),
             QStringLiteral("serverEnded"));
    QCOMPARE(error[QLatin1String("data")][QLatin1String("server")].toString(),
             QStringLiteral("one"));
}

// More than fits into a pipe, at the exit of the gateway.
void McpGatewayEndTest::answersManyCallsAtTheEnd()
{
    Fifo output(m_folder.filePath(QStringLiteral("slow")));
    Editor editor(options(REKINDLE_MCPSERVER));
    editor.setStandardOutputFile(output.path());
    QVERIFY(editor.begin());
    editor.request("\"open\"", "initialize", R"({"protocolVersion":"2025-11-25"})");
    editor.send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    editor.request("\"list\"", "tools/list");
    QVERIFY(output.waitFor("\"list\""));
    const qint64 server = editor.waitForServer();
    constexpr int calls = 1000;
    for (int i = 0; i < calls; ++i)
        editor.call(QByteArray::number(i), "silent");
    editor.closeWriteChannel();
    // Reads late and in small steps.
    QVERIFY(waitUntilGone(server));
    QVERIFY(output.takeSlowly(editor));
    QCOMPARE(editor.exitCode(), 0);
    QVERIFY(output.text().endsWith('\n'));
    QCOMPARE(output.text().count('\n'), calls + 2);
}

// As from `printf ... | rekindle mcp --config FILE`.
void McpGatewayEndTest::answersWhatWasAskedBeforeTheEndOfStdin()
{
    Editor editor(options(REKINDLE_MCPSERVER) + words("--list-wait", "1m"));
    QVERIFY(editor.begin());
    editor.request(
        "0", "initialize",
        R"({"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"p","version":"1"}})");
    editor.send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    editor.request("1", "tools/list");
    editor.call("2", "echo", R"({"message":"last"})");
    editor.call("3", "nothing");
    QCOMPARE(editor.endInput(), 0);
    QVERIFY(toolNames(editor.answer("1")).contains(QStringLiteral("echo")));
    QCOMPARE(textOf(editor.answer("2")), QStringLiteral("last"));
    VERIFY_CONTAINS(errorOf(editor.answer("3")), "Unknown tool: nothing");
}

REKINDLE_TEST(McpGatewayEndTest)
#include "mcpgatewayendtest.moc"
