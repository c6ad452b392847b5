// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commandrun.h"
#include "testprogram.h"

#include <algorithm>
#include <csignal>

using namespace Rekindle;

/// Custom evaluators: the included plug-ins and a folder of invalid ones.
class PluginsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void listsPlugins();
    void listsPluginsAsJson();
    void listsPluginsOfTier();
    void checkReportsFaults();
    void checkShowsDowngrades();
    void checkPrintsDowngradesAsJson();
    void upUsesEvaluator();
    void upWithoutRequiredTier();
    void explainShowsAnswer();
    void explainShowsShadowAnswer();
    void runFallsBackToBuiltInDecision();
    void planShowsEvaluator();
    void crashingPluginIsNamed();

private:
    [[nodiscard]] QString policy(const QByteArray &evaluator) const
    {
        return writeFile(m_folder.path(), QStringLiteral("up.json"),
                         R"({"policies": {"p": {"type": "custom", "initialDelay": "50ms",
 "evaluator": )" + evaluator + R"(}},
 "agents": [{"name": "a", "kind": "process", "program": "/bin/sh", "policy": "p",
  "arguments": ["-c", "echo dead $$ >&2; exit 3"]}]})");
    }

    QTemporaryDir m_folder;
};

namespace {

// A window around the current time, which may include midnight.
QByteArray quietHours(const char *mode)
{
    const QDateTime now = QDateTime::currentDateTime();
    const auto clock = [&now](qint64 hours) {
        return now.addSecs(hours * 3600).toString(QStringLiteral("hh:mm"));
    };
    const QJsonObject evaluator{
        {QStringLiteral("id"), QStringLiteral("quiet-hours")},
        {QStringLiteral("mode"), QLatin1String(mode)},
        {QStringLiteral("parameters"),
         QJsonObject{{QStringLiteral("from"), clock(-3)}, {QStringLiteral("to"), clock(3)}}}};
    return QJsonDocument(evaluator).toJson(QJsonDocument::Compact);
}

} // namespace

void PluginsTest::listsPlugins()
{
    CompletedRun run(words("plugins", "--plugins", REKINDLE_TEST_PLUGINS));
    const QByteArray text = run.output();
    for (const char *const part :
         {"allowed  leaky-bucket 1.0.0\n", "allowed  chaos 1.2.3\n", "refused  newer-api \n",
          "    reason: requires API 2 to 3, this host provides 1\n", "    reason: no metadata\n"})
        VERIFY_CONTAINS(text, part);
}

void PluginsTest::listsPluginsAsJson()
{
    CompletedRun run(words("plugins", "--json"));
    const QJsonArray plugins =
        QJsonDocument::fromJson(run.output()).object()[QLatin1String("plugins")].toArray();
    QCOMPARE(plugins.size(), 3);
    QCOMPARE(plugins[0].toObject()[QLatin1String("state")].toString(), QStringLiteral("allowed"));
}

void PluginsTest::listsPluginsOfTier()
{
    CompletedRun run(words("plugins", "--tier", "Core"));
    QVERIFY2(run.output().startsWith(
                 "gated  crash-fingerprint 1.0.0\n"
                 "    reason: requires tier Enterprise, which the license does not include\n"),
             run.output().constData());
    CompletedRun teams(words("plugins", "--tier", "Teams", "--json"));
    QCOMPARE(teams.output().count("\"state\": \"gated\""), 3);
    CompletedRun badKey(words("plugins", "--license", "none.license", "--license-key", "none.pub"),
                        78);
    QVERIFY(badKey.output().isEmpty());
}

void PluginsTest::checkReportsFaults()
{
    CompletedRun range(words("check", policy(R"({"id": "crash-fingerprint",
  "parameters": {"repeats": 1}})")),
                       78);
    QVERIFY2(range.error().endsWith("up.json:3:29: /policies/p/evaluator/parameters/repeats: "
                                    "expected 2 to 1000, found 1\n"),
             range.error().constData());
    CompletedRun unknown(words("check", policy(R"({"id": "nix"})")), 78);
    VERIFY_CONTAINS(unknown.error(),
                    "/policies/p/evaluator/id: unknown evaluator \"nix\"; "
                    "expected one of crash-fingerprint, leaky-bucket, quiet-hours");
}

namespace {

constexpr char tiers[] = R"({"policies": {
 "mine": {"type": "custom", "evaluator": {"id": "leaky-bucket", "base": "linear"}}},
 "agents": [
 {"name": "web", "kind": "process", "program": "sh", "policy": "default"},
 {"name": "db", "kind": "process", "program": "sh", "policy": "mine"},
 {"name": "job", "kind": "process", "program": "sh", "policy": {"type": "none"}}]})";

} // namespace

void PluginsTest::checkShowsDowngrades()
{
    const QString path = writeFile(m_folder.path(), QStringLiteral("tiers.json"), tiers);
    CompletedRun all(words("check", path));
    QCOMPARE(
        all.output(),
        QByteArray(
            path.toLocal8Bit()
            + ": valid, 3 agents, 1 policy, license tier Enterprise\n"
              "  web: exponential (policy default); circuit breaker opens on failure 5 for 5m\n"
              "  db: custom (policy mine, evaluator leaky-bucket, base linear); circuit breaker "
              "opens on failure 5 for 5m\n"
              "  job: none\n"));
    CompletedRun some(words("check", path, "--tier", "WriterPro"));
    QCOMPARE(some.output(),
             QByteArray(path.toLocal8Bit()
                        + ": valid, 3 agents, 1 policy, license tier WriterPro\n"
                          "  web: exponential (policy default); circuit breaker opens on failure 5 "
                          "for 5m; license tier WriterPro does not "
                          "permit exponential restarts; using linear\n"
                          "  db: custom (policy mine, evaluator leaky-bucket, base linear); "
                          "circuit breaker opens on failure 5 for 5m; license "
                          "tier WriterPro does not permit custom restarts; using linear\n"
                          "  job: none\n"));
    CompletedRun none(words("check", path, "--tier", "Core"));
    QVERIFY(none.output().contains("permit exponential restarts; restarts are disabled\n"));
}

void PluginsTest::checkPrintsDowngradesAsJson()
{
    const QString path = writeFile(m_folder.path(), QStringLiteral("tiers.json"), tiers);
    CompletedRun run(words("check", path, "--tier", "WriterPro", "--json"));
    const QJsonObject object = QJsonDocument::fromJson(run.output()).object();
    QCOMPARE(object[QLatin1String("tier")].toString(), QStringLiteral("WriterPro"));
    const QJsonArray agents = object[QLatin1String("agents")].toArray();
    QCOMPARE(agents.size(), 3);
    QCOMPARE(agents[1].toObject(),
             (QJsonObject{{QStringLiteral("name"), QStringLiteral("db")},
                          {QStringLiteral("policy"), QStringLiteral("mine")},
                          {QStringLiteral("effects"), QJsonArray()},
                          {QStringLiteral("requestedType"), QStringLiteral("custom")},
                          {QStringLiteral("effectiveType"), QStringLiteral("linear")},
                          {QStringLiteral("evaluator"), QStringLiteral("leaky-bucket")},
                          {QStringLiteral("circuitBreaker"),
                           QJsonObject{{QStringLiteral("threshold"), 5},
                                       {QStringLiteral("timeout"), QStringLiteral("5m")},
                                       {QStringLiteral("growth"), 1.0},
                                       {QStringLiteral("maxTimeout"), QStringLiteral("1h")}}}}));
    QVERIFY(agents[2].toObject()[QLatin1String("policy")].isNull());
}

void PluginsTest::upUsesEvaluator()
{
    StartedRun run(
        words("up", policy(R"({"id": "crash-fingerprint", "parameters": {"repeats": 2}})")));
    QVERIFY(run.waitForOutput("rekindle.circuit.changed.v1"));
    QCOMPARE(run.endBy(SIGINT), 0);
    QCOMPARE(eventTypes(run.output()).filter(QStringLiteral("agent.failed")).size(), 2);
}

void PluginsTest::upWithoutRequiredTier()
{
    CompletedRun run(words("up", policy(R"({"id": "crash-fingerprint"})"), "--tier", "Core"),
                     1); // nothing restarts it
    VERIFY_CONTAINS(run.error(),
                    "a: evaluator \"crash-fingerprint\" requires tier Enterprise, which "
                    "the license does not include; it is not used\n");
    CompletedRun enough(words("up", policy(R"({"id": "crash-fingerprint"})"), "--for", "200ms"));
    QVERIFY2(!enough.error().contains("tier"), enough.error().constData());
}

void PluginsTest::explainShowsAnswer()
{
    const QString store = m_folder.filePath(QStringLiteral("explain.sqlite"));
    StartedRun run(words("up", policy(quietHours("active")), "--state", "off", "--store", store));
    const auto isPutOff = [&run] {
        const auto scheduled = eventData(run.wholeLines(), "restart.scheduled");
        return std::any_of(scheduled.begin(), scheduled.end(), [](const QJsonObject &each) {
            return each[QLatin1String("delayMs")].toDouble() > 3'600'000;
        });
    };
    QVERIFY2(waitUntil(isPutOff), run.output().constData());
    run.terminate();
    QVERIFY(run.waitForFinished(60000));
    CompletedRun explain(words("explain", "a", "--store", store, "--limit", "100"));
    const QByteArray text = explain.output();
    const QRegularExpression verdict(QStringLiteral(
        "\n  rule     Restart: Restart attempt \\d+\n"
        "  answer   evaluator quiet-hours delays: [^\n]+\n"
        "  delay    [0-9.ms]+ before jitter, [0-9.ms]+ after jitter \\(symmetric, draw [0-9.]+\\); "
        "[0-9hm. s]+ by the evaluator\n"));
    QVERIFY2(QString::fromUtf8(text).contains(verdict), text.constData());
    const qsizetype failures =
        eventTypes(run.output()).filter(QStringLiteral("agent.failed")).size();
    QCOMPARE(text.count(": decision "), failures); // one for each failure

    CompletedRun json(words("explain", "a", "--store", store, "--limit", "100", "--json"));
    const QList<QJsonObject> lines = jsonLines(json.output());
    QCOMPARE(lines.size(), failures);
    const QJsonValue opinion = lines.last()[QLatin1String("decision")][QLatin1String("evaluator")];
    QCOMPARE(opinion[QLatin1String("id")].toString(), QStringLiteral("quiet-hours"));
    QCOMPARE(opinion[QLatin1String("answer")].toString(), QStringLiteral("delay"));
    QVERIFY(!opinion[QLatin1String("reason")].toString().isEmpty());
    QVERIFY(opinion[QLatin1String("builtInDelayMs")].toDouble() < 60'000);
}

// The decision does not change; the answer is recorded beside it.
void PluginsTest::explainShowsShadowAnswer()
{
    const QString store = m_folder.filePath(QStringLiteral("shadow.sqlite"));
    StartedRun run(words("up", policy(quietHours("shadow")), "--state", "off", "--store", store));
    QVERIFY(run.waitForOutput("restart.scheduled"));
    const QRegularExpression shadow(
        QStringLiteral("  rule     Restart: Restart attempt \\d+\n"
                       "  shadow   evaluator quiet-hours delays: [^\n]+; it would have set "
                       "the delay to [0-9.hms ]+\n"));
    QByteArray text;
    const auto isTold = [&] {
        CommandRun explain(words("explain", "a", "--store", store, "--limit", "100"));
        explain.complete();
        text = explain.output();
        return QString::fromUtf8(text).contains(shadow);
    };
    QVERIFY2(waitUntil(isTold), text.constData());
    run.terminate();
    QVERIFY(run.waitForFinished(60000));
    QVERIFY2(!text.contains("  answer "), text.constData());

    CompletedRun json(words("explain", "a", "--store", store, "--limit", "100", "--json"));
    const QList<QJsonObject> lines = jsonLines(json.output());
    const auto decision = std::find_if(lines.begin(), lines.end(), [](const QJsonObject &line) {
        return line.contains(QLatin1String("shadow"));
    });
    QVERIFY(decision != lines.end());
    QVERIFY((*decision)[QLatin1String("decision")][QLatin1String("evaluator")].isUndefined());
    const QJsonObject wouldBe = (*decision)[QLatin1String("shadow")].toObject();
    QCOMPARE(wouldBe[QLatin1String("answer")].toString(), QStringLiteral("delay"));
    QCOMPARE(wouldBe[QLatin1String("rule")].toString(), QStringLiteral("Restart"));
    QVERIFY(wouldBe[QLatin1String("delayMs")].toDouble()
            > (*decision)[QLatin1String("decision")][QLatin1String("delayMs")].toDouble());
    CompletedRun verify(words("history", "verify", "--store", store));
}

void PluginsTest::runFallsBackToBuiltInDecision()
{
    CompletedRun run(words("run", "--plugins", REKINDLE_TEST_PLUGINS, "--max-retries", "4",
                           "--policy",
                           R"({"type": "custom", "initialDelay": "10ms", "circuitBreaker": "off",
 "evaluator": {"id": "chaos", "parameters": {"mode": "throws"}}})",
                           "--", "/bin/sh", "-c", "exit 3"),
                     3);
    QCOMPARE(run.error().count("threw an exception: chaos; the built-in decision applies"), 3);
    QCOMPARE(run.error().count("quarantine"), 1);
}

void PluginsTest::planShowsEvaluator()
{
    CompletedRun run(words("plan", R"({"type": "custom", "evaluator": {"id": "leaky-bucket"}})"));
    QVERIFY(run.output().startsWith(
        "policy: custom (base exponential, evaluator leaky-bucket), 10 consecutive restarts"));
    CompletedRun teams(words("plan", R"({"type": "custom", "evaluator": {"id": "leaky-bucket"}})",
                             "--tier", "Teams"));
    QVERIFY(teams.output().startsWith("policy: exponential, 10 consecutive restarts"));
    QVERIFY(teams.output().contains("\nlicense tier Teams does not permit custom restarts; using "
                                    "exponential; evaluator leaky-bucket is not used\n"));
}

void PluginsTest::crashingPluginIsNamed()
{
    StartedRun run(words("up", policy(R"({"id": "chaos", "parameters": {"mode": "crashes"}})"),
                         "--plugins", REKINDLE_TEST_PLUGINS, "--state", "off"));
    QVERIFY(waitUntil([&run] { return run.state() == QProcess::NotRunning; }));
    QCOMPARE(run.exitStatus(), QProcess::CrashExit);
    QCOMPARE(run.exitCode(), SIGSEGV);
    static const QRegularExpression line(
        QStringLiteral("\nrekindle: plug-in /[^\n]*chaos[^\n]* crashed: SIGSEGV\n$"));
    QVERIFY2(QString::fromUtf8(run.error()).contains(line), run.error().constData());
}

REKINDLE_TEST(PluginsTest)
#include "pluginstest.moc"
