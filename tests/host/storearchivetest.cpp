// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "host/storearchive_p.h"
#include "testprogram.h"

#include <rekindle/control/controlclient.h>
#include <rekindle/control/controlserver.h>
#include <rekindle/host/agenthost.h>
#include <rekindle/lifecycle/agent.h>
#include <rekindle/lifecycle/fixedlicenseprovider.h>
#include <rekindle/telemetry/historyreader.h>
#include <rekindle/telemetry/telemetrystore.h>

using namespace Rekindle;

/// The events of a store for clients of the control socket.
class StoreArchiveTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void readsRowsThatTheStoreHasQueued();
    void reportsWriteFailure();
    void readsGapsOfTheStore();
    void reportsUnknownCursor();
    void reportsStoreThatCannotBeRead();
    void readsNothingAfterItsDestruction();
    void clientReadsAllEventsOfAHost();
    void clientContinuesAfterARestartOfTheHost();

private:
    static LifecycleEvent numbered(quint64 sequence)
    {
        AgentReady event;
        event.sequence = sequence;
        event.agent = QStringLiteral("a");
        return event;
    }
    static EventArchive::Page read(StoreArchive &archive, const EventArchive::Position &from)
    {
        std::optional<EventArchive::Page> found;
        archive.read(from, [&found](EventArchive::Page page) { found = std::move(page); });
        if (!QTest::qWaitFor([&found] { return found.has_value(); }, 30'000))
            qFatal("no page has arrived");
        return *found;
    }
    static QString numbersOf(const EventArchive::Page &page)
    {
        QStringList all;
        for (const EventArchive::Event &each : page.events)
            all.append(QString::number(each.sequence));
        return all.join(u' ');
    }

    /// A host with a store and a control socket, and an agent that never starts.
    struct Host
    {
        explicit Host(const QTemporaryDir &folder)
        {
            host.setLicense(std::make_unique<FixedLicenseProvider>(LicenseTier::Enterprise));
            host.useStore({.path = folder.filePath(QStringLiteral("host.sqlite"))});
            const QString fault =
                host.useControl({.socketName = QStringLiteral("h"), .folder = folder.path()})
                    .listen();
            if (!fault.isEmpty())
                qFatal("%s", qPrintable(fault));
            agent = host.supervisor().add(QStringLiteral("a"), std::make_unique<Idle>(), {}).id;
        }

        void announce(int count)
        {
            for (int i = 0; i < count; ++i)
                host.supervisor().policyEvaluator().announce(agent, HealthChanged());
        }
        [[nodiscard]] QString run() const { return host.supervisor().policyEvaluator().run(); }

        struct Idle : Agent
        {
            void start() override {}
            void stop() override {}
        };
        AgentHost host;
        QUuid agent;
    };

    /// What a client with a subscription receives: the cursors of events.
    struct Subscriber
    {
        Subscriber(const Host &host, const QString &from)
        {
            connect(&client, &ControlClient::eventsMissed, &client, [this] { hasGap = true; });
            connect(&client, &ControlClient::eventReceived, &client,
                    [this](const ControlEvent &event) { cursors.append(event.cursor); });
            connect(&client, &ControlClient::opened, &client, [this, from] {
                client.subscribe({.from = from}).then([this](const ControlResult<QString> &cursor) {
                    fault = cursor ? QStringLiteral("none") : cursor.error->message;
                });
            });
            client.open(host.host.control()->socketPath());
            if (!QTest::qWaitFor([this] { return !fault.isEmpty(); }, 30'000))
                qFatal("no response to events.subscribe");
        }
        [[nodiscard]] bool waitFor(const QString &cursor)
        {
            return QTest::qWaitFor(
                [&] { return !cursors.isEmpty() && cursors.constLast() == cursor; }, 60'000);
        }

        ControlClient client;
        QString fault;
        QStringList cursors;
        bool hasGap = false;
    };
    static QStringList cursorsOf(const QString &run, int first, int last)
    {
        QStringList all;
        for (int i = first; i <= last; ++i)
            all.append(run + u':' + QString::number(i));
        return all;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_path;
};

void StoreArchiveTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_path = m_folder->filePath(QStringLiteral("a.sqlite"));
}

void StoreArchiveTest::readsRowsThatTheStoreHasQueued()
{
    TelemetryStore store({.path = m_path, .batchAge = std::chrono::minutes(1)});
    StoreArchive archive(store, m_path);
    for (quint64 i = 1; i <= 5; ++i)
        store.append(numbered(i));
    EventArchive::Page page = read(archive, {.run = store.runId(), .sequence = 2});
    QCOMPARE(page.error, QString());
    QCOMPARE(numbersOf(page), QStringLiteral("3 4 5"));
    QVERIFY(page.isLast && page.isComplete && !page.isGone);
    QCOMPARE(page.events.front().run, store.runId());
    QCOMPARE(page.events.front().type, QStringLiteral("agent.ready"));
    QCOMPARE(page.events.front().agent, QStringLiteral("a"));
    QCOMPARE(page.events.front().json, HistoryReader(m_path).events({}).at(2).toCloudEvent());
    store.append(numbered(6));
    page = read(archive, {.next = page.next});
    QCOMPARE(numbersOf(page), QStringLiteral("6"));
    for (quint64 i = 7; i <= 600; ++i)
        store.append(numbered(i));
    std::size_t count = 0;
    EventArchive::Position from;
    do {
        page = read(archive, from);
        QVERIFY(page.events.size() < 300);
        count += page.events.size();
        from = {.next = page.next};
    } while (!page.isLast);
    QCOMPARE(count, std::size_t{600});
}

void StoreArchiveTest::reportsWriteFailure()
{
    const QString path = QStringLiteral("/proc/none/a.sqlite");
    TelemetryStore store({.path = path});
    const StoreArchive archive(store, path);
    QCOMPARE(archive.writeFailure(), QString());
    store.append(numbered(1));
    QTRY_VERIFY_WITH_TIMEOUT(!archive.writeFailure().isEmpty(), 30'000);
}

void StoreArchiveTest::readsGapsOfTheStore()
{
    TelemetryStore store({.path = m_path, .capacity = 1, .batchAge = std::chrono::minutes(1)});
    StoreArchive archive(store, m_path);
    for (quint64 i = 1; i <= 9; ++i)
        store.append(numbered(i));
    QCOMPARE(archive.droppedRows(), quint64{8});
    const EventArchive::Page page = read(archive, {});
    QCOMPARE(numbersOf(page), QStringLiteral("1 9"));
    QCOMPARE(page.events[1].missing, quint64{8});
    QCOMPARE(page.events[1].previous(), quint64{1});
}

void StoreArchiveTest::reportsUnknownCursor()
{
    TelemetryStore store({.path = m_path});
    StoreArchive archive(store, m_path);
    store.append(numbered(1));
    const EventArchive::Page page = read(archive, {.run = QStringLiteral("other"), .sequence = 1});
    QVERIFY(page.isGone);
    QCOMPARE(numbersOf(page), QStringLiteral("1"));
    QCOMPARE(page.error, QString());
}

void StoreArchiveTest::reportsStoreThatCannotBeRead()
{
    QFile file(m_path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("no database");
    file.close();
    TelemetryStore store({.path = m_path});
    StoreArchive archive(store, m_path);
    store.append(numbered(1));
    const EventArchive::Page page = read(archive, {});
    QVERIFY(!page.error.isEmpty());
    QVERIFY(!page.isComplete);
}

void StoreArchiveTest::readsNothingAfterItsDestruction()
{
    TelemetryStore store({.path = m_path});
    store.append(numbered(1));
    bool isDone = false;
    for (int passes = 0; passes < 3; ++passes) {
        StoreArchive archive(store, m_path);
        archive.read({}, [&isDone](const EventArchive::Page &) { isDone = true; });
        for (int i = 0; i < passes; ++i)
            QCoreApplication::processEvents();
    }
    bool isWritten = false;
    store.flush([&isWritten](bool) { isWritten = true; });
    QTRY_VERIFY(isWritten);
    QVERIFY(!isDone);
}

// The ring has 1,024 events before the first subscription.
void StoreArchiveTest::clientReadsAllEventsOfAHost()
{
    Host host(*m_folder);
    host.announce(3000);
    Subscriber subscriber(host, host.run() + QLatin1String(":7"));
    QCOMPARE(subscriber.fault, QStringLiteral("none"));
    host.announce(1000);
    QVERIFY(subscriber.waitFor(host.run() + QLatin1String(":4000")));
    host.announce(10);
    QVERIFY(subscriber.waitFor(host.run() + QLatin1String(":4010")));
    QVERIFY(!subscriber.hasGap);
    QCOMPARE(subscriber.cursors, cursorsOf(host.run(), 8, 4010));
}

void StoreArchiveTest::clientContinuesAfterARestartOfTheHost()
{
    QString first;
    {
        Host host(*m_folder);
        first = host.run();
        host.announce(5);
    }
    Host host(*m_folder);
    host.announce(2);
    Subscriber subscriber(host, first + QLatin1String(":3"));
    QCOMPARE(subscriber.fault, QStringLiteral("none"));
    QVERIFY(subscriber.waitFor(host.run() + QLatin1String(":2")));
    QCOMPARE(subscriber.cursors, cursorsOf(first, 4, 5) + cursorsOf(host.run(), 1, 2));
    Subscriber oldest(host, QStringLiteral("oldest"));
    QVERIFY(oldest.waitFor(host.run() + QLatin1String(":2")));
    QCOMPARE(oldest.cursors, cursorsOf(first, 1, 5) + cursorsOf(host.run(), 1, 2));
    const Subscriber unknown(host, QStringLiteral("other:1"));
    QVERIFY2(unknown.fault.endsWith(QLatin1String("the oldest cursor is ") + first
                                    + QLatin1String(":0")),
             qPrintable(unknown.fault));
}

REKINDLE_TEST(StoreArchiveTest)
#include "storearchivetest.moc"
