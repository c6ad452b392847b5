// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commandrun.h"
#include "testprogram.h"

#include <csignal>

using namespace Rekindle;

class InitTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void writesValidConfiguration();
    void agentsRun();
    void neverOverwrites();
    void reportsMissingFolder();

private:
    QTemporaryDir m_folder;
    const QString m_path = m_folder.filePath(QStringLiteral("site.jsonc"));
};

// With a name and without one. `check` reports nothing, not even a warning.
void InitTest::writesValidConfiguration()
{
    CompletedRun named(words("init", m_path));
    QVERIFY(named.output().contains("site.jsonc: created"));
    CommandRun unnamed(words("init"));
    unnamed.setWorkingDirectory(m_folder.path());
    QCOMPARE(unnamed.complete(), 0);
    const QString standard = m_folder.filePath(QStringLiteral("agents.jsonc"));
    QCOMPARE(readFile(standard), readFile(m_path));
    CompletedRun check(words("check", standard));
    QCOMPARE(check.error(), QByteArray());
    QVERIFY(check.output().contains("valid, 1 agent, 1 policy"));
    for (const char *key : {"\"tags\"", "\"circuitBreaker\"", "\"stop\""})
        VERIFY_CONTAINS(readFile(m_path), key);
}

void InitTest::agentsRun()
{
    CommandRun run(words("up", m_path, "--store", "off", "--state", "off", "--log", "text"));
    QVERIFY(run.begin());
    QVERIFY(run.waitForError("example| started on port "));
    QVERIFY(run.waitForError("example: ready"));
    QCOMPARE(run.endBy(SIGTERM), 0);
}

// Neither a file nor the target of a link that leads to nothing.
void InitTest::neverOverwrites()
{
    QFile file(m_path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("mine") == 4);
    file.close();
    CompletedRun existing(words("init", m_path), 73);
    QVERIFY(existing.error().contains("site.jsonc: "));
    QCOMPARE(readFile(m_path), QByteArray("mine"));
    const QString target = m_folder.filePath(QStringLiteral("target"));
    const QString link = m_folder.filePath(QStringLiteral("link"));
    QVERIFY(QFile::link(target, link));
    CompletedRun linked(words("init", link), 73);
    QVERIFY(!QFile::exists(target));
    CompletedRun folder(words("init", m_folder.path()), 73);
    CompletedRun empty(words("init", ""), 64);
}

void InitTest::reportsMissingFolder()
{
    CompletedRun run(words("init", m_folder.filePath(QStringLiteral("none/a.jsonc"))), 73);
    QVERIFY(run.error().contains("No such file or directory"));
}

REKINDLE_TEST(InitTest)
#include "inittest.moc"
