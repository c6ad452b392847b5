// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "contains.h"
#include "process/agentlog.h"
#include "testprogram.h"
#include "testrow.h"

#include <memory>
#include <vector>

using namespace Rekindle;
using namespace std::chrono_literals;

/// The limits with real processes.
class UsageLimitsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    static void findsExcess_data();
    static void findsExcess();
    static void measuresSoonerThanInterval_data();
    static void measuresSoonerThanInterval();
    static void reportsOnce();
    static void newLimitsApplyAtOnce();
    static void recyclesByMemory();
    static void measuresManyAgents();
};

namespace {

ProcessDefinition limited(const char *commands, UsageLimits limits)
{
    ProcessDefinition definition = chaos(commands);
    limits.interval = 100ms;
    definition.usage = limits;
    return definition;
}

// The texts of limitExceeded(), with a digit instead of each number.
class Excesses : public QSignalSpy
{
public:
    explicit Excesses(ProcessAgent &agent)
        : QSignalSpy(&agent, &Agent::limitExceeded)
    {
    }

    bool waitForOne()
    {
        return QTest::qWaitFor([this] { return !isEmpty(); }, 60'000);
    }
    QString text() const { return at(0).at(0).toString(); }
};

} // namespace

void UsageLimitsTest::findsExcess_data()
{
    const Rows<QByteArray, UsageLimits, QString> row("commands", "limits", "pattern");
    row("memory", "allocate 80", {.memory = 60'000'000},
        "Process group uses \\d+\\.\\d MB of memory; the limit is 60 MB");
    row("sum of the group", "fork-allocate 40 allocate 40", {.memory = 60'000'000},
        "Process group uses \\d+\\.\\d MB of memory; the limit is 60 MB");
    row("processes", "fork group /dev/null fork group /dev/null", {.processes = 2},
        "Process group has 3 processes; the limit is 2");
    row("CPU", "burn", {.cpu = 0.02, .cpuFor = 1s},
        "Process group used \\d+ % of a CPU core for 1s; the limit is 2 %");
}

void UsageLimitsTest::findsExcess()
{
    QFETCH(const QByteArray, commands);
    QFETCH(const UsageLimits, limits);
    QFETCH(const QString, pattern);
    AgentLog log(limited(commands.constData(), limits));
    Excesses excesses(log.agent);
    log.agent.start();
    QVERIFY(excesses.waitForOne());
    const QRegularExpression expected(QRegularExpression::anchoredPattern(pattern));
    QVERIFY2(expected.match(excesses.text()).hasMatch(), qUtf8Printable(excesses.text()));
    QVERIFY(log.agent.isAlive()); // the supervisor kills it
    log.agent.kill();
    QVERIFY(log.waitForEnd());
}

void UsageLimitsTest::measuresSoonerThanInterval_data()
{
    const Rows<QByteArray, UsageLimits> row("commands", "limits");
    row("at the start", "allocate 80", UsageLimits{.memory = 60'000'000});
    row("suddenly", "sleep 1500 allocate 80", UsageLimits{.memory = 60'000'000});
    row("processes", "fork group /dev/null fork group /dev/null", UsageLimits{.processes = 2});
}

void UsageLimitsTest::measuresSoonerThanInterval()
{
    QFETCH(const QByteArray, commands);
    QFETCH(const UsageLimits, limits);
    ProcessDefinition definition = limited(commands.constData(), limits);
    definition.usage.interval = 1h;
    AgentLog log(definition);
    Excesses excesses(log.agent);
    log.agent.start();
    QVERIFY(excesses.waitForOne());
    log.agent.kill();
    QVERIFY(log.waitForEnd());
}

void UsageLimitsTest::reportsOnce()
{
    AgentLog log(limited("burn", {.processes = 1}));
    Excesses excesses(log.agent);
    ProcessDefinition strict = log.agent.definition();
    strict.usage.memory = 4096;
    log.agent.setDefinition(strict);
    log.agent.start();
    QVERIFY(excesses.waitForOne());
    // Another agent is measured several times meanwhile.
    AgentLog other(limited("burn", {.cpu = 0.02, .cpuFor = 1s}));
    Excesses later(other.agent);
    other.agent.start();
    QVERIFY(later.waitForOne());
    QCOMPARE(excesses.size(), 1);
}

void UsageLimitsTest::newLimitsApplyAtOnce()
{
    AgentLog log(limited("allocate 50", {.memory = 1'000'000'000}));
    Excesses excesses(log.agent);
    log.agent.start();
    const qint64 process = log.agent.processId();
    ProcessDefinition strict = log.agent.definition();
    strict.usage.memory = 20'000'000;
    log.agent.setDefinition(strict);
    QVERIFY(excesses.waitForOne());
    QCOMPARE(log.agent.processId(), process);
}

void UsageLimitsTest::recyclesByMemory()
{
    ProcessDefinition definition = limited("allocate 50", {});
    definition.recycling.memory = 20'000'000;
    definition.readiness.kind = Readiness::Kind::Reported;
    AgentLog log(definition);
    log.agent.start();
    // Not before the agent is ready: another agent is measured several times meanwhile.
    AgentLog other(limited("burn", {.cpu = 0.02, .cpuFor = 1s}));
    Excesses measured(other.agent);
    other.agent.start();
    QVERIFY(measured.waitForOne());
    QCOMPARE(log.entries, listOf("started"));
    log.agent.reportReady();
    QTRY_COMPARE_WITH_TIMEOUT(log.entries.size(), 3, 60'000);
    // How much exactly depends on the build: a sanitizer adds some.
    static const QRegularExpression reason(
        QStringLiteral(R"(^restart requested: recycling: it uses \d+(\.\d)? MB)"));
    VERIFY_CONTAINS(log.entries.back(), reason);
}

// They share the passes over /proc.
void UsageLimitsTest::measuresManyAgents()
{
    constexpr int count = 20;
    std::vector<std::unique_ptr<AgentLog>> logs;
    std::vector<std::unique_ptr<Excesses>> excesses;
    for (int i = 0; i < count; ++i) {
        const bool exceeds = i % 2 == 0;
        logs.push_back(std::make_unique<AgentLog>(
            limited("allocate 20", {.memory = exceeds ? 10'000'000 : 100'000'000})));
        excesses.push_back(std::make_unique<Excesses>(logs.back()->agent));
        logs.back()->agent.start();
    }
    for (int i = 0; i < count; i += 2)
        QVERIFY(excesses[static_cast<std::size_t>(i)]->waitForOne());
    for (int i = 1; i < count; i += 2)
        QVERIFY(excesses[static_cast<std::size_t>(i)]->isEmpty());
}

REKINDLE_TEST(UsageLimitsTest)
#include "usagelimitstest.moc"
