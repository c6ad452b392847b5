// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// DescriptorLimit in a host with an agent.

#include "process/agentlog.h"
#include "testprogram.h"

#include <Rekindle/DescriptorLimit>

#include <sys/resource.h>

using namespace Rekindle;

class DescriptorLimitTest : public QObject
{
    Q_OBJECT

    static constexpr rlim_t soft = 200;
    static constexpr rlim_t hard = 1000;

    static rlim_t current()
    {
        rlimit limit{};
        return ::getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : 0;
    }

    // The soft and the hard limit of an agent.
    static QStringList limitsOfAnAgent()
    {
        ProcessDefinition definition;
        definition.program = QStringLiteral("/bin/sh");
        definition.arguments = {QStringLiteral("-c"), QStringLiteral("ulimit -Sn; ulimit -Hn")};
        AgentLog log(definition);
        log.agent.start();
        return log.waitForEnd() ? log.entries.filter(QStringLiteral("out ")) : QStringList();
    }

private Q_SLOTS:
    void initTestCase()
    {
        const rlimit limit{soft, hard};
        QCOMPARE(::setrlimit(RLIMIT_NOFILE, &limit), 0);
    }

    void agentInheritsLimitsByDefault()
    {
        const rlimit other{soft + 1, hard};
        QCOMPARE(::setrlimit(RLIMIT_NOFILE, &other), 0);
        QCOMPARE(limitsOfAnAgent(),
                 (QStringList{QStringLiteral("out 201"), QStringLiteral("out 1000")}));
        const rlimit back{soft, hard};
        QCOMPARE(::setrlimit(RLIMIT_NOFILE, &back), 0);
    }

    // The last test, because the limit stays raised.
    void raisesLimitOfHostOnly()
    {
        QVERIFY(DescriptorLimit::raise());
        QCOMPARE(current(), hard);
        const QStringList original{QStringLiteral("out 200"), QStringLiteral("out 1000")};
        QCOMPARE(limitsOfAnAgent(), original);

        QVERIFY(DescriptorLimit::raise());
        QCOMPARE(current(), hard);
        QCOMPARE(limitsOfAnAgent(), original);
    }
};

REKINDLE_TEST(DescriptorLimitTest)
#include "descriptorlimittest.moc"
