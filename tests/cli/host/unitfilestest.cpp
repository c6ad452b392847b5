// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commandrun.h"
#include "testprogram.h"
#include "testrow.h"

#include <csignal>

using namespace Rekindle;

/// The units of systemd that are installed.
class UnitFilesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void systemdAcceptsUnits_data();
    void systemdAcceptsUnits();
    void commandsOfUnitsWork_data();
    void commandsOfUnitsWork();

private:
    // The unit with the command that was built instead of the installed one.
    static QByteArray unitOf(const QString &manager)
    {
        QByteArray unit =
            readFile(QStringLiteral(REKINDLE_UNITS "/%1/rekindle@.service").arg(manager));
        return unit.replace(REKINDLE_INSTALLED_COMMAND, REKINDLE_COMMAND);
    }
    static void addManagers()
    {
        const Rows<QString> row("manager");
        row("system", "system");
        row("user", "user");
    }

    QTemporaryDir m_folder;
};

void UnitFilesTest::systemdAcceptsUnits_data() { addManagers(); }

void UnitFilesTest::systemdAcceptsUnits()
{
    QFETCH(const QString, manager);
    if (QStandardPaths::findExecutable(QStringLiteral("systemd-analyze")).isEmpty())
        QSKIP("systemd is not installed");
    const QString unit =
        writeFile(m_folder.path(), QStringLiteral("rekindle@web.service"), unitOf(manager));
    ShellRun verify("systemd-analyze", words(QLatin1String("--") + manager, "verify", unit));
    verify.setVariable("XDG_RUNTIME_DIR", m_folder.path());
    QCOMPARE(verify.complete(), 0);
    QCOMPARE(verify.error(), QByteArray());
}

void UnitFilesTest::commandsOfUnitsWork_data() { addManagers(); }

void UnitFilesTest::commandsOfUnitsWork()
{
    QFETCH(const QString, manager);
    QVERIFY(QDir(m_folder.path()).mkpath(QStringLiteral("rekindle")));
    (void)writeFile(m_folder.path(), QStringLiteral("rekindle/%1.json").arg(manager),
                    configuration({words("sleep", "1h")}, {}));
    const auto commandOf = [&](const QByteArray &key) {
        const QByteArray unit = unitOf(manager);
        const QByteArray line = '\n' + key + '=';
        const qsizetype start = unit.indexOf(line) + line.size();
        QByteArray command = unit.mid(start, unit.indexOf('\n', start) - start);
        command.replace("%E", QFile::encodeName(m_folder.path())).replace("%i", manager.toUtf8());
        return QString::fromUtf8(command);
    };
    ShellRun up("sh", words("-c", QLatin1String("exec ") + commandOf("ExecStart")));
    QVERIFY(up.begin());
    QVERIFY(up.waitForError("a: start 1"));
    ShellRun reload("sh", words("-c", QLatin1String("exec ") + commandOf("ExecReload")));
    QCOMPARE(reload.complete(), 0);
    QCOMPARE(up.endBy(SIGTERM), 0);
}

REKINDLE_TEST(UnitFilesTest)
#include "unitfilestest.moc"
