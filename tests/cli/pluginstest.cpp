// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "commandrun.h"

#include <QJsonDocument>
#include <QTemporaryDir>
#include <QtTest>

#include <csignal>

using namespace Rekindle;

/// Custom evaluators as the command uses them: the ones that ship, and a folder of bad ones.
class PluginsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void list();
    void listAsJson();
    void checkFindsFaults();
    void upDecidesByThem();
    void runFallsBack();
    void planNamesThem();

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

void PluginsTest::list()
{
    CommandRun run(words("plugins", "--folder", REKINDLE_TEST_PLUGINS));
    QCOMPARE(run.complete(), 0);
    const QByteArray text = run.output();
    for (const char *const part :
         {"allowed  leaky-bucket 1.0.0\n", "allowed  chaos 1.2.3\n", "refused  newer-api \n",
          "    why: it is for api 2 to 3, this is 1\n", "    why: it has no metadata\n"})
        QVERIFY2(text.contains(part), text.constData());
}

void PluginsTest::listAsJson()
{
    CommandRun run(words("plugins", "--json"));
    QCOMPARE(run.complete(), 0);
    const QJsonArray plugins =
        QJsonDocument::fromJson(run.output()).object()[QLatin1String("plugins")].toArray();
    QCOMPARE(plugins.size(), 3);
    QCOMPARE(plugins[0].toObject()[QLatin1String("state")].toString(), QStringLiteral("allowed"));
}

void PluginsTest::checkFindsFaults()
{
    CommandRun range(words("check", policy(R"({"id": "crash-fingerprint",
  "parameters": {"repeats": 1}})")));
    QCOMPARE(range.complete(), 78);
    QVERIFY2(range.error().endsWith("up.json:3:29: /policies/p/evaluator/parameters/repeats: "
                                    "found 1, allowed 2 to 1000\n"),
             range.error().constData());
    CommandRun unknown(words("check", policy(R"({"id": "nix"})")));
    QCOMPARE(unknown.complete(), 78);
    QVERIFY2(unknown.error().contains("/policies/p/evaluator/id: unknown evaluator \"nix\", "
                                      "allowed: crash-fingerprint, leaky-bucket, quiet-hours"),
             unknown.error().constData());
}

void PluginsTest::upDecidesByThem()
{
    CommandRun run(
        words("up", policy(R"({"id": "crash-fingerprint", "parameters": {"repeats": 2}})")));
    QVERIFY(run.begin());
    QVERIFY(run.waitForOutput("rekindle.circuit.changed.v1"));
    run.signal(SIGINT);
    QCOMPARE(run.end(), 0);
    QCOMPARE(eventTypes(run.output()).filter(QStringLiteral("agent.failed")).size(), 2);
}

void PluginsTest::runFallsBack()
{
    CommandRun run(words("run", "--plugins", REKINDLE_TEST_PLUGINS, "--max-retries", "4",
                         "--policy",
                         R"({"type": "custom", "initialDelay": "10ms", "circuitBreaker": "off",
 "evaluator": {"id": "chaos", "parameters": {"mode": "throws"}}})",
                         "--", "/bin/sh", "-c", "exit 3"));
    QCOMPARE(run.complete(), 3);
    QCOMPARE(run.error().count("it threw an exception: chaos; the built-in verdict stands"), 3);
    QCOMPARE(run.error().count("quarantine"), 1);
}

void PluginsTest::planNamesThem()
{
    CommandRun run(words("plan", R"({"type": "custom", "evaluator": {"id": "leaky-bucket"}})"));
    QCOMPARE(run.complete(), 0);
    QVERIFY(run.output().startsWith(
        "policy: custom (exponential, on which evaluator leaky-bucket decides), 10 restarts"));
}

QTEST_GUILESS_MAIN(PluginsTest)
#include "pluginstest.moc"
