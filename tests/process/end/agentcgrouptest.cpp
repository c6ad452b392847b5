// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "process/agentlog.h"
#include "process/cgroup/agentcgroup_p.h"
#include "process/cgroup/cgrouphierarchy_p.h"
#include "processes.h"
#include "testprogram.h"

#include <unistd.h>

using namespace Rekindle;

namespace {

QByteArray contentsOf(const QString &path) { return readCgroupFile(QFile::encodeName(path)); }

// Empty if no group is delegated to this user.
QByteArray ownFolder()
{
    const bool isSystemd = QFile::exists(QStringLiteral("/run/systemd/system"));
    const QByteArray folder = CgroupHierarchy::folderFrom(readCgroupFile("/proc/self/mountinfo"),
                                                          readCgroupFile("/proc/self/cgroup"));
    return isSystemd || ::access(folder.constData(), W_OK) != 0 ? QByteArray() : folder;
}

ProcessDefinition shell(const QString &script)
{
    ProcessDefinition definition;
    definition.program = QStringLiteral("sh");
    definition.arguments = QStringList{QStringLiteral("-c"), script};
    definition.readiness.kind = Readiness::Kind::Now;
    definition.cgroup.emplace();
    return definition;
}

} // namespace

/// Control groups of agents: with real ones, and limits with normal folders, because the test
/// machines have no controllers.
class AgentCgroupTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void findsFolder_data();
    void findsFolder();
    void writesLimits();
    void namesWhatIsMissing();
    void readsOomKills();
    void killsDaemonThatWipedItsEnvironment();
    void announcesMemoryPressure();
    void removesGroupsOfKilledHosts();
};

void AgentCgroupTest::findsFolder_data()
{
    QTest::addColumn<QByteArray>("mounts");
    QTest::addColumn<QByteArray>("cgroups");
    QTest::addColumn<QByteArray>("folder");
    const auto row = [](const char *name, const char *mount, const char *cgroups,
                        const char *folder) {
        QTest::newRow(name) << QByteArray("22 1 8:1 / / rw - ext4 /dev/sda rw\n") + mount + '\n'
                            << QByteArray(cgroups) << QByteArray(folder);
    };
    row("unified", "30 25 0:26 / /sys/fs/cgroup rw shared:4 - cgroup2 cgroup2 rw",
        "0::/system.slice/a.service\n", "/sys/fs/cgroup/system.slice/a.service");
    row("hybrid", "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw",
        "4:memory:/x\n0::/user\n", "/sys/fs/cgroup/unified/user");
    row("root", "41 31 0:38 / /cg rw - cgroup2 cgroup2 rw", "0::/\n", "/cg");
    row("part", R"(41 31 0:38 /a /the\040mount rw - cgroup2 cgroup2 rw)", "0::/a/b\n",
        "/the mount/b");
    row("other part", "41 31 0:38 /a /cg rw - cgroup2 cgroup2 rw", "0::/ab\n", "");
    row("version 1", "30 25 0:26 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory",
        "4:memory:/x\n", "");
    row("nothing", "", "", "");
}

void AgentCgroupTest::findsFolder()
{
    QFETCH(const QByteArray, mounts);
    QFETCH(const QByteArray, cgroups);
    QTEST(CgroupHierarchy::folderFrom(mounts, cgroups), "folder");
}

void AgentCgroupTest::writesLimits()
{
    const QTemporaryDir root;
    QCOMPARE(writeCgroupFile(QFile::encodeName(root.filePath(QStringLiteral("cgroup.controllers"))),
                             "cpu memory pids\n"),
             0);
    CgroupHierarchy hierarchy(QFile::encodeName(root.path()));
    QStringList missing;
    const auto created = hierarchy.create({.memoryMax = 200'000'000, .tasksMax = 7}, missing);
    QCOMPARE(missing, QStringList());
    const QString folder = QFile::decodeName(std::get<QByteArray>(created));
    QCOMPARE(folder, root.filePath(QStringLiteral("rekindle-%1-1").arg(::getpid())));
    QCOMPARE(contentsOf(folder + QStringLiteral("/memory.max")), QByteArray("200000000"));
    QCOMPARE(contentsOf(folder + QStringLiteral("/pids.max")), QByteArray("7"));
    QCOMPARE(contentsOf(root.filePath(QStringLiteral("cgroup.subtree_control"))),
             QByteArray("+memory +pids "));
    QVERIFY(std::holds_alternative<QByteArray>(hierarchy.create({}, missing)));
    QCOMPARE(QDir(root.path()).entryList(QDir::Dirs | QDir::NoDotAndDotDot).size(), 2);
}

void AgentCgroupTest::namesWhatIsMissing()
{
    const QTemporaryDir root;
    const QByteArray path = QFile::encodeName(root.path());
    QStringList missing;
    CgroupHierarchy hierarchy(path);
    QVERIFY(std::holds_alternative<QByteArray>(hierarchy.create({.memoryMax = 4096}, missing)));
    QCOMPARE(
        missing,
        QStringList(
            QStringLiteral("the controller \"memory\" is not available in %1").arg(root.path())));
    missing.clear();
    QCOMPARE(std::get<QString>(CgroupHierarchy({}).create({}, missing)),
             QStringLiteral("cgroup v2 is not mounted"));
    const QString none = std::get<QString>(CgroupHierarchy(path + "/none").create({}, missing));
    QVERIFY2(none.endsWith(QStringLiteral("-1: No such file or directory")), qPrintable(none));
}

void AgentCgroupTest::readsOomKills()
{
    const QTemporaryDir folder;
    const QByteArray path = QFile::encodeName(folder.path());
    TimerScheduler scheduler;
    const AgentCgroup group(path, scheduler);
    QCOMPARE(group.hadOomKill(), std::nullopt);
    QCOMPARE(writeCgroupFile(path + "/memory.events", "low 0\noom 1\noom_kill 0\n"), 0);
    QCOMPARE(group.hadOomKill(), std::optional(false));
    QCOMPARE(writeCgroupFile(path + "/memory.events", "low 0\noom 1\noom_kill 2\n"), 0);
    QCOMPARE(group.hadOomKill(), std::optional(true));
    QCOMPARE(group.eventsFile(), folder.filePath(QStringLiteral("memory.events")));
}

void AgentCgroupTest::killsDaemonThatWipedItsEnvironment()
{
    const QByteArray own = ownFolder();
    if (own.isEmpty())
        QSKIP("no control group of version 2 is delegated to this user");
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("daemon"));
    AgentLog log(shell(QStringLiteral("setsid env -i sleep 1000 < /dev/null > /dev/null 2>&1 & "
                                      "until grep -q sleep /proc/$!/comm; do sleep 0.01; done; "
                                      "cat /proc/$!/cgroup; echo $! > %1; exec sleep 1000")
                           .arg(file)));
    log.agent.start();
    QVERIFY(QTest::qWaitFor([&] { return !contentsOf(file).isEmpty(); }, 60'000));
    const auto daemon = static_cast<pid_t>(contentsOf(file).trimmed().toInt());
    QVERIFY(isLiving(daemon));
    const QString group = QStringLiteral("/rekindle-%1-").arg(::getpid());
    QVERIFY(log.entries.join(QLatin1String(", ")).contains(group));
    log.agent.stop();
    QVERIFY(log.waitForEnd());
    QVERIFY(QTest::qWaitFor([&] { return !isLiving(daemon); }, 60'000));
    const auto groups = [&] {
        return QDir(QFile::decodeName(own)).entryList({group.mid(1) + u'*'}, QDir::Dirs);
    };
    QVERIFY(QTest::qWaitFor([&] { return groups().isEmpty(); }, 60'000));
}

void AgentCgroupTest::announcesMemoryPressure()
{
    const QByteArray own = ownFolder();
    if (own.isEmpty())
        QSKIP("no control group of version 2 is delegated to this user");
    if (!QFile::exists(QFile::decodeName(own + "/memory.pressure")))
        QSKIP("the kernel reports no memory pressure");
    AgentLog log(
        shell(QStringLiteral("test -r $MEMORY_PRESSURE_WATCH && echo readable; "
                             "echo $MEMORY_PRESSURE_WRITE | base64 -d | tr '\\0' .; echo")));
    log.agent.start();
    QVERIFY(log.waitForEnd());
    QVERIFY2(log.entries.join(QLatin1String(", ")).contains(QStringLiteral("out readable")),
             qPrintable(log.entries.join(QLatin1String(", "))));
    QVERIFY2(
        log.entries.join(QLatin1String(", ")).contains(QStringLiteral("out some 200000 2000000.")),
        qPrintable(log.entries.join(QLatin1String(", "))));
}

void AgentCgroupTest::removesGroupsOfKilledHosts()
{
    const QByteArray own = ownFolder();
    if (own.isEmpty())
        QSKIP("no control group of version 2 is delegated to this user");
    QProcess host;
    host.start(QStringLiteral("true"), QStringList());
    const qint64 id = host.processId();
    QVERIFY(host.waitForFinished(60'000));
    const QString name = QStringLiteral("rekindle-%1-1").arg(id);
    QDir folder(QFile::decodeName(own));
    QVERIFY(folder.mkdir(name));
    QProcess left;
    left.start(QStringLiteral("sleep"), {QStringLiteral("1000")});
    QVERIFY(left.waitForStarted(60'000));
    QCOMPARE(writeCgroupFile(own + '/' + QFile::encodeName(name) + "/cgroup.procs",
                             QByteArray::number(left.processId())),
             0);
    const auto create = [&] {
        QStringList missing;
        const auto created = CgroupHierarchy(own).create({}, missing);
        if (const auto *path = std::get_if<QByteArray>(&created))
            ::rmdir(path->constData());
        return std::holds_alternative<QByteArray>(created);
    };
    QVERIFY(create());
    QVERIFY(left.waitForFinished(60'000));
    QVERIFY(create()); // the group is empty now
    QVERIFY(!folder.exists(name));
}

REKINDLE_TEST(AgentCgroupTest)
#include "agentcgrouptest.moc"
