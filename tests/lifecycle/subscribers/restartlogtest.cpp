// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "contains.h"
#include "scriptedprobe.h"
#include "stage.h"
#include "testprogram.h"

#include <rekindle/lifecycle/agentmonitor.h>
#include <rekindle/lifecycle/restartlog.h>

using namespace Rekindle;

namespace {
QStringList lines;

void keepLine(QtMsgType type, const QMessageLogContext &context, const QString &text)
{
    static const QHash<QtMsgType, QString> levels = {{QtDebugMsg, QStringLiteral("Debug ")},
                                                     {QtInfoMsg, QStringLiteral("Info  ")},
                                                     {QtWarningMsg, QStringLiteral("Warn  ")},
                                                     {QtCriticalMsg, QStringLiteral("Error ")}};
    if (qstrcmp(context.category, "rekindle.restart") == 0)
        lines.append(levels.value(type) + text);
}
} // namespace

class RestartLogTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void goldenLines();
    void defaultLevelIsInfo();
    void logsPermanentFailure();
    void writesLongDelaysWithoutExponent();
    void logsIsolation();
    void logsHealth();
    void logsDowngrade();
    void logsForHostWithEvents();
    void misuseIsLogged();
    void logsWithoutSupervisor();

private:
    // Returns the lines of a run, with "ID" instead of the instance's id.
    QString run(const QString &runs, const QString &policy, const QString &operatorScript);

    QtMessageHandler m_before = nullptr;
};

void RestartLogTest::init()
{
    lines.clear();
    QLoggingCategory::setFilterRules(QStringLiteral("rekindle.restart.debug=true"));
    m_before = qInstallMessageHandler(keepLine);
}

void RestartLogTest::cleanup()
{
    qInstallMessageHandler(m_before);
    QLoggingCategory::setFilterRules({});
}

QString RestartLogTest::run(const QString &runs, const QString &policy,
                            const QString &operatorScript)
{
    Stage stage;
    const QUuid id = stage.add(QStringLiteral("web"), {runs}, policy);
    stage.play(operatorScript);
    return lines.join(u'\n').replace(id.toString(QUuid::WithoutBraces), QLatin1String("ID"));
}

void RestartLogTest::goldenLines()
{
    // One attempt succeeds, the next opens the breaker, and the half-open trial fails.
    QCOMPARE(
        run(QStringLiteral("started ready +1s fail|started ready +1s fail|fail|fail"),
            QStringLiteral("'maxRetries':3,'circuitBreaker':{'threshold':3,'timeout':'5m'}"),
            QStringLiteral("start +10m")),
        QStringLiteral(
            "Debug [RST] Evaluating restart for web (ID), attempt 1/3\n"
            "Debug [RST] Calculated delay: 1000ms (policy: exponential, jitter: false)\n"
            "Info  [RST] Restart scheduled for web (ID) at 2026-01-01T00:00:02.000Z (attempt 1)\n"
            "Info  [RST] Restart succeeded for web (ID) on attempt 1\n"
            "Debug [RST] Evaluating restart for web (ID), attempt 2/3\n"
            "Debug [RST] Calculated delay: 2000ms (policy: exponential, jitter: false)\n"
            "Info  [RST] Restart scheduled for web (ID) at 2026-01-01T00:00:05.000Z (attempt 2)\n"
            "Debug [RST] Evaluating restart for web (ID), attempt 3/3\n"
            "Warn  [RST] Restart failed for web (ID): ProcessCrash\n"
            "Warn  [RST] Circuit breaker opened for web (ID), reset in 5m\n"
            "Info  [RST] Restart scheduled for web (ID) at 2026-01-01T00:05:05.000Z (attempt 3)\n"
            "Debug [RST] Evaluating restart for web (ID), attempt 3/3\n"
            "Warn  [RST] Restart failed for web (ID): ProcessCrash\n"
            "Warn  [RST] Circuit breaker opened for web (ID), reset in 5m\n"
            "Error [RST] Restart attempts exhausted for web (ID) after 3 attempts"));
}

void RestartLogTest::defaultLevelIsInfo()
{
    QLoggingCategory::setFilterRules({});
    const QString text = run(QStringLiteral("started fail"), QStringLiteral("'maxRetries':1"),
                             QStringLiteral("start"));
    QCOMPARE(text,
             QStringLiteral("Info  [RST] Restart scheduled for web (ID) at "
                            "2026-01-01T00:00:01.000Z (attempt 1)"));
}

void RestartLogTest::logsPermanentFailure()
{
    QLoggingCategory::setFilterRules({});
    QCOMPARE(run(QStringLiteral("started fail"), QStringLiteral("'type':'none'"),
                 QStringLiteral("start")),
             QStringLiteral("Warn  [RST] web (ID) failed (ProcessCrash); not restarted: "
                            "its policy is none"));
}

void RestartLogTest::writesLongDelaysWithoutExponent()
{
    const QString text =
        run(QStringLiteral("started fail"),
            QStringLiteral("'type':'linear','initialDelay':'1h','maxDelay':'1d',"
                           "'jitter':{'kind':'symmetric'},'maxRetries':'unlimited',"
                           "'circuitBreaker':{'threshold':2,'timeout':'2h','maxTimeout':'2h'}"),
            QStringLiteral("start +2h"));
    VERIFY_CONTAINS(text, "[RST] Calculated delay: 3600000ms (policy: linear, jitter: true)");
    VERIFY_CONTAINS(text, "attempt 1/unlimited");
    VERIFY_CONTAINS(text, "reset in 2h");
}

void RestartLogTest::logsIsolation()
{
    const QString text = run(QStringLiteral("started ready"), {}, QStringLiteral("start isolate"));
    QCOMPARE(text,
             QStringLiteral(
                 "Warn  [RST] Circuit breaker opened for web (ID), reset in never (isolated)"));
}

void RestartLogTest::logsHealth()
{
    Stage stage;
    const QUuid id = stage.add(QStringLiteral("web"), {QStringLiteral("started ready")});
    setProbe(stage.supervisor, id, QStringLiteral("ok no no ok"));
    stage.play(QStringLiteral("start +35s"));
    QCOMPARE(
        lines.join(u'\n').replace(id.toString(QUuid::WithoutBraces), QLatin1String("ID")),
        QStringLiteral("Warn  [RST] Health probe probe of web (ID): bad (consecutive failures: 1)\n"
                       "Warn  [RST] Health probe probe of web (ID): bad (consecutive failures: 2)\n"
                       "Info  [RST] web (ID) is healthy again"));
}

void RestartLogTest::logsDowngrade()
{
    Stage stage;
    FixedLicenseProvider license(LicenseTier::WriterPro);
    stage.supervisor.featureGate().setProvider(&license);
    const QUuid id = stage.add(QStringLiteral("web"), {QStringLiteral("started ready")});
    stage.play(QStringLiteral("start"));
    license.setTier(LicenseTier::Core);
    license.setTier(LicenseTier::Teams);
    QCOMPARE(
        lines.join(u'\n').replace(id.toString(QUuid::WithoutBraces), QLatin1String("ID")),
        QStringLiteral(
            "Warn  [RST] Policy of web (ID) falls back from exponential to linear "
            "(tier: WriterPro)\n"
            "Warn  [RST] Policy of web (ID) falls back from exponential to none (tier: Core)"));
}

// Also for a host that shows events itself (S1 6.1).
void RestartLogTest::logsForHostWithEvents()
{
    QLoggingCategory::setFilterRules({});
    Stage stage;
    stage.addFailing(QStringLiteral("web"), QStringLiteral("'maxRetries':1"));
    connect(&stage.supervisor, &AgentSupervisor::agentFailed, this, [] {});
    connect(&stage.supervisor, &AgentSupervisor::lifecycleEvent, this, [] {});
    stage.play(QStringLiteral("start +1s"));
    QCOMPARE(stage.state(), InstanceState::Exhausted);
    QCOMPARE(lines.size(), 3);
    QVERIFY(lines[0].startsWith(QLatin1String("Info  [RST] Restart scheduled for web")));
    QVERIFY(lines[1].startsWith(QLatin1String("Warn  [RST] Restart failed for web")));
    QVERIFY(lines[2].startsWith(QLatin1String("Error [RST] Restart attempts exhausted")));

    lines.clear();
    QLoggingCategory::setFilterRules(QStringLiteral("rekindle.restart=false"));
    stage.play(QStringLiteral("start +1s"));
    QCOMPARE(lines, QStringList());
}

void RestartLogTest::misuseIsLogged()
{
    QLoggingCategory::setFilterRules({});
    Stage stage;
    connect(&stage.supervisor, &AgentSupervisor::lifecycleEvent, this, [] {});
    stage.supervisor.start(QUuid::createUuid());
    stage.add(QStringLiteral("a"), {QStringLiteral("started ready"), {}, {}});
    stage.play(QStringLiteral("start stop +1m"));
    QCOMPARE(lines.size(), 2);
    QVERIFY(lines[0].startsWith(QLatin1String("Warn  [RST] start(): no agent has the id")));
    QVERIFY(lines[1].startsWith(QLatin1String("Warn  [RST] Agent a was killed and still runs")));
}

// Names may contain the place markers of QString::arg().
void RestartLogTest::logsWithoutSupervisor()
{
    QLoggingCategory::setFilterRules({});
    VirtualClock clock;
    VirtualScheduler scheduler(clock);
    RestartPolicyEvaluator evaluator(scheduler);
    const RestartLog log(evaluator);
    RestartSucceeded event;
    event.agent = QStringLiteral("%2%3");
    event.attemptNumber = 7;
    Q_EMIT evaluator.restartSucceeded(event);
    QCOMPARE(lines,
             QStringList(QStringLiteral("Info  [RST] Restart succeeded for %2%3 (")
                         + QUuid().toString(QUuid::WithoutBraces)
                         + QStringLiteral(") on attempt 7")));
}

REKINDLE_TEST(RestartLogTest)
#include "restartlogtest.moc"
