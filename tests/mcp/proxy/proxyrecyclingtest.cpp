// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "proxystage.h"
#include "testprogram.h"

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

QByteArray result(const QByteArray &id) { return answerTo(id, R"({"content":[]})"); }

bool isRestarted(const QStringList &log)
{
    return std::any_of(log.begin(), log.end(), [](const QString &line) {
        return line.startsWith(QLatin1String("restart "));
    });
}

} // namespace

// Planned replacements of the server of a proxy session.
class ProxyRecyclingTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void beginsAtOnceIfNothingIsInFlight()
    {
        ProxyStage stage;
        stage.openLegacy();
        LOG(stage.recycle("recycling: old"), text("restart recycling: old"));
        LOG(stage.recycle("again"), ); // it has begun
        stage.decide(true);
        LOG(stage.client(call("1", "write")), ); // held for the new server
        stage.end(killed());
        stage.start();
        const QStringList log = stage.server(handshakeAnswer("1000000001"));
        QVERIFY(log.contains(toServer(call("1", "write"))));
    }

    void waitsForRequestsInFlight()
    {
        ProxyStage stage;
        stage.openLegacy();
        stage.client(call("1", "write"));
        stage.client(call("2", "write"));
        LOG(stage.recycle("why"), );
        QVERIFY(!isRestarted(stage.server(result("1"))));
        LOG(stage.client(call("3", "write")), toServer(call("3", "write"))); // not held
        QVERIFY(!isRestarted(stage.server(result("2"))));
        QVERIFY(stage.server(result("3")).contains(text("restart why")));
    }

    void beginsAfterTwentySeconds()
    {
        ProxyStage stage;
        stage.openLegacy();
        stage.client(call("1", "write"));
        LOG(stage.recycle("why"), );
        LOG(stage.pass(19999ms), );
        LOG(stage.pass(1ms), text("restart why"));
        stage.decide(true);
        // Its server may have read it, so that it is not repeated.
        QVERIFY(stage.end(killed()).contains(text("C error 1 -32000 serverEnded")));
    }

    void countsAnsweredCalls()
    {
        ProxyStage stage({.recycleAfterCalls = 2});
        stage.openLegacy();
        for (const QByteArray &id : {QByteArray("1"), QByteArray("2")})
            stage.client(call(id, "write"));
        stage.client(request("3", "ping"));
        stage.server(result("3")); // no call
        QVERIFY(!isRestarted(stage.server(result("1"))));
        QVERIFY(
            stage.server(result("2")).contains(text("restart recycling: it has answered 2 calls")));
        stage.decide(false); // too many
        stage.client(call("4", "write"));
        QVERIFY(!isRestarted(stage.server(result("4"))));
        stage.pass(1min);
        stage.client(call("5", "write"));
        QVERIFY(
            stage.server(result("5")).contains(text("restart recycling: it has answered 4 calls")));
    }

    void newServerBeginsAgain()
    {
        ProxyStage stage({.recycleAfterCalls = 2});
        stage.openLegacy();
        stage.client(call("1", "write"));
        stage.server(result("1"));
        stage.client(call("2", "write"));
        LOG(stage.recycle("why"), );
        stage.restart(); // it has crashed: the new server is not replaced
        QVERIFY(stage.session().isLive());
        QVERIFY(!isRestarted(stage.pass(1min)));
        stage.client(call("3", "write"));
        QVERIFY(!isRestarted(stage.server(result("3"))));
    }

    void isIgnoredWithoutServer()
    {
        ProxyStage stage;
        stage.openLegacy();
        stage.kill();
        LOG(stage.recycle("why"), );
        stage.start();
        QVERIFY(!isRestarted(stage.server(handshakeAnswer("1000000001"))));
        QVERIFY(stage.session().isLive());
        QVERIFY(!isRestarted(stage.pass(1min)));
    }
};

REKINDLE_TEST(ProxyRecyclingTest)
#include "proxyrecyclingtest.moc"
