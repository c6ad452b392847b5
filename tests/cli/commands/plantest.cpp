// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commandrun.h"
#include "testprogram.h"

using namespace Rekindle;

/// `rekindle plan`.
class PlanTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void matchesGoldenFile_data();
    void matchesGoldenFile();
    void drawsValidSvg();
    void printsWarnings();
    void limitsAttempts();
    void showsPolicyOfConfiguration();
    void showsGroupsAndDependencies();
    void needsPolicyWithoutConfiguration();

private:
    QTemporaryDir m_folder;
};

void PlanTest::matchesGoldenFile_data()
{
    QTest::addColumn<QString>("policy");
    QTest::addColumn<QString>("ending");
    for (const char *policy : {"default", "otp", "watchdog"}) {
        const QString name = QString::fromLatin1(policy);
        QTest::addRow("%s, text", policy) << name << QStringLiteral("txt");
        QTest::addRow("%s, json", policy) << name << QStringLiteral("json");
    }
}

void PlanTest::matchesGoldenFile()
{
    QFETCH(QString, policy);
    QFETCH(QString, ending);
    QStringList arguments{QStringLiteral("plan"), policy};
    if (ending == QLatin1String("json"))
        arguments.append(QStringLiteral("--json"));
    CompletedRun run(arguments);
    QCOMPARE(run.error(), QByteArray());
    const QByteArray expected = readFile(
        QStringLiteral(REKINDLE_SOURCE "/tests/policy/plan/golden/plan-%1.%2").arg(policy, ending));
    QVERIFY(!expected.isEmpty());
    const QByteArray found = run.output();
    if (found != expected) {
        const QList<QByteArray> lines = found.split('\n');
        const QList<QByteArray> expectedLines = expected.split('\n');
        for (qsizetype i = 0; i < qMin(lines.size(), expectedLines.size()); ++i)
            QCOMPARE(lines[i], expectedLines[i]);
    }
    QCOMPARE(found, expected);
}

void PlanTest::drawsValidSvg()
{
    const QString path = m_folder.filePath(QStringLiteral("plan.svg"));
    CompletedRun run(
        {QStringLiteral("plan"), QStringLiteral("default"), QStringLiteral("--svg"), path});
    QXmlStreamReader reader(readFile(path));
    int rectangles = 0;
    while (!reader.atEnd()) {
        if (reader.readNext() == QXmlStreamReader::StartElement
            && reader.name() == QLatin1String("rect"))
            ++rectangles;
    }
    QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
    QCOMPARE(rectangles, 1 + 2 * 4); // the ground, and two for each of four delays
}

void PlanTest::printsWarnings()
{
    const QString policy =
        writeFile(m_folder.path(), QStringLiteral("policy.json"),
                  R"({ "maxRetries": 3, "circuitBreaker": { "threshold": 6 } })");
    CompletedRun run({QStringLiteral("plan"), policy});
    const QByteArray error = run.error();
    VERIFY_CONTAINS(error, "/circuitBreaker/threshold: warning: 6 is never reached");
}

void PlanTest::limitsAttempts()
{
    CompletedRun run({QStringLiteral("plan"), QStringLiteral("stdio-backend"),
                      QStringLiteral("--attempts"), QStringLiteral("3"), QStringLiteral("--json")});
    const QJsonObject plan = QJsonDocument::fromJson(run.output()).object();
    QCOMPARE(plan[QLatin1String("attempts")].toInt(), 3);
}

void PlanTest::showsPolicyOfConfiguration()
{
    const QString path = m_folder.filePath(QStringLiteral("agents.jsonc"));
    const CompletedRun init(words("init", path));
    CompletedRun plan(words("plan", "patient", "--config", path));
    VERIFY_CONTAINS(plan.output(), "patient");
    CompletedRun unknown(words("plan", "nightly", "--config", path), 78);
    VERIFY_CONTAINS(unknown.error(),
                    "agents.jsonc: no policy named \"nightly\"; expected a policy of this "
                    "configuration (patient) or a preset (default, exponential, immediate, ");
    CompletedRun mistyped(words("plan", "patiemt", "--config", path), 78);
    VERIFY_CONTAINS(mistyped.error(), "watchdog); did you mean \"patient\"?\n");
    const QString agents = writeFile(
        m_folder.path(), QStringLiteral("named.json"),
        R"({"agents": [{"name": "web", "kind": "process", "program": "true", "policy": "otp"},
                       {"name": "db", "kind": "process", "program": "true", "policy": {}}]})");
    CompletedRun agent(words("plan", "web", "--config", agents), 78);
    VERIFY_CONTAINS(agent.error(),
                    "expected a policy of this configuration (it has none) or a preset (");
    VERIFY_CONTAINS(agent.error(), "; \"web\" is an agent with the policy \"otp\"\n");
    CompletedRun inlined(words("plan", "db", "--config", agents), 78);
    VERIFY_CONTAINS(inlined.error(), "; \"db\" is an agent whose policy has no name\n");
    CompletedRun ofPreset(words("plan", "otp", "--config", path));
    VERIFY_CONTAINS(ofPreset.output(), "otp: ");
    CompletedRun missing(words("plan", "patient", "--config", path + QLatin1String(".no")), 78);
    VERIFY_CONTAINS(missing.error(), "agents.jsonc.no");
}

void PlanTest::showsGroupsAndDependencies()
{
    const QByteArray agent = R"(", "kind": "process", "program": "true", "policy": "slow")";
    const QString path = writeFile(m_folder.path(), QStringLiteral("groups.json"),
                                   R"({"policies": {"slow": {"type": "linear"}},
            "groups": [{"name": "site", "members": ["db", {"group": "web"}],
                        "intensity": {"restarts": 1, "period": "10s"}, "strategy": "oneForAll"},
                       {"name": "web", "members": ["front", "cache"]}],
            "agents": [{"name": "db)" + agent
                                       + R"(}, {"name": "cache)" + agent + R"(}, {"name": "mail)"
                                       + agent + R"(, "dependsOn": [
                {"agent": "db", "until": "stable", "onDown": "restart"}, "cache"]},
               {"name": "front)" + agent
                                       + "}]}");
    const QByteArray text = "Group site: oneForAll, gives up after more than 1 failure within 10s\n"
                            "  start: db, front, cache\n"
                            "  stop:  cache, front, db\n"
                            "  If db fails: front, cache are restarted with it\n"
                            "  If group web gives up: db is restarted with it\n"
                            "\n"
                            "Group web: oneForOne, gives up after more than 3 failures within 1m\n"
                            "  start: front, cache\n"
                            "  stop:  cache, front\n"
                            "\n"
                            "mail starts after: db (stable), cache (ready)\n"
                            "If db is down: mail restarts\n";
    CompletedRun alone(words("plan", "--config", path));
    QCOMPARE(alone.output(), text);
    CompletedRun schedule(words("plan", "slow", "--config", path));
    QVERIFY(schedule.output().startsWith("slow: linear"));
    QVERIFY(schedule.output().endsWith(QByteArray("\n\n" + text)));
    for (const QStringList &policy : {QStringList(), words("slow")}) {
        CompletedRun json(words("plan") + policy + words("--config", path, "--json"));
        const QJsonObject plan = QJsonDocument::fromJson(json.output()).object();
        QCOMPARE(plan.contains(QLatin1String("steps")), !policy.isEmpty());
        const QJsonObject group = plan[QLatin1String("groups")][0].toObject();
        QCOMPARE(group[QLatin1String("start")],
                 QJsonArray::fromStringList(words("db", "front", "cache")));
        QCOMPARE(group[QLatin1String("stop")],
                 QJsonArray::fromStringList(words("cache", "front", "db")));
        QCOMPARE(group[QLatin1String("maxRestarts")].toInt(), 1);
        QCOMPARE(group[QLatin1String("periodMs")].toInt(), 10'000);
        QCOMPARE(group[QLatin1String("members")][0][QLatin1String("restarts")],
                 QJsonArray::fromStringList(words("front", "cache")));
        const QJsonValue mail = plan[QLatin1String("dependencies")][1];
        QCOMPARE(mail[QLatin1String("agent")], QStringLiteral("mail"));
        QCOMPARE(mail[QLatin1String("dependsOn")][0][QLatin1String("until")],
                 QStringLiteral("stable"));
    }
}

void PlanTest::needsPolicyWithoutConfiguration()
{
    CompletedRun none(words("plan"), 64);
    VERIFY_CONTAINS(none.error(), "POLICY is required");
    const QString path = m_folder.filePath(QStringLiteral("alone.jsonc"));
    const CompletedRun init(words("init", path));
    CompletedRun svg(words("plan", "--config", path, "--svg", "plan.svg"), 64);
    VERIFY_CONTAINS(svg.error(), "POLICY");
    CompletedRun plan(words("plan", "--config", path));
    QCOMPARE(plan.output(), QByteArray("no groups and no dependencies\n"));
}

REKINDLE_TEST(PlanTest)
#include "plantest.moc"
