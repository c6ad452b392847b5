// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "contains.h"
#include "lifecycle/internal/evaluatorport.h"
#include "stores.h"
#include "testprogram.h"

#include <rekindle/policy/policygate.h>
#include <rekindle/telemetry/historyreader.h>

using namespace Rekindle;
using namespace std::chrono_literals;

/// Explanations of decisions in a store that a host writes in virtual time.
class AgentExplanationTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();

    void explainsDecisions();
    void formatsTimesForAView();
    void statesWhetherStartIsDue();
    void statesThatAnotherStartCameFirst();
    void statesThatRestartWasCanceled();
    void statesThatHostHasExited();
    void waitsForAHostAfterAnOrderlyExit();
    void doesNotMixSequencesOfTwoHosts();
    void explainsMinimumDelay();
    void explainsTier();
    void explainsPolicyNone();
    void agentWithoutFailures();
    void unknownAgent();
    void writesLinesOfJson();
    void textOfAgentBeginsNoLine();
    void hasNoDecisionsIfStoreIsUnreadable();

private:
    // The explanation of "web" after everything is written.
    [[nodiscard]] QString explained(int limit = 3)
    {
        if (!written(*m_store))
            return QStringLiteral("not written");
        HistoryReader reader(m_path);
        return reader.explain(QStringLiteral("web"), limit).toText(m_engine->clock.utcNow());
    }

    QTemporaryDir m_folder;
    QString m_path;
    int m_stores = 0;
    std::unique_ptr<Engine> m_engine;
    std::unique_ptr<TelemetryStore> m_store;
};

void AgentExplanationTest::init()
{
    m_path = m_folder.filePath(QStringLiteral("%1.sqlite").arg(++m_stores));
    m_engine = std::make_unique<Engine>();
    m_store = std::make_unique<TelemetryStore>(TelemetryOptions{.path = m_path});
    m_store->attach(m_engine->evaluator);
}

void AgentExplanationTest::explainsDecisions()
{
    m_engine->crash({QStringLiteral("no database"), QStringLiteral("giving up")});
    const QString first =
        QStringLiteral("web: decision in row 2, 2026-01-01T00:00:00.000Z\n"
                       "  failure  ProcessCrash: exit code 3, process 4711\n"
                       "  policy   exponential, 0 of 1000 restarts made in this sequence\n"
                       "  breaker  Closed, consecutive failures: 1\n"
                       "  rule     Restart: Restart attempt 1\n"
                       "  delay    1s before jitter, 1s after jitter (symmetric, draw 0.500)\n"
                       "  budget   restarts left: 999\n"
                       "  stderr   | no database\n"
                       "  stderr   | giving up\n"
                       "  next     restart 1, due in 990ms, at 2026-01-01T00:00:01.000Z\n\n");
    QCOMPARE(
        explained(),
        first + QLatin1String("latest event: 2026-01-01T00:00:00.000Z  restart 1 of 1000 in 1s\n"));

    m_engine->crash();
    const QString both = explained(2);
    QVERIFY2(both.startsWith(first.section(u'\n', 0, -4)), qPrintable(both));
    VERIFY_CONTAINS(both, "\n\nweb: decision in row 4, 2026-01-01T00:00:00.010Z\n");
    VERIFY_CONTAINS(both, "  stderr   no lines recorded\n");
    QVERIFY(explained(1).startsWith(QLatin1String("web: decision in row 4, ")));
}

void AgentExplanationTest::formatsTimesForAView()
{
    const QString ofAgent = QStringLiteral("2026-01-01T00:00:00.000Z");
    m_engine->crash({ofAgent});
    QVERIFY(written(*m_store));
    HistoryReader reader(m_path);
    const QString text =
        reader.explain(QStringLiteral("web"), 3).toText(m_engine->clock.utcNow(), [](UtcTime time) {
            return QStringLiteral("<%1>").arg(time.time_since_epoch().count() % 10'000);
        });
    VERIFY_CONTAINS(text, "web: decision in row 2, <0>\n");
    VERIFY_CONTAINS(text, "due in 990ms, at <1000>\n");
    VERIFY_CONTAINS(text, "latest event: <0>  restart");
    VERIFY_CONTAINS(text, "  stderr   | 2026-01-01T00:00:00.000Z\n"); // unchanged
    QCOMPARE(text.count(QLatin1String("2026")), 1);
}

void AgentExplanationTest::statesWhetherStartIsDue()
{
    m_engine->crash();
    QString text = explained();
    VERIFY_CONTAINS(text, "  next     restart 1, due in 990ms, at 2026-01-01T00:00:01.000Z\n");
    m_engine->clock.advance(1s);
    text = explained();
    VERIFY_CONTAINS(text, "  next     restart 1, at 2026-01-01T00:00:01.000Z\n");
}

void AgentExplanationTest::statesThatAnotherStartCameFirst()
{
    RestartPolicyEvaluator &evaluator = m_engine->evaluator;
    RestartPolicy policy = evaluator.policy(m_engine->id);
    policy.circuitBreaker = CircuitBreakerPolicy{.threshold = 1};
    QVERIFY(!hasErrors(evaluator.setPolicy(m_engine->id, policy)));
    m_engine->crash();
    QString text = explained();
    VERIFY_CONTAINS(text, "  next     half-open trial, due in ");
    evaluator.resetCircuitBreaker(m_engine->id);
    const auto generation = EvaluatorPort(evaluator).beginLaunch(m_engine->id);
    QVERIFY(generation);
    EvaluatorPort(evaluator).reportStarted(m_engine->id, *generation, 4712);
    text = explained();
    VERIFY_CONTAINS(text,
                    "  next     half-open trial, superseded by the start at "
                    "2026-01-01T00:00:00.010Z\n");
}

void AgentExplanationTest::statesThatRestartWasCanceled()
{
    m_engine->crash();
    QVERIFY(!explained().contains(QLatin1String("was canceled")));
    m_engine->evaluator.stop(m_engine->id);
    const QString text = explained();
    VERIFY_CONTAINS(text, "  next     restart 1 was canceled\n");
}

void AgentExplanationTest::statesThatHostHasExited()
{
    m_engine->crash();
    QVERIFY(written(*m_store));
    m_store->close();
    HistoryReader reader(m_path);
    const StoredRun run = reader.runs().value(0);
    QVERIFY(run.ended);
    const AgentExplanation explanation = reader.explain(QStringLiteral("web"), 3);
    const QString text = explanation.toText(*run.ended);
    VERIFY_CONTAINS(text,
                    QStringLiteral("its host (process %1) exited at %2; no restart until a host "
                                   "is started again\n")
                        .arg(QCoreApplication::applicationPid())
                        .arg(toRfc3339(*run.ended)));
}

void AgentExplanationTest::waitsForAHostAfterAnOrderlyExit()
{
    RestartPolicy none;
    none.type = RestartPolicyType::None;
    QVERIFY(!hasErrors(m_engine->evaluator.setPolicy(m_engine->id, none)));
    m_engine->crash();
    QVERIFY(written(*m_store));
    m_store->close();
    HistoryReader reader(m_path);
    const StoredRun run = reader.runs().value(0);
    QVERIFY(run.ended);
    const QString text = reader.explain(QStringLiteral("web"), 3).toText(*run.ended);
    QVERIFY2(text.contains(QStringLiteral("  next     its host (process %1) exited at %2; no "
                                          "restart until a host is started again\n")
                               .arg(QCoreApplication::applicationPid())
                               .arg(toRfc3339(*run.ended))),
             qPrintable(text));
}

void AgentExplanationTest::doesNotMixSequencesOfTwoHosts()
{
    m_engine->crash();
    QVERIFY(written(*m_store));
    m_store->close();
    m_engine = std::make_unique<Engine>();
    m_store = std::make_unique<TelemetryStore>(TelemetryOptions{.path = m_path});
    m_store->attach(m_engine->evaluator);
    m_engine->crash();
    const QString text = explained(2);
    VERIFY_CONTAINS(text, "; the next host began a new sequence\n");
    QVERIFY(!text.contains(QLatin1String("resumed it")));
}

void AgentExplanationTest::explainsMinimumDelay()
{
    RestartPolicy immediate;
    immediate.type = RestartPolicyType::Immediate;
    QVERIFY(!hasErrors(m_engine->evaluator.setPolicy(m_engine->id, immediate)));
    m_engine->evaluator.start(m_engine->id);
    const quint64 generation = EvaluatorPort(m_engine->evaluator).beginLaunch(m_engine->id).value();
    EvaluatorPort(m_engine->evaluator)
        .reportFailed(m_engine->id, generation, {FailureReason::InitializationFailed, {}});
    const QString text = explained();
    VERIFY_CONTAINS(text,
                    "  delay    100ms instead of 0s (minInterval, or the "
                    "pause after a failed launch)\n");

    RestartPolicy linear;
    linear.type = RestartPolicyType::Linear;
    linear.initialDelay = std::chrono::milliseconds(10);
    linear.jitter.kind = JitterKind::None;
    linear.minInterval = std::chrono::seconds(1);
    QVERIFY(!hasErrors(m_engine->evaluator.setPolicy(m_engine->id, linear)));
    m_engine->crash();
    const QString later = explained();
    VERIFY_CONTAINS(later, " instead of ");
}

void AgentExplanationTest::explainsTier()
{
    const GatedPolicy gated =
        gatePolicy(m_engine->evaluator.policy(m_engine->id), LicenseTier::Core);
    PolicyDowngraded downgrade;
    downgrade.tier = QStringLiteral("Core");
    downgrade.requestedType = RestartPolicyType::Exponential;
    downgrade.effectiveType = gated.policy.type;
    m_engine->evaluator.setPolicy(m_engine->id, gated.policy, false, {gated.gated, downgrade});
    m_engine->crash();
    const QString text = explained();
    VERIFY_CONTAINS(text,
                    "  request  policy exponential; license tier Core does not permit it; using "
                    "none\n  policy   none\n");
    VERIFY_CONTAINS(text, "  budget   no restarts: license tier Core does not permit them\n");
    VERIFY_CONTAINS(
        text, "  next     no start until an operator starts it or the license tier changes\n");
}

void AgentExplanationTest::explainsPolicyNone()
{
    RestartPolicy none;
    none.type = RestartPolicyType::None;
    QVERIFY(!hasErrors(m_engine->evaluator.setPolicy(m_engine->id, none)));
    m_engine->crash();
    const QString text = explained();
    VERIFY_CONTAINS(text, "  policy   none\n");
    VERIFY_CONTAINS(text, "  delay    none\n  budget   no restarts: the policy type is none\n");
    VERIFY_CONTAINS(text, "  next     no start until an operator starts it\n");
}

void AgentExplanationTest::agentWithoutFailures()
{
    m_engine->evaluator.start(m_engine->id);
    const quint64 generation = EvaluatorPort(m_engine->evaluator).beginLaunch(m_engine->id).value();
    EvaluatorPort(m_engine->evaluator).reportStarted(m_engine->id, generation, 4711);
    QCOMPARE(
        explained(),
        QStringLiteral("web: no failures; started at 2026-01-01T00:00:00.000Z, generation 1\n\n"
                       "latest event: 2026-01-01T00:00:00.000Z  start 1, process 4711\n"));
    m_engine->clock.advance(1s);
    EvaluatorPort(m_engine->evaluator).reportStopped(m_engine->id, generation);
    QCOMPARE(
        explained(),
        QStringLiteral("web: no failures; stopped at 2026-01-01T00:00:01.000Z, generation 1\n\n"
                       "latest event: 2026-01-01T00:00:01.000Z  finished\n"));
}

void AgentExplanationTest::unknownAgent()
{
    m_engine->crash();
    QVERIFY(written(*m_store));
    HistoryReader reader(m_path);
    const AgentExplanation explanation = reader.explain(QStringLiteral("nobody"), 3);
    QCOMPARE(reader.error(), QString());
    QVERIFY(!explanation.hasDecisions());
    QCOMPARE(explanation.stateText(), QStringLiteral("nobody: no failures; no start recorded"));
    QCOMPARE(explanation.toJson(), QByteArray());
}

void AgentExplanationTest::writesLinesOfJson()
{
    for (int i = 0; i < 3; ++i)
        m_engine->crash();
    QVERIFY(written(*m_store));
    HistoryReader reader(m_path);
    const AgentExplanation explanation = reader.explain(QStringLiteral("web"), 2);
    QVERIFY(explanation.hasDecisions());
    const QList<QByteArray> lines = explanation.toJson().split('\n');
    QCOMPARE(lines.size(), 3);
    QCOMPARE(lines[2], QByteArray());
    const QJsonObject first = QJsonDocument::fromJson(lines[0]).object();
    QCOMPARE(first[QLatin1String("row")].toInt(), 4);
    QCOMPARE(first[QLatin1String("agent")].toString(), QStringLiteral("web"));
    QCOMPARE(first[QLatin1String("time")].toString(), QStringLiteral("2026-01-01T00:00:00.010Z"));
    QCOMPARE(first[QLatin1String("decision")][QLatin1String("rule")].toString(),
             QStringLiteral("Restart"));
    QCOMPARE(first[QLatin1String("hash")].toString().size(), 64);
}

// Otherwise, an agent could imitate the lines of an explanation.
void AgentExplanationTest::textOfAgentBeginsNoLine()
{
    m_engine->crash({QStringLiteral("a\n  next     no restart")});
    QString text = explained();
    VERIFY_CONTAINS(text, "  stderr   | a  next     no restart\n");
}

void AgentExplanationTest::hasNoDecisionsIfStoreIsUnreadable()
{
    HistoryReader reader(m_folder.filePath(QStringLiteral("missing.sqlite")));
    const AgentExplanation explanation = reader.explain(QStringLiteral("web"), 3);
    QVERIFY(!reader.error().isEmpty());
    QVERIFY(!explanation.hasDecisions());
}

REKINDLE_TEST(AgentExplanationTest)
#include "agentexplanationtest.moc"
