// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "control/calls/eventfeed_p.h"
#include "scriptedarchive.h"
#include "testprogram.h"
#include "wire/messagewriter_p.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace Rekindle;

/// Sends events of a ring to sessions without sockets.
class EventFeedTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void sendsEventsWithCursors();
    void selectsTypesAndAgents();
    void sendsOneGapForRemovedEvents();
    void reportsNoGapBeforeFirstEvent();
    void countsNoEventsBeforeFirstEvent();
    void boundsOutputOfSleepingClient();
    void endsAtLastEvent();
    void endsAtOnceWithoutEvents();
    void replacesSubscription();
    void slowClientReadsRemovedEventsFromArchive();
    void selectsArchivedEvents();
    void endsWithinTheArchive();

private:
    struct Client
    {
        Client()
            : session(host)
        {
            const QByteArray hello =
                makeRequest("0", QLatin1String("hello"), "{\"protocols\":[1]}") + '\n';
            session.receive(hello);
            static_cast<void>(session.readLine());
            static_cast<void>(received());
        }

        /// The params of the notifications of this method; others fail the test.
        QList<QJsonObject> received(const char *method = nullptr)
        {
            QByteArray all;
            OutgoingBytes &bytes = session.outgoing();
            while (!bytes.isEmpty()) {
                all += bytes.next();
                bytes.drop(bytes.next().size());
            }
            QList<QJsonObject> params;
            for (const QByteArray &line : all.trimmed().split('\n')) {
                const QJsonObject message = QJsonDocument::fromJson(line).object();
                if (method == nullptr || message[QLatin1String("method")] == QLatin1String(method))
                    params.append(message[QLatin1String("params")].toObject());
            }
            return params;
        }

        HostInfo host;
        ControlSession session;
    };

    static LifecycleEvent ready(quint64 sequence, const char *agent = "a")
    {
        AgentReady event;
        event.sequence = sequence;
        event.agent = QLatin1String(agent);
        return event;
    }
    static QStringList cursorsOf(const QList<QJsonObject> &params)
    {
        QStringList cursors;
        for (const QJsonObject &each : params)
            cursors.append(each[QLatin1String("cursor")].toString());
        return cursors;
    }
};

void EventFeedTest::sendsEventsWithCursors()
{
    EventRing ring(QStringLiteral("r"));
    EventFeed feed(ring);
    Client client;
    feed.subscribe(client.session, {});
    QVERIFY(!feed.fill(client.session));
    QVERIFY(client.session.outgoing().isEmpty());
    ring.add(ready(1));
    ring.add(ready(2));
    QVERIFY(!feed.fill(client.session));
    const QList<QJsonObject> events = client.received("event");
    QCOMPARE(cursorsOf(events), QStringList({QStringLiteral("r:1"), QStringLiteral("r:2")}));
    QCOMPARE(QJsonDocument(events[1][QLatin1String("event")].toObject()),
             QJsonDocument::fromJson(toCloudEvent(ready(2), QStringLiteral("urn:uuid:r"))));
    QVERIFY(!feed.fill(client.session));
    QVERIFY(client.session.outgoing().isEmpty());
}

void EventFeedTest::selectsTypesAndAgents()
{
    EventRing ring(QStringLiteral("r"));
    EventFeed feed(ring);
    Client client;
    EventSubscription subscription{.agents = {QStringLiteral("b")}};
    subscription.types.reset().set(LifecycleEvent(AgentReady()).index());
    feed.subscribe(client.session, subscription);
    ring.add(ready(1, "a"));
    ring.add(ready(2, "b"));
    AgentStarted started;
    started.sequence = 3;
    started.agent = QStringLiteral("b");
    ring.add(started);
    ring.add(ready(4, "b"));
    feed.fill(client.session);
    QCOMPARE(cursorsOf(client.received("event")),
             QStringList({QStringLiteral("r:2"), QStringLiteral("r:4")}));
}

void EventFeedTest::sendsOneGapForRemovedEvents()
{
    EventRing ring(QStringLiteral("r"), {.events = 10});
    EventFeed feed(ring);
    Client client;
    feed.subscribe(client.session, {});
    for (quint64 i = 1; i <= 5; ++i)
        ring.add(ready(i));
    feed.fill(client.session);
    static_cast<void>(client.received());
    for (quint64 i = 6; i <= 100; ++i)
        ring.add(ready(i));
    feed.fill(client.session);
    const QList<QJsonObject> params = client.received();
    QCOMPARE(params.size(), 11);
    QCOMPARE(params[0],
             (QJsonObject{{QStringLiteral("from"), QStringLiteral("r:6")},
                          {QStringLiteral("to"), QStringLiteral("r:90")},
                          {QStringLiteral("count"), 85}}));
    QCOMPARE(params[1][QLatin1String("cursor")], QStringLiteral("r:91"));
    QCOMPARE(params[10][QLatin1String("cursor")], QStringLiteral("r:100"));
}

void EventFeedTest::reportsNoGapBeforeFirstEvent()
{
    EventRing ring(QStringLiteral("r"));
    EventFeed feed(ring);
    Client client;
    feed.subscribe(client.session, {.next = 1});
    ring.add(ready(50)); // the evaluator emitted others before the ring was connected
    QVERIFY(!feed.hasGap(client.session));
    feed.fill(client.session);
    const QList<QJsonObject> params = client.received();
    QCOMPARE(params.size(), 1);
    QCOMPARE(params[0][QLatin1String("cursor")], QStringLiteral("r:50"));
}

void EventFeedTest::countsNoEventsBeforeFirstEvent()
{
    EventRing ring(QStringLiteral("r"), {.events = 10});
    EventFeed feed(ring);
    Client client;
    feed.subscribe(client.session, {.next = 1});
    for (quint64 i = 50; i < 70; ++i)
        ring.add(ready(i));
    QVERIFY(feed.hasGap(client.session));
    feed.fill(client.session);
    QVERIFY(!feed.hasGap(client.session));
    QCOMPARE(client.received().first(),
             (QJsonObject{{QStringLiteral("from"), QStringLiteral("r:50")},
                          {QStringLiteral("to"), QStringLiteral("r:59")},
                          {QStringLiteral("count"), 10}}));
}

void EventFeedTest::boundsOutputOfSleepingClient()
{
    EventRing ring(QStringLiteral("r"), {.events = 1000});
    EventFeed feed(ring);
    Client client;
    feed.subscribe(client.session, {});
    for (quint64 i = 1; i <= 20'000; ++i) {
        ring.add(ready(i));
        feed.fill(client.session);
    }
    QVERIFY(client.session.outgoing().size() < 200'000);
    QVERIFY(!client.session.isClosing());
    // Now it reads.
    QList<QJsonObject> params = client.received();
    bool isMore = true;
    while (isMore) {
        isMore = feed.fill(client.session);
        params += client.received();
    }
    qint64 count = 0;
    int gaps = 0;
    for (const QJsonObject &each : params) {
        const QJsonValue lost = each[QLatin1String("count")];
        gaps += lost.isUndefined() ? 0 : 1;
        count += lost.isUndefined() ? 1 : lost.toInteger();
    }
    QCOMPARE(gaps, 1);
    QCOMPARE(count, 20'000);
    QCOMPARE(params.last()[QLatin1String("cursor")], QStringLiteral("r:20000"));
}

void EventFeedTest::endsAtLastEvent()
{
    EventRing ring(QStringLiteral("r"));
    EventFeed feed(ring);
    Client client;
    for (quint64 i = 1; i <= 3; ++i)
        ring.add(ready(i));
    feed.subscribe(client.session, {.end = 2, .agents = {QStringLiteral("none")}});
    QVERIFY(client.session.isStreaming());
    QVERIFY(!feed.fill(client.session));
    QCOMPARE(cursorsOf(client.received("events.end")), QStringList({QStringLiteral("r:2")}));
    QVERIFY(!client.session.isStreaming());
    QVERIFY(feed.isEmpty());
}

void EventFeedTest::endsAtOnceWithoutEvents()
{
    const EventRing ring(QStringLiteral("r"));
    EventFeed feed(ring);
    Client client;
    feed.subscribe(client.session, {.end = 0});
    feed.fill(client.session);
    QCOMPARE(cursorsOf(client.received("events.end")), QStringList({QStringLiteral("r:0")}));
}

void EventFeedTest::replacesSubscription()
{
    EventRing ring(QStringLiteral("r"));
    EventFeed feed(ring);
    Client client;
    feed.subscribe(client.session, {.agents = {QStringLiteral("none")}});
    feed.subscribe(client.session, {});
    ring.add(ready(1));
    feed.fill(client.session);
    QCOMPARE(client.received("event").size(), 1);
    feed.remove(client.session);
    QVERIFY(feed.isEmpty());
}

void EventFeedTest::slowClientReadsRemovedEventsFromArchive()
{
    EventRing ring(QStringLiteral("r"), {.events = 2});
    ScriptedArchive archive;
    int arrivals = 0;
    EventFeed feed(ring);
    feed.setArchive(&archive, [&] { ++arrivals; });
    Client client;
    feed.subscribe(client.session, {});
    for (quint64 i = 1; i <= 5; ++i)
        ring.add(ready(i));
    QVERIFY(!feed.fill(client.session));
    QVERIFY(!feed.fill(client.session));
    QCOMPARE(archive.reads, 1);
    QCOMPARE(archive.requested().text(), QStringLiteral("r:0"));
    archive.respond({.events = events("r", {1, 2, 3, 4}), .isLast = true});
    QCOMPARE(arrivals, 1);
    feed.fill(client.session);
    const QList<QJsonObject> received = client.received("event");
    QCOMPARE(cursorsOf(received).join(u' '), QStringLiteral("r:1 r:2 r:3 r:4 r:5"));
    QCOMPARE(received[2][QLatin1String("event")],
             QJsonObject({{QStringLiteral("id"), QStringLiteral("3")}}));
}

void EventFeedTest::selectsArchivedEvents()
{
    EventSubscription subscription{.agents = {QStringLiteral("b")}};
    EventArchive::Event event{.type = QStringLiteral("agent.ready"), .agent = QStringLiteral("b")};
    QVERIFY(subscription.matches(event));
    event.type = QStringLiteral("of.a.later.version");
    QVERIFY(subscription.matches(event));
    subscription.types.reset().set(LifecycleEvent(AgentReady()).index());
    QVERIFY(!subscription.matches(event));
    event.type = QStringLiteral("agent.ready");
    QVERIFY(subscription.matches(event));
    event.type = QStringLiteral("agent.failed");
    QVERIFY(!subscription.matches(event));
    subscription.types.set();
    event.agent = QStringLiteral("a");
    QVERIFY(!subscription.matches(event));
}

void EventFeedTest::endsWithinTheArchive()
{
    EventRing ring(QStringLiteral("r"), {.events = 2});
    ScriptedArchive archive;
    EventFeed feed(ring);
    feed.setArchive(&archive, [] {});
    Client client;
    for (quint64 i = 1; i <= 5; ++i)
        ring.add(ready(i));
    feed.subscribe(client.session, {.end = 2});
    feed.fill(client.session);
    archive.respond({.events = events("r", {1, 2, 3}), .isLast = true});
    QVERIFY(!feed.fill(client.session));
    QCOMPARE(cursorsOf(client.received()).join(u' '), QStringLiteral("r:1 r:2 r:2"));
    QVERIFY(feed.isEmpty());
}

REKINDLE_TEST(EventFeedTest)
#include "eventfeedtest.moc"
