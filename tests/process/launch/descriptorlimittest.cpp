// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// DescriptorLimit in a host with an agent.

#include "process/agentlog.h"
#include "testprogram.h"
#include "testrow.h"

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

    static qsizetype openDescriptors()
    {
        return QDir(QStringLiteral("/proc/self/fd"))
            .entryList(QDir::NoDotAndDotDot | QDir::AllEntries | QDir::System)
            .size();
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

    void countsDescriptorsOfAnAgent_data()
    {
        using Kind = OutputTarget::Kind;
        using StandardInput = ProcessDefinition::StandardInput;
        const Rows<ProcessDefinition, int> row("definition", "needed");
        const auto hanging = [](const OutputTarget &target) {
            ProcessDefinition definition = chaos("hang");
            definition.standardOutput = definition.standardError = target;
            return definition;
        };
        row("null", hanging({Kind::Null}), 1);
        row("inherit", hanging({Kind::Inherit}), 1);
        row("file", hanging({Kind::File, m_folder.filePath(QStringLiteral("out"))}), 1);
        OutputTarget rotated{Kind::File, m_folder.filePath(QStringLiteral("rotated"))};
        rotated.rotation = LogRotation{.maxSize = 4096};
        ProcessDefinition oneRotated = hanging({Kind::Null});
        oneRotated.standardOutput = rotated;
        row("rotated file", oneRotated, 3);
        row("lines", hanging({Kind::Lines}), 3);
        ProcessDefinition other = hanging({Kind::Null});
        other.standardInput = StandardInput::Inherit;
        row("inherited stdin", other, 1);
        other.standardInput = StandardInput::Pipe;
        row("stdin", other, 2);
        other.readiness.kind = Readiness::Kind::Notify;
        row("notify socket", other, 3);
        other.readiness.kind = Readiness::Kind::Now;
        other.health = {heartbeatProbe()};
        row("heartbeat", other, 3);
        const ProcessDefinition hang = chaos("hang");
        row("server on stdio", ProcessDefinition::stdioServer(hang.program, hang.arguments), 4);
        other = ProcessDefinition::stdioServer(hang.program, hang.arguments);
        other.health = {heartbeatProbe()};
        row("most", other, 5);
    }

    void countsDescriptorsOfAnAgent()
    {
        QFETCH(const ProcessDefinition, definition);
        QFETCH(const int, needed);
        AgentLog other(chaos("hang")); // opens the descriptors that all agents share
        other.agent.start();
        const qsizetype before = openDescriptors();
        AgentLog log(definition);
        log.agent.start();
        QVERIFY(log.agent.isAlive());
        QCOMPARE(openDescriptors() - before, needed);
        QCOMPARE(DescriptorLimit::neededBy(definition), needed);
        other.agent.kill();
        log.agent.kill();
        QVERIFY(other.waitForEnd() && log.waitForEnd());
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
        QCOMPARE(DescriptorLimit::hard(), std::optional<qint64>(hard));
    }

private:
    QTemporaryDir m_folder;
};

REKINDLE_TEST(DescriptorLimitTest)
#include "descriptorlimittest.moc"
