// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commandrun.h"
#include "testprogram.h"
#include "testrow.h"

#include <csignal>

using namespace Rekindle;

/// Output files of real agents that are rotated, and SIGUSR1.
class RotationTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void opensFilesAgain();
    void opensEventsAgain_data();
    void opensEventsAgain();
    void explainsFailureWithLinesOfTheFile();

private:
    [[nodiscard]] QString write(const QByteArray &script, const QByteArray &output) const
    {
        return writeFile(m_folder->path(), QStringLiteral("agents.json"),
                         R"({"agents": [{"name": "a", "kind": "process", "program": "sh", "ready":
                             "now", "arguments": ["-c", ")"
                             + script + R"("], )" + output + R"(, "policy": {"type": "none"}}]})");
    }
    [[nodiscard]] QByteArray read(const QString &name) const
    {
        return readFile(m_folder->filePath(name));
    }
    [[nodiscard]] QStringList up(const QString &config) const
    {
        return words("up", config, "--store", "off", "--state", "off");
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void RotationTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    qputenv("XDG_RUNTIME_DIR", QFile::encodeName(m_folder->path()));
}

void RotationTest::opensFilesAgain()
{
    const QString config =
        write("echo first; while [ ! -e next ]; do sleep 0.05; done; echo second; exec sleep 1000",
              R"("workingDirectory": ".", "stdout": {"file": "out.log", "maxSize": "1MB"})");
    const QString events = m_folder->filePath(QStringLiteral("events"));
    StartedRun run(up(config) + words("--events", events));
    QVERIFY(waitUntil([&] { return read(QStringLiteral("out.log")) == "first\n"; }));
    QVERIFY(waitUntil([&] { return readFile(events).contains("agent.ready"); }));
    for (const char *name : {"out.log", "events"})
        QVERIFY(QFile::rename(m_folder->filePath(QLatin1String(name)),
                              m_folder->filePath(QLatin1String(name) + QLatin1String(".old"))));
    run.signal(SIGUSR1);
    QVERIFY(run.waitForError("SIGUSR1: files opened again"));
    static_cast<void>(writeFile(m_folder->path(), QStringLiteral("next"), ""));
    QVERIFY(waitUntil([&] { return read(QStringLiteral("out.log")) == "second\n"; }));
    QCOMPARE(run.endBy(SIGTERM), 0);
    QCOMPARE(read(QStringLiteral("out.log.old")), QByteArray("first\n"));
    QVERIFY(readFile(events).contains("agent.stopped"));
    QVERIFY(!readFile(events).contains("agent.ready"));
}

void RotationTest::opensEventsAgain_data()
{
    const Rows<QStringList> row("command");
    row("run", words("run", "--ready", "now", "--store", "off"));
    row("mcp", words("mcp", "--store", "off"));
    row("tools", words("tools", "list"));
}

void RotationTest::opensEventsAgain()
{
    QFETCH(QStringList, command);
    const QString events = m_folder->filePath(QStringLiteral("events"));
    StartedRun run(command + words("--events", events, "--", "sleep", "1000"));
    QVERIFY(waitUntil([&] { return readFile(events).contains("agent.started"); }));
    QVERIFY(QFile::rename(events, events + QLatin1String(".old")));
    run.signal(SIGUSR1);
    QVERIFY(run.waitForError("SIGUSR1: files opened again"));
    run.signal(SIGTERM);
    run.end();
    QVERIFY2(readFile(events).contains("agent.stopped"), run.error().constData());
    QVERIFY(!readFile(events).contains("agent.started"));
}

void RotationTest::explainsFailureWithLinesOfTheFile()
{
    const QString config =
        write("echo no database >&2; exit 3", R"("stderr": {"file": "err.log", "maxAge": "24h"})");
    CompletedRun run(up(config) + words("--log", "json"), 1);
    VERIFY_CONTAINS(run.output(), R"("stderrTail":["no database"])");
    QCOMPARE(read(QStringLiteral("err.log")), QByteArray("no database\n"));
}

REKINDLE_TEST(RotationTest)
#include "rotationtest.moc"
