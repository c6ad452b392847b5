// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"

#include <rekindle/config/configuration.h>

using namespace Rekindle;

class IncludeTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void mergesFiles();
    void defaultsApplyToIncludedFiles();
    void patternsMatchFileNames();
    void faultsNameTheirFiles();
    void rejectsRepeatedNames();
    void rejectsCycles();
    void rejectsInvalidIncludes();
    void needsAnAgent();
    void outputIsNoIncludedFile();
    void warnsOfUnusedPolicies();

private:
    QString write(const QString &name, const QByteArray &text) const;
    // The messages without the folder.
    [[nodiscard]] QString messages(const QByteArray &text) const;
    [[nodiscard]] static QByteArray agent(const char *name, const char *more = "")
    {
        return QByteArray("{\"name\": \"") + name + "\", \"kind\": \"process\", \"program\": \"sh\""
            + more + "}";
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void IncludeTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(QDir(m_folder->path()).mkpath(QStringLiteral("conf.d/sub")));
}

QString IncludeTest::write(const QString &name, const QByteArray &text) const
{
    QFile file(m_folder->filePath(name));
    return file.open(QIODevice::WriteOnly) && file.write(text) == text.size() ? file.fileName()
                                                                              : QString();
}

QString IncludeTest::messages(const QByteArray &text) const
{
    QStringList lines = loadConfiguration(write(QStringLiteral("main.json"), text)).messages();
    lines.replaceInStrings(m_folder->path() + u'/', QString());
    return lines.join(u'\n');
}

// Each path is relative to its own file. A policy can be used before and after its file.
void IncludeTest::mergesFiles()
{
    const QString main = write(QStringLiteral("main.json"),
                               R"({"include": ["conf.d/a.json", "policies.json"],
        "policies": {"own": {"type": "none"}}, "defaults": {"policy": "shared"},
        "agents": [)" + agent("main")
                                   + "]}");
    const QString policies =
        write(QStringLiteral("policies.json"), R"({"policies": {"shared": {"type": "linear"}}})");
    const QString first = write(QStringLiteral("conf.d/a.json"),
                                R"({
        "include": ["sub/b.json"], // deeper
        "agents": [)" + agent("a", R"(, "policy": "p.json", "environmentFiles": ["a.env"])")
                                    + R"(, )" + agent("a2", R"(, "policy": "own")") + R"(],
        "mcpServers": {"server": {"command": "./server"}}})");
    const QString second =
        write(QStringLiteral("conf.d/sub/b.json"),
              R"({"agents": [)" + agent("b", R"(, "stdout": {"file": "out"})") + "]}");
    (void)write(QStringLiteral("conf.d/p.json"), R"({"type": "immediate"})");
    (void)write(QStringLiteral("conf.d/a.env"), "A=1\n");

    const Parsed<Configuration> parsed = loadConfiguration(main);
    QVERIFY2(parsed, qPrintable(parsed.messages().join(u'\n')));
    const QList<AgentDefinition> &agents = parsed.value->agents;
    QStringList names;
    QStringList files;
    for (const AgentDefinition &each : agents) {
        names.append(each.name);
        files.append(each.file);
    }
    QCOMPARE(names.join(u' '), QStringLiteral("main a a2 server b"));
    QCOMPARE(files, (QStringList{QString(), first, first, first, second}));
    QCOMPARE(agents[0].policy.type, RestartPolicyType::Linear);
    QCOMPARE(agents[1].policy.type, RestartPolicyType::Immediate);
    QCOMPARE(agents[2].policy.type, RestartPolicyType::None);
    QCOMPARE(agents[1].process.environment.value(QStringLiteral("A")), QStringLiteral("1"));
    QCOMPARE(agents[1].pointer, QStringLiteral("/agents/0"));
    QCOMPARE(agents[1].line, 3);
    QCOMPARE(agents[3].process.program, m_folder->filePath(QStringLiteral("conf.d/server")));
    QCOMPARE(agents[4].process.standardOutput.file,
             m_folder->filePath(QStringLiteral("conf.d/sub/out")));
    QCOMPARE(parsed.value->includedFiles, (QStringList{first, second, policies}));
    QCOMPARE(parsed.value->policyFiles, {m_folder->filePath(QStringLiteral("conf.d/p.json"))});
    QCOMPARE(parsed.value->policyOrigins.value(QStringLiteral("shared")), policies);
    QVERIFY(!parsed.value->policyOrigins.contains(QStringLiteral("own")));
    const QList<Fault> placed = placedFaults({{.path = QStringLiteral("/agents/1/policy"),
                                               .message = QStringLiteral("x"),
                                               .file = first}},
                                             main);
    QCOMPARE(placed.front().line, 3);
    QVERIFY(placed.front().toString(main).startsWith(first + QLatin1String(":3:")));
}

// But neither to the including file nor to siblings.
void IncludeTest::defaultsApplyToIncludedFiles()
{
    (void)write(QStringLiteral("a.json"),
                R"({"defaults": {"policy": "linear",
        "environment": {"A": "2", "C": "3"}}, "include": ["b.json"], "agents": [)"
                    + agent("a") + "]}");
    (void)write(QStringLiteral("b.json"), R"({"agents": [)" + agent("b") + "]}");
    (void)write(QStringLiteral("c.json"), R"({"agents": [)" + agent("c") + "]}");
    const Parsed<Configuration> parsed =
        loadConfiguration(write(QStringLiteral("main.json"),
                                R"({"include": ["a.json", "c.json"],
        "defaults": {"policy": "none", "environment": {"A": "1", "B": "1"}},
        "agents": [)" + agent("main")
                                    + "]}"));
    QVERIFY2(parsed, qPrintable(parsed.messages().join(u'\n')));
    QStringList found;
    for (const AgentDefinition &each : parsed.value->agents) {
        QString line = each.name + u' ' + each.policyName;
        for (const auto &value : each.process.environment)
            line += u' ' + value.value_or(QString());
        found.append(line);
    }
    QCOMPARE(found,
             (QStringList{QStringLiteral("main none 1 1"), QStringLiteral("a linear 2 1 3"),
                          QStringLiteral("b linear 2 1 3"), QStringLiteral("c none 1 1")}));
}

void IncludeTest::patternsMatchFileNames()
{
    for (const char *name : {"b", "a", ".hidden"})
        (void)write(QStringLiteral("conf.d/%1.json").arg(QLatin1String(name)),
                    R"({"agents": [)" + agent(name) + "]}");
    (void)write(QStringLiteral("conf.d/a.json~"), "no JSON");
    (void)write(QStringLiteral("conf.d/c.JSON"), "no JSON, because patterns match case");
    const Parsed<Configuration> parsed = loadConfiguration(
        write(QStringLiteral("main.json"),
              R"({"include": ["conf.d/*.json", "none/*.json", "${REKINDLE_TEST_UNSET:-x}.d/?.json"],
                  "agents": [)"
                  + agent("main") + "]}"));
    QVERIFY2(parsed, qPrintable(parsed.messages().join(u'\n')));
    QStringList names;
    for (const AgentDefinition &each : parsed.value->agents)
        names.append(each.name);
    QCOMPARE(names.join(u' '), QStringLiteral("main a b"));
}

void IncludeTest::faultsNameTheirFiles()
{
    (void)write(QStringLiteral("conf.d/a.json"),
                "{\n\"agents\": [" + agent("a", ",\n\"polcy\": 1") + "], \"policies\": 1}");
    QCOMPARE(
        messages(R"({"include": ["conf.d/a.json"], "agents": [)" + agent("b", ", \"x\": 1") + "]}"),
        QStringLiteral(
            "main.json:1:93: /agents/0/x: unknown key; expected one of name, kind, dependsOn, "
            "environmentFiles, environment, program, arguments, policy, "
            "workingDirectory, ready, health, stdin, stdout, stderr, stop, "
            "exitCodes, user, group, umask, nice, limits, recycle, outputEvents, start, tags, "
            "watch, "
            "priority, placement, onStoreLoss, requires\n"
            "conf.d/a.json:3:1: /agents/0/polcy: unknown key; did you mean "
            "\"policy\"?\n"
            "conf.d/a.json:3:27: /policies: expected an object, found 1"));
    // The rest is not checked, because it can need what the file defines.
    (void)write(QStringLiteral("conf.d/a.json"), "{\n /* open");
    QCOMPARE(messages(R"({"include": ["conf.d/a.json"], "agents": [)"
                      + agent("b", ", \"policy\": \"of-a\"") + "]}"),
             QStringLiteral("conf.d/a.json:2:2: expected \"*/\" at the end of this comment, found "
                            "the end of the text"));
    (void)write(QStringLiteral("conf.d/a.json"), "[]");
    QCOMPARE(messages(R"({"include": ["conf.d/a.json"], "agents": [)" + agent("b") + "]}"),
             QStringLiteral("conf.d/a.json:1:1: expected an object, found an array"));
}

void IncludeTest::rejectsRepeatedNames()
{
    (void)write(QStringLiteral("a.json"),
                "{\"policies\": {\"p\": {}},\n \"agents\": [" + agent("a")
                    + "],\n\"mcpServers\": "
                      "{\"b\": {\"command\": \"/bin/cat\"}}}");
    (void)write(QStringLiteral("c.json"), "{\"agents\": [" + agent("a") + "]}");
    QCOMPARE(
        messages("{\"policies\": {\"p\": {}}, \"include\": [\"a.json\", \"c.json\"],\n\"agents\": ["
                 + agent("a", ", \"policy\": \"p\"") + ",\n" + agent("b") + "]}"),
        QStringLiteral(
            "a.json:1:15: /policies/p: duplicate name \"p\", first in main.json:1:15\n"
            "a.json:2:22: /agents/0/name: duplicate name \"a\", first in main.json:2:21\n"
            "a.json:3:16: /mcpServers/b: duplicate name \"b\", first in main.json:3:10\n"
            "c.json:1:22: /agents/0/name: duplicate name \"a\", first in main.json:2:21"));
}

void IncludeTest::rejectsCycles()
{
    (void)write(QStringLiteral("conf.d/a.json"),
                R"({"include": ["sub/b.json"], "agents": [)" + agent("a") + "]}");
    (void)write(QStringLiteral("conf.d/sub/b.json"), R"({"include": ["../../main.json"]})");
    QCOMPARE(messages(R"({"include": ["conf.d/a.json"]})"),
             QStringLiteral("conf.d/sub/b.json:1:14: /include/0: expected a file that does not "
                            "include itself, found main.json > conf.d/a.json > conf.d/sub/b.json > "
                            "main.json"));
    QCOMPARE(messages(R"({"include": ["*.json"]})"),
             QStringLiteral("main.json:1:14: /include/0: expected a file that does not include "
                            "itself, found main.json > main.json"));
    (void)write(QStringLiteral("conf.d/sub/b.json"), R"({"policies": {}})");
    QVERIFY(QFile::link(m_folder->filePath(QStringLiteral("conf.d/sub/b.json")),
                        m_folder->filePath(QStringLiteral("link.json"))));
    QCOMPARE(messages(R"({"include": ["conf.d/a.json", "link.json"]})"),
             QStringLiteral("main.json:1:31: /include/1: expected another file, found link.json, "
                            "which is already included in conf.d/a.json:1:14"));
}

void IncludeTest::rejectsInvalidIncludes()
{
    const auto included = [this](const QByteArray &value) {
        return messages("{\"include\": " + value + ", \"agents\": [" + agent("a") + "]}");
    };
    QCOMPARE(included("\"a.json\""),
             QStringLiteral("main.json:1:13: /include: expected an array, found \"a.json\""));
    QCOMPARE(included("[1, \"\"]"),
             QStringLiteral("main.json:1:14: /include/0: expected a string, found 1\n"
                            "main.json:1:17: /include/1: expected a non-empty string, found \"\""));
    QCOMPARE(included("[\"none.json\"]"),
             QStringLiteral("main.json:1:14: /include/0: none.json: cannot be opened: No such file "
                            "or directory"));
    QCOMPARE(included("[\"conf.d\"]"),
             QStringLiteral("main.json:1:14: /include/0: conf.d: expected a file, found a folder"));
    for (const char *pattern : {"[\"*.d/a.json\"]", "[\"*.d/*.json\"]"})
        QCOMPARE(included(pattern),
                 QStringLiteral("main.json:1:14: /include/0: expected a pattern in the name of the "
                                "file only, found one in the folder \"*.d/\""));
}

void IncludeTest::needsAnAgent()
{
    (void)write(QStringLiteral("a.json"), "{}");
    QCOMPARE(
        messages(R"({"include": ["a.json"]})"),
        QStringLiteral("main.json:1:1: /agents: missing; expected agents or mcpServers in this "
                       "file or in one that it includes"));
    (void)write(QStringLiteral("a.json"), "{\"agents\": [" + agent("a") + "]}");
    QCOMPARE(messages(R"({"include": ["a.json"]})"), QString());
}

void IncludeTest::outputIsNoIncludedFile()
{
    (void)write(QStringLiteral("a.json"),
                "{\"agents\": [" + agent("a", ", \"stdout\": {\"file\": \"a.json\"}") + "]}");
    QCOMPARE(messages(R"({"include": ["a.json"]})"),
             QStringLiteral("a.json:1:82: /agents/0/stdout/file: expected an output file, found "
                            "one of the included files"));
}

void IncludeTest::warnsOfUnusedPolicies()
{
    (void)write(QStringLiteral("a.json"), R"({"policies": {"p": {}, "q": {}}})");
    QCOMPARE(messages(R"({"include": ["a.json"], "agents": [)" + agent("a", ", \"policy\": \"p\"")
                      + "]}"),
             QStringLiteral("a.json:1:24: /policies/q: warning: this policy is not used"));
}

REKINDLE_TEST(IncludeTest)
#include "includetest.moc"
