// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// The example host, whose server is killed under it.

#include "processes.h"
#include "testprogram.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include <csignal>

using namespace Rekindle;

class ToolHostTest : public QObject
{
    Q_OBJECT

    QTemporaryDir folder;
    QByteArray output;

    bool says(QProcess &host, const QByteArray &text)
    {
        return QTest::qWaitFor(
            [&] {
                output += host.readAllStandardOutput();
                return output.contains(text);
            },
            30000);
    }

    QByteArray file(const char *name) const
    {
        QFile file(folder.filePath(QString::fromLatin1(name)));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

private Q_SLOTS:
    void callsOutliveTheServer()
    {
        // It leaves its process id.
        const QString command =
            QStringLiteral("echo $$ > '%1/process'; exec '%2' --starts '%1/starts'")
                .arg(folder.path(), QStringLiteral(REKINDLE_MCPSERVER));
        QProcess host;
        host.start(QStringLiteral(REKINDLE_TOOLHOST),
                   {QStringLiteral("/bin/sh"), QStringLiteral("-c"), command});
        QVERIFY(host.waitForStarted(30000));
        QVERIFY2(says(host, " tools\n"), output.constData());
        host.write("echo {\"message\": \"hi\"}\n");
        QVERIFY2(says(host, "echo: hi\n"), output.constData());

        // Between two calls: nothing happens until the next one.
        const pid_t idle = file("process").trimmed().toInt();
        QVERIFY(isLiving(idle));
        ::kill(idle, SIGKILL);
        QVERIFY(QTest::qWaitFor([&] { return !isLiving(idle); }, 30000));
        host.write("lookup {\"message\": \"again\"}\n");
        QVERIFY2(says(host, "lookup: again\n"), output.constData());

        // Under a call that only reads: it is made again, and told.
        host.write("die_once {\"file\": \"" + folder.path().toUtf8() + "/died\"}\n");
        QVERIFY2(says(host, "die_once: survived\n"), output.constData());
        QVERIFY2(output.contains("die_once: attempt 1 failed: "), output.constData());
        QVERIFY2(output.contains("the server is started again\n"), output.constData());

        // Under one that may have done something: it is not.
        host.write("crash\n");
        QVERIFY2(says(host, "crash ended with NotRetryable\n"), output.constData());
        host.write("echo {\"message\": \"bye\"}\n");
        QVERIFY2(says(host, "echo: bye\n"), output.constData());

        const pid_t last = file("process").trimmed().toInt();
        QVERIFY(isLiving(last));
        host.closeWriteChannel();
        QVERIFY(host.waitForFinished(30000));
        QCOMPARE(host.exitCode(), 0);
        QVERIFY(!isLiving(last));
        QCOMPARE(file("starts").count('\n'), 4);
    }

    void serverThatIsNotThere()
    {
        QProcess host;
        host.start(QStringLiteral(REKINDLE_TOOLHOST), {QStringLiteral("no-such-mcp-server")});
        QVERIFY(host.waitForFinished(30000));
        const QByteArray said = host.readAllStandardOutput();
        QVERIFY2(said.contains("\nno tools: no-such-mcp-server cannot be started: "),
                 said.constData());
    }
};

REKINDLE_TEST(ToolHostTest)
#include "toolhosttest.moc"
