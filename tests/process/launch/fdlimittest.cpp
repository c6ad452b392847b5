// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// A host that has no descriptors left.

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
    // One descriptor after the other is given back, until a launch works.
    void aLaunchWithoutDescriptorsIsResourceExhaustion()
    {
        ProcessDefinition definition = chaos({QStringLiteral("exit"), QStringLiteral("0")});
        definition.standardInput = StandardInput::Pipe;
        definition.readiness.kind = Readiness::Kind::Notify;
        // With all that the later ones have: UBSan needs descriptors where it sees a class first.
        {
            AgentLog whole(definition);
            whole.agent.start();
            QVERIFY(whole.waitForEnd());
        }
        AgentLog first(definition);
        first.agent.start();
        QVERIFY(first.waitForEnd());

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

        first.agent.start();
        QVERIFY(first.waitForEnd());
        QCOMPARE(first.entries.last(), QStringLiteral("stopped"));
    }
};

REKINDLE_TEST(FdLimitTest)
#include "fdlimittest.moc"
