// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/client/statustext_p.h"
#include "testprogram.h"
#include "testrow.h"

using namespace Rekindle;

/// The table of `rekindle status`.
class StatusTextTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void showsCpuShareSinceTheStart_data();
    void showsCpuShareSinceTheStart();
    void showsCpuShareSinceThePreviousSnapshot();
    void ignoresSnapshotOfAnEarlierStart();
    void ignoresPreviousSnapshotAfterAShortTime();
    void showsMemory_data();
    void showsMemory();
    void showsRestarts_data();
    void showsRestarts();
    void showsBreaker_data();
    void showsBreaker();
    void showsGroups();
    void showsFailuresOfSharedBreaker();
    void showsHealth_data();
    void showsHealth();
    void showsFailureOnlyIfItIsTheCause_data();
    void showsFailureOnlyIfItIsTheCause();
};

namespace {

using std::chrono::milliseconds;

AgentStatus agentWith(quint64 generation, int uptime, std::optional<int> cpu,
                      std::optional<qint64> memory = {})
{
    AgentStatus agent{.agent = QStringLiteral("web"),
                      .generation = generation,
                      .uptime = milliseconds(uptime),
                      .memoryBytes = memory};
    if (cpu)
        agent.cpuTime = milliseconds(*cpu);
    return agent;
}

QString cell(const QString &column, const AgentStatus &agent,
             const QList<AgentStatus> &previous = {})
{
    const QList<QStringList> rows = statusRows({agent}, previous);
    return rows[1][rows[0].indexOf(column)];
}

QString cpu(const AgentStatus &agent, const QList<AgentStatus> &previous = {})
{
    return cell(QStringLiteral("CPU"), agent, previous);
}

} // namespace

void StatusTextTest::showsFailureOnlyIfItIsTheCause_data()
{
    const Rows<QString, bool, QString> row("state", "isStopped", "expected");
    row("waits", "Waiting", false, "exit code 1");
    row("given up", "Exhausted", false, "given up (exit code 1); to start it: rekindle start web");
    row("is started by an operator", "Starting", false, "");
    row("runs", "Running", false, "");
    row("has exited with 0", "Stopped", false, "finished");
    row("is being stopped", "Stopping", true, "stopped by an operator");
    row("was stopped", "Stopped", true, "stopped by an operator");
    row("state of a newer host", "Sleeping", false, "exit code 1");
}

void StatusTextTest::showsFailureOnlyIfItIsTheCause()
{
    QFETCH(const QString, state);
    QFETCH(const bool, isStopped);
    const bool hasFinished = state == QLatin1String("Stopped") && !isStopped;
    const AgentStatus agent{.agent = QStringLiteral("web"),
                            .state = state,
                            .stoppedByOperator = isStopped,
                            .stopReason = hasFinished ? QStringLiteral("finished") : QString(),
                            .lastFailure =
                                AgentStatus::LastFailure{.text = QStringLiteral("exit code 1")}};
    QTEST(cell(QStringLiteral("DETAIL"), agent), "expected");
    QCOMPARE(cell(QStringLiteral("STATE"), agent), state);
}

void StatusTextTest::showsCpuShareSinceTheStart_data()
{
    const Rows<AgentStatus, QString> row("agent", "expected");
    row("share", agentWith(1, 10'000, 1234), "12%");
    row("several cores", agentWith(1, 10'000, 25'000), "250%");
    row("too early", agentWith(1, 499, 400), "-");
    row("no process", agentWith(1, 10'000, {}), "-");
}

void StatusTextTest::showsCpuShareSinceTheStart()
{
    QFETCH(const AgentStatus, agent);
    QTEST(cpu(agent), "expected");
}

void StatusTextTest::showsCpuShareSinceThePreviousSnapshot()
{
    QCOMPARE(cpu(agentWith(1, 12'000, 6000), {agentWith(1, 10'000, 5000)}), QStringLiteral("50%"));
}

void StatusTextTest::ignoresSnapshotOfAnEarlierStart()
{
    QCOMPARE(cpu(agentWith(2, 2000, 1000), {agentWith(1, 1000, 900)}), QStringLiteral("50%"));
}

void StatusTextTest::ignoresPreviousSnapshotAfterAShortTime()
{
    QCOMPARE(cpu(agentWith(1, 10'100, 5050), {agentWith(1, 10'000, 4950)}), QStringLiteral("50%"));
}

void StatusTextTest::showsMemory_data()
{
    const Rows<std::optional<qint64>, QString> row("bytes", "expected");
    constexpr qint64 mebibyte = qint64{1024} * 1024;
    row("no process", std::nullopt, "-");
    row("0", 0, "0K");
    row("KiB", 850 * 1024, "850K");
    row("MiB", 12'897'485, "12.3M");
    row("many MiB", 512 * mebibyte, "512M");
    row("GiB", 1536 * mebibyte, "1.5G");
    row("TiB", 4 * 1024 * 1024 * mebibyte, "4.0T");
}

void StatusTextTest::showsMemory()
{
    QFETCH(const std::optional<qint64>, bytes);
    QTEST(cell(QStringLiteral("MEMORY"), agentWith(1, 1000, 10, bytes)), "expected");
}

void StatusTextTest::showsRestarts_data()
{
    const Rows<int, std::optional<int>, QString> row("attempt", "limit", "expected");
    row("none", 0, 10, "0/10");
    row("some", 3, 5, "3/5");
    row("unlimited", 12, std::nullopt, "12");
}

void StatusTextTest::showsRestarts()
{
    QFETCH(const int, attempt);
    QFETCH(const std::optional<int>, limit);
    QTEST(cell(QStringLiteral("RESTARTS"), {.attempt = attempt, .maxRetries = limit}), "expected");
}

void StatusTextTest::showsBreaker_data()
{
    const Rows<QString, bool, QString> row("state", "isolated", "expected");
    row("closed", "Closed", false, "Closed");
    row("open", "Open", false, "Open");
    row("half-open", "HalfOpen", false, "HalfOpen");
    row("isolated", "Open", true, "Isolated");
}

void StatusTextTest::showsBreaker()
{
    QFETCH(const QString, state);
    QFETCH(const bool, isolated);
    const AgentStatus agent{.agent = QStringLiteral("web"),
                            .state = QStringLiteral("Running"),
                            .breaker = AgentStatus::Breaker{.state = state, .isolated = isolated}};
    QTEST(cell(QStringLiteral("BREAKER"), agent), "expected");
    QCOMPARE(cell(QStringLiteral("BREAKER"), {}), QStringLiteral("-"));
    QCOMPARE(cell(QStringLiteral("DETAIL"), agent),
             isolated ? QStringLiteral("isolated; to release it: rekindle release web")
                      : QString());
}

void StatusTextTest::showsGroups()
{
    const GroupStatus group{
        .name = QStringLiteral("backend"),
        .state = QStringLiteral("Exhausted"),
        .failures = 2,
        .maxRestarts = 3,
        .period = std::chrono::minutes(1),
        .startIn = std::chrono::seconds(5),
        .members = {{.agent = QStringLiteral("db")}, {.group = QStringLiteral("workers")}}};
    QCOMPARE(groupRows({group})[1],
             QStringList({QStringLiteral("backend"), QStringLiteral("Exhausted"),
                          QStringLiteral("2/3 in 1m"), QStringLiteral("start in 5s"),
                          QStringLiteral("db, group workers")}));
}

void StatusTextTest::showsFailuresOfSharedBreaker()
{
    SharedBreakerStatus breaker{.name = QStringLiteral("api"),
                                .state = QStringLiteral("Closed"),
                                .failures = 2,
                                .threshold = 3,
                                .failedAgents = 1,
                                .agentsToOpen = 2};
    const auto next = [&breaker] { return sharedBreakerRows({breaker})[1][2]; };
    QCOMPARE(next(), QStringLiteral("2 failures of 1 agent; opens at 3 of 2 agents"));
    breaker.failures = 0;
    QCOMPARE(next(), QStringLiteral("-"));
    breaker.state = QStringLiteral("Open");
    breaker.resetIn = std::chrono::seconds(5);
    QCOMPARE(next(), QStringLiteral("trial in 5s"));
}

void StatusTextTest::showsHealth_data()
{
    const Rows<QString, QString, QString> row("state", "expected", "detail");
    row("no probe", "Unknown", "-", "");
    row("healthy", "Healthy", "Healthy", "");
    row("unhealthy", "Unhealthy", "Unhealthy", "HTTP 503");
}

void StatusTextTest::showsHealth()
{
    QFETCH(const QString, state);
    AgentStatus agent{.state = QStringLiteral("Running")};
    agent.health.state = state;
    agent.health.detail = QStringLiteral("HTTP 503");
    QTEST(cell(QStringLiteral("HEALTH"), agent), "expected");
    QTEST(cell(QStringLiteral("DETAIL"), agent), "detail");
    agent.state = QStringLiteral("Stopped");
    QCOMPARE(cell(QStringLiteral("HEALTH"), agent), QStringLiteral("-"));
    QCOMPARE(cell(QStringLiteral("DETAIL"), agent), QString());
}

REKINDLE_TEST(StatusTextTest)
#include "statustexttest.moc"
