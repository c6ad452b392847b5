// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"
#include "testrow.h"

#include <rekindle/config/configuration.h>

using namespace Rekindle;

namespace {

QByteArray member(const QByteArray &name, const QByteArray &more = {})
{
    return R"({"name": ")" + name + R"(", "kind": "process", "program": "/bin/sh")" + more + '}';
}

// These groups in line 2, and the agents a, b and c.
QByteArray allOf(const QByteArray &json, const QByteArray &ofA = {}, const QByteArray &ofB = {})
{
    return "{\"groups\":\n" + json + ",\n\"agents\": [" + member("a", ofA) + ",\n"
        + member("b", ofB) + ",\n" + member("c") + "]}";
}

QByteArray oneGroup(const QByteArray &members, const QByteArray &more = {})
{
    return R"([{"name": "g", "members": )" + members + more + "}]";
}

QString faultsIn(const QByteArray &json, const QString &folder = QDir::currentPath())
{
    return parseConfiguration(json, folder).messages().join(u'\n');
}

} // namespace

// `groups` in configurations.
class GroupReaderTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void reads();
    void readsServersAndIncludedFiles();
    void dependenciesOnGroups();
    void faults_data();
    void faults();
    void limitsTheNumberOfGroups();
};

void GroupReaderTest::reads()
{
    using std::chrono::seconds;
    const Parsed<Configuration> parsed = parseConfiguration(allOf(R"([
        {"name": "backend", "strategy": "restForOne",
         "members": ["a", {"agent": "b", "significant": true}, {"group": "workers"}],
         "intensity": {"restarts": 5, "period": "10s"}, "onGiveUp": "stop",
         "autoShutdown": "anySignificant", "rearmAfter": "5m"},
        {"name": "workers", "members": ["c"], "rearmAfter": "off"}])"),
                                                            QDir::currentPath());
    QVERIFY2(parsed, qPrintable(parsed.messages().join(u'\n')));
    QCOMPARE(parsed.value->groups.size(), 2);
    const GroupDefinition expected{
        .name = QStringLiteral("backend"),
        .members = {{.name = QStringLiteral("a")},
                    {.name = QStringLiteral("b"), .significant = true},
                    {.name = QStringLiteral("workers"), .isGroup = true}},
        .strategy = GroupStrategy::RestForOne,
        .maxRestarts = 5,
        .period = seconds(10),
        .onGiveUp = OnGiveUp::Stop,
        .autoShutdown = AutoShutdown::AnySignificant,
        .rearmAfter = seconds(300),
    };
    QVERIFY(parsed.value->groups.at(0) == expected);
    const GroupDefinition defaults{.name = QStringLiteral("workers"),
                                   .members = {{.name = QStringLiteral("c")}}};
    QVERIFY(parsed.value->groups.at(1) == defaults);
}

void GroupReaderTest::readsServersAndIncludedFiles()
{
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("more.json")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"groups": [{"name": "inner", "members": ["b", "server"]}], "agents": [)"
               + member("b") + "]}");
    file.close();
    const QByteArray main =
        R"({"include": ["more.json"], "mcpServers": {"server": {"command": "sh"}},
        "groups": [{"name": "outer", "members": ["a", {"group": "inner"}%]}], "agents": [)"
        + member("a") + "]}";
    const Parsed<Configuration> parsed =
        parseConfiguration(QByteArray(main).replace('%', ""), folder.path());
    QVERIFY2(parsed, qPrintable(parsed.messages().join(u'\n')));
    QCOMPARE(agentsOfGroup(parsed.value->groups, QStringLiteral("outer")),
             QStringList({QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("server")}));
    QCOMPARE(faultsIn(QByteArray(main).replace('%', R"(, "b")"), folder.path()),
             QStringLiteral("/more.json:1:43: /groups/0/members/0: the agent \"b\" already belongs "
                            "to the group \"outer\""));
}

void GroupReaderTest::dependenciesOnGroups()
{
    using std::chrono::seconds;
    const QByteArray json = allOf(
        R"([{"name": "g", "members": ["b", {"group": "h"}]}, {"name": "h", "members": ["c"]}])",
        R"(, "dependsOn": [{"group": "g", "until": "stable", "downGrace": "1s"},
                           {"agent": "c", "onDown": "stop"}])");
    const Parsed<Configuration> parsed = parseConfiguration(json, QDir::currentPath());
    QVERIFY2(parsed, qPrintable(parsed.messages().join(u'\n')));
    QCOMPARE(parsed.value->agents.at(0).dependsOn,
             QList<Dependency>({{.agent = QStringLiteral("c"), .onDown = OnDown::Stop},
                                {.agent = QStringLiteral("b"),
                                 .until = DependencyLevel::Stable,
                                 .downGrace = seconds(1)}}));
}

void GroupReaderTest::faults_data()
{
    const Rows<QByteArray, QString> row("json", "expected");
    const auto fault = [&row](const char *name, const QByteArray &json, const char *expected) {
        row(name, json, QString::fromLatin1(expected));
    };
    fault("no list", allOf("{}"), "2:1: /groups: expected an array, found an object");
    fault("no object", allOf("[1]"), "2:2: /groups/0: expected an object, found 1");
    fault("no name", allOf(R"([{"members": ["a"]}])"), "2:2: /groups/0/name: missing");
    fault("invalid name", allOf(R"([{"name": "g h", "members": ["a"]}])"),
          "2:11: /groups/0/name: expected 1 to 64 of A-Z a-z 0-9 . _ -, found \"g h\"");
    fault("no members", allOf(R"([{"name": "g"}])"), "2:2: /groups/0/members: missing");
    fault("empty", allOf(oneGroup("[]")), "2:27: /groups/0/members: expected at least one member");
    fault("unknown key", allOf(oneGroup(R"(["a"])", R"(, "stratgy": "oneForAll")")),
          "2:34: /groups/0/stratgy: unknown key; did you mean \"strategy\"?");
    fault("unknown strategy", allOf(oneGroup(R"(["a"])", R"(, "strategy": "all")")),
          "2:46: /groups/0/strategy: expected one of oneForOne, oneForAll, restForOne, found "
          "\"all\"");
    fault("a number as a member", allOf(oneGroup("[1]")),
          "2:28: /groups/0/members/0: expected a name, {\"agent\": NAME} or {\"group\": NAME}, "
          "found 1");
    fault("a member without a name", allOf(oneGroup(R"([{"significant": true}])")),
          "2:28: /groups/0/members/0/agent: missing; expected \"agent\" or \"group\"");
    fault("a member with two names", allOf(oneGroup(R"([{"agent": "a", "group": "g"}])")),
          "2:43: /groups/0/members/0/group: expected \"agent\" or \"group\", found both");
    fault("no such agent", allOf(oneGroup(R"(["other"])")),
          "2:28: /groups/0/members/0: no agent has the name \"other\"; skipped MCP servers do not "
          "count");
    fault("no such group", allOf(oneGroup(R"([{"group": "h"}])")),
          "2:28: /groups/0/members/0: no group has the name \"h\"");
    fault("repeated member", allOf(oneGroup(R"(["a", "b", "a"])")),
          "2:38: /groups/0/members/2: repeated member \"a\"");
    fault("two owners",
          allOf(R"([{"name": "g", "members": ["a"]}, {"name": "h", "members": ["a"]}])"),
          "2:61: /groups/1/members/0: the agent \"a\" already belongs to the group \"g\"");
    fault("two groups with one name",
          allOf(R"([{"name": "g", "members": ["a"]}, {"name": "g", "members": ["b"]}])"),
          "2:44: /groups/1/name: there are two groups named \"g\"");
    fault("a cycle of groups", allOf(R"([{"name": "g", "members": [{"group": "h"}]},
                     {"name": "h", "members": [{"group": "g"}]}])"),
          "2:27: /groups/0/members: the group contains itself: g -> h -> g");
    fault("significant, but always restarted",
          allOf(oneGroup(R"([{"agent": "a", "significant": true}])"),
                R"(, "policy": {"restartOn": "always"})"),
          "2:58: /groups/0/members/0/significant: has no effect: the policy of a restarts it after "
          "each exit (restartOn \"always\"); expected restartOn \"failure\"");
    fault("autoShutdown without a significant member",
          allOf(oneGroup(R"(["a"])", R"(, "autoShutdown": "anySignificant")")),
          "2:50: /groups/0/autoShutdown: has no effect without a significant member");
    fault("many restarts", allOf(oneGroup(R"(["a"])", R"(, "intensity": {"restarts": 10001})")),
          "2:60: /groups/0/intensity/restarts: expected a whole number from 0 to 10000, found "
          "10001");
    fault("a long period", allOf(oneGroup(R"(["a"])", R"(, "intensity": {"period": "2d"})")),
          "2:58: /groups/0/intensity/period: expected 1ms to 1d, found \"2d\"");
    fault("a short pause", allOf(oneGroup(R"(["a"])", R"(, "rearmAfter": "1ms")")),
          "2:48: /groups/0/rearmAfter: expected 100ms to 1d, found \"1ms\"");
    fault("a dependency on a later member",
          allOf(oneGroup(R"(["a", "b", "c"])"), R"(, "dependsOn": ["c"])"),
          "3:81: /agents/0/dependsOn/0: the dependencies and the order of members form a cycle: "
          "a -> c -> b -> a");
    fault("the same through another agent",
          allOf(oneGroup(R"(["b", "c"])"), R"(, "dependsOn": ["c"])", R"(, "dependsOn": ["a"])"),
          "3:81: /agents/0/dependsOn/0: the dependencies and the order of members form a cycle: "
          "a -> c -> b -> a");
    fault("a dependency on the own group",
          allOf(oneGroup(R"(["b", "a"])"), R"(, "dependsOn": [{"group": "g"}])"),
          "3:91: /agents/0/dependsOn/0/group: an agent cannot depend on a group that contains it");
    fault("a dependency on no group",
          allOf(oneGroup(R"(["b"])"), R"(, "dependsOn": [{"group": "b"}])"),
          "3:91: /agents/0/dependsOn/0/group: no group has the name \"b\"");
}

void GroupReaderTest::faults()
{
    QFETCH(QByteArray, json);
    QFETCH(QString, expected);
    const QString found = faultsIn(json);
    const bool isExpected = found == expected
        || (expected.endsWith(QLatin1String("missing")) && found.startsWith(expected)
            && !found.contains(u'\n'));
    QVERIFY2(isExpected, qPrintable(found + u'\n'));
}

void GroupReaderTest::limitsTheNumberOfGroups()
{
    QByteArray many = "[";
    for (int i = 0; i <= 1000; ++i)
        many += R"({"name": "g)" + QByteArray::number(i) + R"(", "members": ["a"]},)";
    many.chop(1);
    const QString found = faultsIn(allOf(many + ']'));
    QVERIFY2(
        found.contains(QLatin1String("/groups/1000: expected at most 1000 groups, found more")),
        qPrintable(found.left(1000)));
}

REKINDLE_TEST(GroupReaderTest)
#include "groupreadertest.moc"
