// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/host/vendor.h"

#include "processes.h"
#include "testprogram.h"
#include "testrow.h"

#include <csignal>

using namespace Rekindle;

/// A license file that changes while agents run.
class LiveLicenseTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void startsGatedAgents_data();
    void startsGatedAgents();
    void gatesPendingAgents_data();
    void gatesPendingAgents();
    void runFollowsLicense();

private:
    // `worker` and agents with other policies; no tier affects the process of `worker`.
    [[nodiscard]] QString configurationOf(const QList<QPair<QStringList, QJsonObject>> &agents)
    {
        QJsonArray entries;
        const auto add = [&entries](const QString &name, const QStringList &commands,
                                    const QJsonObject &policy) {
            entries.append(
                QJsonObject{{QStringLiteral("name"), name},
                            {QStringLiteral("kind"), QStringLiteral("process")},
                            {QStringLiteral("program"), QStringLiteral(REKINDLE_CHAOSAGENT)},
                            {QStringLiteral("arguments"), QJsonArray::fromStringList(commands)},
                            {QStringLiteral("ready"), QStringLiteral("now")},
                            {QStringLiteral("policy"), policy}});
        };
        add(QStringLiteral("worker"), words("append", m_starts, "hang"), {});
        for (qsizetype i = 0; i < agents.size(); ++i)
            add(QString(QChar(u'a' + static_cast<int>(i))), agents[i].first, agents[i].second);
        return writeFile(m_folder->path(), QStringLiteral("agents.json"),
                         QJsonDocument(QJsonObject{{QStringLiteral("agents"), entries}}).toJson());
    }
    [[nodiscard]] QStringList up(const QList<QPair<QStringList, QJsonObject>> &agents,
                                 const QString &store = QStringLiteral("off"))
    {
        return words("up", configurationOf(agents), "--store", store, "--state", "off", "--log",
                     "json")
            + m_vendor->options(m_license);
    }
    static bool waitForEvents(CommandRun &run, const char *agent, const QStringList &types)
    {
        return waitUntil(
            [&] { return eventTypes(run.wholeLines(), QLatin1String(agent)) == types; });
    }
    // It was started once and stopped only with the host.
    void checkWorker(CommandRun &run) const
    {
        const QStringList types = eventTypes(run.output(), QStringLiteral("worker"));
        QCOMPARE(types.filter(QStringLiteral("agent.")),
                 words("agent.started", "agent.ready", "agent.stopped"));
        QCOMPARE(numbersIn(m_starts).size(), 1);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Vendor> m_vendor;
    QString m_starts;
    const QString m_license = QStringLiteral("license");
};

namespace {

const QJsonObject shortDelay{{QStringLiteral("initialDelay"), QStringLiteral("10ms")}};
const QJsonObject inAnHour{{QStringLiteral("initialDelay"), QStringLiteral("1h")},
                           {QStringLiteral("maxDelay"), QStringLiteral("1h")}};
const QJsonObject openBreaker{{QStringLiteral("circuitBreaker"),
                               QJsonObject{{QStringLiteral("threshold"), 1},
                                           {QStringLiteral("timeout"), QStringLiteral("1h")}}}};

const QByteArray teams = "rekindle: license: Teams, licensed to ACME, never expires; the tier is "
                         "Teams\n";

} // namespace

void LiveLicenseTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_vendor = std::make_unique<Vendor>(m_folder->path());
    m_starts = m_folder->filePath(QStringLiteral("starts"));
}

void LiveLicenseTest::startsGatedAgents_data()
{
    const Rows<QString> row("before");
    for (const char *before : {"Core", "missing"})
        row(before);
}

void LiveLicenseTest::startsGatedAgents()
{
    QFETCH(QString, before);
    if (before == QLatin1String("Core"))
        m_vendor->issue(m_license, before);
    const QString counter = m_folder->filePath(QStringLiteral("counter"));
    StartedRun run(up({{words("crash-first", "1", counter, "hang"), shortDelay}}));
    const QStringList gated = words("policy.downgraded", "agent.started", "agent.ready",
                                    "agent.failed", "restart.declined");
    QVERIFY2(waitForEvents(run, "a", gated), run.output().constData());

    m_vendor->issue(m_license, QStringLiteral("Teams"));
    QVERIFY2(run.waitForOutput("restart.succeeded"), run.error().constData());
    QCOMPARE(eventTypes(run.wholeLines(), QStringLiteral("a")).mid(gated.size()),
             words("restart.scheduled", "restart.started", "agent.started", "agent.ready",
                   "restart.succeeded"));
    QCOMPARE(run.endBy(SIGTERM), 0);
    VERIFY_CONTAINS(run.error(), teams);
    checkWorker(run);
}

void LiveLicenseTest::gatesPendingAgents_data()
{
    const Rows<QString, QByteArray> row("after", "says");
    row("Core", "Core", "Core, licensed to ACME, never expires");
    row("damaged", "damaged", "Malformed: ");
}

void LiveLicenseTest::gatesPendingAgents()
{
    QFETCH(QString, after);
    QFETCH(QByteArray, says);
    m_vendor->issue(m_license, QStringLiteral("Teams"));
    StartedRun run(up({{words("exit", "3"), inAnHour}, {words("exit", "3"), openBreaker}}));
    QVERIFY(run.waitForOutput("restart.scheduled"));
    QVERIFY(run.waitForOutput("circuit.changed"));

    if (after == QLatin1String("Core"))
        m_vendor->issue(m_license, after);
    else
        static_cast<void>(writeFile(m_folder->path(), m_license, "half of"));
    QVERIFY2(waitUntil([&] { return run.output().count("policy.downgraded") == 3; }),
             run.output().constData());
    QCOMPARE(run.endBy(SIGTERM), 0);
    const QByteArray error = run.error();
    QVERIFY2(error.startsWith(QByteArray("rekindle: license: " + says)), error.constData());
    VERIFY_CONTAINS(error, "; the tier is Core\n");
    QVERIFY2(error.endsWith("rekindle: not running at the stop: a (Gated), b (Gated)\n"),
             error.constData());
    QCOMPARE(eventTypes(run.output(), QStringLiteral("a")),
             words("agent.started", "agent.ready", "agent.failed", "restart.scheduled",
                   "policy.downgraded", "restart.cancelled", "restart.declined"));
    checkWorker(run);
}

void LiveLicenseTest::runFollowsLicense()
{
    m_vendor->issue(m_license, QStringLiteral("Teams"));
    StartedRun run(words("run") + m_vendor->options(m_license)
                   + words("--initial-delay", "1h", "--max-delay", "1h", "--", REKINDLE_CHAOSAGENT,
                           "exit", "3"));
    QVERIFY(run.waitForError("restart 1 of 10 in "));
    m_vendor->issue(m_license, QStringLiteral("Core"));
    QCOMPARE(run.end(), 3);
    QVERIFY2(run.error().endsWith(
                 "rekindle: license: Core, licensed to ACME, never expires; the tier is Core\n"
                 "rekindle: chaosagent: license tier Core does not permit exponential restarts; "
                 "restarts are disabled\n"
                 "rekindle: chaosagent: restart 1 canceled\n"),
             run.error().constData());
}

REKINDLE_TEST(LiveLicenseTest)
#include "livelicensetest.moc"
