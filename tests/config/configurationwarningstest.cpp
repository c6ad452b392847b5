// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "allprobekinds.h"
#include "contains.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/config/configuration.h>

#include <sys/stat.h>
#include <unistd.h>

using namespace Rekindle;

/// Valid configurations that are probably mistakes cause warnings.
class ConfigurationWarningsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void warnsOfLikelyMistakes_data();
    void warnsOfLikelyMistakes();
    void warnsOfMissingPrograms();
    void warnsOfUnusedPolicies();
    void warnsOfManyAgentsWithoutGovernor();
    void rejectsPoliciesThatReferToEachOther();

private:
    [[nodiscard]] Parsed<Configuration> parse(const QByteArray &text) const
    {
        return parseConfiguration(text, m_folder.path(), {}, allProbeKinds());
    }

    QTemporaryDir m_folder;
};

void ConfigurationWarningsTest::warnsOfLikelyMistakes_data()
{
    const Rows<QByteArray, QString> row("keys", "warning");
    ::mkfifo(QFile::encodeName(m_folder.filePath(QStringLiteral("pipe"))).constData(), 0600);
    row("alive too long", R"("ready": {"kind": "alive", "for": "60s"})",
        "/agents/0/ready: warning: never ready: it must be alive for 1m, but "
        "startTimeout of its policy ends each start after 30s");
    row("alive before startTimeout", R"("ready": {"kind": "alive", "for": "29s"})", "");
    row("longer startTimeout",
        R"("ready": {"kind": "alive", "for": "60s"}, "policy": {"startTimeout": "2m"})", "");
    row("steps of another type", R"("policy": {"type": "exponential", "steps": ["1s"]})",
        "/agents/0/policy/steps: warning: no effect: steps are for type \"stepped\", found "
        "\"exponential\"");
    row("steps of type stepped", R"("policy": {"type": "stepped", "steps": ["1s"]})", "");
    row("recycling too often", R"("recycle": {"maxAge": "5s"})",
        "/agents/0/recycle: warning: maxAge is too short: requestLimit of its policy permits 10 "
        "requested restarts within 1m and refuses further ones");
    row("recycling as often as permitted", R"("recycle": {"maxAge": "6s"})", "");
    row("closeStdin without a pipe", R"("stop": {"closeStdin": "1s"})",
        "/agents/0/stop/closeStdin: warning: has no effect without stdin \"pipe\"");
    row("closeStdin with a pipe", R"("stdin": "pipe", "stop": {"closeStdin": "1s"})", "");
    row("closeStdin 0", R"("stop": {"closeStdin": "0s"})", "");
    row("outputEvents without lines",
        R"("outputEvents": true, "stdout": "null", "stderr": "inherit")",
        "/agents/0/outputEvents: warning: has no effect without stdout or stderr \"lines\"");
    row("outputEvents of one stream", R"("outputEvents": true, "stdout": "null")", "");
    row("outputEvents off", R"("outputEvents": false, "stdout": "null", "stderr": "null")", "");
    row("timeout", R"("health": [{"kind": "tcp", "port": 1, "timeout": "20s"}])",
        "/agents/0/health/0/timeout: warning: 20s is longer than the interval of 10s: a "
        "probe that hangs delays the next ones");
    row("interval alone", R"("health": [{"kind": "tcp", "port": 1, "interval": "1s"}])", "");
    row("stdout", R"("stdout": {"file": "gone/out"})",
        "/agents/0/stdout/file: warning: folder %1/gone is not found");
    row("stdout to a named pipe", R"("stdout": {"file": "pipe"})",
        "/agents/0/stdout/file: warning: %1/pipe is a named pipe: the agent starts only while a "
        "process reads it, and waits in each write until the line was read");
    row("stdout in an existing folder", R"("stdout": {"file": "out"})", "");
    row("written threshold", R"("policy": {"maxRetries": 1, "circuitBreaker": {"threshold": 4}})",
        "/agents/0/policy/circuitBreaker/threshold: warning: 4 is never reached: maxRetries 1 "
        "ends a sequence after 2 failures");
    row("default threshold", R"("policy": {"maxRetries": 1})", "");
    row("threshold of an empty breaker", R"("policy": {"maxRetries": 1, "circuitBreaker": {}})",
        "");
    row("PATH of the agent", R"("environment": {"PATH": "/nowhere"})",
        "/agents/0/program: warning: program \"sh\" is not found in PATH");
    row("other user", R"("group": "daemon")",
        ::geteuid() == 0 ? ""
                         : "/agents/0/group: warning: every start fails: only root can start a "
                           "process as another user or group");
    row("workingDirectory", R"("workingDirectory": "gone")",
        "/agents/0/workingDirectory: warning: folder %1/gone is not found");
    row("command of a readiness probe",
        R"("ready": {"kind": "probe", "probe": {"kind": "exec", "command": ["./missing"]}})",
        "/agents/0/ready/probe/command/0: warning: program %1/missing is not found");
    row("command of a health probe", R"("health": [{"kind": "heartbeat"},
            {"kind": "exec", "command": ["no-such-probe", "sh"]}])",
        "/agents/0/health/1/command/0: warning: program \"no-such-probe\" is not found in PATH");
    row("custom evaluator without a limit",
        R"("policy": {"type": "custom", "maxRetries": "unlimited", "circuitBreaker": "off",
            "evaluator": {"id": "leaky-bucket", "base": "immediate"}})",
        "");
}

void ConfigurationWarningsTest::warnsOfLikelyMistakes()
{
    QFETCH(QByteArray, keys);
    QFETCH(QString, warning);
    if (warning.contains(QLatin1String("%1")))
        warning = warning.arg(m_folder.path());
    const Parsed<Configuration> parsed =
        parse(R"({"agents": [{"name": "a", "kind": "process", "program": "sh", )" + keys + "}]}");
    QVERIFY2(parsed, qPrintable(parsed.messages().join(u'\n')));
    QString found = parsed.messages().join(u'\n');
    found.remove(0, qMax<qsizetype>(0, found.indexOf(u'/')));
    QCOMPARE(found, warning);
}

void ConfigurationWarningsTest::warnsOfMissingPrograms()
{
    QVERIFY(QFile(m_folder.filePath(QStringLiteral("plain.txt"))).open(QIODevice::WriteOnly));
    // The probe of the defaults has no place in an agent.
    const Parsed<Configuration> parsed = parse(R"({
"defaults": {"health": [{"kind": "exec", "command": ["no-such-default"]}]}, "agents": [
{"name": "a", "kind": "process", "program": "no-such-program-here"},
{"name": "b", "kind": "process", "program": "./missing"},
{"name": "c", "kind": "process", "program": "./plain.txt"},
{"name": "d", "kind": "process", "program": "./"},
{"name": "e", "kind": "process", "program": "sleep 5"},
{"name": "f", "kind": "process", "program": "./sleep 5", "ready":
 {"kind": "probe", "probe": {"kind": "exec", "command": ["test -e x"]}}}],
"mcpServers": {"g": {"command": "npx -y server"}}})");
    QVERIFY2(parsed, qPrintable(parsed.messages().join(u'\n')));
    QCOMPARE(parsed.messages().join(u'\n'),
             QStringLiteral("3:45: /agents/0/program: warning: program \"no-such-program-here\" is "
                            "not found in PATH\n"
                            "4:45: /agents/1/program: warning: program %1/missing is not found\n"
                            "5:45: /agents/2/program: warning: program %1/plain.txt is not "
                            "executable\n"
                            "6:45: /agents/3/program: warning: program %1 is a folder\n"
                            "7:45: /agents/4/program: warning: program \"sleep 5\" is not found in "
                            "PATH; arguments belong in \"arguments\"\n"
                            "8:45: /agents/5/program: warning: program %1/sleep 5 is not found; "
                            "arguments belong in \"arguments\"\n"
                            "9:58: /agents/5/ready/probe/command/0: warning: program \"test -e x\" "
                            "is not found in PATH; arguments belong in the next items\n"
                            "10:33: /mcpServers/g/command: warning: program \"npx -y server\" is "
                            "not found in PATH; arguments belong in \"args\"")
                 .arg(m_folder.path()));
}

void ConfigurationWarningsTest::warnsOfUnusedPolicies()
{
    const Parsed<Configuration> parsed =
        parse(R"({"policies": {"one": "default", "two": "default", "three": "default"},
                  "defaults": {"policy": "one"},
                  "agents": [{"name": "a", "kind": "process", "program": "sh"}],
                  "mcpServers": {"off": {"command": "sh", "disabled": true, "policy": "two"}}})");
    QVERIFY2(parsed, qPrintable(parsed.messages().join(u'\n')));
    const QStringList unused = parsed.messages().filter(QStringLiteral("this policy is not used"));
    QCOMPARE(unused.size(), 1);
    VERIFY_CONTAINS(unused.front(), "/policies/three: warning: ");
}

void ConfigurationWarningsTest::warnsOfManyAgentsWithoutGovernor()
{
    const auto warnings = [&](int count, const QByteArray &key) {
        QByteArray agents;
        for (int i = 0; i < count; ++i) {
            agents += agents.isEmpty() ? "" : ",";
            agents += R"({"name": "a)" + QByteArray::number(i)
                + R"(", "kind": "process", "program": "true"})";
        }
        QStringList texts;
        const Parsed<Configuration> parsed = parse("{" + key + "\"agents\": [" + agents + "]}");
        for (const Fault &fault : parsed.warnings)
            texts.append(fault.message);
        return texts;
    };
    QCOMPARE(warnings(50, ""), QStringList());
    QCOMPARE(warnings(51, "\"governor\": {},"), QStringList());
    QCOMPARE(
        warnings(51, ""),
        QStringList(QStringLiteral(
            "51 agents without \"governor\" can all start at the same time; to limit that, add "
            "\"governor\": { \"maxStarting\": 8 }")));
}

void ConfigurationWarningsTest::rejectsPoliciesThatReferToEachOther()
{
    for (const char *policies : {R"({"p": "q", "q": {"maxRetries": 1}})",
                                 R"({"q": {"maxRetries": 1}, "p": "q"})", R"({"q": "q"})"}) {
        const Parsed<Configuration> parsed =
            parse(QByteArray(R"({"policies": )") + policies
                  + R"(, "agents": [{"name": "a", "kind": "process", "program": "sh",
                       "policy": "q"}]})");
        QVERIFY(!parsed);
        QCOMPARE(parsed.faults.size(), 1);
        QVERIFY2(parsed.faults.front().message.startsWith(
                     QLatin1String("expected an object, a file or a preset, found \"q\"")),
                 qPrintable(parsed.faults.front().message));
    }
}

REKINDLE_TEST(ConfigurationWarningsTest)
#include "configurationwarningstest.moc"
