// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commandrun.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/config/mcpservers.h>

#include <algorithm>

using namespace Rekindle;

/// `rekindle check`.
class CheckTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void reportsFaultsWithPlaces();
    void pointsToImportForFilesOfOtherSupervisors();
    void warnsAboutMissingProgram();
    void acceptsQuickStart();
    void printsJson();
    void sortsFaultsByPlace();
    void printsBreakerOfAgents();
    void acceptsFilesOfMcpClients_data();
    void acceptsFilesOfMcpClients();

private:
    QTemporaryDir m_folder;
};

void CheckTest::reportsFaultsWithPlaces()
{
    const QString path =
        writeFile(m_folder.path(), QStringLiteral("faults.json"),
                  "{\n"
                  "  \"agents\": [\n"
                  "    { \"name\": \"a\", \"kind\": \"process\", \"program\": \"sh\",\n"
                  "      \"policy\": { \"multiplier\": 0.5 } },\n"
                  "    { \"name\": \"a\", \"kind\": \"process\", \"program\": \"sh\",\n"
                  "      \"stdot\": \"null\" }\n"
                  "  ]\n"
                  "}\n");
    CompletedRun run({QStringLiteral("check"), path}, 78);
    QCOMPARE(run.output(), QByteArray());
    const QByteArray error = run.error();
    const auto says = [&](const char *rest) {
        return error.contains(QByteArray(path.toLocal8Bit() + ':' + rest));
    };
    QVERIFY2(says("4:33: /agents/0/policy/multiplier: expected 1 to 100, found 0.5"),
             error.constData());
    QVERIFY2(says("5:15: /agents/1/name: "), error.constData());
    VERIFY_CONTAINS(error, "duplicate");
    QVERIFY2(says("6:7: /agents/1/stdot: "), error.constData());
    QCOMPARE(error.count('\n'), 3);
}

void CheckTest::pointsToImportForFilesOfOtherSupervisors()
{
    CompletedRun run(
        words("check", writeFile(m_folder.path(), QStringLiteral("web.conf"), "[program:web]\n")),
        78);
    VERIFY_CONTAINS(run.error(), "; `rekindle import` converts files of other supervisors");
    CompletedRun missing(words("check", "/no/such.yaml"), 78);
    QVERIFY(!missing.error().contains("import"));
}

void CheckTest::warnsAboutMissingProgram()
{
    const QString path =
        writeFile(m_folder.path(), QStringLiteral("missing.json"),
                  R"({"agents": [{"name": "a", "kind": "process", "program": "/nowhere/x"}]})");
    CompletedRun run({QStringLiteral("check"), path});
    QVERIFY(run.error().contains("/agents/0/program: warning: "));
    QVERIFY(run.output().contains(": valid, 1 agent, 0 policies, license tier Enterprise\n"
                                  "  a: exponential"));
}

void CheckTest::acceptsQuickStart()
{
    CompletedRun run({QStringLiteral("check"),
                      QStringLiteral(REKINDLE_SOURCE "/examples/1-quickstart/quickstart.json")});
    QCOMPARE(run.error(), QByteArray());
}

void CheckTest::printsJson()
{
    const auto check = [](const QString &path, int code) {
        CommandRun run({QStringLiteral("check"), path, QStringLiteral("--json")});
        const bool ended = run.complete() == code && run.error().isEmpty();
        const QJsonObject object = QJsonDocument::fromJson(run.output()).object();
        const QJsonValue faults = object[QLatin1String("faults")];
        return ended && faults.isArray() ? std::optional(faults.toArray()) : std::nullopt;
    };
    const auto row = [](const QString &file, int line, int column, const char *pointer,
                        const char *severity) {
        return QJsonObject{{QStringLiteral("file"), file},
                           {QStringLiteral("line"), line},
                           {QStringLiteral("column"), column},
                           {QStringLiteral("pointer"), QLatin1String(pointer)},
                           {QStringLiteral("severity"), QLatin1String(severity)}};
    };
    const auto withoutMessage = [](const QJsonValue &value) {
        QJsonObject object = value.toObject();
        const bool has = !object.take(QStringLiteral("message")).toString().isEmpty();
        return has ? object : QJsonObject();
    };
    const QString faulty =
        writeFile(m_folder.path(), QStringLiteral("two.json"),
                  "{\"agents\": [{\"name\": \"a\", \"kind\": \"process\",\n"
                  "\"program\": \"sh\", \"stdot\": 1, \"policy\": {\"multiplier\": 0.5}}]}");
    const auto faults = check(faulty, 78);
    QVERIFY(faults);
    QCOMPARE(faults->size(), 2);
    QCOMPARE(withoutMessage(faults->at(0)), row(faulty, 2, 18, "/agents/0/stdot", "error"));
    QCOMPARE(withoutMessage(faults->at(1)),
             row(faulty, 2, 55, "/agents/0/policy/multiplier", "error"));
    QVERIFY(faults->at(1)
                .toObject()
                .value(QLatin1String("message"))
                .toString()
                .startsWith(QLatin1String("expected 1 to 100, found 0.5")));

    const QString unusual =
        writeFile(m_folder.path(), QStringLiteral("unusual.json"),
                  R"({"agents": [{"name": "a", "kind": "process", "program": "/nowhere/x"}]})");
    const auto warnings = check(unusual, 0);
    QVERIFY(warnings);
    QCOMPARE(warnings->size(), 1);
    QCOMPARE(withoutMessage(warnings->at(0)), row(unusual, 1, 57, "/agents/0/program", "warning"));

    const QString unknown =
        writeFile(m_folder.path(), QStringLiteral("unknown.json"),
                  "{\"agents\": [{\"name\": \"a\", \"kind\": \"process\", \"program\": \"sh\",\n"
                  "\"policy\": {\"type\": \"custom\", \"evaluator\": {\"id\": \"nobody\"}}}]}");
    // Those of an included file have its name, also those of plug-ins.
    const QString including =
        writeFile(m_folder.path(), QStringLiteral("including.json"),
                  R"({"include": ["unknown.json", "policy-of-nobody.json"]})");
    const QString policies = writeFile(
        m_folder.path(), QStringLiteral("policy-of-nobody.json"),
        "{\"policies\": {\n\"p\": {\"type\": \"custom\", \"evaluator\": {\"id\": \"nobody\"}}}}");
    const auto included = check(including, 78);
    QVERIFY(included);
    QCOMPARE(included->size(), 3);
    QCOMPARE(withoutMessage(included->at(0)), row(policies, 2, 1, "/policies/p", "warning"));
    QCOMPARE(withoutMessage(included->at(1)),
             row(policies, 2, 45, "/policies/p/evaluator/id", "error"));
    QCOMPARE(withoutMessage(included->at(2)),
             row(unknown, 2, 50, "/agents/0/policy/evaluator/id", "error"));
}

// Faults and warnings of all sources.
void CheckTest::sortsFaultsByPlace()
{
    const QString path =
        writeFile(m_folder.path(), QStringLiteral("order.json"),
                  "{\"agents\": [\n"
                  "{\"name\": \"a\", \"kind\": \"process\", \"program\": \"/nowhere/x\", "
                  "\"policy\": \"p\"},\n"
                  "{\"name\": \"b\", \"kind\": \"process\", \"program\": \"sh\"}],\n"
                  "\"policies\": {\n"
                  "\"p\": {\"type\": \"custom\", \"evaluator\": {\"id\": \"nosuch\"}},\n"
                  "\"q\": {\"circuitBreaker\": {\"threshold\": 9}, \"maxRetries\": 1}}}\n");
    CompletedRun run(words("check", path), 78);
    QList<QByteArray> lines = run.error().split('\n');
    lines.removeLast();
    QList<int> found;
    for (const QByteArray &line : lines)
        found.append(line.mid(path.size() + 1).split(':').front().toInt());
    QList<int> sorted = found;
    std::sort(sorted.begin(), sorted.end());
    QVERIFY2(found.contains(2) && found.contains(5), run.error().constData());
    QCOMPARE(found, sorted);
}

void CheckTest::printsBreakerOfAgents()
{
    const QString path = writeFile(m_folder.path(), QStringLiteral("breakers.json"),
                                   R"({"agents": [
                      {"name": "a", "kind": "process", "program": "sh",
                       "policy": {"circuitBreaker": {"threshold": 4, "timeout": "20s"}}},
                      {"name": "b", "kind": "process", "program": "sh",
                       "policy": {"circuitBreaker": "off"}},
                      {"name": "c", "kind": "process", "program": "sh", "policy": "none"}]})");
    CompletedRun text(words("check", path, "--tier", "WriterPro"));
    VERIFY_CONTAINS(text.output(),
                    "  a: exponential; circuit breaker opens on failure 4 for 20s; license tier");
    VERIFY_CONTAINS(text.output(), "  b: exponential; no circuit breaker; license tier");
    VERIFY_CONTAINS(text.output(), "  c: none (policy none)\n");

    CompletedRun json(words("check", path, "--json"));
    const QJsonArray agents =
        QJsonDocument::fromJson(json.output())[QLatin1String("agents")].toArray();
    QCOMPARE(agents.size(), 3);
    const QJsonObject breaker = agents[0][QLatin1String("circuitBreaker")].toObject();
    QCOMPARE(breaker[QLatin1String("threshold")].toInt(), 4);
    QCOMPARE(breaker[QLatin1String("timeout")].toString(), QStringLiteral("20s"));
    QVERIFY(agents[1][QLatin1String("circuitBreaker")].isNull());
    QVERIFY(agents[2][QLatin1String("circuitBreaker")].isNull());
}

void CheckTest::acceptsFilesOfMcpClients_data()
{
    // message: on stderr
    const Rows<QByteArray, int, QByteArray> row("text", "code", "message");
    const QByteArray notForHost =
        "client.json: valid for `rekindle mcp --config`, but `rekindle up` does not accept it: 1:";
    row(R"({"mcpServers": {"a": {"command": "cat"}}})", 0, {});
    row(R"({"servers": {"a": {"type": "stdio", "command": "cat"}}, "inputs": []})", 0, notForHost);
    row(R"({"mcpServers": {"a b": {"command": "cat"}}, "theme": "dark"})", 0,
        "1:45: /theme: warning: ignored: this key belongs to other MCP clients");
    row("\xEF\xBB\xBF{\"servers\": {\"a\": {\"command\": \"cat\"}}}", 0, notForHost);
    row(R"({"mcpServers": {"a": {"command": "cat"}, "c": {"command": 1}}})", 0, notForHost);
    row(R"({"servers": {"a": {"command": "cat"}, "web": {"url": "http://x"}}})", 0,
        "/servers/web/url: warning: skipped: it has a url");
    row(R"({"mcpServers": {"a": {"command": "cat"}, "b": {}}})", 0,
        "1:47: /mcpServers/b/command: warning: server \"b\" is skipped: missing");
    row(R"({"mcpServers": {"b": {}}})", 78,
        "1:16: /mcpServers: expected at least one server that can be started, found none");
    row(R"({"servers": {"a": {"command": "cat", "timeout": 1800}}})", 78,
        "server \"a\" is skipped: the unit is not known");
    row(R"({"agents": [], "mcpServers": {"a": {"command": "cat"}, "b": {}}})", 78,
        "/mcpServers/b/command: missing");
}

void CheckTest::acceptsFilesOfMcpClients()
{
    QFETCH(const QByteArray, text);
    QFETCH(const int, code);
    QFETCH(const QByteArray, message);
    const QString path = writeFile(m_folder.path(), QStringLiteral("client.json"), text);
    CompletedRun run(words("check", path), code);
    if (message.isEmpty())
        QCOMPARE(run.error(), QByteArray());
    VERIFY_CONTAINS(run.error(), message);
    if (code == 0)
        VERIFY_CONTAINS(run.output(), "valid, 1 agent, ");
    // The gateway accepts the same files.
    QCOMPARE(loadMcpServers(path).value.has_value(), code == 0);
}

REKINDLE_TEST(CheckTest)
#include "checktest.moc"
