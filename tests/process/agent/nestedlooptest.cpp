// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "fulllicense.h"
#include "process/agentlog.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/lifecycle/agentsupervisor.h>

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

// Runs an event loop until the condition holds; not longer than a minute.
using Loop = std::function<void(const std::function<bool()> &isDone)>;

void execute(const std::function<bool()> &isDone)
{
    QEventLoop loop;
    QTimer check;
    QObject::connect(&check, &QTimer::timeout, &loop, [&] {
        if (isDone())
            loop.quit();
    });
    check.start(10ms);
    QTimer::singleShot(60s, &loop, &QEventLoop::quit);
    loop.exec();
}

void processEvents(const std::function<bool()> &isDone)
{
    QTimer wakeUp;
    wakeUp.start(10ms);
    const QDeadlineTimer end(60s);
    while (!isDone() && !end.hasExpired())
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
}

// A supervisor with two programs that crash at once and are restarted after 10 ms.
struct Host
{
    Host()
    {
        grantAll(supervisor);
        QObject::connect(&supervisor, &AgentSupervisor::restartStarted, &supervisor,
                         [this](const RestartStarted &event) { ++restarts[event.agent]; });
    }

    void add(const char *name, const char *commands)
    {
        auto agent = std::make_unique<ProcessAgent>(chaos(commands), supervisor.scheduler());
        RestartPolicy policy{.type = RestartPolicyType::Linear,
                             .maxRetries = {},
                             .initialDelay = 10ms,
                             .maxDelay = 10ms,
                             .stableAfter = 60s};
        policy.circuitBreaker.reset();
        if (!supervisor.add(QString::fromLatin1(name), std::move(agent), policy))
            qFatal("%s was not added", name);
    }

    // From the event loop, one by one, so that the event loop of a slot starts the others.
    void startAll()
    {
        const QList<QUuid> all = supervisor.ids();
        for (const QUuid &id : all)
            QMetaObject::invokeMethod(
                &supervisor, [this, id] { supervisor.start(id); }, Qt::QueuedConnection);
    }

    AgentSupervisor supervisor;
    QHash<QString, int> restarts;
};

} // namespace

// Slots of a host that run an event loop of their own, such as a message box. Registered for both
// event dispatchers.
class NestedLoopTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void restartsAgentsInTheMeantime_data();
    void restartsAgentsInTheMeantime();
    void quits_data();
    void quits();
    void deliversLinesInOrder();
    void stopsAnAgentBeforeItsStart();
};

// Calls the function at the first emission of a signal that was caused by an agent.
using Connect = void (*)(Host &host, const std::function<void()> &slot);
using Signals = QList<std::pair<const char *, Connect>>;
Q_DECLARE_METATYPE(Connect)
Q_DECLARE_METATYPE(Loop)

namespace {

template<auto signal>
void toSupervisor(Host &host, const std::function<void()> &slot)
{
    QObject::connect(&host.supervisor, signal, &host.supervisor, slot);
}

template<auto signal>
void toEvaluator(Host &host, const std::function<void()> &slot)
{
    RestartPolicyEvaluator &evaluator = host.supervisor.policyEvaluator();
    QObject::connect(&evaluator, signal, &evaluator, slot);
}

template<auto signal>
void toAgent(Host &host, const std::function<void()> &slot)
{
    Agent *const agent = host.supervisor.agent(host.supervisor.ids().constFirst());
    QObject::connect(static_cast<ProcessAgent *>(agent), signal, agent, slot);
}

Signals someSignals()
{
    return {{"supervisor, agentStarted", toSupervisor<&AgentSupervisor::agentStarted>},
            {"supervisor, agentFailed", toSupervisor<&AgentSupervisor::agentFailed>},
            {"supervisor, restartScheduled", toSupervisor<&AgentSupervisor::restartScheduled>},
            {"supervisor, restartStarted", toSupervisor<&AgentSupervisor::restartStarted>},
            {"supervisor, lifecycleEvent", toSupervisor<&AgentSupervisor::lifecycleEvent>},
            {"supervisor, stateChanged", toSupervisor<&AgentSupervisor::stateChanged>},
            {"evaluator, agentFailed", toEvaluator<&RestartPolicyEvaluator::agentFailed>},
            {"evaluator, launchDue", toEvaluator<&RestartPolicyEvaluator::launchDue>},
            {"agent, failed", toAgent<&Agent::failed>},
            {"agent, output", toAgent<&Agent::output>}};
}

} // namespace

void NestedLoopTest::restartsAgentsInTheMeantime_data()
{
    const Rows<Connect, Loop> row("connectSlot", "loop");
    const Signals all = someSignals();
    for (const auto &[name, connectSlot] : all) {
        row(qPrintable(QLatin1String(name) + QLatin1String(", exec()")), connectSlot,
            Loop(execute));
        row(qPrintable(QLatin1String(name) + QLatin1String(", processEvents()")), connectSlot,
            Loop(processEvents));
    }
}

void NestedLoopTest::restartsAgentsInTheMeantime()
{
    QFETCH(const Connect, connectSlot);
    QFETCH(const Loop, loop);
    // The agent of this event is started after it.
    const bool isStartPending =
        connectSlot == Connect(toSupervisor<&AgentSupervisor::restartStarted>);
    Host host;
    host.add("a", "out line exit 1");
    host.add("b", "out line exit 1");
    QHash<QString, int> before;
    bool isDone = false;
    bool isFirst = true;
    connectSlot(host, [&] {
        if (!std::exchange(isFirst, false))
            return;
        before = host.restarts;
        loop([&] {
            const auto hasRestarted = [&](const QString &agent) {
                return host.restarts[agent] >= before[agent] + 3;
            };
            const int count = static_cast<int>(hasRestarted(QStringLiteral("a")))
                + static_cast<int>(hasRestarted(QStringLiteral("b")));
            isDone = count == (isStartPending ? 1 : 2);
            return isDone;
        });
    });
    host.startAll();
    QTRY_VERIFY_WITH_TIMEOUT(isDone, 70'000);

    // The outer event loop continues.
    before = host.restarts;
    QTRY_VERIFY_WITH_TIMEOUT(host.restarts[QStringLiteral("a")] > before[QStringLiteral("a")],
                             30'000);
}

void NestedLoopTest::quits_data()
{
    const Rows<Connect, int> row("connectSlot", "code");
    const Signals all = someSignals();
    for (const auto &[name, connectSlot] : all) {
        row(qPrintable(QLatin1String(name) + QLatin1String(", quit()")), connectSlot, 0);
        row(qPrintable(QLatin1String(name) + QLatin1String(", exit(3)")), connectSlot, 3);
    }
}

// Newer versions of Qt stop the agents inside the slot.
void NestedLoopTest::quits()
{
    QFETCH(const Connect, connectSlot);
    QFETCH(const int, code);
    Host host;
    host.supervisor.quitGracefully(*qApp);
    host.add("a", "out line exit 1");
    host.add("b", "hang");
    bool isFirst = true;
    connectSlot(host, [&] {
        if (!std::exchange(isFirst, false))
            return;
        if (code == 0)
            QCoreApplication::quit();
        else
            QCoreApplication::exit(code);
    });
    QTimer limit;
    limit.callOnTimeout([] { qFatal("the application has not quit"); });
    limit.start(100s);
    host.startAll();
    QCOMPARE(QCoreApplication::exec(), code);
    QVERIFY(host.supervisor.isIdle());
}

void NestedLoopTest::deliversLinesInOrder()
{
    constexpr int count = 50;
    QStringList commands;
    QByteArrayList expected;
    for (int i = 0; i < count; ++i) {
        commands << QStringLiteral("out") << QString::number(i);
        expected << QByteArray::number(i);
    }
    AgentLog log(chaos(commands << QStringLiteral("exit") << QStringLiteral("0")));
    QByteArrayList lines;
    connect(&log.agent, &Agent::output, this, [&](AgentOutput::Stream, const QByteArray &line) {
        lines << line;
        if (lines.size() % 10 == 3)
            execute([&] { return lines.size() % 10 == 4 || !log.agent.isAlive(); });
    });
    QVERIFY(log.run());
    QTRY_COMPARE_WITH_TIMEOUT(lines, expected, 30'000);
}

// The agent is started after this event, unless it is stopped in the event loop of the slot.
void NestedLoopTest::stopsAnAgentBeforeItsStart()
{
    Host host;
    host.add("a", "exit 1");
    const QUuid id = host.supervisor.idOf(QStringLiteral("a"));
    std::optional<InstanceState> stateInLoop;
    connect(&host.supervisor, &AgentSupervisor::restartStarted, this, [&] {
        if (stateInLoop)
            return;
        host.supervisor.stop(id);
        const auto state = [&] { return host.supervisor.snapshot(id)->state; };
        execute([&] { return state() == InstanceState::Stopped; });
        stateInLoop = state();
    });
    host.startAll();
    QTRY_VERIFY_WITH_TIMEOUT(stateInLoop, 70'000);
    QCOMPARE(*stateInLoop, InstanceState::Stopped);
    QVERIFY(!host.supervisor.agent(id)->isAlive());
    const int before = host.restarts[QStringLiteral("a")];
    host.supervisor.start(id);
    QTRY_VERIFY_WITH_TIMEOUT(host.restarts[QStringLiteral("a")] > before, 30'000);
}

REKINDLE_TEST(NestedLoopTest)
#include "nestedlooptest.moc"
