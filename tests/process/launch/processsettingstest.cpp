// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// The user, umask, niceness and limits of a process.

#include "process/agentlog.h"
#include "testprogram.h"
#include "testrow.h"
#include "valuetraits.h"

#include <pwd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

using namespace Rekindle;

static_assert(Record<ProcessIdentity>);
static_assert(Record<ResourceLimit>);

class ProcessSettingsTest : public QObject
{
    Q_OBJECT

    // A user that every Debian system has, and another group.
    const QString m_user = QStringLiteral("www-data");
    const QString m_group = QStringLiteral("daemon");
    QTemporaryDir m_folder;

    static ProcessDefinition shell(const char *script)
    {
        ProcessDefinition definition;
        definition.program = QStringLiteral("/bin/sh");
        definition.arguments = {QStringLiteral("-c"), QString::fromLatin1(script)};
        definition.readiness.kind = Readiness::Kind::Now;
        return definition;
    }

    static QStringList outputOf(const ProcessDefinition &definition)
    {
        AgentLog log(definition);
        log.agent.start();
        if (!log.waitForEnd())
            return {};
        QStringList lines = log.entries.filter(QStringLiteral("out "));
        lines.replaceInStrings(QStringLiteral("out "), QString());
        if (!log.failure.detail.message.isEmpty())
            lines.append(log.failure.detail.message);
        return lines;
    }

    static QString systemError(int number) { return qt_error_string(number); }

private Q_SLOTS:
    void appliesUmaskNicenessAndLimitsToTheProcessOnly()
    {
        rlimit before{};
        QCOMPARE(::getrlimit(RLIMIT_CORE, &before), 0);
        const int niceness = ::getpriority(PRIO_PROCESS, 0);
        ProcessDefinition definition = shell("umask; nice; ulimit -Sn; ulimit -Hn; ulimit -c");
        definition.umask = 027;
        definition.nice = 19;
        definition.limits = {{QStringLiteral("nofile"), {20, 30}},
                             {QStringLiteral("core"), {0, 0}}};
        QCOMPARE(outputOf(definition),
                 (QStringList{QStringLiteral("0027"), QStringLiteral("19"), QStringLiteral("20"),
                              QStringLiteral("30"), QStringLiteral("0")}));
        rlimit after{};
        QCOMPARE(::getrlimit(RLIMIT_CORE, &after), 0);
        QCOMPARE(after.rlim_cur, before.rlim_cur);
        QCOMPARE(::getpriority(PRIO_PROCESS, 0), niceness);
    }

    void appliesEveryLimit()
    {
        ProcessDefinition definition = shell("cat /proc/self/limits");
        const QStringList before = outputOf(definition);
        QVERIFY(before.size() > 16);
        int applied = 0;
        for (const QString &name : ResourceLimit::names()) {
            // Enough for the program.
            const bool isPriority =
                name == QLatin1String("nice") || name == QLatin1String("rtprio");
            const quint64 value = isPriority ? 0 : name == QLatin1String("nofile") ? 99 : 987654321;
            definition.limits = {{name, {value, value}}};
            const QStringList after = outputOf(definition);
            const QString list = name + u'\n' + after.join(u'\n');
            if (after.size() == 1) { // the hard limit of the host is lower
                QVERIFY2(after[0].startsWith(QLatin1String("Setting limits.rlimits.") + name),
                         qPrintable(list));
                continue;
            }
            const QRegularExpression both(QStringLiteral(" %1 +%1( |$)").arg(value));
            QVERIFY2(!after.filter(both).isEmpty(), qPrintable(list));
            ++applied;
        }
        QVERIFY(applied >= 8);
    }

    void namesTheSettingThatFails()
    {
        ProcessDefinition definition = shell("exit 0");
        // More than the kernel permits even for root (fs.nr_open).
        definition.limits = {{QStringLiteral("core"), {0, 0}},
                             {QStringLiteral("nofile"), {5, quint64{1} << 40}},
                             {QStringLiteral("nproc"), {1000, 1000}}};
        AgentLog log(definition);
        log.agent.start();
        QCOMPARE(log.entries, QStringList{QStringLiteral("failed InitializationFailed")});
        QCOMPARE(log.failure.detail.message,
                 QStringLiteral("Setting limits.rlimits.nofile [5, 1099511627776] cannot be "
                                "applied: ")
                     + systemError(EPERM));
        QVERIFY(log.failure.detail.permanent);
        QVERIFY(!log.failure.detail.exitCode);
    }

    void reportsNicenessWithoutPrivileges()
    {
        if (::geteuid() == 0)
            QSKIP("root can choose any niceness");
        ProcessDefinition definition = shell("exit 0");
        definition.nice = -20;
        QCOMPARE(outputOf(definition),
                 QStringList{QStringLiteral("Setting nice -20 cannot be applied: ")
                             + systemError(EACCES)});
    }

    void reportsOtherUserWithoutPrivileges()
    {
        if (::geteuid() == 0)
            QSKIP("root can choose any user");
        ProcessDefinition definition = shell("exit 0");
        definition.identity = {QStringLiteral("root"), QStringLiteral("daemon")};
        QVERIFY(!definition.identity.isPermitted());
        QCOMPARE(outputOf(definition),
                 QStringList{QStringLiteral("Setting user \"root\", group \"daemon\" cannot be "
                                            "applied: ")
                             + systemError(EPERM)});
    }

    void ownUserNeedsNoPrivileges()
    {
        const passwd *own = ::getpwuid(::geteuid());
        if (own == nullptr)
            QSKIP("this user has no entry in the user database");
        ProcessDefinition definition = shell("id -u; echo $HOME");
        definition.identity.user = QString::number(::geteuid());
        QVERIFY(definition.identity.isPermitted());
        QCOMPARE(outputOf(definition),
                 (QStringList{QString::number(::geteuid()), QString::fromLocal8Bit(own->pw_dir)}));
    }

    void unknownNamesArePermanentFailures_data()
    {
        const Rows<QString, QString, QString> row("user", "group", "message");
        row("user", "no-such-user", {},
            "user: expected a user of this machine, found "
            "\"no-such-user\"");
        row("group", "root", "no-such-group",
            "group: expected a Unix group of this machine, found "
            "\"no-such-group\"");
        row("number", "54321", {},
            "user: expected a user of this machine, or "
            "\"group\" in addition to the number, found "
            "\"54321\"");
        row("reserved number", "4294967295", "0",
            "user: expected a user of this machine, found \"4294967295\"");
    }

    void unknownNamesArePermanentFailures()
    {
        QFETCH(const QString, user);
        QFETCH(const QString, group);
        QFETCH(const QString, message);
        ProcessDefinition definition = shell("exit 0");
        definition.identity = {user, group};
        AgentLog log(definition);
        log.agent.start();
        QCOMPARE(log.entries, QStringList{QStringLiteral("failed InitializationFailed")});
        QCOMPARE(log.failure.detail.message, message);
        QVERIFY(log.failure.detail.permanent);
    }

    void runsAsAnotherUser()
    {
        if (::geteuid() != 0)
            QSKIP("only root can choose another user");
        const passwd *entry = ::getpwnam(m_user.toLocal8Bit().constData());
        QVERIFY(entry != nullptr);
        const QString home = QString::fromLocal8Bit(entry->pw_dir);
        const QString interpreter = QString::fromLocal8Bit(entry->pw_shell);
        ProcessDefinition definition =
            shell("id -un; id -rg; id -Gn; echo $HOME $USER $LOGNAME $SHELL");
        definition.identity.user = m_user;
        QVERIFY(definition.identity.isPermitted());
        QCOMPARE(outputOf(definition),
                 (QStringList{m_user, QString::number(entry->pw_gid), m_user,
                              QStringList{home, m_user, m_user, interpreter}.join(u' ')}));
        QCOMPARE(::geteuid(), uid_t{0});
        QCOMPARE(::prctl(PR_GET_DUMPABLE, 0, 0, 0, 0), 1);

        definition.identity.group = m_group;
        definition.environment = {{QStringLiteral("HOME"), QStringLiteral("/own")},
                                  {QStringLiteral("SHELL"), std::nullopt}};
        const QStringList output = outputOf(definition);
        QCOMPARE(output.size(), 4);
        QVERIFY2(output[2].split(u' ').contains(m_group), qPrintable(output[2]));
        QCOMPARE(output[3], QStringLiteral("/own www-data www-data"));
    }

    void runsAsNumbersWithoutEntries()
    {
        if (::geteuid() != 0)
            QSKIP("only root can choose another user");
        ProcessDefinition definition = shell("id -u; id -g; id -G");
        definition.identity = {QStringLiteral("54321"), QStringLiteral("54322")};
        QCOMPARE(outputOf(definition),
                 (QStringList{QStringLiteral("54321"), QStringLiteral("54322"),
                              QStringLiteral("54322")}));
    }

    void changesGroupOnly()
    {
        if (::geteuid() != 0)
            QSKIP("only root can choose another group");
        ProcessDefinition definition = shell("id -u; id -gn");
        definition.identity.group = m_group;
        QCOMPARE(outputOf(definition), (QStringList{QStringLiteral("0"), m_group}));
    }

    // A change of the user clears the signal at the death of the parent.
    void otherUserStillEndsWithTheHost()
    {
        if (::geteuid() != 0)
            QSKIP("only root can choose another user");
        const QString program = m_folder.filePath(QStringLiteral("chaosagent"));
        QVERIFY(QFile::copy(QStringLiteral(REKINDLE_CHAOSAGENT), program));
        QVERIFY(QFile::setPermissions(m_folder.path(), QFile::Permissions(0x5555 | 0x7000)));
        QVERIFY(QFile::setPermissions(program, QFile::Permissions(0x5555)));
        ProcessDefinition definition = chaos("death-signal exit 0");
        definition.program = program;
        definition.identity.user = m_user;
        QCOMPARE(outputOf(definition), QStringList{QStringLiteral("9")});
    }

    void entersFolderAsTheUser()
    {
        if (::geteuid() != 0)
            QSKIP("only root can choose another user");
        const QTemporaryDir closed; // of root, with mode 0700
        ProcessDefinition definition = shell("exit 0");
        definition.identity.user = m_user;
        definition.workingDirectory = closed.path();
        QCOMPARE(outputOf(definition),
                 QStringList{QStringLiteral("Working directory %1 cannot be entered: %2")
                                 .arg(closed.path(), systemError(EACCES))});
    }

    void probesRunAsTheUserOfTheProcess()
    {
        if (::geteuid() != 0)
            QSKIP("only root can choose another user");
        ProcessDefinition definition = shell("sleep 1000");
        definition.identity.user = m_user;
        definition.readiness.kind = Readiness::Kind::Probe;
        definition.readiness.probe = execProbe({QStringLiteral("/bin/sh"), QStringLiteral("-c"),
                                                QStringLiteral("[ $(id -un) = www-data ]")});
        AgentLog log(definition);
        log.agent.start();
        QVERIFY(log.waitFor(QStringLiteral("ready")));
        log.agent.kill();
        QVERIFY(log.waitForEnd());
    }
};

REKINDLE_TEST(ProcessSettingsTest)
#include "processsettingstest.moc"
