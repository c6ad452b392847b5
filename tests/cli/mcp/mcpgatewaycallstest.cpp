// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "gatewayfile.h"
#include "testprogram.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace Rekindle;

// What rekindle mcp --config does for each of its servers, as rekindle mcp does for its only one.
class McpGatewayCallsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void retriesAndRecordsCalls();
    void reportsLifecycleOnStderr();
    void restoresLogLevelOnce();
    void retriesFailedLists_data();
    void retriesFailedLists();

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

void McpGatewayCallsTest::restoresLogLevelOnce()
{
    const QString log = m_folder.filePath(QStringLiteral("log"));
    Editor editor(words("--quiet", "--store", "off", "--config",
                        gatewayFile(m_folder.path(), {one + words("--log", log)})));
    QVERIFY(editor.beginSession());
    (void)editor.ask("\"list\"", "tools/list");
    (void)editor.ask("1", "logging/setLevel", R"({"level":"error"})");
    const qint64 first = pidOf(editor, "2");
    (void)editor.use("3", "restart_server", R"({"server":"one","reason":"a test"})");
    const qint64 second = pidOf(editor, "4");
    QVERIFY(second != 0 && second != first);
    QVERIFY(pidOf(editor, "5") == second);
    QCOMPARE(readFile(log).count("logging/setLevel"), 2);
}

void McpGatewayCallsTest::retriesFailedLists_data()
{
    QTest::addColumn<QString>("revision");
    QTest::newRow("legacy") << QStringLiteral("legacy");
    QTest::newRow("modern") << QStringLiteral("modern");
}

// The first tools/list after the handshake fails. The tools appear after the retry, without another
// process.
void McpGatewayCallsTest::retriesFailedLists()
{
    QFETCH(QString, revision);
    const QString starts = m_folder.filePath(QStringLiteral("starts-") + revision);
    const QString log = m_folder.filePath(QStringLiteral("log-") + revision);
    Editor editor(words("--list-wait", "1ms", "--store", "off", "--config",
                        gatewayFile(m_folder.path(),
                                    {one
                                     + words("--revision", revision, "--starts", starts, "--log",
                                             log, "--fail-once", "tools/list")})));
    QVERIFY(editor.beginSession());
    // This call is held until the tools are known.
    QCOMPARE(textOf(editor.use("1", "echo", R"({"message":"m"})")), QStringLiteral("m"));
    QVERIFY(toolNames(editor.ask("2", "tools/list")).contains(QStringLiteral("echo")));
    QVERIFY(readFile(log).count("tools/list") >= 2);
    QCOMPARE(readFile(starts).count("start"), 1);
    VERIFY_CONTAINS(editor.error(), "one: tools/list failed: not loaded yet");
}

REKINDLE_TEST(McpGatewayCallsTest)
#include "mcpgatewaycallstest.moc"
