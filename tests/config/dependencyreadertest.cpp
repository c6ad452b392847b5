// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "allprobekinds.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/config/configuration.h>

using namespace Rekindle;

namespace {

QByteArray agent(const QByteArray &name, const QByteArray &dependencies)
{
    return QByteArrayLiteral(R"({"name": ")") + name
        + R"(", "kind": "process", "program": "/bin/sh", "dependsOn": )" + dependencies + '}';
}

// The agents a and b with these dependencies, in lines 2 and 3.
QByteArray agents(const char *ofA, const char *ofB = "[]")
{
    return "{\"agents\": [\n" + agent("a", ofA) + ",\n" + agent("b", ofB) + "]}";
}

} // namespace

// `dependsOn` in configurations.
class DependencyReaderTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void reads();
    void readsServersAndIncludedFiles();
    void faults_data();
    void faults();
    void placesACycleInAnIncludedFile();
    void readsManyDependencies();
};

void DependencyReaderTest::reads()
{
    using std::chrono::seconds;
    const Parsed<Configuration> parsed =
        parseConfiguration(agents(R"(["b"])") + "\n", QDir::currentPath(), {}, allProbeKinds());
    QVERIFY(parsed);
    QCOMPARE(parsed.value->agents.at(0).dependsOn,
             QList<Dependency>{{.agent = QStringLiteral("b")}});
    QVERIFY(parsed.value->agents.at(1).dependsOn.isEmpty());

    const Parsed<Configuration> all = parseConfiguration(
        agents(R"([{"agent": "b", "until": "stable", "onDown": "restart", "downGrace": "0s"}])"),
        QDir::currentPath());
    QVERIFY(all);
    QCOMPARE(all.value->agents.at(0).dependsOn,
             (QList<Dependency>{{.agent = QStringLiteral("b"),
                                 .until = DependencyLevel::Stable,
                                 .onDown = OnDown::Restart,
                                 .downGrace = seconds(0)}}));
}

void DependencyReaderTest::readsServersAndIncludedFiles()
{
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("more.json")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{\"agents\": [" + agent("b", R"(["server"])") + "]}");
    file.close();
    const Parsed<Configuration> parsed = parseConfiguration(
        R"({"include": ["more.json"], "mcpServers": {"server": {"command": "sh"}},
            "agents": [)"
            + agent("a", R"(["b"])") + "]}",
        folder.path());
    QVERIFY2(parsed, qPrintable(parsed.messages().join(u'\n')));
    QCOMPARE(parsed.value->agents.at(0).dependsOn.at(0).agent, QStringLiteral("b"));
    QCOMPARE(parsed.value->agents.at(2).dependsOn.at(0).agent, QStringLiteral("server"));

    const Parsed<Configuration> server = parseConfiguration(
        R"({"mcpServers": {"x": {"command": "sh", "dependsOn": ["y"]}, "y": {"command": "sh"}}})",
        folder.path());
    QVERIFY(server);
    QCOMPARE(server.value->agents.at(0).dependsOn.at(0).agent, QStringLiteral("y"));
}

void DependencyReaderTest::faults_data()
{
    const Rows<QByteArray, QString> row("json", "expected");
    const auto fault = [&row](const char *name, const QByteArray &json, const char *expected) {
        row(name, json, QString::fromLatin1(expected));
    };
    fault("no list", agents(R"("b")"), "2:69: /agents/0/dependsOn: expected an array, found \"b\"");
    fault("a number", agents("[1]"),
          "2:70: /agents/0/dependsOn/0: expected a name, {\"agent\": NAME} or {\"group\": NAME}, "
          "found 1");
    fault("empty", agents(R"([""])"),
          "2:70: /agents/0/dependsOn/0: expected a non-empty string, found \"\"");
    fault("no agent", agents("[{}]"), "2:70: /agents/0/dependsOn/0/agent: missing");
    fault("unknown key", agents(R"([{"agent": "b", "when": "ready"}])"),
          "2:85: /agents/0/dependsOn/0/when: unknown key");
    fault("unknown level", agents(R"([{"agent": "b", "until": "up"}])"),
          "2:94: /agents/0/dependsOn/0/until: expected one of started, ready, stable, completed, "
          "found \"up\"");
    fault("long grace time", agents(R"([{"agent": "b", "downGrace": "2h"}])"),
          "2:98: /agents/0/dependsOn/0/downGrace: expected 0s to 1h, found \"2h\"");
    fault("itself", agents(R"(["a"])"),
          "2:70: /agents/0/dependsOn/0: an agent cannot depend on itself");
    fault("twice", agents(R"(["b", {"agent": "b"}])"),
          "2:85: /agents/0/dependsOn/1/agent: repeated dependency \"b\"");
    fault("no such agent", agents(R"(["c"])"),
          "2:70: /agents/0/dependsOn/0: no agent has the name \"c\"");
    fault("cycle", agents(R"(["b"])", R"(["a"])"),
          "2:70: /agents/0/dependsOn/0: the agents depend on each other in a cycle: a -> b -> a");
    fault("in defaults", R"({"defaults": {"dependsOn": []}, "agents": [)" + agent("a", "[]") + "]}",
          "1:15: /defaults/dependsOn: not permitted in defaults; expected in an agent");
    fault("never completed",
          R"({"agents": [)" + agent("a", R"([{"agent": "b", "until": "completed"}])")
              + R"(, {"name": "b", "kind": "process", "program": "/bin/sh",
                      "policy": {"restartOn": "always"}}]})",
          "1:92: /agents/0/dependsOn/0/agent: warning: never completed: the policy of b restarts "
          "it after each exit (restartOn \"always\")");
}

void DependencyReaderTest::faults()
{
    QFETCH(QByteArray, json);
    QFETCH(QString, expected);
    const QStringList messages = parseConfiguration(json, QDir::currentPath()).messages();
    QVERIFY2(messages.size() == 1 && messages.at(0).startsWith(expected),
             qPrintable(messages.join(u'\n')));
}

void DependencyReaderTest::placesACycleInAnIncludedFile()
{
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("more.json")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{\"agents\": [" + agent("x", R"(["y"])") + ", " + agent("y", R"(["x"])") + "]}");
    file.close();
    const Parsed<Configuration> parsed = parseConfiguration(
        R"({"include": ["more.json"], "agents": [)" + agent("a", R"(["x"])") + "]}", folder.path());
    QCOMPARE(parsed.faults.size(), 1);
    QVERIFY(parsed.faults.at(0).file.endsWith(QLatin1String("more.json")));
    QVERIFY(parsed.faults.at(0).message.endsWith(QLatin1String("x -> y -> x")));
}

// In a time that grows with the size of the file.
void DependencyReaderTest::readsManyDependencies()
{
    constexpr int count = 3000;
    const auto name = [](int number) -> QByteArray {
        return "a" + QByteArray::number(number % count);
    };
    QByteArray circle;
    QByteArray all;
    for (int i = 0; i < count; ++i) {
        circle += agent(name(i), "[\"" + name(i + 1) + "\"]") + ",\n";
        all += ",\"" + name(i) + '"';
    }
    const auto parsed = [](const QByteArray &items) {
        return parseConfiguration("{\"agents\": [" + items.chopped(2) + "]}", QDir::currentPath(),
                                  {}, allProbeKinds());
    };
    const QStringList faults = parsed(circle).messages();
    QCOMPARE(faults.size(), 1);
    QVERIFY(faults.front().contains(QLatin1String("in a cycle: a0 -> a1 -> ")));
    QVERIFY(faults.front().endsWith(QLatin1String(" -> a19 -> ... (3000 agents)")));

    const QByteArray last = agent("last", '[' + all.mid(1) + ']') + ",\n";
    QByteArray chain;
    for (int i = 0; i < count; ++i)
        chain += agent(name(i), "[]") + ",\n";
    const auto read = parsed(chain + last);
    QVERIFY(read);
    QCOMPARE(read.value->agents.constLast().dependsOn.size(), count);
}

REKINDLE_TEST(DependencyReaderTest)
#include "dependencyreadertest.moc"
