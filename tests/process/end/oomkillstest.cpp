// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "process/agentlog.h"
#include "process/end/oomkills_p.h"
#include "testprogram.h"
#include "testrow.h"

#include <unistd.h>

using namespace Rekindle;

class OomKillsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    static void findsCounter_data();
    static void findsCounter();
    void recognizesKill();

private:
    static bool write(const QString &file, const QByteArray &text);
};

bool OomKillsTest::write(const QString &file, const QByteArray &text)
{
    QFile opened(file);
    return opened.open(QIODevice::WriteOnly | QIODevice::Unbuffered)
        && opened.write(text) == text.size();
}

void OomKillsTest::findsCounter_data()
{
    // file: below the root
    const Rows<QByteArray, QString> row("cgroups", "file");
    row("version 2", "0::/user/one\n", "user/one/memory.events");
    row("version 2 in a container", "0::/of/the/host\n", "memory.events");
    row("version 1", "5:cpu,memory:/a:b\n0::/other\n", "memory/a:b/memory.oom_control");
    row("both, memory in version 2", "4:cpu:/x\n0::/user/one\n", "user/one/memory.events");
    row("none", "4:cpu:/x\nnonsense\n", "");
    row("empty", "", "");
}

void OomKillsTest::findsCounter()
{
    QFETCH(const QByteArray, cgroups);
    QFETCH(const QString, file);
    QTemporaryDir root;
    for (const char *folder : {"user/one", "memory/a:b"})
        QVERIFY(QDir(root.path()).mkpath(QString::fromLatin1(folder)));
    for (const char *name : {"user/one/memory.events", "memory/a:b/memory.oom_control"})
        QVERIFY(write(root.filePath(QString::fromLatin1(name)), "oom_kill 0\n"));
    if (file == QLatin1String("memory.events"))
        QVERIFY(write(root.filePath(file), "oom_kill 0\n"));
    const QByteArray found = OomKills::counterFile(cgroups, QFile::encodeName(root.path()));
    QCOMPARE(QFile::decodeName(found), file.isEmpty() ? QString() : root.filePath(file));
}

// In a cgroup of its own, with a limit of 300 MB. Version 1, and root only.
void OomKillsTest::recognizesKill()
{
    const QString top = QStringLiteral("/sys/fs/cgroup/memory/");
    const QString folder = top + QStringLiteral("rekindle-test-%1/").arg(::getpid());
    if (::geteuid() != 0 || !QDir().mkdir(folder))
        QSKIP("this user or machine permits no memory cgroup");
    const auto leave = qScopeGuard([&] {
        write(top + QStringLiteral("cgroup.procs"), QByteArray::number(::getpid()));
        QDir().rmdir(folder);
    });
    const QString limit = folder + QStringLiteral("memory.limit_in_bytes");
    QVERIFY(write(limit, "300000000"));
    QVERIFY(write(folder + QStringLiteral("cgroup.procs"), QByteArray::number(::getpid())));

    // This process has the score 0, so the kernel selects the child, which uses more memory.
    AgentLog log(chaos("out ready allocate 1000"));
    QVERIFY(log.run());
    QCOMPARE(log.failure.reason, FailureReason::ResourceExhaustion);
    QCOMPARE(log.failure.detail.signal, std::optional<int>(SIGKILL));
    QVERIFY2(log.failure.detail.message.contains(folder),
             qUtf8Printable(log.failure.detail.message));

    // Another SIGKILL is not one.
    AgentLog other(chaos("signal 9"));
    QVERIFY(other.run());
    QCOMPARE(other.failure.reason, FailureReason::ProcessCrash);
}

REKINDLE_TEST(OomKillsTest)
#include "oomkillstest.moc"
