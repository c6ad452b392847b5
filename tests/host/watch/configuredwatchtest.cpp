// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "changingfiles.h"
#include "contains.h"
#include "host/watch/configuredwatch_p.h"
#include "stage.h"
#include "testprogram.h"
#include "testrow.h"

using namespace Rekindle;

/// Scripted agents and real files in virtual time.
class ConfiguredWatchTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void changeInState_data();
    void changeInState();
    void limitsRestarts_data();
    void limitsRestarts();
    void leavesIsolatedAgentAlone();
    void restartsNothingWhileAllAgentsAreStopped();
    void startsOnlyGivenUpAgentsThatItWatches();

private:
    /// Adds an agent "a" that watches a file.
    void add(const AgentScript &agent, const QString &policy);
    /// Changes the file. Returns what follows within a second.
    [[nodiscard]] QString change();

    std::unique_ptr<Stage> m_stage;
    std::unique_ptr<ChangingFiles> m_files;
    std::unique_ptr<ConfiguredWatch> m_watch;
    QStringList m_notes;
};

void ConfiguredWatchTest::init()
{
    m_watch.reset();
    m_stage = std::make_unique<Stage>();
    m_files = std::make_unique<ChangingFiles>(m_stage->scheduler);
    m_watch = std::make_unique<ConfiguredWatch>(m_stage->supervisor);
    m_notes.clear();
    connect(m_watch.get(), &ConfiguredWatch::noted, this,
            [this](const QString &text) { m_notes.append(text); });
}

void ConfiguredWatchTest::add(const AgentScript &agent, const QString &policy)
{
    m_stage->add(QStringLiteral("a"), agent, policy);
    Configuration configuration;
    configuration.agents.resize(2);
    configuration.agents[0].name = QStringLiteral("a");
    configuration.agents[0].watch = QStringList(m_files->path("x"));
    configuration.agents[1].name = QStringLiteral("b");
    m_watch->apply(configuration, {});
}

QString ConfiguredWatchTest::change()
{
    const qsizetype before = m_stage->log.text().size();
    m_files->change("x");
    m_stage->advance(std::chrono::seconds(1));
    return m_stage->log.text().mid(before).trimmed();
}

void ConfiguredWatchTest::changeInState_data()
{
    const Rows<QString, QString, QString, QString> row("runs", "policy", "script", "log");
    const char *const slow = "'initialDelay':'1m','maxRetries':1";
    row("running", "started ready", "", "start",
        "200ms requested STOP stopped START started ready");
    row("stable", "started ready", "", "start +10m",
        "600.2s requested STOP stopped START started ready");
    row("starting", "started|started ready", "", "start",
        "200ms requested STOP stopped START started ready");
    row("requestedDelay", "started ready", "'requestedDelay':'300ms'", "start",
        "200ms requested STOP stopped 500ms START started ready");
    row("waiting", "started fail|started ready", slow, "start",
        "200ms requested cancelled#1 START started ready");
    row("circuit open", "started fail|started ready", "'circuitBreaker':{'threshold':1}", "start",
        "200ms requested cancelled#1 open>halfopen START started ready");
    row("failed", "started fail|started ready", "'type':'none'", "start",
        "200ms requested START started ready");
    row("exhausted", "started fail|started fail|started ready", slow, "start +1m",
        "60.2s requested START started ready");
    row("not started", "started ready", "", "", "");
    row("stopped", "started ready", "", "start stop", "");
    row("exited with 0", "started ready stopped", "", "start", "");
    row("given up and stopped", "started fail", "'type':'none'", "start stop", "");
}

void ConfiguredWatchTest::changeInState()
{
    QFETCH(QString, runs);
    QFETCH(QString, policy);
    QFETCH(QString, script);
    QFETCH(QString, log);
    add({.runs = runs}, policy);
    m_stage->play(script);
    QCOMPARE(change(), log);
    QVERIFY(m_notes.isEmpty());
}

// Otherwise an agent that changes its own file would be restarted forever.
void ConfiguredWatchTest::limitsRestarts_data()
{
    const Rows<QString> row("runs");
    row("running", "started ready");
    row("crashing", "started fail");
}

void ConfiguredWatchTest::limitsRestarts()
{
    QFETCH(QString, runs);
    add({.runs = runs}, QStringLiteral("'type':'none','requestLimit':{'count':3}"));
    m_stage->play(QStringLiteral("start"));
    for (int i = 0; i < 3; ++i)
        VERIFY_CONTAINS(change(), "requested");
    QCOMPARE(change(), QString());
    QCOMPARE(m_notes.size(), 1);
    VERIFY_CONTAINS(m_notes.front(), "restart delayed: too many restarts were requested");
    m_stage->advance(std::chrono::seconds(70)); // the delayed one follows
    QCOMPARE(m_stage->log.text().count(QLatin1String("requested")), 4);
}

void ConfiguredWatchTest::leavesIsolatedAgentAlone()
{
    add({}, {});
    m_stage->play(QStringLiteral("start isolate"));
    QCOMPARE(change(), QString());
    QCOMPARE(m_notes,
             QStringList(QStringLiteral("a: %1 changed; not restarted: its circuit breaker is "
                                        "isolated")
                             .arg(m_files->path("x"))));
    m_stage->play(QStringLiteral("release"));
    VERIFY_CONTAINS(change(), "requested");
}

// An order of stops may stop the agent later.
void ConfiguredWatchTest::restartsNothingWhileAllAgentsAreStopped()
{
    add({}, {});
    m_stage->supervisor.setStopOrder([](const QList<QUuid> &) {});
    m_stage->play(QStringLiteral("start stopAll"));
    QVERIFY(m_stage->supervisor.isStopping());
    QCOMPARE(change(), QString());
    QVERIFY(m_stage->supervisor.isStopping());
}

void ConfiguredWatchTest::startsOnlyGivenUpAgentsThatItWatches()
{
    add({.runs = QStringLiteral("started fail")}, QStringLiteral("'type':'none'"));
    const QUuid other = m_stage->addFailing(QStringLiteral("b"), QStringLiteral("'type':'none'"));
    m_stage->play(QStringLiteral("start:a start:b"));
    QVERIFY(m_watch->canStart(m_stage->first()));
    QVERIFY(!m_watch->canStart(other));
    m_stage->play(QStringLiteral("stop:a"));
    QVERIFY(!m_watch->canStart(m_stage->first()));
}

REKINDLE_TEST(ConfiguredWatchTest)
#include "configuredwatchtest.moc"
