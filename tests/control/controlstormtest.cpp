// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "instantagent.h"
#include "socketclient.h"
#include "testprogram.h"

#include <rekindle/control/controlserver.h>
#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/lifecycle/featuregate.h>
#include <rekindle/lifecycle/fixedlicenseprovider.h>
#include <rekindle/lifecycle/restartpolicyevaluator.h>
#include <rekindle/lifecycle/timerscheduler.h>
#include <rekindle/lifecycle/virtualscheduler.h>

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <chrono>
#include <memory>
#include <vector>

using namespace Rekindle;
using namespace std::chrono_literals;

/// Many clients while the agents emit more events than the host stores.
class ControlStormTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void clientThatDoesNotReadGetsOneGap();
    void gapIsReportedWhenStormPauses();
    void gapOfLongStormIsReportedAfterTwoSeconds();
};

namespace {

qint64 numberIn(const QByteArray &cursor)
{
    return cursor.mid(cursor.indexOf(':') + 1).toLongLong();
}

/// A client that counts the events that it has received and missed.
class CountingClient
{
public:
    explicit CountingClient(const QString &path)
        : m_client(path)
    {
        m_client.hello();
        m_client.line();
    }

    void subscribe(const QByteArray &more = {})
    {
        m_client.request(1, "events.subscribe", R"({"from":"now")" + more + '}');
        const QJsonValue result = m_client.result();
        m_last = numberIn(result[QLatin1String("cursor")].toString().toLatin1());
    }

    /// Reads what has arrived.
    void read()
    {
        while (m_client.hasArrived())
            add(m_client.line());
    }

    [[nodiscard]] qint64 last() const { return m_last; } ///< number of the last event
    [[nodiscard]] qint64 received() const { return m_received; }
    [[nodiscard]] qint64 missed() const { return m_missed; }
    [[nodiscard]] int gaps() const { return m_gaps; }
    /// Whether each event followed the previous one or the gap between both.
    [[nodiscard]] bool isComplete() const { return m_isComplete; }

private:
    void add(const QByteArray &line)
    {
        const auto textAfter = [&line](const QByteArray &key) {
            const qsizetype begin = line.indexOf(key) + key.size();
            return line.mid(begin, line.indexOf('"', begin) - begin);
        };
        const bool isGap = line.contains(R"("method":"events.gap")");
        const qint64 first = numberIn(textAfter(isGap ? R"("from":")" : R"("cursor":")"));
        m_isComplete = m_isComplete && first == m_last + 1;
        m_last = first;
        if (!isGap) {
            ++m_received;
            return;
        }
        ++m_gaps;
        m_last = numberIn(textAfter(R"("to":")"));
        const QJsonObject gap = QJsonDocument::fromJson(line)[QLatin1String("params")].toObject();
        m_isComplete =
            m_isComplete && gap[QLatin1String("count")].toInteger() == m_last - first + 1;
        m_missed += gap[QLatin1String("count")].toInteger();
    }

    SocketClient m_client;
    qint64 m_last = 0;
    qint64 m_received = 0;
    qint64 m_missed = 0;
    int m_gaps = 0;
    bool m_isComplete = true;
};

} // namespace

void ControlStormTest::clientThatDoesNotReadGetsOneGap()
{
    const QTemporaryDir folder;
    TimerScheduler scheduler;
    FixedLicenseProvider license(LicenseTier::Enterprise);
    AgentSupervisor supervisor(scheduler);
    supervisor.featureGate().setProvider(&license); // otherwise the policy is downgraded later
    const QUuid id = supervisor.add(QStringLiteral("a"), std::make_unique<InstantAgent>()).id;
    ControlServer server(supervisor,
                         {.socketName = QStringLiteral("web"), .folder = folder.path()});
    QCOMPARE(server.listen(), QString());
    const QSignalSpy silent(&supervisor, &AgentSupervisor::healthChanged); // they are not logged
    CountingClient sleeper(server.socketPath());
    sleeper.subscribe();
    // Two readers of all events are enough, and the others are faster.
    constexpr int readersOfAll = 2;
    std::vector<std::unique_ptr<CountingClient>> readers;
    for (int i = 0; i < 31; ++i) {
        readers.push_back(std::make_unique<CountingClient>(server.socketPath()));
        readers.back()->subscribe(i < readersOfAll ? QByteArray()
                                                   : R"(,"types":["agent.stopped"])");
    }
    QCOMPARE(server.clientCount(), 32);

    constexpr int bursts = 100;
    constexpr int eventsOfBurst = 1000;
    for (int burst = 0; burst < bursts; ++burst) {
        for (int i = 0; i < eventsOfBurst; ++i)
            supervisor.policyEvaluator().announce(id, HealthChanged{});
        QCoreApplication::processEvents();
        for (int i = 0; i < readersOfAll; ++i)
            readers[static_cast<std::size_t>(i)]->read();
    }
    constexpr qint64 all = qint64{bursts} * eventsOfBurst;
    const qint64 last = sleeper.last() + all;
    readers.resize(readersOfAll); // the others have disconnected
    const auto hasAll = [last](CountingClient &client) {
        const QDeadlineTimer end(60'000);
        while (client.last() != last && !end.hasExpired()) {
            QCoreApplication::processEvents();
            client.read();
        }
        return client.last() == last;
    };
    for (const auto &reader : readers) {
        QVERIFY(hasAll(*reader));
        QVERIFY(reader->isComplete());
        QCOMPARE(reader->received() + reader->missed(), all);
    }
    QVERIFY(hasAll(sleeper));
    QVERIFY(sleeper.isComplete());
    QCOMPARE(sleeper.gaps(), 1);
    QCOMPARE(sleeper.received() + sleeper.missed(), all);
    QVERIFY(sleeper.missed() > 0);
    QVERIFY(sleeper.received() > 65'536);
}

namespace {

/// A host in virtual time with one client.
class VirtualHost
{
public:
    VirtualHost()
    {
        m_supervisor.featureGate().setProvider(&m_license);
        m_id = m_supervisor.add(QStringLiteral("a"), std::make_unique<InstantAgent>()).id;
        QObject::connect(&m_ticks, &QTimer::timeout, [this] { m_scheduler.advance({}); });
        m_ticks.start(0);
    }

    [[nodiscard]] QString listen() { return m_server.listen(); }
    [[nodiscard]] QString path() const { return m_server.socketPath(); }

    /// Emits events, and then advances the time by less than the pause that ends a storm.
    void emitEvents(int count)
    {
        for (int i = 0; i < count; ++i)
            m_supervisor.policyEvaluator().announce(m_id, HealthChanged{});
        QCoreApplication::processEvents();
        m_scheduler.advance(timePerBurst);
    }

    void pause() { m_scheduler.advance(2 * timePerBurst); }

    static constexpr auto timePerBurst = 9ms;

private:
    const QTemporaryDir m_folder;
    VirtualClock m_clock;
    VirtualScheduler m_scheduler{m_clock};
    FixedLicenseProvider m_license{LicenseTier::Enterprise};
    AgentSupervisor m_supervisor{m_scheduler};
    ControlServer m_server{m_supervisor,
                           {.socketName = QStringLiteral("web"), .folder = m_folder.path()}};
    QTimer m_ticks; ///< calls what is due
    QUuid m_id;
};

constexpr int moreThanStored = 70'000;
constexpr int stored = 65'536;

} // namespace

void ControlStormTest::gapIsReportedWhenStormPauses()
{
    VirtualHost host;
    QCOMPARE(host.listen(), QString());
    CountingClient client(host.path());
    client.subscribe();
    const qint64 before = client.last();
    constexpr int bursts = 5;
    for (int i = 0; i < bursts; ++i) {
        host.emitEvents(moreThanStored);
        client.read();
        QCOMPARE(client.last(), before);
    }
    host.pause();
    constexpr qint64 all = qint64{bursts} * moreThanStored;
    QVERIFY(QTest::qWaitFor(
        [&] {
            client.read();
            return client.last() == before + all;
        },
        60'000));
    QCOMPARE(client.gaps(), 1);
    QCOMPARE(client.received(), stored);
    QVERIFY(client.isComplete());
}

void ControlStormTest::gapOfLongStormIsReportedAfterTwoSeconds()
{
    VirtualHost host;
    QCOMPARE(host.listen(), QString());
    CountingClient client(host.path());
    client.subscribe();
    host.emitEvents(moreThanStored);
    constexpr int burstsInTwoSeconds = 2000ms / VirtualHost::timePerBurst;
    for (int i = 1; i < burstsInTwoSeconds; ++i)
        host.emitEvents(1);
    client.read();
    QCOMPARE(client.gaps(), 0);
    host.emitEvents(1);
    QVERIFY(QTest::qWaitFor(
        [&] {
            client.read();
            return client.gaps() == 1;
        },
        60'000));
    QVERIFY(client.isComplete());
}

REKINDLE_TEST(ControlStormTest)
#include "controlstormtest.moc"
