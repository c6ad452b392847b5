// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commandrun.h"
#include "testprogram.h"
#include "testrow.h"

#include <csignal>
#include <memory>

using namespace Rekindle;

/// --tag and --group of the commands for agents of a running host, with a real `up`.
class TagCommandTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void statusShowsAgentsWithAnyTag();
    void groupSelectsItsAgents();
    void operatesOnlyAgentsWithTheTag();
    void breakerCommandsAcceptTags();
    void allSelectsAllAgents();
    void agentThatNeedsNothingIsNoFailure();
    void suggestsAllForTheNameAll();
    void logsPrefixesSeveralAgents();
    void eventsPrintsThoseOfAgentsWithTheTag();
    void explainsAgentsWithTheTag();
    void reportsUnknownTag_data();
    void reportsUnknownTag();
    void needsAgentsOrTags_data();
    void needsAgentsOrTags();

private:
    [[nodiscard]] QStringList with(QStringList arguments) const
    {
        return arguments << QStringLiteral("--config") << m_configuration;
    }
    [[nodiscard]] QStringList namesFor(const QStringList &options) const
    {
        CompletedRun status(with(words("status", "--json") + options));
        QStringList names;
        const QJsonDocument document = QJsonDocument::fromJson(status.output());
        for (const auto &each : document[QLatin1String("agents")].toArray())
            names.append(each[QLatin1String("agent")].toString());
        return names;
    }

    QTemporaryDir m_folder;
    QString m_configuration;
    std::unique_ptr<CommandRun> m_up;
};

void TagCommandTest::init()
{
    // Each is ready only when its line was read.
    const auto agent = [](const char *name, const char *tags) -> QByteArray {
        return QByteArray(R"({"name": ")") + name + R"(", "kind": "process", "program": "sh",
            "arguments": ["-c", "echo begins; exec sleep 1000"],
            "ready": {"kind": "line", "pattern": "begins"}, "tags": )"
            + tags + "}";
    };
    m_configuration = writeFile(m_folder.path(), QStringLiteral("tags.json"),
                                R"({"agents": [)" + agent("web", R"(["front", "public"])") + ", "
                                    + agent("api", R"(["back", "public"])") + ", "
                                    + agent("worker", R"(["back"])") + ", " + agent("other", "[]")
                                    + R"(], "groups": [
                            {"name": "inner", "strategy": "oneForOne", "members": ["worker"]},
                            {"name": "outer", "strategy": "oneForOne",
                             "members": ["web", {"group": "inner"}]}]})");
    m_up = std::make_unique<CommandRun>(
        words("up", m_configuration, "--store", "off", "--state", "off", "--log", "json"));
    QVERIFY(m_up->begin());
    QVERIFY(m_up->waitForOutput("agent.ready")); // then the host listens
    CompletedRun ready(
        with(words("wait", "web", "api", "worker", "other", "--for", "ready", "--timeout", "60s")));
}

void TagCommandTest::cleanup()
{
    QCOMPARE(m_up->endBy(SIGTERM), 0);
    m_up.reset();
}

void TagCommandTest::statusShowsAgentsWithAnyTag()
{
    QCOMPARE(namesFor({}), words("web", "api", "worker", "other"));
    QCOMPARE(namesFor(words("--tag", "public")), words("web", "api"));
    QCOMPARE(namesFor(words("--tag", "front", "--tag", "back")), words("web", "api", "worker"));
    // One of several tags is sufficient.
    QCOMPARE(namesFor(words("--tag", "front", "--tag", "none")), words("web"));
}

void TagCommandTest::groupSelectsItsAgents()
{
    QCOMPARE(namesFor(words("--group", "inner")), words("worker"));
    QCOMPARE(namesFor(words("--group", "outer")), words("web", "worker"));
    QCOMPARE(namesFor(words("--group", "inner", "--group", "outer")), words("worker", "web"));
    CompletedRun stop(with(words("stop", "--group", "outer")));
    QCOMPARE(stop.output(), QByteArray("web: stop requested\nworker: stop requested\n"));
    CompletedRun unknown(with(words("stop", "--group", "iner")), 64);
    QCOMPARE(unknown.error(),
             QByteArray("rekindle: no group named iner; did you mean \"inner\"?\n"));
    CompletedRun other(with(words("stop", "--group", "backend")), 64);
    QCOMPARE(other.error(),
             QByteArray("rekindle: no group named backend; known groups: inner, outer\n"));
}

void TagCommandTest::operatesOnlyAgentsWithTheTag()
{
    CompletedRun stop(with(words("stop", "--tag", "back")));
    QCOMPARE(stop.output(), QByteArray("api: stop requested\nworker: stop requested\n"));
    CompletedRun stopped(
        with(words("wait", "--tag", "back", "--for", "stopped", "--timeout", "60s")));
    CompletedRun others(with(words("wait", "web", "other", "--for", "ready", "--timeout", "60s")));
    CompletedRun start(with(words("start", "--tag", "back", "--json")));
    const QJsonArray started = QJsonDocument::fromJson(start.output()).array();
    QCOMPARE(started.size(), 2);
    QCOMPARE(started[0][QLatin1String("agent")], QStringLiteral("api"));
    QCOMPARE(started[1][QLatin1String("agent")], QStringLiteral("worker"));
}

void TagCommandTest::breakerCommandsAcceptTags()
{
    CompletedRun isolate(with(words("isolate", "--tag", "public")));
    QCOMPARE(isolate.output(),
             QByteArray("web: circuit breaker isolated\napi: circuit breaker isolated\n"));
}

void TagCommandTest::allSelectsAllAgents()
{
    CompletedRun ready(with(words("wait", "--all", "--for", "ready", "--timeout", "60s")));
    CompletedRun logs(with(words("logs")));
    QCOMPARE(logs.output().count("| begins\n"), 4);
    CompletedRun stop(with(words("stop", "--all")));
    QCOMPARE(stop.output(),
             QByteArray("web: stop requested\napi: stop requested\nworker: stop "
                        "requested\nother: stop requested\n"));
}

void TagCommandTest::agentThatNeedsNothingIsNoFailure()
{
    CompletedRun ready(with(words("wait", "--all", "--for", "ready", "--timeout", "60s")));
    for (const QStringList &choice : {words("--all"), words("--tag", "front")}) {
        CompletedRun retry(with(words("retry") + choice));
        VERIFY_CONTAINS(retry.output(), "web: nothing to retry: its state is Running\n");
    }
}

void TagCommandTest::suggestsAllForTheNameAll()
{
    CompletedRun run(with(words("stop", "all")), 64);
    VERIFY_CONTAINS(run.error(), "rekindle: to select all agents, use --all\n");
}

void TagCommandTest::logsPrefixesSeveralAgents()
{
    CompletedRun one(with(words("logs", "--tag", "front")));
    QCOMPARE(one.output(), QByteArray("begins\n"));
    CompletedRun two(with(words("logs", "--tag", "back")));
    QVERIFY(two.output().contains("api| begins\n") && two.output().contains("worker| begins\n"));
}

void TagCommandTest::eventsPrintsThoseOfAgentsWithTheTag()
{
    const auto agentsOf = [this](const QStringList &options) {
        CompletedRun events(with(words("events", "--json", "--type", "agent.ready") + options));
        QStringList agents;
        for (const QJsonObject &each : jsonLines(events.output()))
            agents.append(each[QLatin1String("data")][QLatin1String("agent")].toString());
        agents.sort();
        return agents;
    };
    QCOMPARE(agentsOf({}), words("api", "other", "web", "worker"));
    QCOMPARE(agentsOf(words("--tag", "back")), words("api", "worker"));
    QCOMPARE(agentsOf(words("--agent", "web", "--agent", "other")), words("other", "web"));
}

void TagCommandTest::explainsAgentsWithTheTag()
{
    CompletedRun explain(with(words("explain", "--tag", "back")));
    QCOMPARE(
        explain.output(),
        QByteArray("api: no decision since the host started\n\nnow: Running; no start or "
                   "stop is planned\n\nworker: no decision since the host started\n\nnow: Running; "
                   "no start or stop is planned\n"));
    CompletedRun store(words("explain", "--tag", "back", "--store", "s.sqlite"), 64);
    VERIFY_CONTAINS(store.error(), "--store");
}

void TagCommandTest::reportsUnknownTag_data()
{
    const Rows<QStringList> row("command");

    row("status", words("status"));
    row("stop", words("stop"));
    row("reset", words("reset"));
    row("logs", words("logs"));
    row("events", words("events", "--follow"));
    row("explain", words("explain"));
    row("wait", words("wait", "--for", "ready"));
}

void TagCommandTest::reportsUnknownTag()
{
    QFETCH(const QStringList, command);
    CompletedRun run(with(command + words("--tag", "bak", "--tag", "none")), 64);
    VERIFY_CONTAINS(run.error(), "rekindle: no agent has the tag bak or none\n");
    QCOMPARE(run.output(), QByteArray());
}

void TagCommandTest::needsAgentsOrTags_data()
{
    const Rows<QStringList, QByteArray> row("arguments", "error");

    row("neither", words("stop"), "AGENT, --tag, --group or --all is required");
    row("both", words("stop", "web", "--tag", "back"), "AGENT excludes --tag");
    row("name and all", words("stop", "web", "--all"), "AGENT excludes --all");
    row("name and group", words("stop", "web", "--group", "outer"), "AGENT excludes --group");
    row("tag and group", words("stop", "--tag", "back", "--group", "outer"),
        "--tag excludes --group");
    row("group and all", words("stop", "--group", "outer", "--all"), "--group excludes --all");
    row("both of status", words("status", "web", "--tag", "back"), "AGENT excludes --tag");
    row("both of events", words("events", "--agent", "web", "--tag", "back"),
        "--agent excludes --tag");
    row("two to explain", words("explain", "web", "api"), "AGENT: given more than once");
    row("empty", words("stop", "--tag", ""), "--tag: expected TAG, found an empty value");
}

void TagCommandTest::needsAgentsOrTags()
{
    QFETCH(const QStringList, arguments);
    QFETCH(const QByteArray, error);
    CompletedRun run(with(arguments), 64);
    VERIFY_CONTAINS(run.error(), error);
}

REKINDLE_TEST(TagCommandTest)
#include "tagcommandtest.moc"
