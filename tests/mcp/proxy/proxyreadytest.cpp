// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "proxystage.h"
#include "testprogram.h"

using namespace Rekindle;
using namespace std::chrono_literals;

// When a server is ready, and what happens if it does not become ready.
class ProxyReadyTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void acceptedInitializeMakesReady()
    {
        ProxyStage stage;
        stage.start();
        stage.client(initializeRequest);
        LOG(stage.pass(10s), );
        QCOMPARE(stage.server(handshakeAnswer("0")).mid(1), QStringList(text("ready")));
        stage.client(initialized);
        LOG(stage.pass(1h).filter(QStringLiteral("ready")), );
    }

    void replayedHandshakeMakesReady()
    {
        ProxyStage stage;
        stage.openLegacy();
        stage.kill();
        stage.start();
        LOG(stage.pass(10s), );
        LOG(stage.server(handshakeAnswer("1000000001")), toServer(initialized), text("ready"));
    }

    // The client may connect late, or use a revision without initialize.
    void isReadyWithoutHandshakeAfterOneSecond()
    {
        ProxyStage late;
        late.start();
        LOG(late.pass(1s - 1ns), );
        LOG(late.pass(1ns), text("ready"));

        ProxyStage modern;
        modern.start();
        modern.client(
            R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}})");
        QVERIFY(modern.session().isLive());
        QCOMPARE(modern.pass(1s).filter(QStringLiteral("ready")).size(), 1);

        ProxyStage rejected;
        rejected.start();
        rejected.client(initializeRequest);
        LOG(rejected.pass(5s), );
        rejected.server(failureOf("0", -32603));
        LOG(rejected.pass(0s), text("ready"));
    }

    void rejectedReplayIsNotReady()
    {
        ProxyStage stage;
        stage.openLegacy();
        stage.kill();
        stage.start();
        stage.server(failureOf("1000000001", -32603));
        LOG(stage.pass(1h), );
    }

    void failsAServerThatDoesNotAnswerInitialize()
    {
        ProxyOptions options;
        options.handshakeTimeout = 5s;
        ProxyStage stage(options);
        stage.start();
        LOG(stage.pass(1min), text("ready")); // no deadline without a handshake
        stage.client(initializeRequest);
        LOG(stage.pass(5s - 1ns), );
        LOG(stage.pass(1ns), text("fail it did not respond to the client's handshake in time"));
        QCOMPARE(stage.lastFailure(), FailureReason::Timeout);
    }

    void isReadyAfterADiscovery()
    {
        ProxyStage stage;
        stage.start();
        stage.client(request("1", "server/discover"));
        const QByteArray rejection = failureOf("1", -32601);
        LOG(stage.server(rejection), toClient(rejection));
        stage.client(request("2", "server/discover"));
        QCOMPARE(stage.server(answerTo("2")).front(), text("ready"));
    }

    void progressExtendsTheHandshake()
    {
        ProxyOptions options;
        options.handshakeTimeout = 10s;
        ProxyStage stage(options);
        stage.start();
        stage.client(initializeRequest);
        for (int i = 0; i < 11; ++i) {
            LOG(stage.pass(9s), );
            stage.session().serverProgressed(stage.now());
        }
        LOG(stage.pass(1s - 1ns), );
        LOG(stage.pass(1ns), text("fail it did not respond to the client's handshake in time"));
    }

    // Of a server that has worked, calls are held.
    void refusesAfterAFailedFirstStart()
    {
        ProxyOptions options;
        options.failFastBeforeReady = true;
        ServerExit end = killed();

        ProxyStage stage(options);
        stage.start();
        stage.client(initializeRequest);
        LOG(stage.end(end), ); // the next start is immediate
        stage.start();
        end.outlook.restartAt = stage.now() + 1s;
        LOG(stage.end(end), text("C error 0 -32000 serverUnavailable"));
        LOG(stage.client(request("1", "tools/list")), text("C error 1 -32000 serverUnavailable"));

        ProxyStage known(options);
        known.openLegacy();
        end.outlook.restartAt = known.now() + 1s;
        LOG(known.end(end), );
        LOG(known.client(call("2", "write")), );
    }
};

REKINDLE_TEST(ProxyReadyTest)
#include "proxyreadytest.moc"
