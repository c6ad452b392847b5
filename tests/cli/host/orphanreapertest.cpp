// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commandrun.h"
#include "testprogram.h"

#include <csignal>
#include <sys/prctl.h>

using namespace Rekindle;

namespace {

// The states of all children of a process, for example "SZZ".
QByteArray statesOfChildren(qint64 parent)
{
    QByteArray states;
    for (const QString &name : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
        QFile file(QStringLiteral("/proc/%1/stat").arg(name));
        if (name.toLongLong() == 0 || !file.open(QIODevice::ReadOnly))
            continue;
        const QByteArray line = file.readAll();
        const QByteArrayList words = line.mid(line.lastIndexOf(')') + 2).split(' ');
        if (words.value(1).toLongLong() == parent)
            states += words.value(0);
    }
    return states;
}

// As process 1 of a container does.
class ReapingRun : public CommandRun
{
public:
    explicit ReapingRun(const QStringList &arguments)
        : CommandRun(arguments)
    {
        setChildProcessModifier([] {
            for (const int number : {SIGINT, SIGTERM})
                std::signal(number, SIG_DFL);
            ::prctl(PR_SET_CHILD_SUBREAPER, 1);
        });
    }
};

} // namespace

/// A command that gets orphans as children.
class OrphanReaperTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void reapsOrphans()
    {
        ReapingRun run(words("run", "--", "sh", "-c",
                             "i=0; while [ $i -lt 20 ]; do (true & true); i=$((i+1)); done; echo "
                             "done; exec sleep 1000"));
        QVERIFY(run.begin());
        QVERIFY(run.waitForOutput("done"));
        const auto states = [&run] { return statesOfChildren(run.processId()); };
        QVERIFY2(waitUntil([&] { return !states().contains('Z'); }), states().constData());
        QVERIFY(!states().isEmpty()); // the command
        QCOMPARE(run.endBy(SIGTERM), 0);
    }

    void passesExitCodeOn()
    {
        ReapingRun run(words("run", "--policy", "none", "--", "sh", "-c", "exit 5"));
        QCOMPARE(run.complete(), 5);
    }

    void forwardsSignals()
    {
        ReapingRun run(words("run", "--", "sh", "-c",
                             "trap 'echo got TERM; exit 0' TERM; echo ready; while :; do sleep "
                             "0.1; done"));
        QVERIFY(run.begin());
        QVERIFY(run.waitForOutput("ready"));
        QCOMPARE(run.endBy(SIGTERM), 0);
        VERIFY_CONTAINS(run.output(), "got TERM");
    }
};

REKINDLE_TEST(OrphanReaperTest)
#include "orphanreapertest.moc"
