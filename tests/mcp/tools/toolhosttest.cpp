// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// The example hosts 5-toolhost and 8-toolcatalog, whose servers are killed.

#include "contains.h"
#include "processes.h"
#include "testprogram.h"

#include <csignal>

using namespace Rekindle;

class ToolHostTest : public QObject
{
    Q_OBJECT

    QTemporaryDir folder;
    QByteArray output;

    bool prints(QProcess &host, const QByteArray &text)
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
    void callsSurviveServerExit()
    {
        // The shell writes its process id.
        const QString command =
            QStringLiteral("echo $$ > '%1/process'; exec '%2' --starts '%1/starts'")
                .arg(folder.path(), QStringLiteral(REKINDLE_MCPSERVER));
        QProcess host;
        host.start(QStringLiteral(REKINDLE_TOOLHOST),
                   {QStringLiteral("/bin/sh"), QStringLiteral("-c"), command});
        QVERIFY(host.waitForStarted(30000));
        QVERIFY2(prints(host, " tools\n"), output.constData());
        host.write("echo {\"message\": \"hi\"}\n");
        QVERIFY2(prints(host, "echo: hi\n"), output.constData());

        // Killed between two calls: the next call starts it.
        const pid_t idle = file("process").trimmed().toInt();
        QVERIFY(isLiving(idle));
        ::kill(idle, SIGKILL);
        QVERIFY(QTest::qWaitFor([&] { return !isLiving(idle); }, 30000));
        host.write("lookup {\"message\": \"again\"}\n");
        QVERIFY2(prints(host, "lookup: again\n"), output.constData());

        // Killed during a read-only call: the call is retried and reported.
        host.write("die_once {\"file\": \"" + folder.path().toUtf8() + "/died\"}\n");
        QVERIFY2(prints(host, "die_once: survived\n"), output.constData());
        VERIFY_CONTAINS(output, "die_once: attempt 1 failed: ");
        VERIFY_CONTAINS(output, "the server is started again\n");

        // Killed during another call: the call is not retried.
        host.write("crash\n");
        QVERIFY2(prints(host, "crash ended with NotRetryable\n"), output.constData());
        host.write("echo {\"message\": \"bye\"}\n");
        QVERIFY2(prints(host, "echo: bye\n"), output.constData());

        const pid_t last = file("process").trimmed().toInt();
        QVERIFY(isLiving(last));
        host.closeWriteChannel();
        QVERIFY(host.waitForFinished(30000));
        QCOMPARE(host.exitCode(), 0);
        QVERIFY(!isLiving(last));
        QCOMPARE(file("starts").count('\n'), 4);
    }

    void catalogFollowsItsServers()
    {
        const auto server = [this](const char *name) {
            return QStringLiteral("/bin/sh -c \"echo \"\"\"$$\"\"\" > '%1/%2'; exec '%3'\"")
                .arg(folder.path(), QString::fromLatin1(name), QStringLiteral(REKINDLE_MCPSERVER));
        };
        output.clear();
        QProcess host;
        host.start(QStringLiteral(REKINDLE_TOOLCATALOG), {server("one"), server("two")});
        QVERIFY(host.waitForStarted(30000));
        // The server that is ready first keeps the names of its tools.
        QVERIFY2(prints(host, "__echo of sh-"), output.constData());
        QVERIFY2(output.contains("\necho of sh-") || output.startsWith("echo of sh-"),
                 output.constData());
        const bool isOneFirst = output.contains("sh-2__echo");
        const QByteArray prefix = isOneFirst ? "sh-2__" : "sh-1__";
        host.write(prefix + "echo {\"message\": \"hi\"}\n");
        QVERIFY2(prints(host, prefix + "echo: hi\n"), output.constData());

        // A killed server is restarted in the background; its tools keep their names.
        ::kill(file(isOneFirst ? "two" : "one").trimmed().toInt(), SIGKILL);
        host.write(prefix + "lookup {\"message\": \"again\"}\n");
        QVERIFY2(prints(host, prefix + "lookup: again\n"), output.constData());
        host.write("nothing\n");
        QVERIFY2(prints(host, "nothing is unknown\n"), output.constData());
        host.closeWriteChannel();
        QVERIFY(host.waitForFinished(30000));
        QCOMPARE(host.exitCode(), 0);
        for (const char *name : {"one", "two"})
            QVERIFY(!isLiving(file(name).trimmed().toInt()));
    }

    void reportsMissingServer()
    {
        QProcess host;
        host.start(QStringLiteral(REKINDLE_TOOLHOST), {QStringLiteral("no-such-mcp-server")});
        QVERIFY(host.waitForFinished(30000));
        const QByteArray printed = host.readAllStandardOutput();
        VERIFY_CONTAINS(printed, "\nno tools: no-such-mcp-server cannot be started: ");
    }
};

REKINDLE_TEST(ToolHostTest)
#include "toolhosttest.moc"
