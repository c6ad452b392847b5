// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"
#include "testrow.h"

#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/process/processagent.h>

#include <csignal>
#include <functional>

using namespace Rekindle;
using namespace std::chrono_literals;

/// A host that makes its definitions itself gets the faults that `rekindle check` finds in files.
class ProcessValidationTest : public QObject
{
    Q_OBJECT

    using Change = std::function<void(ProcessDefinition &)>;

    static ProcessDefinition valid()
    {
        ProcessDefinition process;
        process.program = QStringLiteral("true");
        return process;
    }

private Q_SLOTS:
    void acceptsDefaults()
    {
        QVERIFY(validate(valid()).isEmpty());
        QVERIFY(validate(ProcessDefinition::stdioServer(QStringLiteral("cat"), {})).isEmpty());
    }

    void findsFault_data()
    {
        const Rows<QString, Change> row("path", "change");
        row("/program", [](auto &p) { p.program.clear(); });
        row("/arguments/1", [](auto &p) { p.arguments = {{}, QString(QChar())}; });
        row("/workingDirectory", [](auto &p) { p.workingDirectory = QString(3, QChar()); });
        row("/environment/", [](auto &p) { p.environment.insert({}, QStringLiteral("x")); });
        row("/environment/A=B", [](auto &p) { p.environment.insert(QStringLiteral("A=B"), {}); });
        row("/environment/A",
            [](auto &p) { p.environment.insert(QStringLiteral("A"), QString(QChar())); });
        row("/ready/for", [](auto &p) { p.readiness.aliveFor = Duration{0}; });
        row("/ready/pattern", [](auto &p) {
            p.readiness.kind = Readiness::Kind::Line;
            p.readiness.pattern = QStringLiteral("(");
        });
        row("/ready", [](auto &p) {
            p.readiness.kind = Readiness::Kind::Line;
            p.standardOutput.kind = OutputTarget::Kind::Null;
        });
        row("/ready/probe/command", [](auto &p) {
            p.readiness.kind = Readiness::Kind::Probe;
            p.readiness.probe = execProbe({});
        });
        row("/stdout/file", [](auto &p) { p.standardOutput.kind = OutputTarget::Kind::File; });
        row("/stderr/keep", [](auto &p) { p.standardError.rotation = LogRotation{.keep = 0}; });
        row("/stop/closeStdin", [](auto &p) { p.stop.closeStdin = -1ms; });
        row("/stop/terminate", [](auto &p) { p.stop.terminate = 61min; });
        row("/stop/kill", [](auto &p) { p.stop.kill = 2h; });
        for (const int signal : {0, -1, SIGKILL, SIGSTOP, SIGCHLD, SIGCONT, SIGTSTP, 999})
            QTest::addRow("signal %d", signal)
                << QStringLiteral("/stop/signal")
                << Change([signal](auto &p) { p.stop.signal = signal; });
        row("/user", [](auto &p) { p.identity.user = QStringLiteral("no such user"); });
        row("/umask", [](auto &p) { p.umask = 01000; });
        row("/nice", [](auto &p) { p.nice = 20; });
        row("/limits/rlimits/nofil", [](auto &p) { p.limits.insert(QStringLiteral("nofil"), {}); });
        row("/limits/rlimits/nofile",
            [](auto &p) { p.limits.insert(QStringLiteral("nofile"), {.soft = 2, .hard = 1}); });
    }

    void findsFault()
    {
        QFETCH(QString, path);
        QFETCH(Change, change);
        ProcessDefinition process = valid();
        change(process);
        const QList<Fault> faults = validate(process);
        QCOMPARE(faults.size(), 1);
        QCOMPARE(faults.constFirst().path, path);
        QVERIFY(faults.constFirst().isError());
    }

    void missingFilesAreWarnings_data()
    {
        const Rows<QString, Change, QString> row("path", "change", "message");
        row(
            "/program", [](auto &p) { p.program = QStringLiteral("no-such-program"); },
            "program \"no-such-program\" is not found in PATH");
        row(
            "/program", [](auto &p) { p.program = QStringLiteral("/no/such"); },
            "program /no/such is not found");
        row(
            "/program", [](auto &p) { p.program = QStringLiteral("/tmp"); },
            "program /tmp is a folder");
        row(
            "/workingDirectory", [](auto &p) { p.workingDirectory = QStringLiteral("/no/such"); },
            "folder /no/such is not found");
    }

    // The agent is added, because the files may be created before it is started.
    void missingFilesAreWarnings()
    {
        QFETCH(QString, path);
        QFETCH(Change, change);
        QFETCH(QString, message);
        AgentSupervisor supervisor;
        ProcessDefinition process = valid();
        change(process);
        RestartPolicy policy;
        policy.type = RestartPolicyType::None;
        const auto added =
            supervisor.add(QStringLiteral("a"),
                           std::make_unique<ProcessAgent>(process, supervisor.scheduler()), policy);
        QVERIFY(added);
        QCOMPARE(added.faults.size(), 1);
        QCOMPARE(added.faults.constFirst().path, path);
        QCOMPARE(added.faults.constFirst().message, message);
        QVERIFY(!added.faults.constFirst().isError());
    }

    void supervisorRejectsFault()
    {
        AgentSupervisor supervisor;
        ProcessDefinition process = valid();
        process.stop.signal = SIGKILL;
        QTest::ignoreMessage(QtWarningMsg,
                             QRegularExpression(QStringLiteral(
                                 "Agent \"a\" was not added: /stop/signal: expected a "
                                 "signal that asks a process to exit, found SIGKILL")));
        QVERIFY(!supervisor.add(QStringLiteral("a"),
                                std::make_unique<ProcessAgent>(process, supervisor.scheduler())));
    }
};

REKINDLE_TEST(ProcessValidationTest)
#include "processvalidationtest.moc"
