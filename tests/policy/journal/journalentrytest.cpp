// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "contains.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/policy/journalentry.h>

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

JournalEntry entryOf(InputKind input)
{
    JournalEntry entry;
    entry.input = input;
    entry.time = Instant(1h);
    return entry;
}

std::shared_ptr<const RestartPolicy> anyPolicy()
{
    RestartPolicy policy;
    policy.type = RestartPolicyType::Linear;
    policy.maxRetries = std::nullopt;
    return std::make_shared<const RestartPolicy>(policy);
}

std::shared_ptr<const InstanceMemory> anyMemory()
{
    InstanceMemory memory;
    memory.attempt = 3;
    memory.inSequence = true;
    memory.firstFailureAt = Instant(10min);
    memory.lastFailureAt = Instant(20min);
    memory.lastExitCode = 7;
    memory.draw = 0.25;
    memory.state = InstanceState::Waiting;
    memory.planned = PlannedStart::Attempt;
    memory.restarts = {Instant(15min)};
    memory.startAt = Instant(2h);
    memory.breaker.failureCount = 2;
    memory.breaker.lastFailureAt = Instant(20min);
    return std::make_shared<const InstanceMemory>(memory);
}

} // namespace

class JournalEntryTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsWhatItHasWritten_data()
    {
        const Rows<JournalEntry, QString, QByteArray> row("entry", "kind", "data");
        row("start", entryOf(InputKind::Start), "Start", "{}");
        JournalEntry failed = entryOf(InputKind::Failed);
        failed.reason = FailureReason::ProcessCrash;
        failed.exitCode = 3;
        failed.permanent = true;
        failed.hasEvaluator = true;
        row("failure", failed, "Failed",
            R"({"evaluator":true,"permanent":true,"reason":"ProcessCrash","exitCode":3})");
        JournalEntry ready = entryOf(InputKind::Ready);
        ready.probeFailedAt = Instant(59min);
        row("probe failure", ready, "Ready", R"({"probeFailedAtNs":-60000000000})");
        JournalEntry extended = entryOf(InputKind::ExtendStart);
        extended.extension = 5s;
        row("extension", extended, "ExtendStart", R"({"extensionNs":5000000000})");
        JournalEntry held = entryOf(InputKind::AddHolds);
        held.holds = Hold::Dependency | Hold::Lease;
        row("holds", held, "AddHolds", R"({"holds":["dependency","lease"]})");
        JournalEntry verdict = entryOf(InputKind::Verdict);
        verdict.verdict = {EvaluatorVerdict::Kind::Delay, 2s};
        row("verdict", verdict, "Verdict", R"({"verdict":"delay","verdictDelayNs":2000000000})");
        JournalEntry removed;
        removed.kind = JournalEntry::Kind::Removed;
        row("removed", removed, "Removed", "{}");
        JournalEntry added;
        added.kind = JournalEntry::Kind::Added;
        added.policy = anyPolicy();
        row("added", added, "Added", {});
        JournalEntry changed = entryOf(InputKind::ChangePolicy);
        changed.policy = anyPolicy();
        changed.gated = true;
        row("policy", changed, "ChangePolicy", {});
        JournalEntry resumed = entryOf(InputKind::Resume);
        resumed.memory = anyMemory();
        row("stored state", resumed, "Resume", {});
    }

    void readsWhatItHasWritten()
    {
        QFETCH(JournalEntry, entry);
        QFETCH(QString, kind);
        QFETCH(QByteArray, data);
        QCOMPARE(entry.kindText(), kind);
        const QByteArray written = entry.data();
        if (!data.isEmpty())
            QCOMPARE(written, data);
        JournalEntry read;
        read.time = entry.time;
        QCOMPARE(read.read(kind, written), QString());
        QCOMPARE(read.kind, entry.kind);
        QCOMPARE(read.input, entry.input);
        QCOMPARE(read.data(), written);
        QCOMPARE(read.policy != nullptr, entry.policy != nullptr);
        QVERIFY(!entry.policy || *read.policy == *entry.policy);
        QVERIFY(!entry.memory || *read.memory == *entry.memory);
    }

    // Files of earlier versions have no such member.
    void readsMemoryWithoutAddedMember()
    {
        JournalEntry entry = entryOf(InputKind::Resume);
        entry.memory = anyMemory();
        const QByteArray member = R"("stoppedByOperator":false,)";
        QByteArray data = entry.data();
        QVERIFY(data.contains(member));
        JournalEntry read;
        read.time = entry.time;
        QCOMPARE(read.read(QStringLiteral("Resume"), data.replace(member, "")), QString());
        QVERIFY(*read.memory == *entry.memory);
    }

    void rejectsInvalidData_data()
    {
        const Rows<QString, QByteArray, QString> row("kind", "data", "fault");
        row("kind", "Explode", "{}", "expected the name of an input, found \"Explode\"");
        row("the kind of inputs", "Input", "{}", "expected the name of an input, found \"Input\"");
        row("qualified kind", "InputKind::Start", "{}",
            "expected the name of an input, found \"InputKind::Start\"");
        row("unknown member", "Start", "{\"x\": 1}", "1:2: /x: unknown key");
        row("no reason", "Failed", "{}", "\"Failed\" without its reason");
        row("no policy", "Added", "{}", "\"Added\" without its policy");
        row("reason", "Failed", "{\"reason\": \"Bad\"}", "1:12: /reason: expected one of");
        row("hold", "AddHolds", "{\"holds\": [\"x\"]}", "/holds/0: expected one of");
        row("memory", "Resume", "{\"memory\": {}}", "/memory/state: missing");
        row("no JSON", "Start", "", "expected");
    }

    void rejectsInvalidData()
    {
        QFETCH(QString, kind);
        QFETCH(QByteArray, data);
        QFETCH(QString, fault);
        JournalEntry entry;
        const QString found = entry.read(kind, data);
        VERIFY_CONTAINS(found, fault);
    }

    void makesTheSameInputAgain()
    {
        Instance instance(anyPolicy());
        instance.evaluatorAvailable = true;
        const Failure failure{FailureReason::Timeout,
                              {.message = QStringLiteral("late"), .exitCode = 4}};
        const InstanceInput input{
            .kind = InputKind::Unhealthy, .generation = 5, .failure = &failure};
        const JournalEntry entry =
            JournalEntry::of(QUuid(), QStringLiteral("a"), instance, input, Instant(1s), 0.5);
        QVERIFY(entry.hasEvaluator);
        Failure again;
        const InstanceInput made = entry.toInput(again);
        QCOMPARE(made.kind, InputKind::Unhealthy);
        QCOMPARE(made.generation, 5U);
        QCOMPARE(made.failure, &again);
        QCOMPARE(again.reason, FailureReason::Timeout);
        QCOMPARE(again.detail.exitCode, 4);
    }
};

REKINDLE_TEST(JournalEntryTest)
#include "journalentrytest.moc"
