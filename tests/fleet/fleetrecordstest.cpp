// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"
#include "testrow.h"

#include <rekindle/fleet/fleetplacement.h>
#include <rekindle/fleet/fleetrecords.h>
#include <rekindle/fleet/fleettimes.h>

using namespace Rekindle;
using namespace std::chrono_literals;

class FleetRecordsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void writesAndReadsASession();
    void writesAndReadsAnOwnership();
    void rejectsMalformedSessions_data();
    void rejectsMalformedSessions();
    void rejectsMalformedOwnerships_data();
    void rejectsMalformedOwnerships();
    void checksTimes_data();
    void checksTimes();
    void ranksPreferredNodesFirst();
    void allNodesAgreeOnTheRanks();
};

void FleetRecordsTest::writesAndReadsASession()
{
    const FleetSession session{.run = QStringLiteral("r1"), .duration = 20s};
    const QByteArray json = toJson(session);
    QCOMPARE(json, QByteArray(R"({"run":"r1","duration":"20s"})"));
    QVERIFY(*fleetSessionFromJson(json).value == session);
}

void FleetRecordsTest::writesAndReadsAnOwnership()
{
    FleetOwnership ownership{.node = QStringLiteral("a"), .run = QStringLiteral("r1")};
    QCOMPARE(toJson(ownership), QByteArray(R"({"holder":{"node":"a","run":"r1"}})"));
    QVERIFY(*fleetOwnershipFromJson(toJson(ownership)).value == ownership);
    ownership.released = true;
    ownership.next = QStringLiteral("b");
    QCOMPARE(toJson(ownership),
             QByteArray(R"({"holder":{"node":"a","run":"r1"},"handover":"released","next":"b"})"));
    QVERIFY(*fleetOwnershipFromJson(toJson(ownership)).value == ownership);
}

void FleetRecordsTest::rejectsMalformedSessions_data()
{
    const Rows<QByteArray, QString> row("json", "message");
    row("no JSON", "x", "");
    row("no run", R"({"duration":"20s"})", "run");
    row("no duration", R"({"run":"r"})", "duration");
    row("unknown member", R"({"run":"r","duration":"20s","x":1})", "x");
}

void FleetRecordsTest::rejectsMalformedSessions()
{
    QFETCH(QByteArray, json);
    QFETCH(QString, message);
    const auto parsed = fleetSessionFromJson(json);
    QVERIFY(!parsed);
    QVERIFY2(parsed.messages().join(u'\n').contains(message),
             qPrintable(parsed.messages().join(u'\n')));
}

void FleetRecordsTest::rejectsMalformedOwnerships_data()
{
    const Rows<QByteArray, QString> row("json", "message");
    row("empty", "", "");
    row("no holder", R"({"handover":"released"})", "holder");
    row("no run", R"({"holder":{"node":"a"}})", "run");
    row("another handover", R"({"holder":{"node":"a","run":"r"},"handover":"x"})", "released");
}

void FleetRecordsTest::rejectsMalformedOwnerships()
{
    QFETCH(QByteArray, json);
    QFETCH(QString, message);
    const auto parsed = fleetOwnershipFromJson(json);
    QVERIFY(!parsed);
    QVERIFY2(parsed.messages().join(u'\n').contains(message),
             qPrintable(parsed.messages().join(u'\n')));
}

void FleetRecordsTest::checksTimes_data()
{
    const Rows<int, int, int, int, QString> row("duration", "renewal", "giveUp", "stopSequence",
                                                "fault");
    row("defaults", 20, 3, 9, 7, "");
    row("longer stop sequence", 20, 3, 9, 8,
        "/duration: expected at least 1.25 times giveUp and the longest stop sequence together "
        "(21.25s), found 20s");
    row("no tolerated outage", 20, 9, 9, 7,
        "/giveUp: expected more than renewal and retry together (9.5s), found 9s");
    row("rapid renewals", 20, 0, 9, 7,
        "/renewal: expected at least the retry interval (500ms), found 0s");
}

void FleetRecordsTest::checksTimes()
{
    QFETCH(int, duration);
    QFETCH(int, renewal);
    QFETCH(int, giveUp);
    QFETCH(int, stopSequence);
    QFETCH(QString, fault);
    using std::chrono::seconds;
    const FleetTimes times{.duration = seconds(duration),
                           .renewal = seconds(renewal),
                           .giveUp = seconds(giveUp),
                           .stopSequence = seconds(stopSequence)};
    const QList<Fault> faults = times.faults();
    QCOMPARE(faults.isEmpty() ? QString() : faults.front().toString(), fault);
}

void FleetRecordsTest::ranksPreferredNodesFirst()
{
    const QStringList prefer{QStringLiteral("b"), QStringLiteral("a")};
    const QStringList others{QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")};
    const auto rank = [&](const char *node) {
        return fleetRank(QString::fromLatin1(node), QStringLiteral("db"), prefer, others);
    };
    QCOMPARE(rank("b"), 0);
    QCOMPARE(rank("a"), 1);
    QCOMPARE(rank("c"), 2);
}

void FleetRecordsTest::allNodesAgreeOnTheRanks()
{
    QStringList nodes;
    for (int i = 0; i < 20; ++i)
        nodes.append(QStringLiteral("node%1").arg(i));
    QSet<QString> firsts;
    for (int i = 0; i < 20; ++i) {
        const QString agent = QStringLiteral("agent%1").arg(i);
        QSet<int> ranks;
        for (const QString &node : nodes) {
            const int rank = fleetRank(node, agent, {}, nodes);
            ranks.insert(rank);
            if (rank == 0)
                firsts.insert(node);
        }
        QCOMPARE(ranks.size(), 20);
    }
    QVERIFY(firsts.size() > 5); // the agents are spread
}

REKINDLE_TEST(FleetRecordsTest)
#include "fleetrecordstest.moc"
