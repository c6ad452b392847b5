// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// The manual integration test of S4 6.2, step by step, with a C++ server that has the tools of S4
// itself (examples/6-restartserver).

#include "editor.h"
#include "testprogram.h"

using namespace Rekindle;

class McpRestartTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void manualIntegrationTest();
    void serverRetriesOwnHandlers();
};

namespace {

// Later events have a later time, even within this millisecond.
QByteArray justBefore()
{
    return QDateTime::currentDateTimeUtc().addMSecs(-1).toString(Qt::ISODateWithMs).toUtf8();
}

QJsonObject health(Editor &editor, const QByteArray &id) { return editor.use(id, "health_check"); }

QJsonObject verify(Editor &editor, const QByteArray &id, const QByteArray &since)
{
    return editor.use(id, "verify_server_restarted", R"({"since_timestamp":")" + since + R"("})");
}

bool isError(const QJsonObject &answer)
{
    return answer[QLatin1String("result")][QLatin1String("isError")].toBool();
}

} // namespace

void McpRestartTest::manualIntegrationTest()
{
    const QTemporaryDir folder;
    const QString marker = folder.filePath(QStringLiteral("marker"));
    const QString events = folder.filePath(QStringLiteral("events"));
    // Steps 1 and 2: the client starts the supervisor, not the server.
    Editor editor(words("--marker", marker, "--events", events),
                  words(REKINDLE_RESTARTSERVER, marker));
    QVERIFY(editor.beginSession());
    // Step 3.
    QString healthy = textOf(health(editor, "1"));
    QVERIFY2(healthy.startsWith(QStringLiteral("healthy, pid ")), qPrintable(healthy));

    int id = 10;
    for (const QByteArray reason : {"Integration test 1", "Integration test 2"}) { // Step 9
        const QByteArray before = justBefore();
        // Step 4. The response arrives before the server exits.
        const QJsonObject scheduled = editor.use(QByteArray::number(++id), "restart_server",
                                                 R"({"reason":")" + reason + R"("})");
        const QByteArray answer = "Server restart scheduled (reason: " + reason
            + "). Server will exit with code 42 in 500ms, supervisor will spawn new instance.";
        QCOMPARE(textOf(scheduled).toUtf8(), answer);
        // Step 5 by events: the old server has exited, and calls wait for the new one.
        QVERIFY(editor.waitForError("restart requested (" + reason + ')'));
        // Steps 6 and 7.
        const QJsonObject verified = verify(editor, QByteArray::number(++id), before);
        QVERIFY2(!isError(verified), qPrintable(textOf(verified)));
        QVERIFY2(textOf(verified).startsWith(
                     QStringLiteral("\u2705 Server restart verified: occurred at "))
                     && textOf(verified).contains(QString::fromUtf8(reason)),
                 qPrintable(textOf(verified)));
        QVERIFY(isError(verify(editor, QByteArray::number(++id), "2999-01-01T00:00:00Z")));
        // Step 8, by another process.
        const QString again = textOf(health(editor, QByteArray::number(++id)));
        QVERIFY(again.startsWith(QStringLiteral("healthy, pid ")));
        QVERIFY(again != healthy);
        healthy = again;
        QVERIFY(waitUntil([&] {
            const QByteArray text = readFile(marker);
            return text.contains("\"method\": \"exit 42\"") && text.contains(reason);
        }));
    }
    QCOMPARE(editor.endInput(), 0); // clean shutdown
    // Step 10, and FR-6: messages and the audit trail. No attempt was used.
    QVERIFY(editor.error().contains("restart requested (Integration test 2)"));
    QVERIFY(!editor.error().contains("failed"));
    const QByteArray lines = readFile(events);
    QCOMPARE(eventTexts(lines, "restart.requested", "reason"),
             words("Integration test 1", "Integration test 2"));
    QVERIFY(eventTypes(lines).filter(QStringLiteral("failed")).isEmpty());
}

// S3
void McpRestartTest::serverRetriesOwnHandlers()
{
    const QTemporaryDir folder;
    const QString marker = folder.filePath(QStringLiteral("marker"));
    Editor editor(words("--marker", marker), words(REKINDLE_RESTARTSERVER, marker));
    QVERIFY(editor.beginSession());
    QCOMPARE(textOf(editor.use("1", "ask_service", R"({"question":"why"})")),
             QStringLiteral("why, after 3 attempts"));
    QCOMPARE(editor.endInput(), 0);
}

REKINDLE_TEST(McpRestartTest)
#include "mcprestarttest.moc"
