// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// The server behind a proxy: real processes in virtual time.

#include "contains.h"
#include "mcp/host/markerfile_p.h"
#include "mcp/host/proxiedserver_p.h"
#include "serverstage.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/mcp/watchdogproxy.h>
#include <rekindle/policy/presets.h>

#include <fcntl.h>
#include <unistd.h>

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

constexpr char initialize[] =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"p","version":"1"}}})";
constexpr char initialized[] = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";

RestartPolicy withoutJitter(const QString &name)
{
    RestartPolicy policy = *preset(name);
    policy.jitter.kind = JitterKind::None;
    return policy;
}

/// A proxied sample server and its client.
struct Proxied : ServerStage
{
    explicit Proxied(const RestartPolicy &policy, const QStringList &options = {},
                     const std::optional<ProcessDefinition> &other = {})
        : ServerStage(Time::Virtual)
    {
        const ProcessDefinition server = other ? *other : sample(options);
        auto owned = std::make_unique<ProcessAgent>(
            ProcessDefinition::stdioServer(server.program, server.arguments), virtualTime);
        agent = owned.get();
        id = supervisor.add(QStringLiteral("server"), std::move(owned), policy).id;
    }

    void begin()
    {
        ProxiedServer::Options options;
        options.session.retry = retry;
        proxied.emplace(supervisor, id, *agent, std::move(options));
        QObject::connect(&*proxied, &ProxiedServer::toClient, agent,
                         [this](const QByteArray &line) { answers += line + '\n'; });
        QObject::connect(
            &*proxied, &ProxiedServer::refused, agent,
            [this](const ProxyRefusal &refusal) { answers += refusal.toJson() + '\n'; });
        proxied->start();
        settle();
    }

    void send(const QByteArray &line)
    {
        const std::vector<FramedLine> lines{{line}};
        proxied->clientLines(lines);
    }
    void call(const char *tool)
    {
        answers.clear();
        send(R"({"jsonrpc":"2.0","id":)" + QByteArray::number(++lastId)
             + R"(,"method":"tools/call","params":{"name":")" + tool
             + R"(","arguments":{"message":"m"}}})");
    }

    /// Waits for events of processes; nothing is due later than now.
    template<typename Condition>
    bool waitFor(Condition condition)
    {
        return QTest::qWaitFor(
            [&] {
                settle();
                return condition();
            },
            30000);
    }
    bool waitForState(InstanceState state)
    {
        return waitFor([&] { return snapshot()->state == state; });
    }
    bool openSession()
    {
        begin();
        send(initialize);
        send(initialized);
        return waitForState(InstanceState::Running);
    }
    /// The server answers one call, and exits during the next one.
    bool answerAndCrash()
    {
        call("echo");
        if (!waitFor([&] { return answers.contains(R"("text":"m")"); }))
            return false;
        const auto failures = [this] { return log.text().count(QStringLiteral("failed")); };
        const qsizetype before = failures();
        call("crash");
        return waitFor([&] { return failures() > before; });
    }
    [[nodiscard]] std::optional<Duration> nextStart() const
    {
        const auto at = snapshot()->nextStartAt;
        return at ? std::optional(*at - virtualTime.now()) : std::nullopt;
    }

    ProcessAgent *agent = nullptr;
    QUuid id;
    std::optional<ProxiedServer> proxied;
    QByteArray answers;
    int lastId = 0;
    CallRetry retry = CallRetry::Safe;
};

} // namespace

class ProxiedServerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void answeredCallsDoNotEndTheSequence_data()
    {
        const Rows<QString, QList<int>> row("name", "seconds");
        row("mcp-proxy", "mcp-proxy", QList<int>{0, 1, 2, 4, 8, 16, 32, 60, 60});
        row("watchdog", "watchdog", QList<int>{1, 1, 1, 5, 5, 5, 5, 5, 5, 5, 10});
    }

    // S4 4.6 and S2: each server answers a call before it exits.
    void answeredCallsDoNotEndTheSequence()
    {
        QFETCH(QString, name);
        QFETCH(QList<int>, seconds);
        Proxied stage(withoutJitter(name));
        QVERIFY(stage.openSession());
        for (const int delay : seconds) {
            QVERIFY(stage.answerAndCrash());
            if (delay > 0)
                QCOMPARE(stage.nextStart(), std::optional<Duration>(std::chrono::seconds(delay)));
            stage.virtualTime.advance(std::chrono::seconds(delay));
            QVERIFY(stage.waitForState(InstanceState::Running));
        }
        // Ready for `stableAfter`: the next failure is the first one.
        stage.virtualTime.advance(1min);
        QVERIFY(stage.answerAndCrash());
        QVERIFY(stage.log.text().contains(QStringLiteral("stable")));
        QCOMPARE(QString(stage.log.text() + u' ').count(QStringLiteral("scheduled#1 ")), 2);
    }

    void answeredCallsDoNotCloseTheBreaker()
    {
        RestartPolicy policy = withoutJitter(QStringLiteral("mcp-proxy"));
        policy.circuitBreaker = CircuitBreakerPolicy{.threshold = 3, .timeout = 20s};
        Proxied stage(policy);
        QVERIFY(stage.openSession());
        for (const Duration delay : {0s, 1s}) {
            QVERIFY(stage.answerAndCrash());
            stage.virtualTime.advance(delay);
            QVERIFY(stage.waitForState(InstanceState::Running));
        }
        QVERIFY(stage.answerAndCrash());
        QCOMPARE(stage.snapshot()->state, InstanceState::CircuitOpen);
        QCOMPARE(stage.nextStart(), std::optional<Duration>(20s));
    }

    void answeredCallsUseUpTheAttempts()
    {
        RestartPolicy policy = withoutJitter(QStringLiteral("mcp-proxy"));
        policy.maxRetries = 1;
        Proxied stage(policy);
        QVERIFY(stage.openSession());
        QVERIFY(stage.answerAndCrash());
        QVERIFY(stage.waitForState(InstanceState::Running));
        QVERIFY(stage.answerAndCrash());
        QCOMPARE(stage.snapshot()->state, InstanceState::Exhausted);
    }

    void restartOfWaitingServerEmitsItsReason()
    {
        Proxied stage(withoutJitter(QStringLiteral("mcp-proxy")));
        QVERIFY(stage.openSession());
        QVERIFY(stage.answerAndCrash()); // the first restart has no delay
        QVERIFY(stage.waitForState(InstanceState::Running));
        const QSignalSpy requests(&stage.supervisor, &AgentSupervisor::restartRequested);
        QVERIFY(stage.answerAndCrash());
        QCOMPARE(stage.snapshot()->state, InstanceState::Waiting);
        QCOMPARE(stage.proxied->restart(QStringLiteral("new code"), QStringLiteral("watch")),
                 std::optional(true));
        QVERIFY(stage.waitForState(InstanceState::Running));
        QCOMPARE(requests.size(), 1);
        QCOMPARE(requests.first().first().value<RestartRequested>().reason,
                 QStringLiteral("new code"));
    }

    // Not after it has run for a second.
    void isReadyWhenTheHandshakeIsComplete()
    {
        Proxied stage(withoutJitter(QStringLiteral("mcp-proxy")),
                      options({"--silent", "initialize"}));
        stage.begin();
        stage.send(initialize);
        stage.virtualTime.advance(29s);
        QCOMPARE(stage.snapshot()->state, InstanceState::Starting);
    }

    void failsServerThatHangsInInitialize_data()
    {
        const Rows<Duration> row("before");
        row("at once", Duration{0});
        row("late", Duration{1h});
    }

    void failsServerThatHangsInInitialize()
    {
        QFETCH(Duration, before);
        RestartPolicy policy = withoutJitter(QStringLiteral("mcp-proxy"));
        policy.startTimeout = 25s; // more than the hold time
        Proxied stage(policy, options({"--silent", "initialize"}));
        stage.begin();
        stage.virtualTime.advance(before);
        stage.send(initialize);
        stage.virtualTime.advance(25s - 1ns);
        QVERIFY2(!stage.log.text().contains(QStringLiteral("failed")),
                 qPrintable(stage.log.text()));
        stage.virtualTime.advance(1ns);
        VERIFY_CONTAINS(stage.log.text(), "failed:Timeout");
        QVERIFY(stage.waitFor([&] { return stage.answers.contains(R"("id":0,"error")"); }));
        VERIFY_CONTAINS(stage.answers, "did not respond to the client's handshake in time");
    }

    void progressExtendsTheStart_data()
    {
        const Rows<QString> row("stream");
        row("stderr", "2");
        row("stdout", "1");
    }

    void progressExtendsTheStart()
    {
        QFETCH(QString, stream);
        RestartPolicy policy = withoutJitter(QStringLiteral("mcp-proxy"));
        policy.startTimeout = 5s;
        // It writes a line for each line that it reads.
        const QString script =
            QStringLiteral("while read line; do echo 10 % >&") + stream + QStringLiteral("; done");
        ProcessDefinition server;
        server.program = QStringLiteral("sh");
        server.arguments = {QStringLiteral("-c"), script};
        Proxied stage(policy, {}, server);
        stage.begin();
        int count = 0;
        QObject::connect(&*stage.proxied, &ProxiedServer::progressed, stage.agent,
                         [&count] { ++count; });
        stage.virtualTime.advance(900ms); // without a handshake, it is ready after 1 s
        stage.send(initialize);
        QVERIFY(stage.waitFor([&] { return count == 1; }));
        stage.virtualTime.advance(5s - 1ns);
        QVERIFY2(!stage.log.text().contains(QStringLiteral("failed")),
                 qPrintable(stage.log.text()));
        stage.virtualTime.advance(1ns);
        VERIFY_CONTAINS(stage.log.text(), "failed:Timeout");
    }

    void statesThatTheServerClosedItsStdout()
    {
        Proxied stage(withoutJitter(QStringLiteral("watchdog")), options({"--close-out"}));
        QVERIFY(stage.openSession());
        QVERIFY(stage.waitFor([&] {
            stage.virtualTime.advance(100ms);
            return stage.proxied->record().lastExit.has_value();
        }));
        const QString why = stage.proxied->record().lastExit->description();
        VERIFY_CONTAINS(why, "closed its stdout");
        QVERIFY2(!why.contains(QStringLiteral("SIGKILL")), qPrintable(why));
    }

    // The agent requests it when it is old, and a call is in flight.
    void recyclesServerAfterItsCall()
    {
        Proxied stage(withoutJitter(QStringLiteral("watchdog")));
        ProcessDefinition definition = stage.agent->definition();
        definition.recycling = {.maxAge = 1h, .spread = 0};
        stage.agent->setDefinition(definition);
        const QSignalSpy requests(&stage.supervisor, &AgentSupervisor::restartRequested);
        QVERIFY(stage.openSession());
        const qint64 before = stage.agent->processId();
        stage.answers.clear();
        stage.send(
            R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"sleep","arguments":{"ms":200}}})");
        stage.virtualTime.advance(1h);
        QCOMPARE(stage.agent->processId(), before);
        QVERIFY(stage.waitFor([&] { return stage.answers.contains(R"("result")"); }));
        QVERIFY(stage.waitFor([&] {
            stage.virtualTime.advance(100ms);
            return stage.agent->isAlive() && stage.agent->processId() != before;
        }));
        QCOMPARE(requests.size(), 1);
        QCOMPARE(requests.first().first().value<RestartRequested>().reason,
                 QStringLiteral("recycling: it has run for 1h"));
        QVERIFY(stage.waitForState(InstanceState::Running));
        QCOMPARE(stage.snapshot()->attempt, 0);
        stage.call("echo");
        QVERIFY(stage.waitFor([&] { return stage.answers.contains(R"("text":"m")"); }));
    }

    // The watchdog policy has a throttle of 1 s and a delay of 500 ms.
    void requestsDuringAPendingRestartShareIt()
    {
        Proxied stage(withoutJitter(QStringLiteral("watchdog")));
        QVERIFY(stage.openSession());
        const auto restart = [&] {
            return stage.proxied->restart(QStringLiteral("r"), QStringLiteral("restart_server"));
        };
        QCOMPARE(restart(), std::optional(true));
        QVERIFY(stage.waitForState(InstanceState::Waiting));
        for (int i = 0; i < 9; ++i) {
            QCOMPARE(restart(), std::optional(true));
            stage.virtualTime.advance(111ms);
            QVERIFY(!stage.agent->isAlive());
        }
        stage.virtualTime.advance(1ms);
        QVERIFY(stage.agent->isAlive());
        QCOMPARE(stage.supervisor.policyEvaluator().snapshot(stage.id)->generation, quint64{2});
    }

    void aRequestShortensTheBackoffToTheThrottle()
    {
        RestartPolicy policy = withoutJitter(QStringLiteral("watchdog"));
        policy.steps = {1min};
        policy.maxDelay = 1min;
        Proxied stage(policy);
        QVERIFY(stage.openSession());
        stage.virtualTime.advance(700ms);
        QVERIFY(stage.answerAndCrash());
        QCOMPARE(stage.nextStart(), std::optional<Duration>(1min));
        for (int i = 0; i < 5; ++i)
            QCOMPARE(stage.proxied->restart(QStringLiteral("r"), QStringLiteral("watch")),
                     std::optional(true));
        stage.virtualTime.advance(500ms - 1ns);
        QVERIFY(!stage.agent->isAlive());
        stage.virtualTime.advance(1ns);
        QVERIFY(stage.agent->isAlive());
    }

    // S4 NFR-2: it can flush its logs.
    void restartsWithTheStopSequenceOfTheServer()
    {
        Proxied stage(withoutJitter(QStringLiteral("mcp-proxy")), options({"--ignore-eof"}));
        QVERIFY(stage.openSession());
        const qint64 server = stage.agent->processId();
        QVERIFY(stage.proxied->restart(QStringLiteral("r"), QStringLiteral("restart_server")));
        stage.settle();
        const Duration untilTerm = stage.agent->definition().stop.closeStdin;
        stage.virtualTime.advance(untilTerm - 1ns);
        QVERIFY(!stage.log.text().contains(QStringLiteral("stopped")));
        QCOMPARE(stage.agent->processId(), server);
        stage.virtualTime.advance(1ns);
        QVERIFY(stage.waitFor(
            [&] { return stage.agent->isAlive() && stage.agent->processId() != server; }));
    }

    // The second process exits because of the same call. The virtual time does not pass.
    void startsWithoutBackoffAfterACallThatEndsTwoServers()
    {
        Proxied stage(withoutJitter(QStringLiteral("mcp-proxy")));
        stage.retry = CallRetry::Always;
        QVERIFY(stage.openSession());
        stage.call("crash");
        QVERIFY(stage.waitFor([&] { return stage.answers.contains("not sent a third time"); }));
        VERIFY_CONTAINS(stage.answers, "tools/call crash");
        stage.call("echo");
        QVERIFY(stage.waitFor([&] { return stage.answers.contains(R"("text":"m")"); }));
        QCOMPARE(stage.starts(), 3);
    }

    // S4 FR-7. The supervisor stops the server in its next pass, which the virtual time holds back.
    void writesMarkerBeforeTheServerIsStopped()
    {
        Proxied stage(withoutJitter(QStringLiteral("mcp-proxy")));
        int toProxy[2];
        int fromProxy[2];
        QCOMPARE(::pipe2(toProxy, O_CLOEXEC), 0);
        QCOMPARE(::pipe2(fromProxy, O_CLOEXEC | O_NONBLOCK), 0);
        {
            WatchdogOptions watchdog;
            watchdog.markerFile = stage.file("marker");
            watchdog.input = toProxy[0];
            watchdog.output = fromProxy[1];
            WatchdogProxy proxy(stage.supervisor, stage.id, *stage.agent, watchdog);
            const auto send = [&](const QByteArray &line) {
                const QByteArray bytes = line + '\n';
                return ::write(toProxy[1], bytes.constData(),
                               static_cast<std::size_t>(bytes.size()))
                    > 0;
            };
            const auto hasAnswered = [&](const char *id) {
                char block[65536];
                if (const ssize_t got = ::read(fromProxy[0], block, sizeof block); got > 0)
                    stage.answers.append(block, got);
                const QByteArray member = QByteArray(R"("id":)") + id + ',';
                return stage.answers.contains(member);
            };
            proxy.begin();
            QVERIFY(send(initialize) && send(initialized));
            QVERIFY(stage.waitFor([&] { return hasAnswered("0"); }));
            QVERIFY(send(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})"));
            QVERIFY(stage.waitFor([&] { return hasAnswered("1"); }));
            const qint64 server = stage.agent->processId();
            const QString since = toRfc3339(stage.clock.utcNow());
            QVERIFY(send(
                R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"restart_server","arguments":{"reason":"new code"}}})"));
            QVERIFY(QTest::qWaitFor([&] { return hasAnswered("2"); }, 30000));
            QCOMPARE(stage.agent->processId(), server);
            const MarkerReading reading = MarkerFile(stage.file("marker")).read();
            QCOMPARE(reading.state, MarkerReading::State::Read);
            QCOMPARE(reading.marker.reason, QStringLiteral("new code"));
            QCOMPARE(reading.marker.exitCode, 42);
            // In virtual time, the restart is in the same millisecond.
            QVERIFY(judge(reading.marker, *utcTimeFromIso8601(since)).isRestarted);
            QVERIFY(stage.waitFor(
                [&] { return stage.agent->isAlive() && stage.agent->processId() != server; }));
            QVERIFY(send(
                R"({"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"verify_server_restarted","arguments":{"since_timestamp":")"
                + since.toUtf8() + R"("}}})"));
            QVERIFY(stage.waitFor([&] {
                stage.virtualTime.advance(10ms); // the tools of the new server are read later
                return hasAnswered("3");
            }));
            VERIFY_CONTAINS(stage.answers, "Server restart verified");
        }
        for (const int end : {toProxy[0], toProxy[1], fromProxy[0], fromProxy[1]})
            ::close(end);
    }
};

REKINDLE_TEST(ProxiedServerTest)
#include "proxiedservertest.moc"
