// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "state/statecontents_p.h"
#include "testprogram.h"
#include "testrow.h"

using namespace Rekindle;
using namespace std::chrono_literals;

// The text of a state file, and the time between two hosts.
class StateTextTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsItsOwnOutput();
    void detectsTruncation();
    void detectsChangedBytes();
    void reportsFaults_data();
    void reportsFaults();
    void measuresTimeBetweenHosts_data();
    void measuresTimeBetweenHosts();
    void convertsTimesToOtherBoot();
    void orderlyExitIsAStop();
    void dropsLongestAbsentAgents();
    void rejectsMoreAgentsThanToTextWrites();
};

namespace {

const Instant t0{100h};
const UtcTime utc0{std::chrono::seconds{1'767'225'600}};

InstanceMemory everything()
{
    InstanceMemory memory;
    memory.state = InstanceState::CircuitOpen;
    memory.planned = PlannedStart::Attempt;
    memory.attempt = 7;
    memory.inSequence = memory.onceReady = memory.stoppedByOperator = true;
    memory.breaker.state = CircuitBreakerState::Open;
    memory.breaker.isolated = true;
    memory.breaker.failureCount = 8;
    memory.breaker.reopened = 2;
    memory.breaker.openedAt = t0 - 1s;
    memory.breaker.resetAt = t0 + 9s + 1ns;
    memory.breaker.lastSuccessAt = t0 - 2h;
    memory.breaker.lastFailureAt = t0 - 1s;
    memory.restarts = {t0 - 3s, t0 - 2s};
    memory.requests = {t0 - 40s};
    memory.startAt = t0 + 9s + 1ns;
    memory.lastStartAt = t0 - 2s;
    memory.firstFailureAt = t0 - 1h;
    memory.lastFailureAt = t0 - 1s;
    memory.lastReason = FailureReason::Timeout;
    memory.lastExitCode = 3;
    memory.lastPermanent = true;
    memory.draw = 0.1;
    memory.plannedDelay = 1500ms;
    memory.previousDelay = 750ms;
    return memory;
}

StateContents someContents()
{
    StateContents contents;
    contents.saved = {QStringLiteral("boot"), t0, utc0};
    contents.agents.insert(QStringLiteral("web"), {everything(), {}});
    contents.sharedBreakers.insert(QStringLiteral("api"), everything().breaker);
    contents.groups.insert(
        QStringLiteral("backend"),
        {.incidents = {t0 - 3s, t0 - 1s}, .exhausted = true, .rearmAt = t0 + 5min});
    contents.agents.insert(QStringLiteral("\u00e4 \"quoted\"\n"), {InstanceMemory{}, t0 - 5h});
    return contents;
}

// With a valid checksum.
QByteArray signedText(const QByteArray &body, const QByteArray &version = "1")
{
    return "{\"format\":\"rekindle-state\",\"version\":" + version + ",\"sha256\":\""
        + QCryptographicHash::hash(body, QCryptographicHash::Sha256).toHex() + "\"}\n" + body;
}

QByteArray bodyOf(const StateContents &contents)
{
    const QByteArray text = toText(contents);
    return text.mid(text.indexOf('\n') + 1);
}

} // namespace

void StateTextTest::readsItsOwnOutput()
{
    const StateContents written = someContents();
    const StateReading reading = stateFromText(toText(written));
    QCOMPARE(reading.fault, QString());
    const StateContents &read = reading.contents;
    QCOMPARE(read.saved.boot, written.saved.boot);
    QVERIFY(read.saved.mono == written.saved.mono && read.saved.utc == written.saved.utc);
    QCOMPARE(read.agents.size(), 2);
    for (auto it = written.agents.cbegin(); it != written.agents.cend(); ++it) {
        QVERIFY(read.agents.contains(it.key()));
        QVERIFY(read.agents[it.key()].memory == it->memory);
        QVERIFY(read.agents[it.key()].absentSince == it->absentSince);
    }
    QVERIFY(read.sharedBreakers == written.sharedBreakers);
    QVERIFY(read.groups == written.groups);
}

void StateTextTest::detectsTruncation()
{
    const QByteArray text = toText(someContents());
    for (qsizetype size = 0; size < text.size(); ++size)
        QVERIFY2(!stateFromText(text.left(size)).fault.isEmpty(),
                 qPrintable(QString::number(size)));
}

void StateTextTest::detectsChangedBytes()
{
    const QByteArray text = toText(someContents());
    for (qsizetype at = 0; at < text.size(); ++at) {
        QByteArray changed = text;
        changed[at] = static_cast<char>(changed[at] ^ 1);
        QVERIFY2(!stateFromText(changed).fault.isEmpty(), qPrintable(QString::number(at)));
    }
}

void StateTextTest::reportsFaults_data()
{
    const Rows<QByteArray, QString> row("text", "fault");
    const QByteArray body = bodyOf(someContents());
    row("empty", {}, "damaged: the file is empty");
    row("zeros", QByteArray(4096, '\0'), "damaged: the first line is malformed");
    row("foreign text", "hello\n", "damaged: the first line is malformed");
    row("foreign JSON", "{\"agents\":[]}\n", "not a state file");
    row("SQLite", "SQLite format 3\0", "damaged: the first line is malformed");
    row("old", signedText(body, "0"), "format 0 is no longer supported");
    row("future", signedText("?", "2"),
        "written by a newer version (format 2; this version supports 1)");
    row("no version", signedText(body, "null"), "damaged: no version");
    row("torn", signedText(body).chopped(10), "damaged: wrong checksum");
    row("nothing but a header", signedText({}), "damaged: no time");
    const auto changed = [&body](const char *from, const char *to) {
        QByteArray other = body;
        if (!other.contains(from))
            qFatal("not found: %s", from);
        return signedText(other.replace(from, to));
    };
    row("unknown key", changed("\"attempt\":", "\"attempts\":"), "damaged: 3:1: /attempt: missing");
    row("wrong type", changed("\"attempt\":7", "\"attempt\":\"7\""),
        "damaged: 3:135: /attempt: expected a whole number from 0 to 1000000000, found \"7\"");
    row("out of range", changed("\"draw\":0.1", "\"draw\":1.0"), "damaged: 3:");
    row("unknown state", changed("\"CircuitOpen\"", "\"Open\""), "damaged: 3:");
    row("time too far away", changed("\"lastStartAtNs\":-2000000000", "\"lastStartAtNs\":-2e18"),
        "damaged: 3:");
    row("agent twice", signedText(body + body.split('\n').at(1) + '\n'),
        "damaged: 7:10: /agent: duplicate");
    row("shared breaker twice", signedText(body + body.split('\n').at(3) + '\n'),
        "damaged: 7:18: /sharedBreaker: duplicate");
    row("group twice", signedText(body + body.split('\n').at(4) + '\n'),
        "damaged: 7:10: /group: duplicate");
}

void StateTextTest::reportsFaults()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, fault);
    const StateReading reading = stateFromText(text);
    QVERIFY2(reading.fault.startsWith(fault), qPrintable(reading.fault));
    QVERIFY(reading.contents.agents.isEmpty());
}

void StateTextTest::measuresTimeBetweenHosts_data()
{
    const Rows<bool, qint64, qint64, qint64> row("sameBoot", "monoSeconds", "utcSeconds",
                                                 "elapsed");
    constexpr qint64 day = 86400;
    row("same boot", true, qint64{5}, qint64{5}, qint64{5});
    row("a day forward", true, qint64{5}, day + 5, qint64{5});
    row("a day back", true, qint64{5}, 5 - day, qint64{5});
    row("other boot", false, qint64{-3600}, qint64{50}, qint64{50});
    row("other boot, a day back", false, qint64{-3600}, -day, qint64{0});
    row("other boot, a day forward", false, qint64{3600}, day, day);
    row("a clock that went back", true, qint64{-3600}, qint64{50}, qint64{50});
}

void StateTextTest::measuresTimeBetweenHosts()
{
    QFETCH(bool, sameBoot);
    QFETCH(qint64, monoSeconds);
    QFETCH(qint64, utcSeconds);
    QFETCH(qint64, elapsed);
    const SavedTime saved{QStringLiteral("one"), t0, utc0};
    const SavedTime now{sameBoot ? QStringLiteral("one") : QStringLiteral("other"),
                        t0 + std::chrono::seconds(monoSeconds),
                        utc0 + std::chrono::seconds(utcSeconds)};
    QVERIFY(Rekindle::elapsed(saved, now) == std::chrono::seconds(elapsed));
    // Beyond the range of nanoseconds.
    const UtcTime last{std::chrono::milliseconds(253'402'300'799'999)};  // the end of 9999
    const UtcTime first{std::chrono::milliseconds(-62'135'596'800'000)}; // the beginning of 0001
    const auto between = [](UtcTime from, UtcTime to) {
        return Rekindle::elapsed({QString(), t0, from}, {QString(), t0, to});
    };
    QVERIFY(between(last, utc0) == 0s);
    QVERIFY(between(utc0, last) == maxRecordTime);
    QVERIFY(between(first, last) == maxRecordTime);
    QVERIFY(between(last, first) == 0s);
    // Without boot ids, every host has a boot of its own.
    const SavedTime nameless{QString(), t0, utc0};
    QVERIFY(Rekindle::elapsed(nameless, {QString(), t0 + 5s, utc0 + 7s}) == 7s);
}

void StateTextTest::convertsTimesToOtherBoot()
{
    const StateContents contents = someContents();
    const SavedTime now{QStringLiteral("other"), Instant{60s}, utc0 + 4s};
    const StateContents moved = contents.movedTo(now);
    const InstanceMemory &memory = moved.agents[QStringLiteral("web")].memory;
    QVERIFY(memory.startAt == Instant{65s} + 1ns); // 4 of 9 s have passed
    QVERIFY(memory.lastFailureAt == Instant{55s});
    QVERIFY(moved.agents[QStringLiteral("web")].absentSince == now.mono);
    const QString without = QStringLiteral("\u00e4 \"quoted\"\n");
    QVERIFY(moved.agents[without].absentSince == Instant{56s} - 5h);
    QCOMPARE(memory.attempt, 7);
}

void StateTextTest::orderlyExitIsAStop()
{
    InstanceMemory memory = everything();
    QVERIFY(!continuesAfterKill(memory)); // an operator has stopped it
    recordOrderlyExit(memory);
    QVERIFY(!memory.stoppedByOperator);
    memory = everything();
    memory.stoppedByOperator = false;
    QVERIFY(continuesAfterKill(memory));
    recordOrderlyExit(memory);
    QVERIFY(memory.state == InstanceState::Stopped && memory.planned == PlannedStart::None);
    QVERIFY(!memory.startAt && !memory.inSequence && memory.attempt == 0);
    QVERIFY(!memory.givenUpByGroup);
    QVERIFY(!memory.breaker.isolated && memory.breaker.state == CircuitBreakerState::Open);
    for (const InstanceState state : {InstanceState::Stopped, InstanceState::Exhausted,
                                      InstanceState::Failed, InstanceState::Gated}) {
        memory.state = state;
        QVERIFY(!continuesAfterKill(memory));
    }
}

void StateTextTest::dropsLongestAbsentAgents()
{
    StateContents contents = someContents(); // with an agent that is absent for 5 h
    for (qsizetype i = 0; i < maxStoredAgents - 1; ++i)
        contents.agents.insert(QString::number(i), {InstanceMemory{}, t0 - 1h});
    const QByteArray text = toText(contents);
    const StateReading reading = stateFromText(text);
    QVERIFY2(reading.fault.isEmpty(), qPrintable(reading.fault));
    QCOMPARE(reading.contents.agents.size(), maxStoredAgents);
    QVERIFY(reading.contents.agents.contains(QStringLiteral("web")));
    QVERIFY(reading.contents.agents.contains(QStringLiteral("0")));
    QCOMPARE(contents.agents.size(), maxStoredAgents + 1);
}

// Agents of other hosts, in a file that another program has written.
void StateTextTest::rejectsMoreAgentsThanToTextWrites()
{
    StateContents contents;
    contents.saved = {QStringLiteral("boot"), t0, utc0};
    QByteArray body = bodyOf(contents);
    contents.agents.insert(QStringLiteral("web"), {everything(), {}});
    const QByteArray line = bodyOf(contents).split('\n').at(1);
    for (qsizetype i = 0; i < maxStoredAgents; ++i)
        body += QByteArray(line).replace("web", QByteArray::number(i)) + '\n';
    const StateReading reading = stateFromText(signedText(body));
    QVERIFY2(reading.fault.isEmpty(), qPrintable(reading.fault));
    QCOMPARE(reading.contents.agents.size(), maxStoredAgents);
    QCOMPARE(stateFromText(signedText(body + line + '\n')).fault,
             QStringLiteral("damaged: more than 10000 agents"));
}

REKINDLE_TEST(StateTextTest)
#include "statetexttest.moc"
