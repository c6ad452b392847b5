// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"

#include <rekindle/lifecycle/inputjournal.h>
#include <rekindle/lifecycle/restartpolicyevaluator.h>
#include <rekindle/lifecycle/virtualscheduler.h>

#include <QMetaEnum>

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

// Writes each call as a line.
class TextJournal final : public InputJournal
{
public:
    void added(const QUuid &, const QString &name, const RestartPolicy &policy) override
    {
        lines.append(QStringLiteral("added %1 %2").arg(name, toText(policy.type)));
    }
    void removed(const QUuid &) override { lines.append(QStringLiteral("removed")); }
    void applied(const QUuid &id, const InstanceInput &input, Instant time, double draw) override
    {
        ids.append(id);
        lines.append(QStringLiteral("%1 %2 %3")
                         .arg(durationToString(time.time_since_epoch()),
                              QString::fromLatin1(QMetaEnum::fromType<InputKind>().valueToKey(
                                  static_cast<int>(input.kind))))
                         .arg(draw));
    }

    QStringList lines;
    QList<QUuid> ids;
};

} // namespace

class InputJournalTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void receivesEveryInputInOrder()
    {
        VirtualClock clock;
        VirtualScheduler scheduler(clock);
        const QUuid id = QUuid::createUuid();
        double next = 0;
        RestartPolicyEvaluator evaluator(
            scheduler, [&](const QUuid &drawn) { return drawn == id ? next += 0.125 : 0; });
        TextJournal journal;
        evaluator.setInputJournal(&journal);
        // An input within an event of another input.
        connect(&evaluator, &RestartPolicyEvaluator::agentFailed, this,
                [&] { evaluator.isolateCircuitBreaker(id); });
        QVERIFY(!hasErrors(evaluator.add(id, QStringLiteral("a"), RestartPolicy{})));
        evaluator.start(id);
        const quint64 generation = evaluator.beginLaunch(id).value();
        evaluator.reportStarted(id, generation, 1);
        scheduler.advance(1s);
        evaluator.extendStart(id, generation, 1min);
        evaluator.reportFailed(id, generation, {FailureReason::ProcessCrash, {}});
        evaluator.releaseCircuitBreaker(id);
        scheduler.advance(1min);
        evaluator.remove(id);
        QCOMPARE(
            journal.lines,
            (QStringList{QStringLiteral("added a exponential"), QStringLiteral("0s Start 0.125"),
                         QStringLiteral("0s Launch 0.25"), QStringLiteral("0s Started 0.375"),
                         QStringLiteral("1s ExtendStart 0.5"), QStringLiteral("1s Failed 0.625"),
                         QStringLiteral("1s IsolateBreaker 0.75"),
                         QStringLiteral("1s ReleaseBreaker 0.875"), QStringLiteral("removed")}));
        QCOMPARE(journal.ids, QList<QUuid>(7, id));
    }

    void receivesNothingWithoutJournal()
    {
        VirtualClock clock;
        VirtualScheduler scheduler(clock);
        RestartPolicyEvaluator evaluator(scheduler);
        TextJournal journal;
        evaluator.setInputJournal(&journal);
        evaluator.setInputJournal(nullptr);
        const QUuid id = QUuid::createUuid();
        QVERIFY(!hasErrors(evaluator.add(id, QStringLiteral("a"), RestartPolicy{})));
        evaluator.start(id);
        QCOMPARE(journal.lines, QStringList());
    }
};

REKINDLE_TEST(InputJournalTest)
#include "inputjournaltest.moc"
