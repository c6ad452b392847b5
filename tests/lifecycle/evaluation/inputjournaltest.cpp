// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "lifecycle/internal/evaluatorport.h"
#include "testprogram.h"

#include <rekindle/lifecycle/restartpolicyevaluator.h>
#include <rekindle/lifecycle/virtualscheduler.h>
#include <rekindle/policy/journalentry.h>

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

// Writes each entry as a line.
class TextJournal
{
public:
    void record(const JournalEntry &entry)
    {
        ids.append(entry.instanceId);
        lines.append(QStringLiteral("%1 %2 %3 %4")
                         .arg(entry.number)
                         .arg(durationToString(entry.time.time_since_epoch()), entry.kindText())
                         .arg(entry.draw));
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
        EvaluatorPort(evaluator).setInputJournal(
            [&](const JournalEntry &entry) { journal.record(entry); });
        // An input within an event of another input.
        connect(&evaluator, &RestartPolicyEvaluator::agentFailed, this,
                [&] { evaluator.isolateCircuitBreaker(id); });
        QVERIFY(!hasErrors(evaluator.add(id, QStringLiteral("a"), RestartPolicy{})));
        evaluator.start(id);
        const quint64 generation = EvaluatorPort(evaluator).beginLaunch(id).value();
        EvaluatorPort(evaluator).reportStarted(id, generation, 1);
        scheduler.advance(1s);
        EvaluatorPort(evaluator).extendStart(id, generation, 1min);
        EvaluatorPort(evaluator).reportFailed(id, generation, {FailureReason::ProcessCrash, {}});
        evaluator.releaseCircuitBreaker(id);
        scheduler.advance(1min);
        evaluator.remove(id);
        QCOMPARE(
            journal.lines,
            (QStringList{
                QStringLiteral("1 0s Added 0"), QStringLiteral("2 0s Start 0.125"),
                QStringLiteral("3 0s Launch 0.25"), QStringLiteral("4 0s Started 0.375"),
                QStringLiteral("5 1s ExtendStart 0.5"), QStringLiteral("6 1s Failed 0.625"),
                QStringLiteral("7 1s IsolateBreaker 0.75"),
                QStringLiteral("8 1s ReleaseBreaker 0.875"), QStringLiteral("9 61s Removed 0")}));
        QCOMPARE(journal.ids, QList<QUuid>(9, id));
    }

    void receivesNothingWithoutJournal()
    {
        VirtualClock clock;
        VirtualScheduler scheduler(clock);
        RestartPolicyEvaluator evaluator(scheduler);
        TextJournal journal;
        EvaluatorPort(evaluator).setInputJournal(
            [&](const JournalEntry &entry) { journal.record(entry); });
        EvaluatorPort(evaluator).setInputJournal({});
        const QUuid id = QUuid::createUuid();
        QVERIFY(!hasErrors(evaluator.add(id, QStringLiteral("a"), RestartPolicy{})));
        evaluator.start(id);
        QCOMPARE(journal.lines, QStringList());
    }
};

REKINDLE_TEST(InputJournalTest)
#include "inputjournaltest.moc"
