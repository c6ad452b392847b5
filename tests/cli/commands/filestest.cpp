// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commandrun.h"
#include "cli/fifo.h"
#include "testprogram.h"
#include "testrow.h"

#include "cli/options/statefolder_p.h"

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <memory>

using namespace Rekindle;

/// Files of options: conflicts between them, and full disks.
class FilesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void svgRejectsSpecialFiles();
    void svgReplacesItsOwnDrawing();
    void svgReportsFullDisk();
    void svgRejectsPolicyFile();
    void upRejectsConflictingFiles_data();
    void upRejectsConflictingFiles();
    void runRejectsConflictingFiles();
    void protectsFilesFromOutputOfAgents_data();
    void protectsFilesFromOutputOfAgents();
    void protectsFilesFromRotation_data();
    void protectsFilesFromRotation();
    void refusesFilesOfOthers_data();
    void refusesFilesOfOthers();
    void damagedDefaultFilesPreventNoStart_data();
    void damagedDefaultFilesPreventNoStart();
    void foreignDefaultMarkerPreventsNoSession();
    void fileSizeLimitIsReported();
    void rejectsPipes();
    void stateFolderFollowsEnvironment_data();
    void stateFolderFollowsEnvironment();
    void commandsNeedStateFolder_data();
    void commandsNeedStateFolder();
    void continuesWithoutStateFolder_data();
    void continuesWithoutStateFolder();
    void runStopsIfStdoutHasNoReader();

private:
    [[nodiscard]] QString file(const char *name) const
    {
        return m_folder->filePath(QLatin1String(name));
    }
    [[nodiscard]] QString write(const char *name, const QByteArray &text) const
    {
        return writeFile(m_folder->path(), QLatin1String(name), text);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

namespace {

constexpr char policy[] = R"({"type": "immediate", "maxRetries": 1, "circuitBreaker": "off"})";

constexpr int noNamespaces = 99;

// Without the variables of the state folder. Root becomes another user who owns root's files.
void removeStateFolder(CommandRun &run)
{
    for (const char *name : {"XDG_STATE_HOME", "HOME"})
        run.setVariable(name);
    run.setChildProcessModifier([] {
        if (::geteuid() == 0 && ::unshare(CLONE_NEWUSER) != 0)
            ::_exit(noNamespaces);
    });
}

// Makes every write to a file fail, as on a full disk.
void fillDisk(CommandRun &run)
{
    run.setChildProcessModifier([] {
        std::signal(SIGXFSZ, SIG_IGN);
        rlimit none{};
        ::getrlimit(RLIMIT_FSIZE, &none);
        none.rlim_cur = 0;
        ::setrlimit(RLIMIT_FSIZE, &none);
    });
}

} // namespace

void FilesTest::svgRejectsSpecialFiles()
{
    const Fifo fifo(file("pipe"));
    QVERIFY(QFile::link(fifo.path(), file("link")));
    for (const QString &path : {fifo.path(), file("link")}) {
        CompletedRun run(words("plan", "default", "--svg", path), 78);
        VERIFY_CONTAINS(run.error(),
                        QByteArray("--svg: " + path.toUtf8() + ": expected a drawing, found a "));
        QVERIFY(QFileInfo::exists(path) && !QFileInfo(path).isFile());
    }
    CompletedRun folder(words("plan", "default", "--svg", m_folder->path()), 1);
    VERIFY_CONTAINS(folder.error(), ": cannot write: ");
}

void FilesTest::svgReplacesItsOwnDrawing()
{
    for (int i = 0; i < 2; ++i)
        CompletedRun run(words("plan", "default", "--svg", file("own.svg")));
    QVERIFY(readFile(file("own.svg")).contains("<svg "));
}

void FilesTest::svgReportsFullDisk()
{
    const QString path = write("plan.svg", "<svg/>");
    CommandRun run(words("plan", "default", "--svg", path));
    fillDisk(run);
    QCOMPARE(run.complete(), 1);
    VERIFY_CONTAINS(run.error(), "plan.svg: cannot write: ");
    QCOMPARE(readFile(path), QByteArray("<svg/>"));
}

void FilesTest::svgRejectsPolicyFile()
{
    const QString path = write("policy.json", policy);
    QVERIFY(QFile::link(path, file("other")));
    for (const QString &drawing : {path, file("other")}) {
        CompletedRun same(words("plan", path, "--svg", drawing), 64);
        VERIFY_CONTAINS(same.error(), " is already used as the policy file; use another file");
    }
    QCOMPARE(readFile(path), QByteArray(policy));
    CompletedRun none(words("plan", path, "--svg", ""), 64);
    VERIFY_CONTAINS(none.error(), "--svg: expected FILE, found an empty value");
    CompletedRun fine(words("plan", path, "--svg", file("new.svg")));
    QVERIFY(readFile(file("new.svg")).contains("<svg"));
}

void FilesTest::upRejectsConflictingFiles_data()
{
    const Rows<QStringList, QString> row("options", "says");
    row("events, configuration", words("--events", "agents.json"),
        "--events: agents.json is already used as the configuration");
    row("events, policy", words("--events", "./policy.json"),
        "--events: ./policy.json is already used as a policy file");
    row("store, policy", words("--store", "policy.json"),
        "--store: policy.json is already used as a policy file");
    row("store, events", words("--store", "s.db", "--events", "./s.db"),
        "--store: s.db is already used as the events file");
    row("state, configuration", words("--state", "agents.json"),
        "--state: agents.json is already used as the configuration");
    row("state, link to configuration", words("--state", "link"),
        "--state: link is already used as the configuration");
    row("state, store", words("--state", "./s.db", "--store", "s.db"),
        "--state: ./s.db is already used as the telemetry store");
    row("state, events", words("--state", "s.db", "--events", "s.db"),
        "--state: s.db is already used as the events file");
}

void FilesTest::upRejectsConflictingFiles()
{
    QFETCH(QStringList, options);
    QFETCH(QString, says);
    static_cast<void>(write("policy.json", policy));
    const QByteArray text =
        R"({"agents": [{"name": "a", "kind": "process", "program": "false", "ready": "now",
            "policy": "./policy.json"}]})";
    const QString config = write("agents.json", text);
    QVERIFY(QFile::link(config, file("link")));
    QStringList more;
    for (const char *option : {"--state", "--store"})
        more += options.contains(QLatin1String(option)) ? QStringList() : words(option, "off");
    CommandRun run(words("up", "agents.json") + options + more);
    run.setWorkingDirectory(m_folder->path());
    QCOMPARE(run.complete(), 64);
    QCOMPARE(run.error(), QStringLiteral("rekindle: %1; use another file\n").arg(says).toUtf8());
    QCOMPARE(readFile(config), text);
    QCOMPARE(readFile(file("policy.json")), QByteArray(policy));
    QVERIFY(!QFileInfo::exists(file("s.db")));
}

void FilesTest::runRejectsConflictingFiles()
{
    const QString path = write("policy.json", policy);
    CompletedRun run(words("run", "--policy", path, "--events", path, "--", "true"), 64);
    VERIFY_CONTAINS(run.error(), " is already used as the policy file; use another file");
    QCOMPARE(readFile(path), QByteArray(policy));
}

void FilesTest::protectsFilesFromOutputOfAgents_data()
{
    const Rows<QString, QString> row("output", "message");
    const QString used = QStringLiteral("rekindle: a: %1/%2 is already used as %3; use another "
                                        "file\n");
    const QString place = QStringLiteral(
        "agents.json:1:%1: /agents/0/stdout/file: expected an output file, found the "
        "configuration or one of its policy files\n");
    row("agents.json", place);
    row("link", place);
    row("policy.json", place);
    row("s.db",
        used.arg(QStringLiteral("%1"), QStringLiteral("s.db"),
                 QStringLiteral("the telemetry store")));
    row("s.state",
        used.arg(QStringLiteral("%1"), QStringLiteral("s.state"),
                 QStringLiteral("the state file")));
    row("s.events",
        used.arg(QStringLiteral("%1"), QStringLiteral("s.events"),
                 QStringLiteral("the events file")));
    row("open/link",
        "rekindle: a: %1/open/link: expected an output file, found a "
        "symbolic link in a folder that others can write to\n");
}

void FilesTest::protectsFilesFromOutputOfAgents()
{
    QFETCH(QString, output);
    QFETCH(QString, message);
    static_cast<void>(write("policy.json", policy));
    const QByteArray text =
        R"({"agents": [{"name": "a", "kind": "process", "program": "echo", "arguments": ["x"], )"
        R"("policy": "./policy.json", "stdout": {"file": ")"
        + output.toUtf8() + R"("}}]})";
    const QString config = write("agents.json", text);
    QVERIFY(QFile::link(config, file("link")));
    QVERIFY(QDir(m_folder->path()).mkdir(QStringLiteral("open")));
    QVERIFY(QFile::setPermissions(file("open"), QFile::Permissions(0x7777)));
    QVERIFY(QFile::link(file("target"), file("open/link")));
    CommandRun run(words("up", "agents.json", "--log", "json", "--store", "s.db", "--state",
                         "s.state", "--events", "s.events"));
    run.setWorkingDirectory(m_folder->path());
    QCOMPARE(run.complete(), 78);
    const bool isPlaced = message.startsWith(QLatin1String("agents.json"));
    const qsizetype column = text.indexOf(QByteArray("\"" + output.toUtf8() + "\"}}")) + 1;
    const QString expected =
        isPlaced ? message.arg(column) : message.arg(QDir(m_folder->path()).canonicalPath());
    QVERIFY2(QString::fromUtf8(run.error()).endsWith(expected), run.error().constData());
    QCOMPARE(run.output(), QByteArray());
    for (const char *name : {"s.db", "s.state", "s.events", "target"})
        QVERIFY(!QFileInfo::exists(file(name)));
    QCOMPARE(readFile(config), text);
    QCOMPARE(readFile(file("policy.json")), QByteArray(policy));
    if (!isPlaced)
        return;
    CommandRun check(words("check", "agents.json"));
    check.setWorkingDirectory(m_folder->path());
    QCOMPARE(check.complete(), 78);
    QCOMPARE(QString::fromUtf8(check.error()), expected);
}

void FilesTest::protectsFilesFromRotation_data()
{
    const Rows<QStringList, QString> row("options", "what");
    row("events", words("--events", "out.2"), "the events file");
    row("events in another spelling", words("--events", "./x/../out.2"), "the events file");
    row("store", words("--store", "out.2"), "the telemetry store");
    row("file beyond those that are kept", words("--events", "out.3"), {});
}

void FilesTest::protectsFilesFromRotation()
{
    QFETCH(QStringList, options);
    QFETCH(QString, what);
    static_cast<void>(write("agents.json",
                            R"({"agents": [{"name": "a", "kind": "process", "program": "true",
        "stdout": {"file": "out", "maxSize": "4KiB", "keep": 2}}]})"));
    QVERIFY(QDir(m_folder->path()).mkdir(QStringLiteral("x")));
    CommandRun run(
        words("up", "agents.json", "--log", "json", "--state", "off") + options
        + (options.contains(QStringLiteral("--store")) ? QStringList() : words("--store", "off")));
    run.setWorkingDirectory(m_folder->path());
    QCOMPARE(run.complete(), what.isEmpty() ? 0 : 78);
    if (what.isEmpty())
        return;
    QCOMPARE(run.error(),
             QStringLiteral("rekindle: a: the rotation of %1/out replaces %2, which is %3; use "
                            "another file\n")
                 .arg(QDir(m_folder->path()).canonicalPath(), options.back(), what)
                 .toUtf8());
    QVERIFY(!QFileInfo::exists(file("out.2")));
}

void FilesTest::refusesFilesOfOthers_data()
{
    const Rows<QStringList, bool, QString> row("arguments", "isLink", "message");
    const QStringList up =
        words("up", "agents.json", "--for", "100ms", "--store", "off", "--state", "off");
    const auto with = [&](const char *option) {
        QStringList arguments = up;
        const qsizetype place = arguments.indexOf(QLatin1String(option));
        if (place < 0)
            return arguments + words(option, "precious");
        arguments[place + 1] = QStringLiteral("precious");
        return arguments;
    };
    row("state", with("--state"), false,
        "--state: precious: expected a state file, found another file");
    row("state, link", with("--state"), true,
        "--state: precious: expected a state file, found a symbolic link");
    row("store", with("--store"), false,
        "--store: precious: expected a telemetry store, found another file");
    row("store, link", with("--store"), true,
        "--store: precious: expected a telemetry store, found a symbolic link");
    row("events of up", with("--events"), false,
        "--events: precious: expected a file of events, found another file");
    row("events of run", words("run", "--events", "precious", "--", "true"), false,
        "--events: precious: expected a file of events, found another file");
    row("events of tools", words("tools", "call", "x", "{}", "--events", "precious", "--", "true"),
        false, "--events: precious: expected a file of events, found another file");
    row("events of mcp", words("mcp", "--store", "off", "--events", "precious", "--", "true"),
        false, "--events: precious: expected a file of events, found another file");
    row("marker", words("mcp", "--store", "off", "--marker", "precious", "--", "true"), false,
        "--marker: precious: expected a restart marker, found another file");
    row("drawing", words("plan", "default", "--svg", "precious"), false,
        "--svg: precious: expected a drawing, found another file");
}

// As root, each of them could destroy any file.
void FilesTest::refusesFilesOfOthers()
{
    QFETCH(QStringList, arguments);
    QFETCH(bool, isLink);
    QFETCH(QString, message);
    const QByteArray bytes = "root:x:0:0:root:/root:/bin/bash\n";
    const QString precious = write(isLink ? "target" : "precious", bytes);
    if (isLink)
        QVERIFY(QFile::link(precious, file("precious")));
    static_cast<void>(write("agents.json", configuration({words("hang")}, {})));
    const QStringList before = QDir(m_folder->path()).entryList(QDir::Files);
    CommandRun run(arguments);
    run.setWorkingDirectory(m_folder->path());
    QCOMPARE(run.complete(), 78);
    VERIFY_CONTAINS(run.error(), QByteArray("rekindle: " + message.toUtf8() + '\n'));
    QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files), before);
    QCOMPARE(readFile(precious), bytes);
    QCOMPARE(QFileInfo(file("precious")).isSymLink(), isLink);
}

// After a power failure or `sudo -E rekindle`, for example.
void FilesTest::damagedDefaultFilesPreventNoStart_data()
{
    // without bytes: a folder, which cannot be opened
    const Rows<QByteArray> row("bytes");
    row("zeros", QByteArray(4096, '\0'));
    row("text", "groceries\n");
    row("not usable", {});
}

void FilesTest::damagedDefaultFilesPreventNoStart()
{
    QFETCH(QByteArray, bytes);
    const QString config = write("agents.json", configuration({words("exit", "0")}, {}));
    const auto up = [&](int expected) {
        CommandRun run(words("up", config, "--log", "json"));
        run.setStateFolder(m_folder->path());
        const int code = run.complete();
        [=] { QCOMPARE(code, expected); }();
        return run.error();
    };
    QCOMPARE(up(0), QByteArray());
    const QDir folder(file("rekindle"));
    const QStringList names = folder.entryList(QDir::Files);
    QVERIFY2(names.size() >= 3, qPrintable(names.join(u' '))); // state, store and locks
    for (const QString &name : names) {
        const QString path = folder.filePath(name);
        QVERIFY(QFile::remove(path));
        if (bytes.isNull())
            QVERIFY(folder.mkdir(name));
        else
            static_cast<void>(writeFile(folder.path(), name, bytes));
    }
    const QByteArray error = up(0);
    VERIFY_CONTAINS(error, bytes.isNull() ? "; continuing without a state file\n" : "; moved to ");
    VERIFY_CONTAINS(error, "store: ");
}

void FilesTest::foreignDefaultMarkerPreventsNoSession()
{
    static_cast<void>(write(".mcp_restart_marker", "groceries\n"));
    CommandRun run(words("mcp", "--store", "off", "--", "cat"));
    run.setWorkingDirectory(m_folder->path());
    QVERIFY(run.begin());
    QCOMPARE(run.endInput(), 0);
    QCOMPARE(readFile(file(".mcp_restart_marker")), QByteArray("groceries\n"));
}

// The limit makes the kernel send SIGXFSZ.
void FilesTest::fileSizeLimitIsReported()
{
    const QString config = write("agents.json", configuration({words("exit", "1")}, {}));
    CommandRun run(words("up", config, "--store", file("a.sqlite"), "--state", file("a.state"),
                         "--events", file("events")));
    run.setChildProcessModifier([] {
        rlimit limit{};
        ::getrlimit(RLIMIT_FSIZE, &limit);
        limit.rlim_cur = 0;
        ::setrlimit(RLIMIT_FSIZE, &limit);
    });
    QVERIFY(run.begin());
    for (const char *part : {"state: ", "store: ", "events: ", "File too large"})
        QVERIFY2(run.waitForError(part), run.error().constData());
    QVERIFY(run.waitForOutput("agent.failed"));
    QCOMPARE(run.endBy(SIGTERM), 0);
}

void FilesTest::rejectsPipes()
{
    const QByteArray name = QFile::encodeName(file("pipe.json"));
    QCOMPARE(::mkfifo(name.constData(), 0600), 0);
    for (const QStringList &arguments :
         {words("check", file("pipe.json")), words("up", file("pipe.json")),
          words("plan", file("pipe.json")),
          words("run", "--policy", file("pipe.json"), "--", "true")}) {
        CompletedRun run(arguments, 78);
        VERIFY_CONTAINS(run.error(),
                        "expected a regular file, found a pipe or a device, which can be read only "
                        "once; save its contents to a file");
    }
}

// The exit code is 128 + SIGPIPE.
void FilesTest::runStopsIfStdoutHasNoReader()
{
    const QString code = file("code");
    ShellRun run("sh",
                 {QStringLiteral("-c"),
                  QStringLiteral("{ \"$0\" run -- yes; echo $? >\"$1\"; } | head -n 1"),
                  QStringLiteral(REKINDLE_COMMAND), code});
    QCOMPARE(run.complete(), 0);
    QCOMPARE(run.output(), QByteArray("y\n"));
    QCOMPARE(readFile(code), QByteArray("141\n"));
    // With a reader, SIGPIPE is a failure.
    CompletedRun read(words("run", "--policy", "immediate", "--max-retries", "1", "--",
                            REKINDLE_CHAOSAGENT, "signal", "13"),
                      141);
    VERIFY_CONTAINS(read.error(), "given up after 1 restart");
}

void FilesTest::stateFolderFollowsEnvironment_data()
{
    const Rows<QString, QString, QString, QString> row("state", "home", "user", "root");
    constexpr char inHome[] = "/h/.local/state/rekindle";
    constexpr char shared[] = "/var/lib/rekindle";
    row("both", "/s", "/h", "/s/rekindle", "/s/rekindle");
    row("HOME", "", "/h/", inHome, inHome);
    row("relative XDG_STATE_HOME", "s", "/h", inHome, inHome);
    row("neither", "", "", "", shared);
    row("HOME is /", "", "/", "", shared);
    row("HOME is //", "", "//", "", shared);
    row("relative HOME", "", "h", "", shared);
}

void FilesTest::stateFolderFollowsEnvironment()
{
    QFETCH(QString, state);
    QFETCH(QString, home);
    QFETCH(QString, user);
    QFETCH(QString, root);
    QProcessEnvironment environment;
    environment.insert(QStringLiteral("XDG_STATE_HOME"), state);
    environment.insert(QStringLiteral("HOME"), home);
    QCOMPARE(stateFolder(environment, false), user);
    QCOMPARE(stateFolder(environment, true), root);
}

void FilesTest::commandsNeedStateFolder_data()
{
    const Rows<QString, QString> row("command", "message");
    const QString ofStore = noStateFolderText(QStringLiteral("use --store FILE"));
    const QString ofLicense = QLatin1String("--license: ") + noStateFolderText();
    row("history", ofStore);
    row("history verify", ofStore);
    row("explain a --config agents.json", ofStore);
    row("check agents.json --license a.license --license-key v.pub", ofLicense);
    row("plan default --license a.license --license-key v.pub", ofLicense);
    row("plugins --license a.license --license-key v.pub", ofLicense);
    row("up agents.json --license a.license --license-key v.pub", ofLicense);
    row("run --license a.license --license-key v.pub -- true", ofLicense);
    row("mcp --license a.license --license-key v.pub -- true", ofLicense);
}

void FilesTest::commandsNeedStateFolder()
{
    QFETCH(QString, command);
    QFETCH(QString, message);
    static_cast<void>(write("agents.json", configuration({words("hang")}, {})));
    CompletedRun(words("license", "keygen", "--out", file("v")));
    const QStringList before = QDir(m_folder->path()).entryList(QDir::Files | QDir::Hidden);
    CommandRun run(command.split(u' '));
    run.setWorkingDirectory(m_folder->path());
    removeStateFolder(run);
    const int code = run.complete();
    if (code == noNamespaces)
        QSKIP("root cannot become another user here");
    QCOMPARE(code, 78);
    QCOMPARE(QString::fromUtf8(run.error()), QStringLiteral("rekindle: %1\n").arg(message));
    QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files | QDir::Hidden), before);
    CompletedRun help(words(command.split(u' ').front(), "--help"));
    VERIFY_CONTAINS(help.output(), "\n  78 ");
}

void FilesTest::continuesWithoutStateFolder_data()
{
    // warning: empty if there is none
    const Rows<QString, QString, int> row("command", "warning", "exitCode");
    constexpr char store[] = "continuing with --store off; use --store FILE";
    row("up agents.json --for 100ms",
        "continuing with --store off and --state off; use --store FILE and --state FILE", 0);
    row("up agents.json --for 100ms --state off", store, 0);
    row("up agents.json --for 100ms --store off", "continuing with --state off; use --state FILE",
        0);
    row("up agents.json --for 100ms --store off --state off", "", 0);
    row("run -- true", store, 0);
    row("run --policy none -- false", store, 1);
    row("run --quiet -- true", "", 0);
    row("run --store off -- true", "", 0);
    row("mcp true", store, 0);
    row("mcp --quiet true", "", 0);
    row("tools call x -- true", "", 69);
}

void FilesTest::continuesWithoutStateFolder()
{
    QFETCH(QString, command);
    QFETCH(QString, warning);
    QFETCH(int, exitCode);
    static_cast<void>(write("agents.json", configuration({words("hang")}, {})));
    CommandRun run(command.split(u' '));
    run.setWorkingDirectory(m_folder->path());
    removeStateFolder(run);
    QVERIFY(run.begin());
    const int code = run.endInput();
    if (code == noNamespaces)
        QSKIP("root cannot become another user here");
    QVERIFY2(code == exitCode, run.error().constData());
    QCOMPARE(run.error().count("state folder"), warning.isEmpty() ? 0 : 1);
    if (!warning.isEmpty())
        VERIFY_CONTAINS(QString::fromUtf8(run.error()),
                        QStringLiteral("rekindle: %1\n").arg(noStateFolderText(warning)));
    QCOMPARE(QDir(m_folder->path())
                 .entryList({QStringLiteral("*.sqlite*"), QStringLiteral("*.state*"),
                             QStringLiteral("*.lock")}),
             QStringList());
}

REKINDLE_TEST(FilesTest)
#include "filestest.moc"
