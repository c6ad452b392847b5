// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "contains.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/config/mcpservers.h>

using namespace Rekindle;
using namespace std::chrono_literals;

class McpServersTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void readsFilesOfEditors();
    void commentsAndCommasKeepPositions();
    void readsKeysOfOtherClients_data();
    void readsKeysOfOtherClients();
    void rejectsUnclearKeysOfOtherClients();
    void rejectsInvalidFiles_data();
    void rejectsInvalidFiles();
    void variables();
    void entriesHaveTheirOwnVariables();
    void skipsFaultyEntries_data();
    void skipsFaultyEntries();
    void skipsEntriesWithFaultyPolicies();
    void writtenStartTimeoutReplacesTheDefault();
    void rejectsFaultyEntriesOfAConfiguration();
    void skipsOtherTransports();
    void warnsAboutKeysOfAHost();
    void ownKeys();
    void reportsAllFaults();
    void cmdMeansCommand();
    void skipsServersOfTheSameFile();
    void rejectsFileOfAnAncestor();
    void pathsAreRelativeToTheWorkingDirectory();
    void policyFilesAreRelativeToTheFile();

private:
    [[nodiscard]] static Parsed<McpServers> parse(const QByteArray &text)
    {
        return parseMcpServers(text, QDir::tempPath(), QStringLiteral("mcp.json"));
    }
    [[nodiscard]] static QString messages(const QByteArray &text)
    {
        return parse(text).messages().join(u'\n');
    }
    [[nodiscard]] static bool writeFile(const QString &path, const QByteArray &text)
    {
        QFile file(path);
        return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
    }
    // One entry with these members.
    [[nodiscard]] static QByteArray entry(const QByteArray &members)
    {
        return R"({"mcpServers":{"s":{"command":"/bin/cat",)" + members + "}}}";
    }
};

void McpServersTest::initTestCase()
{
    qputenv("REKINDLE_TEST_SET", "value");
    qunsetenv("REKINDLE_TEST_UNSET");
}

void McpServersTest::readsFilesOfEditors()
{
    const auto claude = parse(
        R"({"mcpServers":{"b":{"command":"/bin/cat","args":["-u","x y"],"env":{"A":"1","N":5,"R":null}},
            "a":{"command":"/bin/cat"}}})");
    QVERIFY(claude && claude.warnings.isEmpty());
    QCOMPARE(claude.value->servers.size(), 2);
    const McpServerDefinition &first = claude.value->servers.front(); // in the order of the file
    QCOMPARE(first.name, QStringLiteral("b"));
    QCOMPARE(first.process.program, QStringLiteral("/bin/cat"));
    QCOMPARE(first.process.arguments, (QStringList{QStringLiteral("-u"), QStringLiteral("x y")}));
    QCOMPARE(first.process.standardInput, ProcessDefinition::StandardInput::Pipe);

    const auto code = parse(
        R"({"inputs":[{"id":"k"}],"servers":{"my server":{"type":"stdio","command":"/bin/cat"}}})");
    QVERIFY(code && code.warnings.isEmpty());
    QCOMPARE(code.value->servers.front().name, QStringLiteral("my server"));
}

void McpServersTest::commentsAndCommasKeepPositions()
{
    const auto parsed =
        parse("\xEF\xBB\xBF{ // \xC3\xA4\n \"mcpServers\": { /* \xC3\xA4 \" */ \"a\": {\n"
              "  \"command\": \"//no, /*comment*/,]\",\n"
              "  \"args\": [ \"a\", ], // last\n } , /* , */ }, }\n");
    QVERIFY2(parsed, qPrintable(parsed.messages().join(u'\n')));
    const McpServerDefinition &server = parsed.value->servers.front();
    QVERIFY(server.process.program.endsWith(QStringLiteral("no, /*comment*/,]")));
    QCOMPARE(server.process.arguments, QStringList{QStringLiteral("a")});
    QCOMPARE(server.line, 2);
    QCOMPARE(server.column, 33);
}

void McpServersTest::rejectsInvalidFiles_data()
{
    const Rows<QByteArray, QString> row("text", "place");
    row("two commas", R"({"mcpServers":{"a":{"command":"x"},,}})", "mcp.json:");
    row("a comma alone", R"({"mcpServers":{,}})", "mcp.json:");
    row("comment without end", R"({"mcpServers":{"a":{"command":"/bin/cat"}}} /* x)",
        "mcp.json:1:45: ");
    row("text without end", R"({"mcpServers":{"a":{"command":"/bin/cat)", "mcp.json:1:40: ");
    row("nothing", "// nothing", "mcp.json:");
    row("an array", "[]", "mcp.json:");
    row("no servers", "{}", "mcp.json:");
    row("empty", R"({"mcpServers":{}})", "mcp.json:");
    row("both", R"({"mcpServers":{"a":{"command":"/bin/cat"}},"servers":{}})", "mcp.json:");
}

void McpServersTest::rejectsInvalidFiles()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, place);
    const auto parsed = parse(text);
    QVERIFY(!parsed);
    QVERIFY2(parsed.messages().value(0).startsWith(place), qPrintable(messages(text)));
}

void McpServersTest::variables()
{
    const auto parsed = parse(entry(
        R"("args":["${env:REKINDLE_TEST_SET}/x","${REKINDLE_TEST_SET}${REKINDLE_TEST_UNSET:-d}","${workspaceFolder}","${userHome}","$$ $HOME $${X} ${","${REKINDLE_TEST_UNSET:-${X}}"],"env":{"A":"<${env:REKINDLE_TEST_SET}>"})"));
    QVERIFY2(parsed, qPrintable(parsed.messages().join(u'\n')));
    const ProcessDefinition &process = parsed.value->servers.front().process;
    QCOMPARE(process.arguments,
             (QStringList{QStringLiteral("value/x"), QStringLiteral("valued"), QDir::currentPath(),
                          QDir::homePath(), QStringLiteral("$$ $HOME ${X} ${"),
                          QStringLiteral("${X}")}));
    QCOMPARE(*process.environment.value(QStringLiteral("A")), QStringLiteral("<value>"));

    QVERIFY(!parse(entry(R"("args":["${command:x}"])")));
}

void McpServersTest::entriesHaveTheirOwnVariables()
{
    const auto parsed = parse(entry(
        R"("args":["a ${KEY}","${REKINDLE_TEST_SET}","${KEY:-no}","${GONE}","${REKINDLE_TEST_UNSET}","${env:REKINDLE_TEST_UNSET}."],
           "env":{"KEY":"own ${KEY}","REKINDLE_TEST_SET":"mine ${REKINDLE_TEST_SET}","GONE":null},
           "cwd":"${KEY}")"));
    QVERIFY2(parsed, qPrintable(parsed.messages().join(u'\n')));
    const ProcessDefinition &process = parsed.value->servers.constFirst().process;
    QCOMPARE(process.arguments,
             (QStringList{QStringLiteral("a own ${KEY}"), QStringLiteral("mine value"),
                          QStringLiteral("own ${KEY}"), QStringLiteral("${GONE}"),
                          QStringLiteral("${REKINDLE_TEST_UNSET}"), QStringLiteral(".")}));
    QVERIFY(process.workingDirectory.endsWith(QLatin1String("/own ${KEY}")));
    QStringList notes;
    for (const Fault &warning : parsed.warnings)
        notes.append(warning.message);
    const QString kept = QStringLiteral("environment variable %1 is not set, using the text ${%1}");
    for (const char *name : {"KEY", "GONE", "REKINDLE_TEST_UNSET"})
        QVERIFY2(notes.contains(kept.arg(QLatin1String(name))), qPrintable(notes.join(u'\n')));
    QVERIFY(notes.contains(QStringLiteral(
        "environment variable REKINDLE_TEST_UNSET is not set, using an empty text")));
}

void McpServersTest::skipsFaultyEntries_data()
{
    const Rows<QByteArray, QString> row("entry", "pointer");
    row(R"({"args":[]})", "/command");
    row(R"({"cmd":"/bin/cat"})", "/cmd");
    row(R"({"command":["/bin/cat"]})", "/command");
    row(R"({"command":"/bin/cat","args":["${input:token}"]})", "/args/0");
    row(R"({"command":"/bin/cat","args":"x y"})", "/args");
    row(R"({"command":"/bin/cat","args":[80]})", "/args/0");
    row(R"({"command":"/bin/cat","env":{"A=B":"c"}})", "/env/A=B");
    row(R"({"command":"/bin/cat","env":["A"]})", "/env");
    row(R"({"command":"/bin/cat","type":"builtin"})", "/type");
    row(R"({"command":"/bin/cat","disabled":"no"})", "/disabled");
    row(R"({"command":"/bin/cat","cwd":7})", "/cwd");
    row(R"({"command":"/bin/cat","policy":"none-such"})", "/policy");
    row(R"({"command":"/bin/cat","policy":{"maxRetries":-1}})", "/policy/maxRetries");
    row(R"({"command":"/bin/cat","callTimeout":"soon"})", "/callTimeout");
    row(R"({"command":"/bin/cat","timeout":2000})", "/timeout");
    row(R"({"command":"/bin/cat","tools":5})", "/tools");
    row(R"({"command":"/bin/cat","limits":{"memory":1}})", "/limits/memory");
    row(R"("/bin/cat")", "");
    row("null", "");
}

void McpServersTest::skipsFaultyEntries()
{
    QFETCH(const QByteArray, entry);
    QFETCH(const QString, pointer);
    for (const QByteArray key : {"mcpServers", "servers"}) {
        const QByteArray good = R"("good":{"command":"/bin/cat"},"late":{"command":"/bin/cat"})";
        const QByteArray text = "{\"" + key + "\":{\n \"b d\":" + entry + ",\n" + good + "}}";
        const auto parsed = parse(text);
        QVERIFY2(parsed, qPrintable(parsed.messages().join(u'\n')));
        QCOMPARE(parsed.value->servers.size(), 2);
        QCOMPARE(parsed.value->servers.constFirst().name, QStringLiteral("good"));
        QCOMPARE(parsed.warnings.size(), 1);
        const Fault &warning = parsed.warnings.constFirst();
        QCOMPARE(warning.line, 2);
        QCOMPARE(warning.path, u'/' + QString::fromLatin1(key) + QLatin1String("/b d") + pointer);
        QVERIFY2(warning.message.startsWith(QLatin1String("server \"b d\" is skipped: ")),
                 qPrintable(warning.message));

        const auto alone = parse("{\"" + key + "\":{\"b d\":" + entry + "}}");
        QVERIFY(!alone);
        QCOMPARE(alone.faults.size(), 1);
        QCOMPARE(alone.warnings.size(), 1);
    }
}

void McpServersTest::skipsEntriesWithFaultyPolicies()
{
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("mcp.json"));
    QVERIFY(writeFile(file, R"({"mcpServers":{"a":{"command":"/bin/cat","policy":"linear"},
                                              "b":{"command":"/bin/cat","policy":"immediate"}}})"));
    const auto parsed = loadMcpServers(file, [](const RestartPolicy &policy) -> QList<Fault> {
        if (policy.type == RestartPolicyType::Immediate)
            return {};
        return {{QStringLiteral("/evaluator/id"), QStringLiteral("unknown")}};
    });
    QVERIFY2(parsed, qPrintable(parsed.messages().join(u'\n')));
    QCOMPARE(parsed.value->servers.size(), 1);
    QCOMPARE(parsed.value->servers.constFirst().name, QStringLiteral("b"));
    QCOMPARE(parsed.warnings.constFirst().path,
             QStringLiteral("/mcpServers/a/policy/evaluator/id"));
}

void McpServersTest::writtenStartTimeoutReplacesTheDefault()
{
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("mcp.json"));
    QVERIFY(writeFile(file, R"({"policies":{"same":{"type":"linear","startTimeout":"30s"},
                                            "other":{"type":"linear"}},
        "mcpServers":{"a":{"command":"/bin/cat","policy":"same"},
                      "b":{"command":"/bin/cat","policy":"other"},
                      "c":{"command":"/bin/cat","policy":{"startTimeout":"30s"}},
                      "d":{"command":"/bin/cat","policy":"watchdog"}}})"));
    const auto parsed = loadMcpServers(file, {}, 1min);
    QVERIFY2(parsed, qPrintable(parsed.messages().join(u'\n')));
    QList<Duration> timeouts;
    for (const McpServerDefinition &each : parsed.value->servers)
        timeouts.append(each.policy->startTimeout);
    QCOMPARE(timeouts, (QList<Duration>{30s, 1min, 30s, 1min}));
}

void McpServersTest::rejectsFaultyEntriesOfAConfiguration()
{
    const QByteArray servers = R"("mcpServers":{"a":{"command":"/bin/cat"},"b":{}})";
    QVERIFY(parse('{' + servers + '}'));
    QVERIFY(!parse("{\"agents\":[]," + servers + '}'));
    QVERIFY(!parse("{\"governor\":{}," + servers + '}'));
    const QByteArray health = R"({"mcpServers":{"a":{"command":"/bin/cat","health":[]},"b":{}}})";
    QVERIFY(!parse(health));
}

void McpServersTest::readsKeysOfOtherClients_data()
{
    // offered: of the tools a, b and c
    const Rows<QByteArray, std::optional<Duration>, QString> row("keys", "timeout", "offered");
    row(R"("alwaysAllow":["a"],"autoApprove":["b"])", {}, "abc");
    row(R"("disabledTools":["a","x"])", {}, "bc");
    row(R"("enabledTools":["a","b"])", {}, "ab");
    row(R"("includeTools":["a","b"],"excludeTools":["a"])", {}, "b");
    row(R"("tools":["*"],"excludeTools":["c"])", {}, "ab");
    row(R"("enabledTools":[])", {}, "");
    row(R"("timeout":60)", 60s, "abc");
    row(R"("timeout":60000)", 60s, "abc");
    row(R"("timeout":60,"callTimeout":"5s")", 5s, "abc");
}

void McpServersTest::readsKeysOfOtherClients()
{
    QFETCH(QByteArray, keys);
    const auto parsed = parse(entry(keys));
    QVERIFY2(parsed, qPrintable(parsed.messages().join(u'\n')));
    const McpServerDefinition &server = parsed.value->servers.constFirst();
    QTEST(server.callTimeout, "timeout");
    QString offered;
    for (const QChar tool : QStringLiteral("abc")) {
        if (server.tools.contains(tool))
            offered += tool;
    }
    QTEST(offered, "offered");
}

void McpServersTest::rejectsUnclearKeysOfOtherClients()
{
    QVERIFY(messages(entry(R"("timeout":1800)")).contains(QLatin1String("the unit is not known")));
    QVERIFY(messages(entry(R"("tools":{"a":{}})")).contains(QLatin1String("/mcpServers/s/tools")));
    QVERIFY(messages(entry(R"("tools":["a"],"enabledTools":["b"])"))
                .contains(QLatin1String("expected either \"enabledTools\" or \"tools\"")));
}

void McpServersTest::skipsOtherTransports()
{
    const auto parsed = parse(
        R"({"x":1,"mcpServers":{"web":{"type":"http","url":"https://x"},"sse":{"url":"https://x"},"off":{"command":5,"disabled":true},"s":{"command":"/bin/cat","alwaysAllow":[],"polcy":1}}})");
    QVERIFY2(parsed, qPrintable(parsed.messages().join(u'\n')));
    QCOMPARE(parsed.value->servers.size(), 1);
    QStringList paths;
    for (const Fault &warning : parsed.warnings)
        paths.append(warning.path);
    QCOMPARE(paths,
             (QStringList{QStringLiteral("/x"), QStringLiteral("/mcpServers/web/type"),
                          QStringLiteral("/mcpServers/sse/url"),
                          QStringLiteral("/mcpServers/s/alwaysAllow"),
                          QStringLiteral("/mcpServers/s/polcy")}));
    QVERIFY(parsed.warnings.last().message.contains(QStringLiteral("\"policy\"")));
    QVERIFY(messages(R"({"mcpServers":{"w":{"type":"http"}}})")
                .contains(QStringLiteral("at least one server that can be started")));
}

void McpServersTest::warnsAboutKeysOfAHost()
{
    const auto parsed = parse(
        R"({"governor":{},"groups":[],"sharedBreakers":{},"agents":[],"include":[],"defaults":{},
            "mcpServers":{"s":{"command":"/bin/cat","priority":1,"dependsOn":[],"requires":[]}}})");
    QVERIFY2(parsed, qPrintable(parsed.messages().join(u'\n')));
    QStringList paths;
    for (const Fault &warning : parsed.warnings) {
        paths.append(warning.path);
        QCOMPARE(warning.message, QStringLiteral("ignored: this key belongs to `rekindle up`"));
    }
    paths.sort();
    QCOMPARE(
        paths,
        (QStringList{QStringLiteral("/agents"), QStringLiteral("/defaults"),
                     QStringLiteral("/governor"), QStringLiteral("/groups"),
                     QStringLiteral("/include"), QStringLiteral("/mcpServers/s/dependsOn"),
                     QStringLiteral("/mcpServers/s/priority"),
                     QStringLiteral("/mcpServers/s/requires"), QStringLiteral("/sharedBreakers")}));
}

void McpServersTest::ownKeys()
{
    const auto parsed = parse(
        R"({"policies":{"mine":{"type":"linear"}},"mcpServers":{"s":{"command":"/bin/cat","policy":"mine","retry":"never","callTimeout":"2m","startTimeout":"5m","restartOnExit":true}}})");
    QVERIFY2(parsed, qPrintable(parsed.messages().join(u'\n')));
    const McpServerDefinition &server = parsed.value->servers.front();
    QCOMPARE(server.policy->type, RestartPolicyType::Linear);
    QCOMPARE(server.retry, CallRetry::Never);
    QCOMPARE(server.callTimeout, Duration(2min));
    QCOMPARE(server.startTimeout, Duration(5min));
    QVERIFY(server.restartOnExit);
    QVERIFY(
        messages(entry(R"("restartOnExit":1)")).contains(QStringLiteral("expected true or false")));
}

void McpServersTest::reportsAllFaults()
{
    QCOMPARE(messages(R"({"agents":[],"mcpServers":{
 "a":{"args":"x"},
 "b":{"command":"","env":{"=":1},"policy":"nope"},
 "c":5,
 "d":{"command":"/bin/cat","type":"pipe","callTimeout":"0s","retry":"maybe"}}})")
                 .count(u'\n'),
             9);
}

void McpServersTest::cmdMeansCommand()
{
    const QString found = messages(R"({"mcpServers":{"s":{"cmd":"/bin/cat"}}})");
    VERIFY_CONTAINS(found, "\"command\" is missing; did you mean it?");
    QCOMPARE(found.count(u'\n'), 1);
}

// Directly, by another name of the file, and by a file of an ancestor.
void McpServersTest::skipsServersOfTheSameFile()
{
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("mcp.json"));
    const QString parent = folder.filePath(QStringLiteral("parent.json"));
    QVERIFY(writeFile(parent, "{}"));
    const QString link = folder.filePath(QStringLiteral("link.json"));
    QVERIFY(QFile::link(file, link));
    const auto server = [](const QString &path) -> QByteArray {
        return R"({"command":"/opt/bin/rekindle","args":["mcp","--quiet","--config",")"
            + path.toUtf8() + R"("]})";
    };
    QVERIFY(writeFile(
        file,
        R"({"mcpServers":{"same":)" + server(file) + R"(,"link":)" + server(link) + R"(,"parent":)"
            + server(parent)
            + R"(,"relative":{"command":"rekindle","args":["mcp","--config=mcp.json"],"cwd":")"
            + folder.path().toUtf8() + R"("},"other":)"
            + server(folder.filePath(QStringLiteral("other.json")))
            + R"(,"cat":{"command":"/bin/cat","args":["mcp","--config",")" + file.toUtf8()
            + R"("]}}})"));
    qputenv("REKINDLE_MCP_FILES", QByteArray("[\"" + parent.toUtf8() + "\"]"));
    const auto parsed = loadMcpServers(file);
    qunsetenv("REKINDLE_MCP_FILES");
    QVERIFY2(parsed, qPrintable(parsed.messages().join(u'\n')));
    QStringList names;
    for (const McpServerDefinition &definition : parsed.value->servers)
        names.append(definition.name);
    QCOMPARE(names, (QStringList{QStringLiteral("other"), QStringLiteral("cat")}));
    QCOMPARE(parsed.messages().filter(QStringLiteral("without end")).size(), 4);
    QCOMPARE(parsed.value->servers.front().process.environment.value(
                 QStringLiteral("REKINDLE_MCP_FILES")),
             QStringLiteral("[\"%1\",\"%2\"]").arg(parent, file));
}

// A server of the file can start rekindle in a way that its entry does not show.
void McpServersTest::rejectsFileOfAnAncestor()
{
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("mcp.json"));
    QVERIFY(writeFile(file, entry({}).replace(",}", "}")));
    QVERIFY(loadMcpServers(file));
    qputenv("REKINDLE_MCP_FILES", QByteArray("[\"" + file.toUtf8() + "\"]"));
    const auto parsed = loadMcpServers(file);
    qunsetenv("REKINDLE_MCP_FILES");
    QVERIFY(!parsed);
    QVERIFY(parsed.messages().join(u'\n').contains(QStringLiteral("without end")));
}

void McpServersTest::pathsAreRelativeToTheWorkingDirectory()
{
    const auto parsed = parse(
        R"({"mcpServers":{"a":{"command":"./x"},"b":{"command":"./x","cwd":"sub"},"c":{"command":"x"}}})");
    QVERIFY(parsed);
    const auto program = [&](int i) { return parsed.value->servers[i].process.program; };
    QCOMPARE(program(0), QDir::currentPath() + QStringLiteral("/x"));
    QCOMPARE(program(1), QDir::currentPath() + QStringLiteral("/sub/x"));
    QCOMPARE(program(2), QStringLiteral("x"));
    QCOMPARE(parsed.value->servers[1].process.workingDirectory,
             QDir::currentPath() + QStringLiteral("/sub"));
}

void McpServersTest::policyFilesAreRelativeToTheFile()
{
    QTemporaryDir folder;
    const auto write = [&](const char *name, const QByteArray &text) {
        QVERIFY(writeFile(folder.filePath(QString::fromLatin1(name)), text));
    };
    write("p.json", R"({"type":"immediate"})");
    write("mcp.json", entry(R"("policy":"./p.json", // mine)") + "\n}}}");
    const auto parsed = loadMcpServers(folder.filePath(QStringLiteral("mcp.json")));
    QVERIFY2(parsed, qPrintable(parsed.messages().join(u'\n')));
    QCOMPARE(parsed.value->servers.front().policy->type, RestartPolicyType::Immediate);
    QVERIFY(!loadMcpServers(folder.filePath(QStringLiteral("none.json"))));
}

REKINDLE_TEST(McpServersTest)
#include "mcpserverstest.moc"
