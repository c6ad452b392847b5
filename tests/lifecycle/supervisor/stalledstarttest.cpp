// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "stage.h"
#include "testprogram.h"
#include "testrow.h"

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

class SilentAgent final : public Agent
{
public:
    void start() override { Q_EMIT started(); }
    void stop() override {}
    [[nodiscard]] QStringList stderrTail() const override
    {
        return {QStringLiteral("no \x1b[31mdatabase")};
    }
};

} // namespace

/// The start timeout of an agent while the supervisor itself was stopped.
class StalledStartTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void timeout_data();
    void timeout();
    void removeDisarmsDeadline();
    void failureHasLastLines();
};

// The start timeout is 30 s. "stall:5s" advances the time without firing deadlines.
void StalledStartTest::timeout_data()
{
    const Rows<QString, QString, QString> row("run", "script", "log");

    row("without a stall", "started +40s ready", "start +40s",
        "START started 30s failed:Timeout declined:Policy KILL");
    row("at the timeout", "started +40s ready", "start +10s stall:25s +5s",
        "START started 40s ready");
    row("ends before the timeout", "started +40s ready", "start +5s stall:15s +20s",
        "START started 40s ready");
    row("twice", "started +70s ready", "start +10s stall:25s +10s stall:20s +5s",
        "START started 70s ready");
    // The lost time begins at 10.25 s, the next tick; half a second is added.
    row("extends only by the lost time", "started", "start +10s stall:25s +1h",
        "START started 55.25s failed:Timeout declined:Policy KILL");
    row("long stall", "started", "start +10s stall:1d +1h",
        "START started 86430.25s failed:Timeout declined:Policy KILL");
    row("just before the timeout", "started", "start +29900ms stall:1m +1s",
        "START started 90.4s failed:Timeout declined:Policy KILL");
    row("slightly late", "started", "start +29900ms stall:400ms +0ms",
        "START started 30.3s failed:Timeout declined:Policy KILL");
    row("before the start", "started", "stall:1h start +31s",
        "1h START started 3630s failed:Timeout declined:Policy KILL");
    row("during the previous start", "started", "start +10s stall:25s +1s stop start +31s",
        "START started 36s STOP stopped START started "
        "66s failed:Timeout declined:Policy KILL");
}

void StalledStartTest::timeout()
{
    QFETCH(QString, run);
    QFETCH(QString, script);
    Stage stage;
    stage.add(QStringLiteral("a"), {.runs = run},
              QStringLiteral("'type':'none','startTimeout':'30s'"));
    for (const QString &word : script.split(u' ')) {
        if (word.startsWith(QLatin1String("stall:")))
            stage.clock.advance(durationFromString(QStringView(word).mid(6)).value());
        else
            stage.play(word);
    }
    QTEST(stage.log.text(), "log");
}

void StalledStartTest::removeDisarmsDeadline()
{
    Stage stage;
    stage.add(QStringLiteral("a"), {.runs = QStringLiteral("started")});
    stage.play(QStringLiteral("start +1s remove +1s"));
    QCOMPARE(stage.scheduler.armedCount(), std::size_t{0});
}

void StalledStartTest::failureHasLastLines()
{
    Stage stage;
    const auto added = stage.supervisor.add(QStringLiteral("a"), std::make_unique<SilentAgent>(),
                                            RestartPolicy{.maxRetries = 0});
    stage.supervisor.start(added.id);
    stage.play(QStringLiteral("+1h"));
    const auto snapshot = stage.supervisor.snapshot(added.id);
    QVERIFY(snapshot && snapshot->lastFailure);
    QCOMPARE(snapshot->lastFailure->reason, FailureReason::Timeout);
    QCOMPARE(snapshot->lastFailure->detail.stderrTail, QStringList{QStringLiteral("no database")});
}

REKINDLE_TEST(StalledStartTest)
#include "stalledstarttest.moc"
