// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "proxystage.h"
#include "testprogram.h"

#include <QTest>

using namespace Rekindle;
using namespace std::chrono_literals;

// A proxy session behind the gateway: what nobody works on is refused instead of held.
class ProxyFailFastTest : public QObject
{
    Q_OBJECT

    static ProxyOptions options()
    {
        ProxyOptions options;
        options.inject = false;
        options.failFast = true;
        return options;
    }

    static QByteArray call(const char *id, const char *tool)
    {
        return QByteArray(
                   R"({"jsonrpc":"2.0","method":"tools/call","id":ID,"params":{"name":"TOOL"}})")
            .replace("ID", id)
            .replace("TOOL", tool);
    }

    static bool isRefused(const QStringList &actions, const char *id)
    {
        return actions
            == QStringList{
                QStringLiteral("C error %1 -32000 serverUnavailable").arg(QLatin1String(id))};
    }

private Q_SLOTS:
    void newCallsAreRefusedAndOldOnesMadeAgain()
    {
        ProxyStage stage(options());
        stage.openLegacy();
        (void)stage.client(call("1", "read"));
        (void)stage.client(call("2", "write"));
        ServerEnd end = killed();
        end.outlook.in = 1s;
        const QStringList lost = stage.end(end);
        QVERIFY2(lost.contains(QStringLiteral("C error 2 -32000 serverEnded")),
                 qPrintable(lost.join(u'\n')));
        QCOMPARE(lost.filter(QStringLiteral("C error")).size(), 1);
        QVERIFY(isRefused(stage.client(call("3", "read")), "3"));
        // Once the time has come it is a matter of moments.
        (void)stage.pass(1s);
        QVERIFY(stage.client(call("4", "write")).isEmpty());
        (void)stage.start();
        const QString sent =
            stage
                .server(
                    R"({"jsonrpc":"2.0","id":"rekindle-1","result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}}}})")
                .join(u'\n');
        QVERIFY2(sent.contains(QString::fromUtf8(call("1", "read"))), qPrintable(sent));
        QVERIFY(sent.contains(QString::fromUtf8(call("4", "write"))));
        QVERIFY(!sent.contains(QString::fromUtf8(call("3", "read"))));
    }

    void whatIsDueAtOnceIsWaitedFor()
    {
        ProxyStage stage(options());
        stage.openLegacy();
        (void)stage.kill();
        QVERIFY(stage.client(call("1", "write")).isEmpty());
        // Then that fails too, and takes its time.
        ServerEnd end = killed();
        end.outlook.in = 1s;
        QVERIFY(stage.end(end).contains(QStringLiteral("C error 1 -32000 serverUnavailable")));
    }

    void aRestartThatWasAskedForIsWaitedFor()
    {
        ProxyStage stage(options());
        stage.openLegacy();
        ServerEnd end = killed();
        end.kind = ServerEnd::Kind::Requested;
        end.outlook.in = 500ms;
        (void)stage.end(end);
        QVERIFY(stage.client(call("1", "write")).isEmpty());
    }

    // The gateway asks for itself between its client's calls.
    void theGatewaysOwnRequestsHaveNoTimeLimit()
    {
        ProxyOptions limited = options();
        limited.callTimeout = 5s;
        ProxyStage stage(limited);
        stage.openLegacy();
        (void)stage.client(R"({"jsonrpc":"2.0","id":"own","method":"tools/list","params":{}})",
                           RequestOrigin::Gateway);
        (void)stage.client(call("\"g\"", "write"));
        const QStringList late = stage.pass(1min).filter(QStringLiteral("C error"));
        QCOMPARE(late, QStringList{QStringLiteral("C error \"g\" -32001 timedOut")});
    }

    void nobodyIsRefusedBeforeTheFirstServer()
    {
        ProxyStage stage(options());
        QVERIFY(
            stage
                .client(
                    R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}})")
                .isEmpty());
    }
};

REKINDLE_TEST(ProxyFailFastTest)
#include "proxyfailfasttest.moc"
