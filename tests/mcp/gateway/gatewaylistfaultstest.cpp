// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "contains.h"
#include "gatewaystage.h"
#include "testprogram.h"
#include "testrow.h"

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

const QString listNote = QStringLiteral("note");
const QString failText = QStringLiteral("fail 0");
constexpr char declaresTools[] =
    R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{},"prompts":{}}})";

GatewayOptions optionsOf(const QStringList &servers)
{
    RestartPolicy policy;
    policy.type = RestartPolicyType::Exponential;
    policy.initialDelay = 1s;
    policy.jitter.kind = JitterKind::None;
    policy.maxRetries.reset();
    GatewayOptions options{.servers = servers, .inject = false};
    options.policies.insert(0, policy);
    return options;
}

// A client, and a first server that has answered initialize.
void openFirst(GatewayStage &stage)
{
    stage.openLegacy();
    stage.start(0);
    stage.answer(0, "initialize", declaresTools);
}

QStringList failTools(GatewayStage &stage, int code = -32603)
{
    return stage.server(0, failureOf(stage.idOf(0, "tools/list"), code));
}

} // namespace

// Servers whose lists cannot be read after a good handshake.
class GatewayListFaultsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void requestsListsAgainAfterAnError()
    {
        GatewayStage stage(optionsOf(oneName));
        openFirst(stage);
        QCOMPARE(only(failTools(stage)), listNote);
        QVERIFY(stage.pass(999ms).isEmpty());
        QVERIFY(only(stage.pass(1ms)).contains(QStringLiteral("tools/list")));
        QVERIFY(failTools(stage, -32000).isEmpty()); // reported once
        QVERIFY(stage.pass(1999ms).isEmpty());
        QVERIFY(only(stage.pass(1ms)).contains(QStringLiteral("tools/list")));
        QCOMPARE(stage.tools("1"), QString()); // the list time has passed
        QCOMPARE(only(stage.answer(0, "tools/list", R"({"tools":[{"name":"a"}]})")),
                 toClient(toolsChanged));
        QCOMPARE(stage.tools("2"), text("a"));
        QVERIFY(stage.pass(10min).isEmpty());
    }

    void callsOfUnreadToolsWait()
    {
        GatewayStage stage(optionsOf(oneName));
        openFirst(stage);
        failTools(stage);
        QVERIFY(stage.client(request("1", "tools/call", R"({"name":"a"})")).isEmpty());
        stage.pass(1s);
        QVERIFY(stage.answer(0, "tools/list", R"({"tools":[{"name":"a"}]})")
                    .join(u'\n')
                    .contains(QStringLiteral("0 {\"jsonrpc\":\"2.0\",\"id\":1,")));
    }

    void failsServersWhoseToolsCannotBeRead()
    {
        GatewayStage stage(optionsOf(oneName));
        openFirst(stage);
        QStringList all;
        for (Duration passed{0}; passed < GatewayOptions::defaultHandshakeTime; passed += 1s) {
            all += failTools(stage);
            all += stage.pass(1s);
        }
        QCOMPARE(all.count(failText), 1);
        QVERIFY(all.filter(QStringLiteral("tools/list")).size() >= 4);
        // The next process gets the request again.
        stage.end(0);
        stage.start(0);
        QVERIFY(
            stage.replay(0, R"({"tools":{}})").join(u' ').contains(QStringLiteral("tools/list")));
    }

    void failsAtOnceWithoutRetries()
    {
        GatewayOptions options = optionsOf(oneName);
        options.policies[0].maxRetries = 0;
        GatewayStage stage(options);
        openFirst(stage);
        QVERIFY(failTools(stage).contains(failText));
    }

    void failsServersThatDoNotRespond()
    {
        GatewayStage stage(optionsOf(oneName));
        openFirst(stage);
        QVERIFY(stage.pass(GatewayOptions::defaultHandshakeTime - 1ms).isEmpty());
        QCOMPARE(only(stage.pass(1ms)), failText);
    }

    void keepsRunningWithoutPrompts()
    {
        GatewayStage stage(optionsOf(oneName));
        openFirst(stage);
        stage.answer(0, "tools/list", R"({"tools":[]})");
        QCOMPARE(only(stage.server(0, failureOf(stage.idOf(0, "prompts/list"), -32603))), listNote);
        QVERIFY(!stage.pass(10min).contains(failText));
    }

    void keepsEntriesIfALaterListFails()
    {
        GatewayStage stage(optionsOf(oneName));
        openFirst(stage);
        stage.answer(0, "tools/list", R"({"tools":[{"name":"a"}]})");
        stage.server(0, toolsChanged);
        QCOMPARE(only(failTools(stage)), listNote);
        QCOMPARE(stage.tools("1"), text("a"));
        QVERIFY(only(stage.pass(1s)).contains(QStringLiteral("tools/list")));
        QStringList all;
        for (int i = 0; i < 100; ++i) {
            all += failTools(stage);
            all += stage.pass(1s);
        }
        QVERIFY(!all.contains(failText));
        QCOMPARE(stage.tools("2"), text("a"));
    }

    void theCallTimeoutHoldsForUnlistedTools_data()
    {
        const Rows<std::vector<std::optional<Duration>>, Duration> row("timeouts", "end");
        using Timeouts = std::vector<std::optional<Duration>>;
        row("both", Timeouts{3s, 5s}, Duration(5s));
        row("one without", Timeouts{3s, {}}, Duration(20s));
        row("longer", Timeouts{1min, 30s}, Duration(20s));
    }

    // Both servers hang in their handshakes, so both may have the tool.
    void theCallTimeoutHoldsForUnlistedTools()
    {
        QFETCH(const std::vector<std::optional<Duration>>, timeouts);
        QFETCH(const Duration, end);
        GatewayOptions options = optionsOf(twoNames);
        for (int i = 0; i < 2; ++i) {
            if (timeouts[std::size_t(i)])
                options.callTimeouts.insert(i, *timeouts[std::size_t(i)]);
        }
        GatewayStage stage(options);
        stage.openLegacy();
        stage.start(0);
        stage.start(1);
        stage.pass(2500ms);
        QVERIFY(stage.client(request("1", "tools/call", R"({"name":"a"})")).isEmpty());
        QVERIFY(stage.pass(end - 1ms).isEmpty());
        const QString refused = only(stage.pass(1ms));
        const char *code = end == 20s ? "-32602" : "-32001";
        VERIFY_CONTAINS(refused, QString::fromLatin1(code));
    }

    // One server hangs; the tool can only be of that one.
    void aHangingServerDelaysOnlyItsOwnTools()
    {
        GatewayOptions options = optionsOf(twoNames);
        options.callTimeouts.insert(1, 3s);
        GatewayStage stage(options);
        openFirst(stage);
        stage.answer(0, "tools/list", R"({"tools":[{"name":"a"}]})");
        QCOMPARE(stage.receiver("1", "tools/call", R"({"name":"a"})"), text("0"));
        QVERIFY(stage.client(request("2", "tools/call", R"({"name":"b"})")).isEmpty());
        QVERIFY(only(stage.pass(3s)).contains(QStringLiteral("-32001")));
        (void)stage.refuse(1, stage.idOf(1, "initialize"));
        QVERIFY(only(stage.client(request("3", "tools/call", R"({"name":"b"})")))
                    .contains(QStringLiteral("Unknown tool: b; server two is not ready")));
    }
};

REKINDLE_TEST(GatewayListFaultsTest)
#include "gatewaylistfaultstest.moc"
