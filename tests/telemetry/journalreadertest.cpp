// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "lifecycle/internal/evaluatorport.h"
#include "stores.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/telemetry/journalreader.h>
#include <rekindle/version.h>

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

QStringList linesOf(const QList<JournalEntry> &entries)
{
    QStringList lines;
    for (const JournalEntry &entry : entries)
        lines.append(QStringLiteral("%1 %2 %3 %4 %5")
                         .arg(entry.number)
                         .arg(entry.agent, entry.kindText())
                         .arg(entry.generation)
                         .arg(entry.draw));
    return lines;
}

QList<JournalEntry> allInputs(JournalReader &reader)
{
    QList<JournalEntry> entries;
    while (const std::optional<JournalEntry> entry = reader.nextInput())
        entries.append(*entry);
    return entries;
}

} // namespace

/// The journal of inputs in a store.
class JournalReaderTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_path = m_folder.filePath(QStringLiteral("%1.sqlite").arg(++m_stores)); }

    void readsWhatAHostRecorded()
    {
        record({.path = m_path, .recordInputs = true}, 2);
        JournalReader reader(m_path, m_run);
        QCOMPARE(reader.error(), QString());
        QCOMPARE(reader.version(), QStringLiteral(REKINDLE_VERSION_STR));
        QVERIFY(reader.hasAllEvents());
        QVERIFY(reader.hasAllDecisions());
        const QList<JournalEntry> entries = allInputs(reader);
        QCOMPARE(reader.error(), QString());
        QCOMPARE(
            linesOf(entries).mid(0, 5),
            (QStringList{QStringLiteral("1 web Added 0 0"), QStringLiteral("2 web Resume 0 0.5"),
                         QStringLiteral("3 web Start 0 0.5"), QStringLiteral("4 web Launch 0 0.5"),
                         QStringLiteral("5 web Started 1 0.5")}));
        // An instance that resumes is recorded with its state.
        QVERIFY(entries[1].memory);
        QCOMPARE(entries[1].memory->attempt, 3);
        QCOMPARE(entries[4].time, Instant(0s));
        QVERIFY(reader.nextEvent());
        QCOMPARE(reader.nextDecision()->run, m_run);
    }

    void recordsNothingByDefault()
    {
        record({.path = m_path}, 1);
        JournalReader reader(m_path, m_run);
        QVERIFY(!reader.nextInput());
        QCOMPARE(reader.error(), QString());
        QVERIFY(reader.nextEvent());
    }

    void namesChangedRow_data()
    {
        const Rows<QString> row("change");
        for (const char *change :
             {"n = n + 100", "mono_ns = mono_ns + 1", "instance = upper(instance)", "agent = 'b'",
              "kind = 'Stop'", "generation = generation + 1", "draw = draw + 0.001",
              "data = '{ }'"})
            row(change);
    }
    void namesChangedRow()
    {
        QFETCH(QString, change);
        record({.path = m_path, .recordInputs = true}, 2);
        OwnConnection(m_path).execute(
            QStringLiteral("UPDATE inputs SET %1 WHERE n = 6").arg(change));
        JournalReader reader(m_path, m_run);
        QCOMPARE(allInputs(reader).size(), 5);
        QCOMPARE(reader.error(), QStringLiteral("input 6: the row was changed"));
    }

    void namesMissingRows_data()
    {
        const Rows<QString, QString> row("removed", "error");
        row("middle", "n IN (4, 5)",
            "inputs from 4 to 5: not recorded, because the "
            "queue of the host was full");
        row("first", "n < 3",
            "the beginning of the run was removed by "
            "retention (inputs from 1 to 2); a run can be "
            "replayed only from its beginning");
    }
    void namesMissingRows()
    {
        QFETCH(QString, removed);
        QFETCH(QString, error);
        record({.path = m_path, .recordInputs = true}, 2);
        OwnConnection(m_path).execute(QStringLiteral("DELETE FROM inputs WHERE ") + removed);
        JournalReader reader(m_path, m_run);
        static_cast<void>(allInputs(reader));
        QCOMPARE(reader.error(), error);
    }

    void distinguishesRetentionFromLoss()
    {
        record({.path = m_path, .recordInputs = true}, 2);
        const QString first = m_run;
        record({.path = m_path, .recordInputs = true}, 2);
        const auto errorOf = [this](const QString &run) {
            JournalReader reader(m_path, run);
            static_cast<void>(allInputs(reader));
            return reader.error();
        };
        QCOMPARE(errorOf(first), QString());
        const auto remove = [this](const char *rows) {
            OwnConnection(m_path).execute(QLatin1String("DELETE FROM inputs WHERE ")
                                          + QLatin1String(rows));
        };
        remove("run_id = 2 AND n < 3"); // the rows of run 1 are older and exist
        QCOMPARE(errorOf(m_run),
                 QStringLiteral("inputs from 1 to 2: not recorded, because the queue of the host "
                                "was full"));
        remove("run_id = 1");
        QCOMPARE(errorOf(first),
                 QStringLiteral("it has no inputs: they were removed by retention, or not "
                                "recorded"));
        QVERIFY(errorOf(m_run).startsWith(
            QLatin1String("the beginning of the run was removed by retention")));
    }

    void rejectsUnknownRunAndOlderFormat()
    {
        record({.path = m_path}, 1);
        QCOMPARE(JournalReader(m_path, QStringLiteral("other")).error(),
                 QStringLiteral("no run has the id other"));
        OwnConnection(m_path).execute(QStringLiteral("PRAGMA user_version = 2"));
        QCOMPARE(JournalReader(m_path, m_run).error(),
                 QStringLiteral("written by an older version, which recorded no inputs"));
    }

    // The inputs have their own places, so the events are complete.
    void fullQueueDropsOnlyInputs()
    {
        TelemetryOptions options{.path = m_path, .capacity = 100, .recordInputs = true};
        options.path = m_folder.filePath(QStringLiteral("none"));
        QVERIFY(QDir().mkdir(options.path)); // nothing can be written
        Run run(options);
        QVERIFY(QTest::qWaitFor([&] { return run.failures > 0; }, 120'000));
        for (int i = 0; i < 120; ++i)
            EvaluatorPort(run.evaluator).reportReady(run.id, 99); // a stale report has no events
        QCOMPARE(run.store->droppedCount(), quint64{22});
    }

    void retentionRemovesInputs()
    {
        TelemetryOptions options{.path = m_path, .recordInputs = true, .maxAge = 60min};
        Run run(options);
        for (int i = 0; i < 2000; ++i) {
            EvaluatorPort(run.evaluator).reportReady(run.id, 99);
            run.scheduler.advance(1min);
        }
        QVERIFY(written(*run.store));
        EvaluatorPort(run.evaluator).reportReady(run.id, 99);
        run.store->close();
        const qint64 first =
            OwnConnection(m_path).number(QStringLiteral("SELECT min(n) FROM inputs"));
        QVERIFY2(first > 1, qPrintable(QString::number(first)));
    }

private:
    struct Run
    {
        explicit Run(const TelemetryOptions &options)
            : store(std::make_unique<TelemetryStore>(options))
        {
            QObject::connect(store.get(), &TelemetryStore::failed, store.get(),
                             [this] { ++failures; });
            store->attach(evaluator);
            if (hasErrors(evaluator.add(id, QStringLiteral("web"), RestartPolicy{})))
                qFatal("the policy is invalid");
            InstanceMemory memory;
            memory.attempt = 3;
            memory.inSequence = true;
            memory.state = InstanceState::Exhausted;
            evaluator.resume(id, memory);
        }

        VirtualClock clock;
        VirtualScheduler scheduler{clock};
        RestartPolicyEvaluator evaluator{scheduler, [](const QUuid &) { return 0.5; }};
        QUuid id = QUuid::createUuid();
        int failures = 0;
        std::unique_ptr<TelemetryStore> store;
    };

    void record(const TelemetryOptions &options, int crashes)
    {
        Run run(options);
        m_run = run.evaluator.run();
        run.evaluator.start(run.id);
        for (int i = 0; i < crashes; ++i) {
            const quint64 generation = EvaluatorPort(run.evaluator).beginLaunch(run.id).value();
            EvaluatorPort(run.evaluator).reportStarted(run.id, generation, 4711);
            EvaluatorPort(run.evaluator)
                .reportFailed(run.id, generation, {FailureReason::ProcessCrash, {.exitCode = 3}});
            run.scheduler.advance(1min);
        }
    }

    QTemporaryDir m_folder;
    QString m_path;
    QString m_run;
    int m_stores = 0;
};

REKINDLE_TEST(JournalReaderTest)
#include "journalreadertest.moc"
