// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "allprobekinds.h"
#include "testprogram.h"

#include <rekindle/config/configuration.h>

using namespace Rekindle;

namespace {

const char presets[] = "default, exponential, immediate, kubernetes, linear, mcp-proxy, none, otp, "
                       "spawn, stdio-backend, systemd, tool-call, vscode, watchdog";
const char reasons[] = "UnhandledException, HealthCheckFailed, InitializationFailed, Timeout, "
                       "ResourceExhaustion, DependencyFailure, ProcessCrash, Unknown";

// An agent with more keys, which begin in line 2, column 1.
QByteArray agent(const QByteArray &more)
{
    return "{\"agents\": [{\"name\": \"a\", \"kind\": \"process\", \"program\": \"/bin/sh\",\n"
        + more + "}]}";
}

// A configuration with a key before its agents; it begins in line 2, column 1.
QByteArray top(const QByteArray &more)
{
    return "{\n" + more
        + ",\n\"agents\": [{\"name\": \"a\", \"kind\": \"process\", \"program\": \"/bin/sh\"}]}";
}

void row(const char *name, const QByteArray &json, const QByteArray &expected)
{
    QTest::newRow(name) << json << QString::fromUtf8(expected);
}

} // namespace

class ConfigurationFaultsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void topLevel_data();
    void topLevel() { compare(); }
    void agents_data();
    void agents() { compare(); }
    void policies_data();
    void policies() { compare(); }
    void servers_data();
    void servers() { compare(); }
    void reportsAllFaults();
    void faultsNamePolicyFile();
    void reportsUnreadableFiles();
    void rejectsHugeFile();

private:
    static void columns();
    void compare();

    QTemporaryDir m_folder;
};

void ConfigurationFaultsTest::columns()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("expected");
}

void ConfigurationFaultsTest::compare()
{
    QFETCH(const QByteArray, json);
    QFETCH(const QString, expected);
    const Parsed<Configuration> parsed =
        parseConfiguration(json, m_folder.path(), {}, allProbeKinds());
    QVERIFY(!parsed);
    QCOMPARE(parsed.messages().join(u'\n'), expected);
}

void ConfigurationFaultsTest::topLevel_data()
{
    columns();
    row("empty", "", "1:1: expected a value, found the end of the text");
    row("deep", "{\"agents\":" + QByteArray(1000, '[') + "}",
        "1:74: /agents" + QByteArrayLiteral("/0").repeated(62) + ": nested deeper than 64");
    row("an array", "[]", "1:1: expected an object, found an array");
    row("no agents", "{}", "1:1: /agents: missing; expected agents, mcpServers or include");
    row("empty agents", "{\"agents\": []}",
        "1:12: /agents: expected at least one agent, found none");
    row("agents as an object", "{\"agents\": {}}",
        "1:12: /agents: expected an array, found an object");
    row("agent as a text", "{\"agents\": [\"a\"]}",
        "1:13: /agents/0: expected an object, found \"a\"");
    row("unknown key", top("\"agent\": []"), "2:1: /agent: unknown key; did you mean \"agents\"?");
    row("part of a key", top("\"servers\": {}"),
        "2:1: /servers: unknown key; did you mean \"mcpServers\"?");
    row("far unknown key", top("\"listeners\": {}"),
        "2:1: /listeners: unknown key; expected one of $schema, include, policies, defaults, "
        "governor, fleet, groups, sharedBreakers, agents, mcpServers");
    row("mcpServers", top("\"mcpServers\": []"),
        "2:15: /mcpServers: expected an object, found an array");
    row("governor", top("\"governor\": 1"), "2:13: /governor: expected an object, found 1");
    row("values of the governor",
        top("\"governor\": {\"maxStarting\": 0, \"rate\": \"50\", \"burst\": 10001, \"x\": 1}"),
        "2:29: /governor/maxStarting: expected a whole number from 1 to 10000, found 0\n"
        "2:40: /governor/rate: expected a number of starts from 1 to 10000 and a unit, such as "
        "\"50/s\", \"30/m\" or \"10/h\", found \"50\"\n"
        "2:55: /governor/burst: expected a whole number from 1 to 10000, found 10001\n"
        "2:62: /governor/x: unknown key; expected one of maxStarting, rate, burst");
    row("schema", top("\"$schema\": 1"), "2:12: /$schema: expected a string, found 1");
    row("defaults", top("\"defaults\": 1"), "2:13: /defaults: expected an object, found 1");
    row("defaults of one agent", top("\"defaults\": {\"program\": \"x\", \"stop\": {\"kill\": 5}}"),
        "2:14: /defaults/program: unknown key; expected one of environmentFiles, "
        "environment, policy, workingDirectory, ready, health, stdin, stdout, stderr, stop, "
        "exitCodes, user, group, umask, nice, limits, recycle, outputEvents, start, tags, watch, "
        "priority, placement, onStoreLoss, requires\n"
        "2:47: /defaults/stop/kill: expected a text with a unit, such as \"500ms\", found 5");
}

void ConfigurationFaultsTest::agents_data()
{
    columns();
    row("empty agent", "{\"agents\": [{}]}",
        "1:13: /agents/0/name: missing\n"
        "1:13: /agents/0/program: missing");
    row("name", "{\"agents\": [{\"name\": \"a b\", \"kind\": \"process\", \"program\": \"sh\"}]}",
        "1:22: /agents/0/name: expected 1 to 64 of A-Z a-z 0-9 . _ -, found \"a b\"");
    row("same name",
        "{\"agents\": [{\"name\": \"a\", \"kind\": \"process\", \"program\": \"sh\"},\n"
        "{\"name\": \"a\", \"kind\": \"process\", \"program\": \"sh\"}]}",
        "2:10: /agents/1/name: duplicate name \"a\", first on line 1");
    for (const char *kind : {"mcp", "worker", "Process"}) {
        row(kind,
            "{\"agents\": [{\"name\": \"a\", \"kind\": \"" + QByteArray(kind)
                + "\", \"program\": \"sh\"}]}",
            "1:35: /agents/0/kind: expected \"process\" (this version has no other), found \""
                + QByteArray(kind) + '"');
    }
    row("empty program",
        "{\"agents\": [{\"name\": \"a\", \"kind\": \"process\", \"program\": \"\"}]}",
        "1:57: /agents/0/program: expected a non-empty string, found \"\"");
    row("health", agent("\"health\": {}"),
        "2:11: /agents/0/health: expected an array, found an object");
    row("health of another kind", agent("\"health\": [{\"kind\": \"mcp-ping\"}]"),
        "2:21: /agents/0/health/0/kind: expected one of exec, heartbeat, tcp, http, found "
        "\"mcp-ping\", which is for the health of mcpServers");
    row("health without a target",
        agent("\"health\": [{\"kind\": \"tcp\"}, {\"kind\": \"http\"}, {\"kind\": \"exec\"}]"),
        "2:12: /agents/0/health/0/port: missing\n2:29: /agents/0/health/1/url: missing\n"
        "2:47: /agents/0/health/2/command: missing");
    row("health out of range",
        agent("\"health\": [{\"kind\": \"heartbeat\",\n\"interval\": \"1ms\",\n\"timeout\": "
              "\"2h\",\n\"misses\": 0,\n\"grace\": \"2d\"}]"),
        "3:13: /agents/0/health/0/interval: expected 10ms to 1d, found \"1ms\"\n"
        "4:12: /agents/0/health/0/timeout: expected 1ms to 1h, found \"2h\"\n"
        "5:11: /agents/0/health/0/misses: expected a whole number from 1 to 1000, found 0\n"
        "6:10: /agents/0/health/0/grace: expected 0s to 1d, found \"2d\"");
    row("lastChance below timeout",
        agent(
            "\"health\": [{\"kind\": \"heartbeat\", \"timeout\": \"5s\", \"lastChance\": \"4s\"}]"),
        "2:65: /agents/0/health/0/lastChance: expected 5s to 1h, found \"4s\"");
    row("a key of another kind", agent("\"health\": [{\"kind\": \"heartbeat\", \"port\": 1}]"),
        "2:34: /agents/0/health/0/port: unknown key; expected one of kind, interval, timeout, "
        "misses, grace, lastChance");
    row("url", agent("\"health\": [{\"kind\": \"http\", \"url\": \"localhost:80\"}]"),
        "2:36: /agents/0/health/0/url: expected http://HOST... or https://HOST..., found "
        "\"localhost:80\"");
    row("heartbeat as a readiness probe",
        agent("\"ready\": {\"kind\": \"probe\", \"probe\": {\"kind\": \"heartbeat\"}}"),
        "2:46: /agents/0/ready/probe/kind: expected one of exec, tcp, http, found \"heartbeat\", "
        "which is for health");
    row("mcp-ping as a readiness probe",
        agent("\"ready\": {\"kind\": \"probe\", \"probe\": {\"kind\": \"mcp-ping\"}}"),
        "2:46: /agents/0/ready/probe/kind: expected one of exec, tcp, http, found \"mcp-ping\", "
        "which is for the health of mcpServers");
    row("mcp-ping in the defaults", top("\"defaults\": {\"health\": [{\"kind\": \"mcp-ping\"}]}"),
        "2:34: /defaults/health/0/kind: expected one of exec, heartbeat, tcp, http, found "
        "\"mcp-ping\", which is for the health of mcpServers");
    row("unknown key", agent("\"color\": 1, \"args\": [], \"enviroment\": {}"),
        "2:1: /agents/0/color: unknown key; expected one of name, kind, dependsOn, "
        "environmentFiles, environment, program, arguments, policy, workingDirectory, ready, "
        "health, stdin, stdout, stderr, stop, exitCodes, user, group, umask, nice, limits, "
        "recycle, outputEvents, start, tags, watch, priority, placement, onStoreLoss, requires\n"
        "2:13: /agents/0/args: unknown key; did you mean \"arguments\"?\n"
        "2:25: /agents/0/enviroment: unknown key; did you mean \"environment\"?");
    row("arguments", agent("\"arguments\": [\"a\", 1, null, \"\\u0000\"]"),
        "2:20: /agents/0/arguments/1: expected a string, found 1\n"
        "2:23: /agents/0/arguments/2: expected a string, found null\n"
        "2:29: /agents/0/arguments/3: expected a string without null characters, found "
        "\"\\u0000\"");
    row("watch",
        agent("\"watch\": [1, \"\", \"~/x\", \"$HOME/x\", \"src/\", \".\", \"[b-a]\", "
              "\"${NO_SUCH}/x\"]"),
        "2:11: /agents/0/watch/0: expected a string, found 1\n"
        "2:14: /agents/0/watch/1: expected a non-empty string, found \"\"\n"
        "2:18: /agents/0/watch/2: ~/x: only a shell expands ~ and $; use the full path, or put ./ "
        "before the name of a file\n"
        "2:25: /agents/0/watch/3: $HOME/x: only a shell expands ~ and $; use the full path, or put "
        "./ before the name of a file\n"
        "2:36: /agents/0/watch/4: src/: expected files, found a folder; add /**/* for all its "
        "files\n"
        "2:44: /agents/0/watch/5: .: expected files, found a folder; add /**/* for all its files\n"
        "2:49: /agents/0/watch/6: [b-a]: invalid pattern: range out of order in character class\n"
        "2:58: /agents/0/watch/7: environment variable NO_SUCH is not set; write ${NO_SUCH:-} for "
        "an empty text, or $${NO_SUCH} if it is meant for a shell");
    row("watch as text", agent("\"watch\": \"src/*\""),
        "2:10: /agents/0/watch: expected an array, found \"src/*\"");
    row("workingDirectory", agent("\"workingDirectory\": \"\""),
        "2:21: /agents/0/workingDirectory: expected a non-empty string, found \"\"");
    row("environment", agent("\"environment\": {\"A\": 1, \"B=C\": \"\", \"\": null}"),
        "2:22: /agents/0/environment/A: expected a string, or null to remove the variable, found "
        "1\n"
        "2:32: /agents/0/environment/B=C: expected a variable name that is not empty and has no "
        "\"=\" or null character\n"
        "2:40: /agents/0/environment/: expected a variable name that is not empty and has no \"=\" "
        "or null character");
    const char *unset =
        " is not set; write ${%:-} for an empty text, or $${%} if it is meant for a "
        "shell";
    const auto isUnset = [unset](const QByteArray &place, const QByteArray &name) -> QByteArray {
        return place + ": environment variable " + name + QByteArray(unset).replace('%', name);
    };
    row("variable that is not set",
        agent("\"arguments\": [\"${NOT_SET}\"], \"environment\": {\"A\": \"${B}\", \"B\": \"\", "
              "\"C\": null},\n\"workingDirectory\": \"/${C}\", \"stdout\": {\"file\": "
              "\"${env:NOT_SET}\"}"),
        isUnset("2:15: /agents/0/arguments/0", "NOT_SET") + '\n'
            + isUnset("2:51: /agents/0/environment/A", "B") + '\n'
            + isUnset("3:21: /agents/0/workingDirectory", "C") + '\n'
            + isUnset("3:49: /agents/0/stdout/file", "NOT_SET"));
    row("variable in the form of a shell", agent("\"arguments\": [\"-c\", \"echo ${a%b}\"]"),
        "2:21: /agents/0/arguments/1: expected ${env:NAME}, ${NAME}, ${NAME:-DEFAULT}, "
        "${workspaceFolder} or ${userHome}, found ${a%b}; if it is meant for a shell, write "
        "$${a%b}");
    row("variable in a default", agent("\"arguments\": [\"${A:-${B}}\", \"${A:-x$${B}\"]"),
        "2:15: /agents/0/arguments/0: expected a default of A without ${; if it is meant for a "
        "shell, write $${ for each ${\n"
        "2:29: /agents/0/arguments/1: expected a default of A without ${; if it is meant for a "
        "shell, write $${ for each ${");
    row("variable without an end", agent("\"arguments\": [\"${A\", \"$${B} ${\"]"),
        "2:15: /agents/0/arguments/0: expected \"}\" after ${, found the end of the string; if it "
        "is meant for a shell, write $${\n"
        "2:22: /agents/0/arguments/1: expected \"}\" after ${, found the end of the string; if it "
        "is meant for a shell, write $${");
    row("variable that makes a path empty", agent("\"workingDirectory\": \"${NOT_SET:-}\""),
        "2:21: /agents/0/workingDirectory: expected a non-empty string, found \"${NOT_SET:-}\", "
        "which is empty after its variables were replaced");
    const QByteArray forms = R"("alive", "now", "notify", {"kind": "alive", "for": "1s"}, )"
                             R"({"kind": "line", "pattern": ...} or )"
                             R"({"kind": "probe", "probe": {...}})";
    row("ready text", agent("\"ready\": \"nwo\""),
        "2:10: /agents/0/ready: expected " + forms + ", found \"nwo\"");
    row("ready kind", agent("\"ready\": {\"kind\": \"soon\"}"),
        "2:19: /agents/0/ready/kind: expected one of alive, now, line, notify, probe, found "
        "\"soon\"");
    row("null for \"null\"", agent("\"stdin\": null"),
        "2:10: /agents/0/stdin: expected \"null\" in quotes, found null");
    row("ready without kind", agent("\"ready\": {}"), "2:10: /agents/0/ready/kind: missing");
    row("ready line without pattern", agent("\"ready\": {\"kind\": \"line\"}"),
        "2:10: /agents/0/ready/pattern: missing");
    row("bad pattern", agent("\"ready\": {\"kind\": \"line\", \"pattern\": \"a(b\"}"),
        "2:38: /agents/0/ready/pattern: expected a regular expression, found \"a(b\": missing "
        "closing parenthesis at character 4");
    row("pattern elsewhere", agent("\"ready\": {\"kind\": \"now\", \"pattern\": \"x\"}"),
        "2:26: /agents/0/ready/pattern: unknown key; expected one of kind");
    row("alive for 0s", agent("\"ready\": {\"kind\": \"alive\", \"for\": \"0s\"}"),
        "2:35: /agents/0/ready/for: expected 1ms to 1d, found \"0s\"");
    row("line without stdout lines",
        agent("\"ready\": {\"kind\": \"line\", \"pattern\": \"x\"}, \"stdout\": \"null\""),
        "2:10: /agents/0/ready: kind \"line\" requires stdout \"lines\"");
    row("stdin", agent("\"stdin\": \"lines\""),
        "2:10: /agents/0/stdin: expected one of null, inherit, pipe, found \"lines\"");
    row("stdout", agent("\"stdout\": \"file\""),
        "2:11: /agents/0/stdout: expected one of inherit, null, lines, found \"file\"");
    row("stdout null", agent("\"stdout\": null"),
        "2:11: /agents/0/stdout: expected \"inherit\", \"null\", \"lines\" or {\"file\": PATH}, "
        "found null");
    row("stderr", agent("\"stderr\": {\"path\": \"x\"}"),
        "2:11: /agents/0/stderr/file: missing\n"
        "2:12: /agents/0/stderr/path: unknown key; expected one of file, maxSize, maxAge, keep");
    row("rotation",
        agent("\"stdout\": {\"file\": \"x\", \"maxSize\": \"10XB\", \"maxAge\": \"1s\", \"keep\": "
              "0}"),
        "2:36: /agents/0/stdout/maxSize: expected a size from 4 KiB to 1 TiB, such as \"10MB\", "
        "found "
        "\"10XB\"\n"
        "2:54: /agents/0/stdout/maxAge: expected 1m to 366d, found \"1s\"\n"
        "2:68: /agents/0/stdout/keep: expected a whole number from 1 to 1000, found 0");
    row("small rotation", agent("\"stdout\": {\"file\": \"x\", \"maxSize\": 4095}"),
        "2:36: /agents/0/stdout/maxSize: expected a size from 4 KiB to 1 TiB, such as \"10MB\", "
        "found "
        "4095");
    row("keep without a limit", agent("\"stdout\": {\"file\": \"x\", \"keep\": 3}"),
        "2:25: /agents/0/stdout/keep: expected maxSize or maxAge with it");
    row("user", agent("\"user\": \"no-such-user\", \"group\": \"no-such-group\""),
        "2:9: /agents/0/user: expected a user of this machine, found \"no-such-user\"");
    row("group", agent("\"user\": \"\", \"group\": \"no-such-group\""),
        "2:9: /agents/0/user: expected a non-empty string, found \"\"\n"
        "2:22: /agents/0/group: expected a Unix group of this machine, found \"no-such-group\"");
    row("group of another user", top("\"defaults\": {\"user\": \"54321\", \"umask\": \"08\"}"),
        "2:22: /defaults/user: expected a user of this machine, or \"group\" in addition to the "
        "number, found \"54321\"\n"
        "2:40: /defaults/umask: expected an octal number in quotes, \"0\" to \"0777\", found "
        "\"08\"");
    row("umask and nice", agent("\"umask\": 22, \"nice\": 20"),
        "2:10: /agents/0/umask: expected an octal number in quotes, \"0\" to \"0777\", found 22\n"
        "2:22: /agents/0/nice: expected a whole number from -20 to 19, found 20");
    const QByteArray limit =
        "expected a whole number of at least 0, \"unlimited\", or [SOFT, HARD] "
        "with two of these, found ";
    row("limits",
        agent("\"limits\": {\"rlimits\": {\"core\": -1, \"cpu\": [1, 2, 3], \"data\": "
              "[\"unlimited\", 1], \"fsize\": 1.5, \"nofiles\": 1}, \"memroy\": 1}"),
        "2:32: /agents/0/limits/rlimits/core: " + limit + "-1\n"
            + "2:43: /agents/0/limits/rlimits/cpu: " + limit + "an array\n"
            + "2:62: /agents/0/limits/rlimits/data: expected a soft limit that is not above the "
              "hard limit, found [unlimited, 1]\n"
              "2:89: /agents/0/limits/rlimits/fsize: "
            + limit
            + "1.5\n"
              "2:94: /agents/0/limits/rlimits/nofiles: unknown key; did you mean \"nofile\"?\n"
              "2:109: /agents/0/limits/memroy: unknown key; did you mean \"memory\"?");
    const QByteArray size = "expected a size from 4 KiB to 1 TiB, such as \"10MB\", found ";
    const QByteArray share =
        "expected a share of one core from \"1%\" to \"100000%\", such as \"150%\", found ";
    row("limits of use",
        agent("\"limits\": {\"memory\": 1,\n\"cpu\": {\"share\": \"0%\", \"for\": \"1ms\"},\n"
              "\"processes\": 0, \"interval\": \"2h\"}"),
        "2:22: /agents/0/limits/memory: " + size
            + "1\n"
              "3:18: /agents/0/limits/cpu/share: "
            + share
            + "\"0%\"\n"
              "3:31: /agents/0/limits/cpu/for: expected 1s to 1h, found \"1ms\"\n"
              "4:14: /agents/0/limits/processes: expected a whole number from 1 to 1000000, found "
              "0\n"
              "4:29: /agents/0/limits/interval: expected 100ms to 1h, found \"2h\"");
    row("limit of the CPU",
        agent("\"limits\": {\"cpu\": 150, \"memory\": \"1 PB\"},\n"
              "\"recycle\": {\"maxAge\": \"1ms\", \"spread\": 0.6, \"memory\": \"none\", \"age\": "
              "1}"),
        "2:19: /agents/0/limits/cpu: expected {\"share\": \"150%\", \"for\": \"30s\"} or "
        "\"unlimited\", found 150\n"
        "2:34: /agents/0/limits/memory: "
            + size
            + "\"1 PB\"\n"
              "3:23: /agents/0/recycle/maxAge: expected 1s to 366d, found \"1ms\"\n"
              "3:40: /agents/0/recycle/spread: expected a number from 0 to 0.5, found 0.6\n"
              "3:55: /agents/0/recycle/memory: "
            + size
            + "\"none\"\n"
              "3:63: /agents/0/recycle/age: unknown key; expected one of maxAge, spread, memory");
    row("outputEvents", agent("\"outputEvents\": \"lines\""),
        "2:17: /agents/0/outputEvents: expected true or false, found \"lines\"");
    row("tags", agent("\"tags\": [" + QByteArray("\"a\",").repeated(33).chopped(1) + "]"),
        "2:9: /agents/0/tags: expected at most 32 tags, found 33");
    row("stop",
        agent("\"stop\": {\"closeStdin\": 1, \"terminate\": \"-5s\", \"kill\": \"61m\", \"x\": 0}"),
        "2:24: /agents/0/stop/closeStdin: expected a text with a unit, such as \"500ms\", found 1\n"
        "2:40: /agents/0/stop/terminate: expected a duration such as \"500ms\", \"1.5s\", \"5m\", "
        "\"1h\" or \"7d\", found \"-5s\"\n"
        "2:55: /agents/0/stop/kill: expected 0s to 1h, found \"61m\"\n"
        "2:62: /agents/0/stop/x: unknown key; expected one of closeStdin, signal, terminate, "
        "kill");
    const auto signalRow = [&](const QByteArray &signal, const QByteArray &why) {
        const QByteArray name = "stop signal " + signal;
        row(name.constData(), agent("\"stop\": {\"signal\": " + signal + '}'),
            "2:20: /agents/0/stop/signal: expected a signal that asks a process to exit, such as "
            "\"SIGINT\", found "
                + signal + why);
    };
    for (const char *signal : {"\"TERM\"", "\"sigterm\"", "\"Term\"", "\"SIG_TERM\"", "15"})
        signalRow(signal, "; did you mean \"SIGTERM\"?");
    for (const char *signal : {"\"USR1\"", "\"sigusr1\"", "\"usr1\"", "10"})
        signalRow(signal, "; did you mean \"SIGUSR1\"?");
    for (const char *signal :
         {"\"SIGKILL\"", "\"SIGSTOP\"", "\"SIGCHLD\"", "\"SIGCONT\"", "\"SIGTSTP\"", "\"SIGURG\"",
          "\"signal 15\"", "\"\"", "null", "0", "-15", "1e9", "true"})
        signalRow(signal, "");
    row("pattern with a variable", agent(R"("environment": {"A": "("}, "stdout": "lines",
                 "ready": {"kind": "line", "pattern": "${A}:x"})"),
        "3:55: /agents/0/ready/pattern: expected a regular expression, found \"(:x\" (from "
        "\"${A}:x\"): missing closing parenthesis at character 4");
    for (const char *code : {"0", "256", "abc", "-1", "007", "1.0", " 1", ""}) {
        row(code, agent("\"exitCodes\": {\"" + QByteArray(code) + "\": \"Timeout\"}"),
            "2:15: /agents/0/exitCodes/" + QByteArray(code)
                + ": expected \"1\" to \"255\", found \"" + QByteArray(code) + '"');
    }
    row("exit code's meaning", agent("\"exitCodes\": {\"1\": \"Boom\", \"2\": 3}"),
        "2:20: /agents/0/exitCodes/1: expected one of permanent, " + QByteArray(reasons)
            + ", found \"Boom\"\n2:33: /agents/0/exitCodes/2: expected one of permanent, " + reasons
            + ", found 3");
}

void ConfigurationFaultsTest::policies_data()
{
    columns();
    const QByteArray forms =
        QByteArray(" an object, a file (with \"/\" or \".json\") or one of ") + presets;
    const QByteArray expected = "; expected" + forms;
    row("unknown", agent("\"policy\": \"colour\""),
        "2:11: /agents/0/policy: unknown policy \"colour\"" + expected);
    row("mistyped preset", agent("\"policy\": \"watchdogs\""),
        "2:11: /agents/0/policy: unknown policy \"watchdogs\"; did you mean \"watchdog\"? Expected"
            + forms);
    row("mistyped own",
        top("\"policies\": {\"patient\": {}}, \"defaults\": {\"policy\": \"patent\"}"),
        "2:53: /defaults/policy: unknown policy \"patent\"; did you mean \"patient\"? Expected"
            + forms + ", patient");
    row("a number", agent("\"policy\": 1"),
        "2:11: /agents/0/policy: expected a policy: a name, a file or an object, found 1");
    row("preset's name", top("\"policies\": {\"watchdog\": {}}"),
        "2:14: /policies/watchdog: expected another name than that of a preset");
    row("names", top("\"policies\": {\"a b\": {}, \"\": {}, \"p.json\": {}, \"a/b\": {}}"),
        "2:14: /policies/a b: expected a name of 1 to 64 of A-Z a-z 0-9 . _ - that does not end in "
        ".json\n"
        "2:25: /policies/: expected a name of 1 to 64 of A-Z a-z 0-9 . _ - that does not end in "
        ".json\n"
        "2:33: /policies/p.json: expected a name of 1 to 64 of A-Z a-z 0-9 . _ - that does not end "
        "in .json\n"
        "2:47: /policies/a~1b: expected a name of 1 to 64 of A-Z a-z 0-9 . _ - that does not end "
        "in .json");
    row("policies", top("\"policies\": []"), "2:13: /policies: expected an object, found an array");
    row("reference to another entry", top("\"policies\": {\"a\": {}, \"b\": \"a\"}"),
        "2:28: /policies/b: expected an object, a file or a preset, found \"a\", another entry of "
        "policies");
    row("faulty and used",
        top("\"policies\": {\"p\": {\"maxRetries\": 3000000000}}, "
            "\"defaults\": {\"policy\": \"p\"}"),
        "2:34: /policies/p/maxRetries: expected a whole number from 0 to 1000000 or \"unlimited\", "
        "found 3000000000");
    row("in place",
        agent("\"policy\": {\"maxRetries\": 1e300, \"multiplier\": 18446744073709551616, "
              "\"initialDelay\": 5, \"stableAfter\": \"-1s\", \"immediateFirst\": 1}"),
        "2:26: /agents/0/policy/maxRetries: expected a whole number from 0 to 1000000 or "
        "\"unlimited\", found 1e300\n"
        "2:47: /agents/0/policy/multiplier: expected 1 to 100, found 1.84467e+19\n"
        "2:85: /agents/0/policy/initialDelay: expected a text with a unit, such as \"500ms\", "
        "found 5\n"
        "2:103: /agents/0/policy/stableAfter: expected a duration such as \"500ms\", \"1.5s\", "
        "\"5m\", \"1h\" or \"7d\", found \"-1s\"\n"
        "2:128: /agents/0/policy/immediateFirst: expected true or false, found 1");
    const QByteArray unbounded = "expected more than 0s, or another kind of ready than \"now\", "
                                 "found 0s: restarts would never be limited";
    row("stableAfter 0 with ready now",
        agent("\"ready\": \"now\", \"policy\": {\"stableAfter\": \"0s\"}"),
        "2:27: /agents/0/policy: stableAfter: " + unbounded);
    row("the same by defaults",
        top("\"defaults\": {\"ready\": \"now\", \"policy\": {\"stableAfter\": \"0s\"}}"),
        "3:12: /agents/0/policy: stableAfter: " + unbounded);
}

void ConfigurationFaultsTest::servers_data()
{
    columns();
    // An entry with more keys, which begin in line 2, column 1.
    const auto server = [](const QByteArray &more) -> QByteArray {
        return "{\"mcpServers\": {\"s\": {\"command\": \"/bin/cat\",\n" + more + "}}}";
    };
    row("an array", "{\"mcpServers\": []}",
        "1:16: /mcpServers: expected an object, found an array");
    row("empty", "{\"mcpServers\": {}}",
        "1:16: /mcpServers: expected at least one server that can be started, found none");
    row("all disabled", "{\"mcpServers\": {\"a\": {\"disabled\": true}}}",
        "1:16: /mcpServers: expected at least one server that can be started, found none");
    row("an empty list of agents",
        "{\"agents\": [], \"mcpServers\": {\"a\": {\"command\": \"/bin/cat\"}}}",
        "1:12: /agents: expected at least one agent, found none");
    row("an entry as a text", "{\"mcpServers\": {\"a\": \"/bin/cat\"}}",
        "1:22: /mcpServers/a: expected an object, found \"/bin/cat\"");
    row("no command", "{\"mcpServers\": {\"a\": {}}}", "1:22: /mcpServers/a/command: missing");
    row("name", "{\"mcpServers\": {\"a b\": {\"command\": \"/bin/cat\"}}}",
        "1:17: /mcpServers/a b: expected 1 to 64 of A-Z a-z 0-9 . _ -, found \"a b\"");
    row("no name", "{\"mcpServers\": {\"\": {\"command\": \"/bin/cat\"}}}",
        "1:17: /mcpServers/: expected 1 to 64 of A-Z a-z 0-9 . _ -, found \"\"");
    row("the name of an agent",
        "{\"mcpServers\": {\"a\": {\"command\": \"/bin/cat\"}},\n"
        "\"agents\": [{\"name\": \"a\", \"kind\": \"process\", \"program\": \"/bin/sh\"}]}",
        "1:17: /mcpServers/a: duplicate name \"a\", first on line 2");
    row("the same name",
        "{\"mcpServers\": {\"a\": {\"command\": \"/bin/cat\"},\n\"a\": {\"command\": \"x\"}}}",
        "2:1: /mcpServers/a: duplicate key \"a\" in this object; remove or rename one of them");
    row("command", "{\"mcpServers\": {\"a\": {\"command\": \"\"}, \"b\": {\"command\": [\"x\"]}}}",
        "1:34: /mcpServers/a/command: expected a non-empty string, found \"\"\n"
        "1:56: /mcpServers/b/command: expected a string, found an array");
    row("args", server("\"args\": [1, \"${input:key}\"]"),
        "2:10: /mcpServers/s/args/0: expected a string, found 1\n"
        "2:13: /mcpServers/s/args/1: expected a string or ${env:NAME}, found "
        "${input:key}, for which an editor prompts");
    row("env", server("\"env\": {\"A\": true, \"B=C\": \"\"}"),
        "2:14: /mcpServers/s/env/A: expected a string, a number, or null to remove the variable, "
        "found true\n"
        "2:27: /mcpServers/s/env/B=C: expected a variable name that is not empty and has no \"=\" "
        "or null character");
    row("cwd", server("\"cwd\": \"\""),
        "2:8: /mcpServers/s/cwd: expected a non-empty string, found \"\"");
    row("type", server("\"type\": \"pigeon\""),
        "2:9: /mcpServers/s/type: expected \"stdio\", or \"http\" or \"sse\", which are skipped, "
        "found \"pigeon\"");
    row("disabled", server("\"disabled\": 1, \"enabled\": \"no\""),
        "2:13: /mcpServers/s/disabled: expected true or false, found 1\n"
        "2:27: /mcpServers/s/enabled: expected true or false, found \"no\"");
    row("policy", server("\"policy\": {\"multiplier\": 0.5}"),
        "2:26: /mcpServers/s/policy/multiplier: expected 1 to 100, found 0.5");
    row("health", server("\"health\": {}"),
        "2:11: /mcpServers/s/health: expected an array, found an object");
    row("health of what kind", server("\"health\": [{\"kind\": \"ping\"}]"),
        "2:21: /mcpServers/s/health/0/kind: expected one of exec, heartbeat, tcp, http, mcp-ping, "
        "found \"ping\"");
}

void ConfigurationFaultsTest::reportsAllFaults()
{
    const Parsed<Configuration> parsed = parseConfiguration(
        "{\"extra\": 1,\n"
        " \"agents\": [\n"
        "  {\"name\": \"a\", \"kind\": \"process\", \"program\": \"no-such-program-here\",\n"
        "   \"stop\": {\"kill\": 1}},\n"
        "  {\"name\": \"a\", \"kind\": \"worker\"}],\n"
        " \"policies\": {\"default\": {\"type\": \"x\"}}}",
        m_folder.path(), QStringLiteral("c.json"));
    QVERIFY(!parsed);
    QStringList starts;
    for (const QString &line : parsed.messages())
        starts.append(line.section(QStringLiteral(": "), 0, 1));
    QCOMPARE(starts.join(u'\n'),
             QStringLiteral("c.json:1:2: /extra\n"
                            "c.json:4:21: /agents/0/stop/kill\n"
                            "c.json:5:3: /agents/1/program\n"
                            "c.json:5:12: /agents/1/name\n"
                            "c.json:5:25: /agents/1/kind\n"
                            "c.json:6:15: /policies/default\n"
                            "c.json:6:35: /policies/default/type\n"
                            "c.json:3:47: /agents/0/program"));
    QCOMPARE(parsed.warnings.size(), 1);
}

void ConfigurationFaultsTest::faultsNamePolicyFile()
{
    QFile file(m_folder.filePath(QStringLiteral("bad.json")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{\n\"maxRetrys\": 1,\n\"maxDelay\": \"0s\"}");
    file.close();
    const Parsed<Configuration> parsed = parseConfiguration(
        agent("\"policy\": \"bad.json\""), m_folder.path(), QStringLiteral("c.json"));
    QVERIFY(!parsed);
    QCOMPARE(parsed.messages().join(u'\n'),
             QStringLiteral("c.json:2:11: /agents/0/policy: bad.json:2:1: /maxRetrys: unknown key; "
                            "did you mean \"maxRetries\"?\n"
                            "c.json:2:11: /agents/0/policy: bad.json:3:13: /maxDelay: expected 1s "
                            "(initialDelay) to 7d, found 0s"));
    const Parsed<Configuration> missing =
        parseConfiguration(agent("\"policy\": \"no.json\""), m_folder.path());
    QVERIFY(!missing);
    QVERIFY(missing.messages().front().startsWith(
        QStringLiteral("2:11: /agents/0/policy: no.json: cannot be opened: ")));
}

void ConfigurationFaultsTest::reportsUnreadableFiles()
{
    const QString missing = m_folder.filePath(QStringLiteral("missing.json"));
    const QStringList lines = loadConfiguration(missing).messages();
    QCOMPARE(lines.size(), 1);
    QVERIFY2(lines.front().startsWith(missing + QStringLiteral(": cannot be opened: ")),
             qPrintable(lines.front()));
    QCOMPARE(loadConfiguration(m_folder.path()).messages(),
             QStringList{m_folder.path() + QStringLiteral(": expected a file, found a folder")});
    QFile file(m_folder.filePath(QStringLiteral("empty.json")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.close();
    QCOMPARE(loadConfiguration(file.fileName()).messages(),
             QStringList{file.fileName()
                         + QStringLiteral(":1:1: expected a value, found the end of the text")});
}

void ConfigurationFaultsTest::rejectsHugeFile()
{
    for (const qint64 size : {qint64(100) << 20, qint64(100) << 30}) {
        QFile file(m_folder.filePath(QStringLiteral("huge.json")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QVERIFY(file.resize(size));
        file.close();
        QCOMPARE(loadConfiguration(file.fileName()).messages(),
                 QStringList{file.fileName()
                             + QStringLiteral(": expected at most 8388608 bytes, found more")});
    }
}

REKINDLE_TEST(ConfigurationFaultsTest)
#include "configurationfaultstest.moc"
