// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "gatewayfile.h"
#include "testprogram.h"

using namespace Rekindle;

// What rekindle mcp --config does for each of its servers, as rekindle mcp does for its only one.
class McpGatewayCallsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void retriesAndRecordsCalls();
    void reportsLifecycleOnStderr();

private:
    QTemporaryDir m_folder;
};

// Five failed calls open the breaker of the tool. The same tool of the other server is admitted.
void McpGatewayCallsTest::retriesAndRecordsCalls()
{
    const QString store = m_folder.filePath(QStringLiteral("calls.sqlite"));
    Editor editor(words("--quiet", "--tool-retry", "always", "--store", store, "--config",
                        gatewayFile(m_folder.path(), {one, two})));
    QVERIFY(editor.beginSession());
    (void)editor.ask("\"list\"", "tools/list");
    for (const QByteArray id : {"1", "2", "3", "4", "5"})
        editor.call(id, "two__fail");
    for (const QByteArray id : {"1", "2", "3", "4", "5"})
        QCOMPARE(textOf(editor.answer(id)), QStringLiteral("it did not work"));
    VERIFY_CONTAINS(textOf(editor.use("6", "two__fail")),
                    "The circuit breaker of this tool is open");
    QCOMPARE(textOf(editor.use("7", "fail")), QStringLiteral("it did not work"));
    QCOMPARE(editor.endInput(), 0);

    CompletedRun history(words("history", "--store", store, "--calls", "--json"));
    QStringList calls;
    for (const QByteArray &row : history.output().trimmed().split('\n')) {
        const QJsonObject record = QJsonDocument::fromJson(row).object();
        const QJsonObject data = record[QLatin1String("data")].toObject();
        calls.append(QStringLiteral("%1 %2 %3 %4")
                         .arg(record[QLatin1String("subject")].toString(),
                              data[QLatin1String("tool")].toString(),
                              data[QLatin1String("end")].toString())
                         .arg(data[QLatin1String("retries")].toInt()));
    }
    QStringList expected(5, QStringLiteral("agent/two fail AttemptsExhausted 3"));
    expected += {QStringLiteral("agent/two fail BreakerOpen 0"),
                 QStringLiteral("agent/one fail AttemptsExhausted 3")};
    QCOMPARE(calls, expected);
}

// S4 4.5.
void McpGatewayCallsTest::reportsLifecycleOnStderr()
{
    Editor editor(words("--store", "off", "--config", gatewayFile(m_folder.path(), {one, two})));
    QVERIFY(editor.beginSession());
    (void)editor.ask("\"list\"", "tools/list");
    const QByteArray first = QByteArray::number(pidOf(editor, "1", "two__state"));
    (void)editor.use("2", "restart_server", R"({"server":"two","reason":"new code"})");
    const QByteArray second = QByteArray::number(pidOf(editor, "3", "two__state"));
    QCOMPARE(editor.endInput(), 0);
    const QByteArrayList lines{
        "two: started (pid " + first + ")", "two: restart requested (new code)",
        "two: started (pid " + second + ", restart #1)", "one: clean shutdown (exit code 0)",
        "two: clean shutdown (exit code 0)"};
    for (const QByteArray &line : lines)
        VERIFY_CONTAINS(editor.error(), QByteArray("rekindle: " + line + '\n'));
}

REKINDLE_TEST(McpGatewayCallsTest)
#include "mcpgatewaycallstest.moc"
