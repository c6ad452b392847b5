// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "control/internal/messagejson.h"
#include "testprogram.h"

#include <QJsonDocument>
#include <QTest>

using namespace Rekindle;
using namespace std::chrono_literals;

/// The fields of messages of the control protocol, in both directions.
class MessageJsonTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsWhatWasWritten();
    void readsMessagesOfOtherVersions_data();
    void readsMessagesOfOtherVersions();

private:
    template<typename T>
    static void compare(const T &message)
    {
        const QJsonObject json = QJsonDocument::fromJson(messageJson(message)).object();
        QCOMPARE(QJsonDocument::fromJson(messageJson(fromJson<T>(json))).object(), json);
    }
};

void MessageJsonTest::readsWhatWasWritten()
{
    const AgentStatus agent{
        .agent = QStringLiteral("web"),
        .instanceId = QUuid::createUuid(),
        .state = QStringLiteral("CircuitOpen"),
        .stopReason = QStringLiteral("finished"),
        .generation = 7,
        .attempt = 2,
        .maxRetries = 5,
        .processId = 4711,
        .uptime = 1500us,
        .cpuTime = 20ms,
        .memoryBytes = 5'000'000'000,
        .holds = {QStringLiteral("group")},
        .holdTexts = {QStringLiteral("group backend")},
        .breaker = AgentStatus::Breaker{.state = QStringLiteral("Open"), .resetIn = 5s},
        .health = {.state = QStringLiteral("Unhealthy"), .consecutiveFailures = 3},
        .lastFailure = AgentStatus::LastFailure{.reason = QStringLiteral("Timeout"),
                                                .stderrTail = QStringList(QStringLiteral("x"))},
        .tags = {QStringLiteral("public")},
        .start = QStringLiteral("manual")};
    const GroupStatus group{
        .name = QStringLiteral("backend"),
        .state = QStringLiteral("Exhausted"),
        .period = 1min,
        .members = {{.agent = QStringLiteral("web")}, {.group = QStringLiteral("db")}}};
    compare(HostStatus{.agents = {agent},
                       .groups = {group},
                       .sharedBreakers = {{.name = QStringLiteral("api"), .isolated = true}},
                       .governor = HostStatus::Governor{.queued = 3},
                       .cursor = QStringLiteral("r:1")});
    compare(OperationResult{
        .agent = QStringLiteral("web"), .noEffect = QStringLiteral("it runs"), .isRemoved = true});
    compare(OutputLine{.processId = 7, .stream = QStringLiteral("stderr"), .time = UtcTime(5ms)});
    QCOMPARE(
        objectJson("limit", 16, "time", UtcTime(5ms), "left out", FieldWriter::optional(false)),
        QByteArray(R"({"limit":16,"time":"1970-01-01T00:00:00.005Z"})"));
}

void MessageJsonTest::readsMessagesOfOtherVersions_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("state");
    QTest::addColumn<QString>("health");
    QTest::newRow("unknown values")
        << QByteArray(R"({"agent":"web","state":"Sleeping","pid":null,"health":{"state":"Tired"}})")
        << "Sleeping"
        << "Tired";
    QTest::newRow("unknown members") << QByteArray(
        R"({"agent":"web","state":"Running","color":{"red":1},"health":{"pulse":[60]}})")
                                     << "Running"
                                     << "";
    QTest::newRow("missing members") << QByteArray(R"({"agent":"web"})") << ""
                                     << "";
}

void MessageJsonTest::readsMessagesOfOtherVersions()
{
    QFETCH(const QByteArray, json);
    const auto agent = fromJson<AgentStatus>(QJsonDocument::fromJson(json).object());
    QCOMPARE(agent.agent, QStringLiteral("web"));
    QTEST(agent.state, "state");
    QTEST(agent.health.state, "health");
    QVERIFY(!agent.processId && !agent.breaker && agent.tags.isEmpty() && agent.attempt == 0);
}

REKINDLE_TEST(MessageJsonTest)
#include "messagejsontest.moc"
