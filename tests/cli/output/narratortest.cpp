// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/output/narrator_p.h"
#include "scriptedevaluators.h"
#include "testprogram.h"

using namespace Rekindle;
using namespace std::chrono_literals;

/// The messages about failures and decisions.
class NarratorTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void evaluatorAnswer_data();
    void evaluatorAnswer();
    void evaluatorUnavailable();
    void tierCancelsPendingRestart();
    void newPolicyReplacesPendingRestart();
    void tierPermitsNoRestarts();
    void tierPermitsRestartsAgain();
    void policyNone();
    void onDemand();
    void startInsteadOfPendingRestart();
    void restartInsteadOfPendingRestart();
    void reportsNoStop();
    void stopDuringEvaluation();
    void newPolicyCancelsHalfOpenTrial();

private:
    void play(const QString &policy, const QString &script) { m_stage->begin(policy, script); }

    FixedLicenseProvider m_license{LicenseTier::Enterprise};
    std::unique_ptr<EvaluatorStage> m_stage;
    std::unique_ptr<Narrator> m_narrator;
    QStringList m_said;
};

void NarratorTest::init()
{
    m_narrator.reset();
    m_said.clear();
    m_stage = std::make_unique<EvaluatorStage>();
    m_license.setTier(LicenseTier::Enterprise);
    m_stage->supervisor.featureGate().setProvider(&m_license);
    m_narrator = std::make_unique<Narrator>(m_stage->supervisor,
                                            [this](const QString &line) { m_said.append(line); });
}

void NarratorTest::evaluatorAnswer_data()
{
    using Kind = EvaluatorVerdict::Kind;
    QTest::addColumn<int>("kind");
    QTest::addColumn<QString>("reason");
    QTest::addColumn<QString>("line");
    const auto row = [](const char *name, Kind kind, const char *reason, const char *line) {
        QTest::newRow(name) << static_cast<int>(kind) << QString::fromLatin1(reason)
                            << QString::fromLatin1(line);
    };
    row("accept", Kind::Accept, "", "a: restart 1 of 10 in 700ms");
    row("accept, with a reason", Kind::Accept, "fine",
        "a: restart 1 of 10 in 700ms (evaluator test accepts: fine)");
    row("delay", Kind::Delay, "100%1 busy",
        "a: restart 1 of 10 in 29.7s (evaluator test delays: 100%1 busy)");
    row("refuse", Kind::Refuse, "", "a: not restarted (evaluator test refuses)");
    row("open", Kind::OpenBreaker, "again",
        "a: circuit breaker open after 1 failure, trial in 5m (evaluator test opens the "
        "circuit "
        "breaker: again)");
}

void NarratorTest::evaluatorAnswer()
{
    QFETCH(const int, kind);
    QFETCH(const QString, reason);
    QFETCH(const QString, line);
    play(activePolicy(), QStringLiteral("start +300ms")); // the time until the answer
    QCOMPARE(m_said,
             QStringList{
                 QStringLiteral("a: failed (ProcessCrash: scripted); waiting for its evaluator")});
    m_stage->evaluators.answer(static_cast<EvaluatorVerdict::Kind>(kind), 30s, reason);
    QCOMPARE(m_said.mid(1), QStringList{line});
}

void NarratorTest::evaluatorUnavailable()
{
    m_stage->evaluators.available = false;
    play(activePolicy(), QStringLiteral("start"));
    QCOMPARE(m_said,
             QStringList{QStringLiteral("a: failed (ProcessCrash: scripted); restart 1 of 10 in 1s "
                                        "(evaluator test has no answer: not available)")});
}

void NarratorTest::tierCancelsPendingRestart()
{
    play({}, QStringLiteral("start"));
    m_license.setTier(LicenseTier::Core);
    QCOMPARE(
        m_said,
        (QStringList{QStringLiteral("a: failed (ProcessCrash: scripted); restart 1 of 10 in 1s"),
                     QStringLiteral("a: license tier Core does not permit exponential restarts; "
                                    "restarts are disabled"),
                     QStringLiteral("a: restart 1 canceled")}));
}

void NarratorTest::newPolicyReplacesPendingRestart()
{
    play({}, QStringLiteral("start +400ms policy:'initialDelay':'20s'"));
    QCOMPARE(m_said.mid(1),
             QStringList{QStringLiteral("a: restart 1 replaced; restart 1 of 10 in 19.6s")});
}

void NarratorTest::tierPermitsRestartsAgain()
{
    m_license.setTier(LicenseTier::Core);
    play({}, QStringLiteral("start +400ms"));
    m_license.setTier(LicenseTier::Teams);
    QCOMPARE(m_said.mid(2), QStringList{QStringLiteral("a: restart 1 of 10 in 600ms")});
}

void NarratorTest::tierPermitsNoRestarts()
{
    m_license.setTier(LicenseTier::Core);
    play({}, QStringLiteral("start"));
    QCOMPARE(
        m_said,
        (QStringList{QStringLiteral("a: license tier Core does not permit exponential restarts; "
                                    "restarts are disabled"),
                     QStringLiteral("a: failed (ProcessCrash: scripted); not restarted: "
                                    "license tier Core does not permit exponential restarts")}));
}

void NarratorTest::policyNone()
{
    play(QStringLiteral("'type':'none'"), QStringLiteral("start"));
    QCOMPARE(m_said,
             QStringList{QStringLiteral(
                 "a: failed (ProcessCrash: scripted); not restarted: its policy is none")});
}

void NarratorTest::onDemand()
{
    const QUuid id = m_stage->addFailing(QStringLiteral("a"), QStringLiteral("'type':'none'"));
    m_narrator = std::make_unique<Narrator>(
        m_stage->supervisor, [this](const QString &line) { m_said.append(line); }, QSet<QUuid>{id});
    m_stage->play(QStringLiteral("start"));
    QCOMPARE(m_said,
             QStringList{QStringLiteral(
                 "a: failed (ProcessCrash: scripted); not restarted: the next call starts it")});
}

void NarratorTest::startInsteadOfPendingRestart()
{
    play({}, QStringLiteral("start retry"));
    QCOMPARE(m_said.mid(1, 1), QStringList{QStringLiteral("a: starting now instead of restart 1")});
}

// The agent did not exit with 42.
void NarratorTest::restartInsteadOfPendingRestart()
{
    play({}, QStringLiteral("start restart"));
    QCOMPARE(m_said.mid(1, 2),
             (QStringList{QStringLiteral("a: restart requested (operator)"),
                          QStringLiteral("a: starting now instead of restart 1")}));
}

void NarratorTest::reportsNoStop()
{
    play({}, QStringLiteral("start stop"));
    QCOMPARE(m_said.size(), 1);
}

void NarratorTest::stopDuringEvaluation()
{
    play(activePolicy(), QStringLiteral("start stop"));
    m_stage->evaluators.available = false;
    m_stage->play(QStringLiteral("start"));
    QCOMPARE(m_said.size(), 2);
    QVERIFY2(m_said[1].startsWith(QLatin1String("a: failed (ProcessCrash: scripted); restart 1")),
             qPrintable(m_said[1]));
}

void NarratorTest::newPolicyCancelsHalfOpenTrial()
{
    play(QStringLiteral("'circuitBreaker':{'threshold':1}"),
         QStringLiteral("start policy:'type':'none'"));
    QCOMPARE(
        m_said.mid(1),
        QStringList{QStringLiteral("a: restart 1 replaced; not restarted: its policy is none")});
}

REKINDLE_TEST(NarratorTest)
#include "narratortest.moc"
