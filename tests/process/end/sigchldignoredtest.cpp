// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// A host that ignores SIGCHLD gets a warning, and exit statuses are true or unknown.

#include "process/agentlog.h"
#include "testprogram.h"

#include <csignal>

using namespace Rekindle;

class SigchldIgnoredTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void warnsOnceAndReportsUnknown()
    {
        std::signal(SIGCHLD, SIG_IGN);
        AgentLog crash(chaos("exit 3"));
        QTest::ignoreMessage(QtWarningMsg, QRegularExpression(QStringLiteral("ignores SIGCHLD")));
        crash.agent.start();
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        QVERIFY(crash.waitForEnd());
        // Since Linux 6.15, the kernel keeps the exit status in this case, too.
        if (crash.entries.last() == QStringLiteral("failed Unknown"))
            QVERIFY(crash.failure.detail.message.contains(u"SIGCHLD"));
        else
            QCOMPARE(crash.failure.detail.exitCode, 3);

        AgentLog stopped(chaos("hang"));
        stopped.agent.start();
        stopped.agent.stop();
        QVERIFY(stopped.waitForEnd());
        QCOMPARE(stopped.entries.last(), QStringLiteral("stopped"));
    }

    void reportsFailedStart()
    {
        std::signal(SIGCHLD, SIG_IGN);
        ProcessDefinition definition;
        definition.program = QStringLiteral("/surely/not/there");
        AgentLog log(definition);
        log.agent.start();
        QCOMPARE(log.agent.lastExitStatus(), 127);
    }
};

REKINDLE_TEST(SigchldIgnoredTest)
#include "sigchldignoredtest.moc"
