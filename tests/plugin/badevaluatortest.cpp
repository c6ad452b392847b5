// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "pluginstage.h"

#include <QSignalSpy>
#include <QTemporaryDir>

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

const QStringList folders = {QStringLiteral(REKINDLE_TEST_PLUGINS)};

QString chaos(const QString &mode, const QString &more = {},
              const QString &how = QStringLiteral("active"))
{
    return customPolicy(QStringLiteral("chaos"), QStringLiteral("'mode':'%1'").arg(mode) + more,
                        how);
}

/// A file that a plug-in makes when it is asked.
class Flag
{
public:
    [[nodiscard]] QString parameter() const { return QStringLiteral(",'flag':'%1'").arg(path()); }
    [[nodiscard]] bool wait() const
    {
        return QTest::qWaitFor([this] { return QFile::exists(path()); }, PluginStage::limit);
    }

private:
    [[nodiscard]] QString path() const { return m_folder.filePath(QStringLiteral("asked")); }

    QTemporaryDir m_folder;
};

} // namespace

/// Whatever a plug-in does, the engine stands, and without an answer the built-in verdict counts.
class BadEvaluatorTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { qputenv("REKINDLE_TEST_LOADING_IS_FINE", "1"); }
    void goodAnswers_data();
    void goodAnswers();
    void theQuestion();
    void ownThread();
    void faults_data();
    void faults();
    void hangs();
    void othersGoOnWhileOneHangs();
    void neverAnswers();
    void answersTwice();
    void answersAfterRemoval();
    void quarantine();
    void aGoodAnswerForgives();
    void stateIsKeptPerInstance();
    void wrongRootObject();
    void shadowFaults();
    void shadowAnswers();
    void gone();
    void destructorHangs();
    void deletedInASlot();
    void tierTakenAway();
};

void BadEvaluatorTest::goodAnswers_data()
{
    QTest::addColumn<QString>("mode");
    QTest::addColumn<int>("seconds");
    QTest::addColumn<QString>("log");
    const auto row = [](const char *mode, int seconds, const char *log) {
        QTest::newRow(mode) << QString::fromLatin1(mode) << seconds << QString::fromLatin1(log);
    };
    row("accept", 1, "START started failed scheduled:1");
    row("elsewhere", 10, "START started failed scheduled:1");
    row("refuse", 0, "START started failed");
    row("open", 300, "START started failed breaker:Open");
}

void BadEvaluatorTest::goodAnswers()
{
    QFETCH(const QString, mode);
    QFETCH(const int, seconds);
    PluginStage stage(folders);
    stage.add(QStringLiteral("a"), {.runs = QStringLiteral("started fail")}, chaos(mode));
    stage.play(QStringLiteral("start"));
    QVERIFY(stage.think());
    QTEST(stage.log.text(), "log");
    if (seconds > 0)
        QCOMPARE(stage.delay(), Duration(std::chrono::seconds(seconds)));
    if (mode == QLatin1String("refuse"))
        QCOMPARE(stage.said, QStringList{QStringLiteral("not now")});
    QVERIFY(stage.faults.isEmpty());
}

void BadEvaluatorTest::theQuestion()
{
    PluginStage stage(folders);
    stage.add(QStringLiteral("web"), {.runs = QStringLiteral("started fail:7|started ready fail")},
              chaos(QStringLiteral("echo")));
    stage.play(QStringLiteral("start"));
    QVERIFY(stage.think());
    stage.play(QStringLiteral("+9s"));
    QVERIFY(stage.think());
    QCOMPARE(stage.said,
             (QStringList{QStringLiteral("web 1 0 ProcessCrash 7 boot 1000 1"),
                          QStringLiteral("web 2 1 ProcessCrash -1 ready 2000 2")}));
}

void BadEvaluatorTest::ownThread()
{
    // The event loop goes on while a plug-in hangs: nothing here waits for it.
    PluginStage stage(folders);
    stage.add(QStringLiteral("a"), {.runs = QStringLiteral("started fail")},
              chaos(QStringLiteral("hangs")));
    stage.play(QStringLiteral("start"));
    int passes = 0;
    QTimer timer;
    connect(&timer, &QTimer::timeout, this, [&] { ++passes; });
    timer.start(0);
    QVERIFY(QTest::qWaitFor([&] { return passes >= 10; }, PluginStage::limit));
    QCOMPARE(stage.state(), InstanceState::Evaluating);
}

void BadEvaluatorTest::faults_data()
{
    QTest::addColumn<QString>("what");
    const auto row = [](const char *mode, const char *what) {
        QTest::newRow(mode) << QString::fromLatin1(what);
    };
    row("throws", "it threw an exception: chaos");
    row("throws-int", "it threw something that is no exception");
    row("throws-later", "it threw an exception: later");
    row("negative", "it answered with a delay of -1000 ms, allowed 0 to 7 days");
    row("eight-days", "it answered with a delay of 691200000 ms, allowed 0 to 7 days");
    row("kind-99", "it answered with the unknown kind 99");
    row("no-future", "it threw an exception: it returned a future of nothing");
    row("abandoned", "it ended without an answer");
    row("create-throws", "it threw an exception: no evaluator today");
    row("create-null", "it threw an exception: it made no evaluator");
}

void BadEvaluatorTest::faults()
{
    QFETCH(const QString, what);
    PluginStage stage(folders);
    stage.host.setFaultLimit(1000);
    const QUuid id = stage.add(QStringLiteral("a"), {.runs = QStringLiteral("started fail")},
                               chaos(QString::fromLatin1(QTest::currentDataTag())));
    stage.play(QStringLiteral("start"));
    QVERIFY(stage.think());
    QCOMPARE(stage.log.text(), QStringLiteral("START started failed scheduled:1"));
    QCOMPARE(stage.delay(), Duration(1s));
    QVERIFY(stage.waitForFaults(1));
    QCOMPARE(stage.faults[0], (EvaluatorFault{QStringLiteral("chaos"), id, what, false}));
}

void BadEvaluatorTest::hangs()
{
    const Flag asked;
    PluginStage stage(folders);
    stage.add(QStringLiteral("a"), {.runs = QStringLiteral("started fail")},
              chaos(QStringLiteral("hangs"), asked.parameter())
                  + QStringLiteral(",'initialDelay':'5s'"));
    stage.play(QStringLiteral("start"));
    QVERIFY(asked.wait());
    stage.play(QStringLiteral("+999ms"));
    QCOMPARE(stage.state(), InstanceState::Evaluating);
    stage.play(QStringLiteral("+1ms"));
    QCOMPARE(stage.log.text(), QStringLiteral("START started failed 1s scheduled:1"));
    QCOMPARE(stage.delay(), Duration(4s)); // 5 s after the failure
    QVERIFY(stage.waitForFaults(1));
    QCOMPARE(stage.faults[0].what, QStringLiteral("it gave no answer within 1s"));
    QCOMPARE(stage.host.threadsSetAside(), 1);
}

void BadEvaluatorTest::othersGoOnWhileOneHangs()
{
    const Flag asked;
    PluginStage stage(folders);
    stage.add(QStringLiteral("a"), {.runs = QStringLiteral("started fail")},
              chaos(QStringLiteral("hangs"), asked.parameter())
                  + QStringLiteral(",'initialDelay':'60s'"));
    stage.add(QStringLiteral("b"), {.runs = QStringLiteral("started fail")},
              chaos(QStringLiteral("counts")));
    stage.play(QStringLiteral("start"));
    QVERIFY(asked.wait());
    stage.play(QStringLiteral("start:b +1s"));
    // Both were late, for they share a thread; b has failed once more, and is answered on the
    // thread that took the other's place, which may have come to its first question in between.
    QVERIFY(stage.think());
    QVERIFY(stage.host.threadsSetAside() >= 1);
    const QUuid b = stage.supervisor.idOf(QStringLiteral("b"));
    const Duration delay = *stage.supervisor.snapshot(b)->nextStartAt - stage.clock.now();
    QVERIFY2(delay == 101s || delay == 102s, qPrintable(durationToString(delay)));
}

void BadEvaluatorTest::neverAnswers()
{
    PluginStage stage(folders);
    stage.add(QStringLiteral("a"), {.runs = QStringLiteral("started fail")},
              chaos(QStringLiteral("never")));
    stage.play(QStringLiteral("start +1s"));
    QVERIFY(stage.log.text().contains(QLatin1String("1s scheduled:1")));
    QVERIFY(stage.waitForFaults(1));
    QCOMPARE(stage.faults[0].what, QStringLiteral("it gave no answer within 1s"));
}

void BadEvaluatorTest::answersTwice()
{
    PluginStage stage(folders);
    stage.add(QStringLiteral("a"), {.runs = QStringLiteral("started fail")},
              chaos(QStringLiteral("twice")));
    stage.play(QStringLiteral("start"));
    QVERIFY(stage.think());
    QTest::qWait(10);
    QCOMPARE(stage.said, QStringList{QStringLiteral("from elsewhere")});
    QCOMPARE(stage.delay(), Duration(10s));
    QVERIFY(stage.faults.isEmpty());
}

void BadEvaluatorTest::answersAfterRemoval()
{
    const Flag askedA;
    const Flag askedB;
    PluginStage stage(folders);
    stage.add(QStringLiteral("a"), {.runs = QStringLiteral("started fail")},
              chaos(QStringLiteral("late"), askedA.parameter()));
    stage.add(QStringLiteral("b"), {.runs = QStringLiteral("started fail")},
              chaos(QStringLiteral("late"), askedB.parameter()));
    stage.play(QStringLiteral("start start:b"));
    QVERIFY(askedA.wait() && askedB.wait());
    QCOMPARE(stage.state(), InstanceState::Evaluating);
    // Both are cancelled by this, and answer then.
    stage.play(QStringLiteral("remove:a stop:b"));
    QTest::qWait(50);
    QCOMPARE(stage.supervisor.ids().size(), 1);
    QCOMPARE(stage.state(), InstanceState::Stopped);
    QVERIFY(stage.said.isEmpty());
    QVERIFY(stage.faults.isEmpty());
}

void BadEvaluatorTest::quarantine()
{
    PluginStage stage(folders);
    stage.add(QStringLiteral("a"), {.runs = QStringLiteral("started fail")},
              chaos(QStringLiteral("throws")) + QStringLiteral(",'circuitBreaker':'off'"));
    stage.play(QStringLiteral("start"));
    for (int i = 1; i <= EvaluatorHost::usualFaultLimit; ++i) {
        QVERIFY(stage.think());
        QCOMPARE(stage.faults.size(), i);
        QCOMPARE(stage.faults.last().quarantined, i == EvaluatorHost::usualFaultLimit);
        stage.advance(stage.delay());
    }
    QVERIFY(stage.host.isInQuarantine(QStringLiteral("chaos")));
    QVERIFY(!stage.host.isAvailable(QStringLiteral("chaos")));
    // Nobody asks it, and nothing more is said.
    QCOMPARE(stage.state(), InstanceState::Waiting);
    QCOMPARE(stage.faults.size(), 3);
    stage.host.reload();
    QVERIFY(stage.host.isAvailable(QStringLiteral("chaos")));
    stage.advance(stage.delay());
    QVERIFY(stage.waitForFaults(4));
    QVERIFY(!stage.faults.last().quarantined);
}

void BadEvaluatorTest::aGoodAnswerForgives()
{
    PluginStage stage(folders);
    stage.host.setFaultLimit(2);
    stage.add(QStringLiteral("a"), {.runs = QStringLiteral("started fail")},
              chaos(QStringLiteral("throws"), QStringLiteral(",'times':1")));
    stage.add(QStringLiteral("b"), {.runs = QStringLiteral("started fail")},
              chaos(QStringLiteral("throws"), QStringLiteral(",'times':1")));
    stage.play(QStringLiteral("start"));
    QVERIFY(stage.think());
    QCOMPARE(stage.faults.size(), 1);
    stage.advance(stage.delay());
    QVERIFY(stage.think());
    QCOMPARE(stage.said, QStringList{QStringLiteral("good again")});
    stage.play(QStringLiteral("start:b"));
    QVERIFY(stage.think());
    QCOMPARE(stage.faults.size(), 2);
    QVERIFY(!stage.host.isInQuarantine(QStringLiteral("chaos")));
}

void BadEvaluatorTest::stateIsKeptPerInstance()
{
    PluginStage stage(folders);
    stage.add(QStringLiteral("a"), {.runs = QStringLiteral("started fail")},
              chaos(QStringLiteral("counts")));
    stage.play(QStringLiteral("start"));
    QVERIFY(stage.think());
    QCOMPARE(stage.delay(), Duration(101s));
    stage.host.reload(); // it is the same plug-in still
    stage.advance(101s);
    QVERIFY(stage.think());
    QCOMPARE(stage.delay(), Duration(102s));
    stage.add(QStringLiteral("b"), {.runs = QStringLiteral("started fail")},
              chaos(QStringLiteral("counts")));
    stage.play(QStringLiteral("start:b"));
    QVERIFY(stage.think());
    const QUuid b = stage.supervisor.idOf(QStringLiteral("b"));
    QCOMPARE(*stage.supervisor.snapshot(b)->nextStartAt - stage.clock.now(), Duration(101s));
}

void BadEvaluatorTest::wrongRootObject()
{
    PluginStage stage(folders);
    stage.add(QStringLiteral("a"), {.runs = QStringLiteral("started fail")},
              customPolicy(QStringLiteral("wrong-root"), {}));
    stage.play(QStringLiteral("start"));
    QVERIFY(stage.think());
    QCOMPARE(stage.delay(), Duration(1s));
    QVERIFY(stage.waitForFaults(1));
    QCOMPARE(stage.faults[0].what,
             QStringLiteral("it threw an exception: its root object is no RestartEvaluatorPlugin"));
}

void BadEvaluatorTest::shadowFaults()
{
    PluginStage stage(folders);
    stage.add(QStringLiteral("a"), {.runs = QStringLiteral("started fail")},
              chaos(QStringLiteral("throws"), {}, QStringLiteral("shadow")));
    stage.play(QStringLiteral("start"));
    QCOMPARE(stage.state(), InstanceState::Waiting);
    QVERIFY(stage.waitForFaults(1));
    QCOMPARE(stage.supervisor.evaluator().shadowTally(stage.first()), ShadowTally{});
}

void BadEvaluatorTest::shadowAnswers()
{
    PluginStage stage(folders);
    QSignalSpy shadowed(&stage.supervisor.evaluator(), &RestartPolicyEvaluator::shadowDecided);
    stage.add(QStringLiteral("a"), {.runs = QStringLiteral("started fail")},
              chaos(QStringLiteral("refuse"), {}, QStringLiteral("shadow")));
    stage.play(QStringLiteral("start"));
    QCOMPARE(stage.state(), InstanceState::Waiting);
    QVERIFY(QTest::qWaitFor([&] { return !shadowed.isEmpty(); }, PluginStage::limit));
    QCOMPARE(shadowed[0][1].value<RestartDecision>().rule, DecisionRule::Restart);
    QCOMPARE(shadowed[0][2].value<RestartDecision>().rule, DecisionRule::EvaluatorRefused);
    QCOMPARE(stage.supervisor.evaluator().shadowTally(stage.first()), (ShadowTally{1, 1}));
}

void BadEvaluatorTest::gone()
{
    PluginStage stage(folders);
    stage.add(QStringLiteral("a"), {.runs = QStringLiteral("started fail")},
              chaos(QStringLiteral("refuse")));
    stage.host.setFolders({});
    stage.play(QStringLiteral("start"));
    QCOMPARE(stage.state(), InstanceState::Waiting);
}

void BadEvaluatorTest::destructorHangs()
{
    PluginStage stage(folders);
    stage.add(QStringLiteral("a"), {.runs = QStringLiteral("started fail")},
              chaos(QStringLiteral("destructor-hangs"), QStringLiteral(",'times':1")));
    stage.play(QStringLiteral("start"));
    QVERIFY(stage.think());
    stage.play(QStringLiteral("remove")); // and the stage ends nevertheless
    QTest::qWait(10);
}

void BadEvaluatorTest::deletedInASlot()
{
    auto host = std::make_unique<EvaluatorHost>();
    host->setFolders(folders);
    Stage stage;
    stage.supervisor.evaluator().setCustomEvaluators(host.get());
    connect(host.get(), &CustomEvaluators::faulted, this, [&] { host.reset(); });
    stage.add(QStringLiteral("a"), {.runs = QStringLiteral("started fail")},
              chaos(QStringLiteral("throws")));
    stage.play(QStringLiteral("start"));
    QVERIFY(QTest::qWaitFor([&] { return !host; }, PluginStage::limit));
    stage.play(QStringLiteral("+1s"));
    QVERIFY(stage.log.text().contains(QLatin1String("scheduled:1")));
}

void BadEvaluatorTest::tierTakenAway()
{
    PluginStage stage(folders);
    bool enterprise = true;
    stage.host.setTierCheck([&](QStringView) { return enterprise; });
    stage.add(QStringLiteral("a"), {.runs = QStringLiteral("started fail")},
              chaos(QStringLiteral("counts")));
    stage.play(QStringLiteral("start"));
    QVERIFY(stage.think());
    enterprise = false;
    stage.advance(101s);
    QCOMPARE(stage.state(), InstanceState::Waiting); // by its base, and nobody was asked
    QCOMPARE(stage.delay(), Duration(2s));
    enterprise = true;
    stage.advance(2s);
    QVERIFY(stage.think());
    QCOMPARE(stage.delay(), Duration(102s));
}

QTEST_GUILESS_MAIN(BadEvaluatorTest)
#include "badevaluatortest.moc"
