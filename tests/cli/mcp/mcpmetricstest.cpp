// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/host/httpget.h"
#include "gatewayfile.h"
#include "testprogram.h"

#include <QTcpServer>

using namespace Rekindle;

// `rekindle mcp --metrics` with an HTTP client.
class McpMetricsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void servesMetricsOfToolCalls();
    void servesMetricsOfGateway();
    void continuesIfPortIsInUse();

private:
    [[nodiscard]] QStringList options() const
    {
        return words("--store", "off", "--marker", m_folder.filePath(QStringLiteral("marker")),
                     "--tool-retry", "always", "--metrics");
    }

    QTemporaryDir m_folder;
};

void McpMetricsTest::servesMetricsOfToolCalls()
{
    Editor editor(options() + words("127.0.0.1:0"), words(REKINDLE_MCPSERVER));
    QVERIFY(editor.beginSession());
    QVERIFY(editor.waitForError("/metrics\n"));
    const QString url = metricsUrlIn(editor.error());
    QCOMPARE(textOf(editor.use("1", "echo", R"({"message":"m"})")), QStringLiteral("m"));
    QCOMPARE(textOf(editor.use("2", "fail")), QStringLiteral("it did not work"));
    (void)editor.use("3", "invented");
    const QByteArray body = httpGet(url + QStringLiteral("/metrics")).body;
    for (const char *line :
         {R"(tool_calls_total{agent="mcpserver",outcome="answered",tool="echo"} 1)",
          R"(tool_calls_total{agent="mcpserver",outcome="attempts_exhausted",tool="fail"} 1)",
          R"(tool_call_retries_total{agent="mcpserver",tool="fail"} 3)",
          R"(tool_call_duration_seconds_count{agent="mcpserver"} 3)",
          R"(agent_state{agent="mcpserver",state="running"} 1)", R"(tool="invented"} 1)"})
        VERIFY_CONTAINS(body, line);
    QCOMPARE(httpGet(url + QStringLiteral("/readyz")).body, QByteArray("ready\n"));
    QCOMPARE(editor.endInput(), 0);
}

void McpMetricsTest::servesMetricsOfGateway()
{
    Editor editor(words("--store", "off", "--metrics", "0", "--config",
                        gatewayFile(m_folder.path(), {one, two})));
    QVERIFY(editor.beginSession());
    QVERIFY(editor.waitForError("/metrics\n"));
    QCOMPARE(textOf(editor.use("1", "echo", R"({"message":"m"})")), QStringLiteral("m"));
    QCOMPARE(textOf(editor.use("2", "two__echo", R"({"message":"m"})")), QStringLiteral("m"));
    const QByteArray body = httpGet(metricsUrlIn(editor.error()) + QStringLiteral("/metrics")).body;
    for (const char *line : {R"(tool_calls_total{agent="one",outcome="answered",tool="echo"} 1)",
                             R"(tool_calls_total{agent="two",outcome="answered",tool="echo"} 1)"})
        VERIFY_CONTAINS(body, line);
    QCOMPARE(editor.endInput(), 0);
}

// Each window of an editor starts the command.
void McpMetricsTest::continuesIfPortIsInUse()
{
    QTcpServer other;
    QVERIFY(other.listen(QHostAddress::LocalHost));
    Editor editor(options() + words(QString::number(other.serverPort())),
                  words(REKINDLE_MCPSERVER));
    QVERIFY(editor.beginSession());
    QVERIFY(editor.waitForError("is already in use; continuing without metrics\n"));
    QCOMPARE(textOf(editor.use("1", "echo", R"({"message":"m"})")), QStringLiteral("m"));
    QCOMPARE(editor.endInput(), 0);
}

REKINDLE_TEST(McpMetricsTest)
#include "mcpmetricstest.moc"
