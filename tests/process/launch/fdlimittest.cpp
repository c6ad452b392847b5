// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// A host without free descriptors.

#include "process/agentlog.h"
#include "testprogram.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <memory>
#include <vector>

using namespace Rekindle;

class FdLimitTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // Frees one descriptor after the other until a launch succeeds.
    void missingDescriptorsAreResourceExhaustion()
    {
        ProcessDefinition definition = chaos("exit 0");
        definition.standardInput = ProcessDefinition::StandardInput::Pipe;
        definition.readiness.kind = Readiness::Kind::Notify;
        // Launches once first, because UBSan needs descriptors when it sees a class for the first
        // time.
        {
            AgentLog whole(definition);
            QVERIFY(whole.run());
        }
        AgentLog first(definition);
        QVERIFY(first.run());

        rlimit limit{};
        QCOMPARE(::getrlimit(RLIMIT_NOFILE, &limit), 0);
        limit.rlim_cur = 128;
        QCOMPARE(::setrlimit(RLIMIT_NOFILE, &limit), 0);
        std::vector<int> taken;
        for (int fd = ::dup(0); fd >= 0; fd = ::dup(0))
            taken.push_back(fd);

        int exhausted = 0;
        for (;;) {
            AgentLog log(definition);
            log.agent.start();
            if (log.agent.isAlive()) {
                for (const int fd : taken)
                    ::close(fd);
                QVERIFY(log.waitForEnd());
                break;
            }
            QCOMPARE(log.entries, QStringList{QStringLiteral("failed ResourceExhaustion")});
            QVERIFY(!log.failure.detail.permanent);
            ++exhausted;
            QVERIFY(!taken.empty());
            ::close(taken.back());
            taken.pop_back();
        }
        QVERIFY(exhausted >= 5);

        QVERIFY(first.run());
        QCOMPARE(first.entries.last(), QStringLiteral("stopped"));
    }
};

REKINDLE_TEST(FdLimitTest)
#include "fdlimittest.moc"
