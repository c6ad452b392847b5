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

QJsonObject agentWith(int generation, double uptime, const QJsonValue &cpu,
                      const QJsonValue &memory = QJsonValue::Null)
{
    return {{QStringLiteral("agent"), QStringLiteral("web")},
            {QStringLiteral("instanceId"), QStringLiteral("1")},
            {QStringLiteral("generation"), generation},
            {QStringLiteral("uptimeMs"), uptime},
            {QStringLiteral("cpuMs"), cpu},
            {QStringLiteral("memoryBytes"), memory}};
}

QString cell(const QString &column, const QJsonObject &agent, const QJsonArray &previous = {})
{
    const QList<QStringList> rows = statusRows({agent}, previous);
    return rows[1][rows[0].indexOf(column)];
}

QString cpu(const QJsonObject &agent, const QJsonArray &previous = {})
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
}

void StatusTextTest::showsFailureOnlyIfItIsTheCause()
{
    QFETCH(const QString, state);
    QFETCH(const bool, isStopped);
    const QJsonObject failure{{QStringLiteral("text"), QStringLiteral("exit code 1")}};
    QTEST(cell(QStringLiteral("DETAIL"),
               {{QStringLiteral("agent"), QStringLiteral("web")},
                {QStringLiteral("state"), state},
                {QStringLiteral("stoppedByOperator"), isStopped},
                {QStringLiteral("stopReason"),
                 state == QLatin1String("Stopped") && !isStopped ? QStringLiteral("finished")
                                                                 : QJsonValue()},
                {QStringLiteral("lastFailure"), failure}}),
          "expected");
}

void StatusTextTest::showsCpuShareSinceTheStart_data()
{
    const Rows<QJsonObject, QString> row("agent", "expected");
    row("share", agentWith(1, 10'000, 1234), "12%");
    row("several cores", agentWith(1, 10'000, 25'000), "250%");
    row("too early", agentWith(1, 499, 400), "-");
    row("no process", agentWith(1, 10'000, QJsonValue::Null), "-");
}

void StatusTextTest::showsCpuShareSinceTheStart()
{
    QFETCH(const QJsonObject, agent);
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
    const Rows<QJsonValue, QString> row("bytes", "expected");
    row("no process", QJsonValue(QJsonValue::Null), "-");
    row("0", QJsonValue(0), "0K");
    row("KiB", QJsonValue(850 * 1024), "850K");
    row("MiB", QJsonValue(12'897'485), "12.3M");
    row("many MiB", QJsonValue(512.0 * 1024 * 1024), "512M");
    row("GiB", QJsonValue(1.5 * 1024 * 1024 * 1024), "1.5G");
    row("TiB", QJsonValue(4096.0 * 1024 * 1024 * 1024), "4.0T");
}

void StatusTextTest::showsMemory()
{
    QFETCH(const QJsonValue, bytes);
    QTEST(cell(QStringLiteral("MEMORY"), agentWith(1, 1000, 10, bytes)), "expected");
}

void StatusTextTest::showsRestarts_data()
{
    const Rows<int, QJsonValue, QString> row("attempt", "limit", "expected");
    row("none", 0, QJsonValue(10), "0/10");
    row("some", 3, QJsonValue(5), "3/5");
    row("unlimited", 12, QJsonValue(QJsonValue::Null), "12");
}

void StatusTextTest::showsRestarts()
{
    QFETCH(const int, attempt);
    QFETCH(const QJsonValue, limit);
    QTEST(cell(QStringLiteral("RESTARTS"),
               {{QStringLiteral("attempt"), attempt}, {QStringLiteral("maxRetries"), limit}}),
          "expected");
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
    const QJsonObject breaker{{QStringLiteral("state"), state},
                              {QStringLiteral("isolated"), isolated}};
    QTEST(cell(QStringLiteral("BREAKER"), {{QStringLiteral("breaker"), breaker}}), "expected");
    QCOMPARE(cell(QStringLiteral("BREAKER"), {{QStringLiteral("breaker"), QJsonValue::Null}}),
             QStringLiteral("-"));
    const QString detail = cell(QStringLiteral("DETAIL"),
                                {{QStringLiteral("agent"), QStringLiteral("web")},
                                 {QStringLiteral("state"), QStringLiteral("Running")},
                                 {QStringLiteral("breaker"), breaker}});
    QCOMPARE(detail,
             isolated ? QStringLiteral("isolated; to release it: rekindle release web")
                      : QString());
}

void StatusTextTest::showsGroups()
{
    const QJsonArray members{QJsonObject{{QStringLiteral("agent"), QStringLiteral("db")}},
                             QJsonObject{{QStringLiteral("group"), QStringLiteral("workers")}}};
    const QJsonObject group{{QStringLiteral("name"), QStringLiteral("backend")},
                            {QStringLiteral("state"), QStringLiteral("Exhausted")},
                            {QStringLiteral("failures"), 2},
                            {QStringLiteral("maxRestarts"), 3},
                            {QStringLiteral("periodMs"), 60'000},
                            {QStringLiteral("startInMs"), 5000},
                            {QStringLiteral("members"), members}};
    QCOMPARE(groupRows({group})[1],
             QStringList({QStringLiteral("backend"), QStringLiteral("Exhausted"),
                          QStringLiteral("2/3 in 1m"), QStringLiteral("start in 5s"),
                          QStringLiteral("db, group workers")}));
}

void StatusTextTest::showsFailuresOfSharedBreaker()
{
    QJsonObject breaker{{QStringLiteral("name"), QStringLiteral("api")},
                        {QStringLiteral("state"), QStringLiteral("Closed")},
                        {QStringLiteral("failures"), 2},
                        {QStringLiteral("failedAgents"), 1},
                        {QStringLiteral("threshold"), 3},
                        {QStringLiteral("agentsToOpen"), 2}};
    const auto next = [&breaker] { return sharedBreakerRows({breaker})[1][2]; };
    QCOMPARE(next(), QStringLiteral("2 failures of 1 agent; opens at 3 of 2 agents"));
    breaker[QLatin1String("failures")] = 0;
    QCOMPARE(next(), QStringLiteral("-"));
    breaker[QLatin1String("state")] = QStringLiteral("Open");
    breaker[QLatin1String("resetInMs")] = 5000;
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
    const QJsonObject health{{QStringLiteral("state"), state},
                             {QStringLiteral("detail"), QStringLiteral("HTTP 503")}};
    QJsonObject agent{{QStringLiteral("health"), health},
                      {QStringLiteral("state"), QStringLiteral("Running")}};
    QTEST(cell(QStringLiteral("HEALTH"), agent), "expected");
    QTEST(cell(QStringLiteral("DETAIL"), agent), "detail");
    agent[QLatin1String("state")] = QStringLiteral("Stopped");
    QCOMPARE(cell(QStringLiteral("HEALTH"), agent), QStringLiteral("-"));
    QCOMPARE(cell(QStringLiteral("DETAIL"), agent), QString());
}

REKINDLE_TEST(StatusTextTest)
#include "statustexttest.moc"
