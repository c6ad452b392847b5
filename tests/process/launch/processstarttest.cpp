// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// What a started process gets, and how a start fails.

#include "contains.h"
#include "process/agentlog.h"
#include "processes.h"
#include "testprogram.h"
#include "testrow.h"
#include "valuetraits.h"

#include <rekindle/probes/networkprobes.h>

#include <array>
#include <csignal>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace Rekindle;

static_assert(Value<ExitCodeTable>);
static_assert(Record<ExitCodeTable::Meaning>);
static_assert(Record<HealthProbeDefinition>);
static_assert(Record<OutputTarget>);
static_assert(Record<ProcessDefinition>);
static_assert(Record<Readiness>);
static_assert(Record<StopSequence>);

class ProcessStartTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    QString makeFile(const QString &name, const QByteArray &text, bool executable)
    {
        const QString path = m_folder.filePath(name);
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("cannot write a file");
        file.setPermissions(executable ? QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner
                                       : QFile::ReadOwner | QFile::WriteOwner);
        return path;
    }

    // Whether the agent has two descriptors: one below those that a launch opens, and one far
    // above.
    static QStringList inheritedBy(ProcessDefinition definition)
    {
        const int low = ::dup(2); // not close-on-exec
        const int high = ::dup2(2, 400);
        definition.program = QStringLiteral("/bin/sh");
        definition.arguments = {
            QStringLiteral("-c"),
            QStringLiteral("for n in 0 1 2 %1 %2; do [ -e /proc/$$/fd/$n ] && echo $n; done; true")
                .arg(low)
                .arg(high)};
        AgentLog log(definition);
        log.agent.start();
        const bool ended = log.waitForEnd();
        ::close(low);
        ::close(high);
        QStringList found = log.entries.filter(QStringLiteral("out "));
        found.replaceInStrings(QStringLiteral("out %1").arg(low), QStringLiteral("out low"));
        return ended ? found : QStringList();
    }

private Q_SLOTS:
    void doesNotInheritDescriptors()
    {
        const QStringList standard{QStringLiteral("out 0"), QStringLiteral("out 1"),
                                   QStringLiteral("out 2")};
        QCOMPARE(inheritedBy({}), standard);

        ProcessDefinition definition;
        definition.inheritsDescriptors = true;
        QCOMPARE(inheritedBy(definition),
                 standard + QStringList({QStringLiteral("out low"), QStringLiteral("out 400")}));
    }

    void reportsUnexecutablePrograms_data()
    {
        const Rows<QString, int> row("program", "exitCode");
        const QString missing = QStringLiteral("surely-not-there");
        row("bare name", missing, 127);
        row("path", m_folder.filePath(missing), 127);
        row("empty", {}, 127);
        row("below a file", makeFile(QStringLiteral("plain"), "x", true) + QStringLiteral("/x"),
            127);
        row("not executable", makeFile(QStringLiteral("text"), "#!/bin/sh\n", false), 126);
        row("folder", m_folder.path(), 126);
        row("no interpreter line", makeFile(QStringLiteral("script"), "exit 0\n", true), 126);
        row("interpreter missing", makeFile(QStringLiteral("lost"), "#!/surely/not/there\n", true),
            127);
    }

    void reportsUnexecutablePrograms()
    {
        QFETCH(QString, program);
        QFETCH(int, exitCode);
        ProcessDefinition definition;
        definition.program = program;
        AgentLog log(definition);
        log.agent.start();
        QVERIFY(!log.agent.isAlive());
        QCOMPARE(log.entries, QStringList{QStringLiteral("failed InitializationFailed")});
        QCOMPARE(log.failure.detail.exitCode, exitCode);
        QCOMPARE(log.agent.lastExitStatus(), exitCode);
        VERIFY_CONTAINS(log.failure.detail.message, program);
        QVERIFY(!log.failure.detail.permanent);
    }

    void findsProgramInstalledLater()
    {
        ProcessDefinition definition;
        definition.program = QStringLiteral("comes-later");
        definition.environment[QStringLiteral("PATH")] =
            QStringLiteral("relative:/surely/not/there:") + m_folder.path();
        AgentLog log(definition);
        log.agent.start();
        QCOMPARE(log.entries.last(), QStringLiteral("failed InitializationFailed"));
        const QString path = makeFile(QStringLiteral("comes-later"), "#!/bin/sh\nexit 7\n", true);
        QVERIFY(log.run());
        QCOMPARE(log.agent.lastExitStatus(), 7);
        // It is looked up again after it was removed.
        QFile::remove(path);
        log.agent.start();
        QCOMPARE(log.entries.last(), QStringLiteral("failed InitializationFailed"));
        QCOMPARE(log.agent.lastExitStatus(), 127);
    }

    void invalidDefinitionsArePermanentFailures_data()
    {
        const Rows<ProcessDefinition, QString> row("definition", "message");
        const auto readyBy = [](const Readiness &readiness) {
            ProcessDefinition definition = chaos("");
            definition.readiness = readiness;
            return definition;
        };
        const auto readyByProbe = [&](const HealthProbeDefinition &probe) {
            return readyBy({Readiness::Kind::Probe, {}, {}, probe});
        };
        row("pattern", readyBy({Readiness::Kind::Line, {}, QStringLiteral("(")}),
            "The pattern for ready, \"(\", is not valid: ");
        ProcessDefinition output = readyBy({Readiness::Kind::Line, {}, QStringLiteral("x")});
        output.standardOutput.kind = OutputTarget::Kind::Null;
        row("no lines", output, "Ready by a line on stdout needs stdout to go to Lines");
        row("no probe", readyByProbe({}), "Ready by a probe: /kind: missing");
        row("setting of a probe", readyByProbe(tcpProbe(QStringLiteral("127.0.0.1"), 0)),
            "Ready by a probe: /port: expected 1 to 65535, found 0");
        row("heartbeat", readyByProbe(heartbeatProbe()),
            "Ready by a probe: a probe of kind heartbeat is only for health");
        ProcessDefinition name = chaos("");
        name.environment[QStringLiteral("A=B")] = QStringLiteral("x");
        row("name of a variable", name, "Environment: \"A=B\" cannot be set");
        row("argument", chaos("%1", QString(QChar::Null)), "An argument contains a null character");
    }

    void invalidDefinitionsArePermanentFailures()
    {
        QFETCH(ProcessDefinition, definition);
        QFETCH(QString, message);
        AgentLog log(definition);
        log.agent.start();
        QCOMPARE(log.entries, QStringList{QStringLiteral("failed InitializationFailed")});
        QVERIFY2(log.failure.detail.message.startsWith(message),
                 qPrintable(log.failure.detail.message));
        QVERIFY(log.failure.detail.permanent);
        QVERIFY(!log.failure.detail.exitCode);
    }

    void usesWorkingDirectory()
    {
        ProcessDefinition definition = chaos("cwd exit 0");
        definition.workingDirectory = m_folder.path();
        AgentLog log(definition);
        QVERIFY(log.run());
        const QString real = QDir(m_folder.path()).canonicalPath();
        QVERIFY(log.entries.contains(QStringLiteral("out ") + real));
    }

    void reportsMissingWorkingDirectory()
    {
        QDir(m_folder.path()).mkdir(QStringLiteral("vanishes"));
        ProcessDefinition definition = chaos("exit 0");
        definition.workingDirectory = m_folder.filePath(QStringLiteral("vanishes"));
        AgentLog log(definition);
        QVERIFY(log.run());
        QCOMPARE(log.entries.last(), QStringLiteral("stopped"));
        QDir(m_folder.path()).rmdir(QStringLiteral("vanishes"));
        log.agent.start();
        QCOMPARE(log.entries.last(), QStringLiteral("failed InitializationFailed"));
        QVERIFY(!log.failure.detail.permanent);
        QVERIFY(!log.failure.detail.exitCode);
        QVERIFY(log.failure.detail.message.contains(definition.workingDirectory));
    }

    void mergesEnvironment()
    {
        qputenv("REKINDLE_TEST_KEPT", "kept");
        qputenv("REKINDLE_TEST_REMOVED", "removed");
        qputenv("NOTIFY_SOCKET", "@the-hosts-own");
        ProcessDefinition definition = chaos("env REKINDLE_TEST_KEPT env REKINDLE_TEST_REMOVED env "
                                             "REKINDLE_TEST_ADDED env NOTIFY_SOCKET exit 0");
        definition.environment[QStringLiteral("REKINDLE_TEST_REMOVED")] = std::nullopt;
        definition.environment[QStringLiteral("REKINDLE_TEST_ADDED")] = QStringLiteral("a=b");
        AgentLog log(definition);
        QVERIFY(log.run());
        for (const char *line : {"out REKINDLE_TEST_KEPT=kept", "out REKINDLE_TEST_REMOVED unset",
                                 "out REKINDLE_TEST_ADDED=a=b", "out NOTIFY_SOCKET unset"})
            QVERIFY2(log.entries.contains(QString::fromLatin1(line)), line);
        qunsetenv("NOTIFY_SOCKET");
    }

    void leadsItsOwnSession()
    {
        AgentLog log(chaos("ids exit 0"));
        log.agent.start();
        const QString process = QString::number(log.agent.processId());
        QVERIFY(log.waitForEnd());
        QVERIFY(log.entries.contains(
            QStringLiteral("out %1 %1 %1 %2").arg(process, QString::number(::getpid()))));
    }

    // Also if the host changes signals; Qt ignores SIGPIPE in some programs.
    void signalsHaveDefaultActions()
    {
        sigset_t blocked;
        sigset_t before;
        ::sigemptyset(&blocked);
        ::sigaddset(&blocked, SIGTERM);
        ::pthread_sigmask(SIG_BLOCK, &blocked, &before);
        const auto oldPipe = std::signal(SIGPIPE, SIG_IGN);
        const auto oldUser = std::signal(SIGUSR1, [](int) {});
        AgentLog log(chaos("signals exit 0"));
        log.agent.start();
        ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
        struct sigaction action{};
        ::sigaction(SIGUSR1, nullptr, &action);
        QVERIFY(action.sa_handler != SIG_DFL); // the host's handler is unchanged
        QVERIFY(log.waitForEnd());
        QVERIFY(log.entries.contains(QStringLiteral("out ignored blocked")));
        std::signal(SIGPIPE, oldPipe);
        std::signal(SIGUSR1, oldUser);
    }

    void appendsOutputToFile()
    {
        const QString path = m_folder.filePath(QStringLiteral("output"));
        ProcessDefinition definition = chaos("out text err more exit 0");
        definition.standardOutput = {OutputTarget::Kind::File, path};
        definition.standardError = {OutputTarget::Kind::File, path};
        AgentLog log(definition);
        for (int i = 0; i < 2; ++i) {
            QVERIFY(log.run());
        }
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), "text\nmore\ntext\nmore\n");
        QCOMPARE(file.permissions() & (QFile::ReadGroup | QFile::ReadOther), 0);
        QVERIFY(!log.entries.contains(QStringLiteral("out text")));
    }

    void reportsUnopenableFile()
    {
        const QString path = m_folder.filePath(QStringLiteral("no/such/folder"));
        ProcessDefinition definition = chaos("");
        definition.standardError = {OutputTarget::Kind::File, path};
        AgentLog log(definition);
        log.agent.start();
        QCOMPARE(log.entries, QStringList{QStringLiteral("failed InitializationFailed")});
        QVERIFY(log.failure.detail.message.contains(path));
        QVERIFY(!log.failure.detail.permanent);
    }

    // Opening it the usual way would block this thread until a reader opens it.
    void namedPipeWithoutReaderIsFailure()
    {
        const QString path = m_folder.filePath(QStringLiteral("pipe"));
        QCOMPARE(::mkfifo(QFile::encodeName(path).constData(), 0600), 0);
        ProcessDefinition definition = chaos("out text exit 0");
        definition.standardOutput = {OutputTarget::Kind::File, path};
        AgentLog log(definition);
        log.agent.start();
        QCOMPARE(log.entries, QStringList{QStringLiteral("failed InitializationFailed")});
        QCOMPARE(log.failure.detail.message,
                 QStringLiteral("File %1 cannot be opened: no reader").arg(path));
        QVERIFY(!log.failure.detail.permanent);

        const int reader =
            ::open(QFile::encodeName(path).constData(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
        log.entries.clear();
        QVERIFY(log.run());
        QByteArray text(5, '\0');
        QCOMPARE(::read(reader, text.data(), 5), ssize_t{5});
        QCOMPARE(text, QByteArray("text\n"));
        ::close(reader);
    }

    void removesVariablesForHostAlone()
    {
        constexpr std::array names{"LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES", "JOURNAL_STREAM"};
        QStringList commands;
        QStringList expected;
        for (const char *name : names) {
            qputenv(name, "1");
            commands += {QStringLiteral("env"), QString::fromLatin1(name)};
            expected.append(QStringLiteral("out %1 unset").arg(QString::fromLatin1(name)));
        }
        AgentLog log(chaos(commands + QStringList{QStringLiteral("exit"), QStringLiteral("0")}));
        QVERIFY(log.run());
        for (const char *name : names)
            qunsetenv(name);
        QCOMPARE(log.entries.filter(QStringLiteral("out ")), expected);
    }
};

REKINDLE_TEST(ProcessStartTest)
#include "processstarttest.moc"
