// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commandrun.h"
#include "processes.h"
#include "testprogram.h"
#include "vendor.h"

#include <unistd.h>

#include <csignal>

using namespace Rekindle;

/// `rekindle up --detach`.
class DetachTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void listensWhenTheCommandReturns();
    void survivesItsShell();
    void appendsToLog();
    void opensItsLogAgain();
    void downWaitsForTheExit();
    void printsFaultsOfTheHost();
    void printsWarningsOfTheStart();
    void printsWarningsIfTheDiskIsFull();
    void reportsLogThatCannotBeWritten();
    void failsIfTheHostEndsAtOnce();
    void refusesSecondHost();
    void needsControlSocket();
    void leavesTheWorkingDirectory();
    void resolvesAllPathsBefore();
    void reloadsFromTheSamePath();

private:
    [[nodiscard]] QStringList with(QStringList arguments) const
    {
        return arguments << QStringLiteral("--config") << m_configuration;
    }
    // Of the host.
    [[nodiscard]] pid_t process() const
    {
        CompletedRun hosts(words("hosts", "--json"));
        const QJsonDocument document = QJsonDocument::fromJson(hosts.output());
        for (const auto &each : document[QLatin1String("hosts")].toArray()) {
            if (each[QLatin1String("config")].toString() == m_configuration)
                return each[QLatin1String("pid")].toInt();
        }
        return -1;
    }
    // Starts the host in m_folder with relative paths.
    void detachThere(const QStringList &options)
    {
        CommandRun up(words("up", "--detach", "detach.json") + options);
        up.setWorkingDirectory(m_folder.path());
        const int code = up.complete();
        m_isRunning = code == 0;
        QVERIFY2(m_isRunning, up.error().constData());
        m_log = logIn(up.error());
    }
    static QString logIn(const QByteArray &text)
    {
        constexpr char label[] = "; log: ";
        const qsizetype start = text.indexOf(label);
        return start < 0
            ? QString()
            : QFile::decodeName(text.mid(start + qsizetype{sizeof label} - 1).trimmed());
    }
    // The line that `pwd` prints in m_folder.
    [[nodiscard]] QByteArray lineOfPwd(const QByteArray &prefix = {}) const
    {
        return prefix + QFile::encodeName(m_folder.path()) + '\n';
    }
    // Starts the host; its log is empty until then, unless it ran before.
    void detach()
    {
        CompletedRun up(words("up", "--detach", m_configuration));
        m_isRunning = true;
        m_log = logIn(up.error());
        QVERIFY2(!m_log.isEmpty(), up.error().constData());
    }

    QTemporaryDir m_folder;
    QString m_configuration;
    QString m_log;
    bool m_isRunning = false;
};

void DetachTest::init()
{
    m_configuration = writeFile(m_folder.path(), QStringLiteral("detach.json"),
                                R"({"agents": [{"name": "web", "kind": "process", "program": "sh",
                                   "arguments": ["-c", "echo begins; exec sleep 1000"]}]})");
    m_isRunning = false;
}

void DetachTest::cleanup()
{
    if (m_isRunning)
        CompletedRun down(with(words("down", "--kill")));
}

void DetachTest::listensWhenTheCommandReturns()
{
    CompletedRun up(words("up", "--detach", m_configuration));
    m_isRunning = true;
    VERIFY_CONTAINS(up.error(), "running in the background (pid ");
    QCOMPARE(up.output(), QByteArray());
    CompletedRun status(with(words("status")));
    VERIFY_CONTAINS(status.output(), "web");
    const pid_t host = process();
    QVERIFY(host > 0);
    QCOMPARE(::getsid(host), host); // a session of its own, without a terminal
}

void DetachTest::survivesItsShell()
{
    ShellRun shell("sh",
                   words("-c", R"("$0" up --detach "$1"; echo returned; exec sleep 1000)",
                         QString::fromLocal8Bit(REKINDLE_COMMAND), m_configuration));
    QVERIFY(shell.begin());
    QVERIFY(shell.waitForOutput("returned"));
    m_isRunning = true;
    shell.kill();
    QVERIFY(shell.waitForFinished());
    CompletedRun ready(with(words("wait", "web", "--for", "ready", "--timeout", "60s")));
    QVERIFY(process() > 0);
}

void DetachTest::appendsToLog()
{
    detach();
    QVERIFY(waitUntil([this] { return readFile(m_log).contains("web| begins\n"); }));
    const QRegularExpression timed(
        QStringLiteral(R"(\d{4}-\d\d-\d\dT[\d:.]+Z rekindle: web: start 1)"));
    QVERIFY(QString::fromUtf8(readFile(m_log)).contains(timed));
    QVERIFY(!readFile(m_log).contains('{')); // text, not JSON
    CompletedRun down(with(words("down")));
    m_isRunning = false;
    const QByteArray first = readFile(m_log);
    detach();
    QVERIFY(readFile(m_log).startsWith(first));
}

void DetachTest::opensItsLogAgain()
{
    detach();
    QVERIFY(waitUntil([this] { return readFile(m_log).contains("web| begins\n"); }));
    const QString old = m_log + QLatin1String(".1");
    QFile::remove(old);
    QVERIFY(QFile::rename(m_log, old));
    QCOMPARE(::kill(process(), SIGUSR1), 0);
    QVERIFY(waitUntil([this] { return readFile(m_log).contains("SIGUSR1: files opened again"); }));
    CompletedRun restart(with(words("restart", "web")));
    QVERIFY(waitUntil([this] { return readFile(m_log).contains("web| begins\n"); }));
    QVERIFY(!readFile(m_log).contains("web: start 1 "));
    QVERIFY(!readFile(old).contains("SIGUSR1"));
}

void DetachTest::downWaitsForTheExit()
{
    // A host that begins before the end of the other one would be refused.
    for (int i = 0; i < 20; ++i) {
        CompletedRun up(words("up", "--detach", m_configuration));
        CompletedRun down(with(words("down")));
        QCOMPARE(down.error(), QByteArray());
        CompletedRun none(with(words("status")), 69);
    }
}

void DetachTest::printsFaultsOfTheHost()
{
    const QString invalid =
        writeFile(m_folder.path(), QStringLiteral("invalid.json"), R"({"agents": 5})");
    CompletedRun up(words("up", "--detach", invalid), 78);
    VERIFY_CONTAINS(up.error(), "invalid.json:1:12: /agents: expected an array, found 5");
    CompletedRun again(words("up", "--detach", invalid), 78);
    QCOMPARE(again.error(), up.error()); // only what was added to the log
}

void DetachTest::printsWarningsOfTheStart()
{
    m_configuration = writeFile(m_folder.path(), QStringLiteral("warning.json"), R"({"agents": [
        {"name": "none", "kind": "process", "program": "no-such-program-anywhere"},
        {"name": "web", "kind": "process", "program": "sleep", "arguments": ["1000"]}]})");
    CompletedRun up(words("up", "--detach", m_configuration));
    m_isRunning = true;
    VERIFY_CONTAINS(up.error(), "no-such-program-anywhere");
    VERIFY_CONTAINS(up.error(), "running in the background (pid ");
}

// The limit of the size of files has the same effect.
void DetachTest::printsWarningsIfTheDiskIsFull()
{
    ShellRun up("sh",
                words("-c", R"(ulimit -f 0; exec "$0" up --detach "$1")",
                      QString::fromLocal8Bit(REKINDLE_COMMAND), m_configuration));
    QCOMPARE(up.complete(), 0);
    m_isRunning = true;
    VERIFY_CONTAINS(up.error(), "rekindle: store: ");
    VERIFY_CONTAINS(up.error(), "running in the background (pid ");
}

void DetachTest::reportsLogThatCannotBeWritten()
{
    const QString file = writeFile(m_folder.path(), QStringLiteral("file"), {});
    CommandRun up(words("up", "--detach", m_configuration));
    up.setStateFolder(file);
    QCOMPARE(up.complete(), 64);
    VERIFY_CONTAINS(up.error(),
                    QByteArray("rekindle: --detach: log " + file.toLocal8Bit() + "/rekindle/"));
    VERIFY_CONTAINS(up.error(), "set XDG_STATE_HOME to a writable folder");
}

void DetachTest::failsIfTheHostEndsAtOnce()
{
    const QString hopeless =
        writeFile(m_folder.path(), QStringLiteral("hopeless.json"),
                  R"({"agents": [{"name": "web", "kind": "process", "policy": {"type": "none"},
                     "program": "no-such-program-anywhere"}]})");
    CompletedRun up(words("up", "--detach", hopeless), 1);
    VERIFY_CONTAINS(up.error(), "web: failed (");
    QVERIFY(!up.error().contains("running in the background"));
}

void DetachTest::refusesSecondHost()
{
    detach();
    CompletedRun second(words("up", "--detach", m_configuration), 75);
    VERIFY_CONTAINS(second.error(), "used by another host");
}

void DetachTest::needsControlSocket()
{
    CompletedRun up(words("up", "--detach", "--control", "off", m_configuration), 64);
    VERIFY_CONTAINS(up.error(), "--detach needs the control socket");
    // A socket that cannot be opened has the same effect as none.
    const QString folder = m_folder.filePath(QStringLiteral("file"));
    QVERIFY(!writeFile(m_folder.path(), QStringLiteral("file"), {}).isEmpty());
    ShellRun blocked("sh",
                     words("-c", R"(XDG_RUNTIME_DIR="$2" exec "$0" up --detach "$1")",
                           QString::fromLocal8Bit(REKINDLE_COMMAND), m_configuration, folder));
    if (::geteuid() == 0)
        QSKIP("root has a fixed folder for its sockets");
    QCOMPARE(blocked.complete(), 69);
    VERIFY_CONTAINS(blocked.error(), "nothing was started");
}

void DetachTest::leavesTheWorkingDirectory()
{
    m_configuration = writeFile(m_folder.path(), QStringLiteral("detach.json"), R"({"agents": [
        {"name": "default", "program": "sh", "arguments": ["-c", "pwd -P; exec sleep 1000"],
         "health": [{"kind": "exec", "command": ["sh", "-c", "pwd -P > probed"],
                     "interval": "100ms"}]},
        {"name": "own", "program": "sh", "arguments": ["-c", "pwd -P; exec sleep 1000"],
         "workingDirectory": "/usr"}]})");
    detachThere({});
    const pid_t host = process();
    QVERIFY(host > 0);
    for (const QString &name : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
        const pid_t each = name.toInt();
        if (each == host || ::getsid(each) == host)
            QCOMPARE(QFile::symLinkTarget(QStringLiteral("/proc/%1/cwd").arg(each)),
                     QStringLiteral("/"));
    }
    QVERIFY(waitUntil([this] {
        const QByteArray log = readFile(m_log);
        return log.contains(lineOfPwd("default| ")) && log.contains("own| /usr\n");
    }));
    const QString probed = m_folder.filePath(QStringLiteral("probed"));
    QVERIFY(waitUntil([&] { return readFile(probed) == lineOfPwd(); }));
}

void DetachTest::resolvesAllPathsBefore()
{
    const Vendor vendor(m_folder.path());
    vendor.issue(QStringLiteral("license"), QStringLiteral("Teams"));
    m_configuration = writeFile(m_folder.path(), QStringLiteral("detach.json"), R"({
        "policies": {"own": {"type": "linear"}},
        "agents": [{"name": "web", "program": "./program", "policy": "own",
                    "environmentFiles": ["variables"], "watch": ["watched"],
                    "stdout": {"file": "output"}}]})");
    const QString watched = writeFile(m_folder.path(), QStringLiteral("watched"), "1");
    QVERIFY(!writeFile(m_folder.path(), QStringLiteral("variables"), "COLOR=green\n").isEmpty());
    const QString program = writeFile(m_folder.path(), QStringLiteral("program"),
                                      "#!/bin/sh\necho $COLOR\nexec sleep 1000\n");
    QVERIFY(QFile::setPermissions(program, QFileDevice::ReadOwner | QFileDevice::ExeOwner));
    QVERIFY(QDir(m_folder.path()).mkpath(QStringLiteral("plugins")));
    detachThere(words("--events", "events", "--store", "./store", "--state", "plugins/../state",
                      "--license", "license", "--license-key", "vendor.pub", "--plugins",
                      "plugins"));
    const auto contains = [this](const QString &name, const QByteArray &text) {
        return waitUntil([=, this] { return readFile(m_folder.filePath(name)).contains(text); });
    };
    QVERIFY(contains(QStringLiteral("events"), "rekindle.agent.started"));
    QVERIFY(contains(QStringLiteral("store"), "SQLite"));
    QVERIFY(QFile::exists(m_folder.filePath(QStringLiteral("state.lock"))));
    QVERIFY(contains(QStringLiteral("output"), "green\n"));
    QVERIFY(!readFile(m_log).contains("license: "));
    QFile::remove(m_folder.filePath(QStringLiteral("license")));
    QVERIFY(waitUntil([this] { return readFile(m_log).contains("the tier is Core"); }));
    CompletedRun history(words("history", "--store", m_folder.filePath(QStringLiteral("store"))));
    QCOMPARE(writeFile(m_folder.path(), QStringLiteral("watched"), "22"), watched);
    QVERIFY(waitUntil([this] { return readFile(m_log).contains("/watched changed"); }));
    QFile::remove(m_folder.filePath(QStringLiteral("events"))); // as if it was rotated
    QCOMPARE(::kill(process(), SIGUSR1), 0);
    QVERIFY(
        waitUntil([this] { return QFile::exists(m_folder.filePath(QStringLiteral("events"))); }));
}

void DetachTest::reloadsFromTheSamePath()
{
    const QByteArray agent = R"("program": "sh", "arguments": ["-c", "pwd -P; exec sleep 1000"]})";
    const auto write = [&](const QByteArray &agents) {
        m_configuration = writeFile(m_folder.path(), QStringLiteral("detach.json"),
                                    R"({"agents": [)" + agents + "]}");
    };
    write(R"({"name": "first", )" + agent);
    detachThere(words("--watch"));
    write(R"({"name": "first", )" + agent + R"(, {"name": "second", )" + agent);
    QVERIFY(waitUntil([this] { return readFile(m_log).contains(lineOfPwd("second| ")); }));
    VERIFY_CONTAINS(readFile(m_log), "reloaded: 1 added, 1 unchanged");
}

REKINDLE_TEST(DetachTest)
#include "detachtest.moc"
