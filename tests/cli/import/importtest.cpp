// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commandrun.h"
#include "testprogram.h"

#include <rekindle/config/configuration.h>
#include <rekindle/probes/networkprobes.h>

#include <csignal>

using namespace Rekindle;

/// The command. importhelpertest.py tests what it converts.
class ImportTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void configurationsAreValid_data();
    void configurationsAreValid();
    void printsConfiguration();
    void writesFile();
    void importedRotationIsValid();
    void importedAgentsRun();
    void importedWatcherKeepsItsInput();
    void neverOverwrites();
    void reportsOtherFolder();
    void reportsFailedOutput();
    void rejectsWrongCalls();
    void rejectsUnreadableFile();
    void refusesEvaluation();
    void reportsMissingHelper();

private:
    const QString m_samples = QStringLiteral(REKINDLE_SOURCE "/tests/cli/import/samples/");
    QTemporaryDir m_folder;
};

void ImportTest::initTestCase()
{
    // The variables that samples refer to.
    qputenv("HOME", "/home/shop");
    qputenv("TARGET", "here");
}

void ImportTest::configurationsAreValid_data()
{
    QTest::addColumn<QString>("path");
    for (const QString &format : QDir(m_samples).entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        for (const QString &file :
             QDir(m_samples + format).entryList({QStringLiteral("*.golden")}, QDir::Files))
            QTest::addRow("%s/%s", qPrintable(format), qPrintable(file))
                << m_samples + format + u'/' + file;
    }
}

// The golden files contain the messages, and then the configuration, if there is one.
void ImportTest::configurationsAreValid()
{
    QFETCH(QString, path);
    const QByteArray text = readFile(path);
    const qsizetype start = text.indexOf("// Imported from ");
    if (start < 0)
        return;
    const Parsed<Configuration> parsed = parseConfiguration(
        text.sliced(start), m_folder.path(), {}, processProbeKinds() + networkProbeKinds());
    QVERIFY2(parsed, qPrintable(parsed.messages().join(u'\n')));
    QCOMPARE(qsizetype(parsed.value->agents.size()), text.count("\n      \"name\": "));
}

void ImportTest::printsConfiguration()
{
    CompletedRun run(words("import", "procfile", m_samples + QStringLiteral("procfile/Procfile")));
    QVERIFY(run.output().startsWith("// Imported from Procfile."));
    VERIFY_CONTAINS(run.error(), "procfile/Procfile:2:1: web: warning: PORT is not assigned");
}

void ImportTest::writesFile()
{
    const QString source =
        writeFile(m_folder.path(), QStringLiteral("Procfile"), "a: sleep infinity\n");
    const QString path = m_folder.filePath(QStringLiteral("agents.jsonc"));
    CompletedRun run(words("import", "procfile", source, "-o", path));
    QCOMPARE(run.output(), QByteArray());
    QVERIFY(!run.error().contains("relative paths"));
    CompletedRun check(words("check", path));
    VERIFY_CONTAINS(check.output(), "valid, 1 agent");
}

void ImportTest::importedRotationIsValid()
{
    const QString path = m_folder.filePath(QStringLiteral("rotation.jsonc"));
    CompletedRun import(words("import", "supervisord",
                              m_samples + QStringLiteral("supervisord/rotation.conf"), "-o", path));
    CompletedRun check(words("check", path));
    QCOMPARE(check.error(), QByteArray());
}

// The program is given up after its retries, and the shell expands its own variables.
void ImportTest::importedAgentsRun()
{
    const QString source =
        writeFile(m_folder.path(), QStringLiteral("fails.conf"),
                  "[program:fails]\n"
                  "command=sh -c 'for i in 1; do echo run ${i} %(ENV_TARGET)s; done; exit 3'\n"
                  "startretries=1\nredirect_stderr=true\nstdout_logfile=%(here)s/out.log\n");
    const QString path = m_folder.filePath(QStringLiteral("fails.jsonc"));
    CompletedRun import(words("import", "supervisord", source, "-o", path));
    CompletedRun up(words("up", path, "--store", "off", "--state", "off", "--log", "text"), 1);
    VERIFY_CONTAINS(up.error(), "fails: given up after 1 restart");
    QCOMPARE(readFile(m_folder.filePath(QStringLiteral("out.log"))),
             QByteArray("run 1 here\nrun 1 here\n"));
}

// It would exit at the end of /dev/null, and never become ready.
void ImportTest::importedWatcherKeepsItsInput()
{
    const QString source = writeFile(m_folder.path(), QStringLiteral("watcher.conf"),
                                     "[program:watcher]\ncommand=cat\nstartsecs=1\n");
    const QString path = m_folder.filePath(QStringLiteral("watcher.jsonc"));
    CompletedRun import(words("import", "supervisord", source, "-o", path));
    StartedRun up(words("up", path, "--store", "off", "--state", "off", "--log", "text"));
    QVERIFY(up.waitForError("watcher: ready"));
    QCOMPARE(up.endBy(SIGTERM), 0);
}

void ImportTest::neverOverwrites()
{
    const QString source =
        writeFile(m_folder.path(), QStringLiteral("Procfile"), "a: sleep infinity\n");
    const QString path = writeFile(m_folder.path(), QStringLiteral("mine.jsonc"), "mine");
    CompletedRun run(words("import", "procfile", source, "-o", path), 73);
    QCOMPARE(readFile(path), QByteArray("mine"));
    VERIFY_CONTAINS(run.error(), "mine.jsonc: the file exists and is not overwritten");
}

void ImportTest::reportsOtherFolder()
{
    const QString path = m_folder.filePath(QStringLiteral("other.jsonc"));
    CompletedRun run(
        words("import", "procfile", m_samples + QStringLiteral("procfile/Procfile"), "-o", path));
    VERIFY_CONTAINS(run.error(), "other.jsonc: relative paths refer to its folder");
}

void ImportTest::reportsFailedOutput()
{
    ShellRun run("sh",
                 words("-c", "exec \"$0\" import procfile \"$1\" > /dev/full", REKINDLE_COMMAND,
                       m_samples + QStringLiteral("procfile/Procfile")));
    QCOMPARE(run.complete(), 1);
    VERIFY_CONTAINS(run.error(), "rekindle: stdout: No space left on device");
}

void ImportTest::rejectsWrongCalls()
{
    CompletedRun format(words("import", "runit", "x"), 64);
    CompletedRun noFile(words("import", "pm2"), 64);
    CompletedRun nothing(words("import"), 64);
}

void ImportTest::rejectsUnreadableFile()
{
    CompletedRun missing(words("import", "pm2", m_folder.filePath(QStringLiteral("none.js"))), 78);
    VERIFY_CONTAINS(missing.error(), "none.js: No such file or directory");
    CompletedRun folder(words("import", "pm2", m_folder.path()), 78);
    const QString path = m_folder.filePath(QStringLiteral("invalid.jsonc"));
    CompletedRun invalid(words("import", "procfile",
                               m_samples + QStringLiteral("procfile/Procfile.bad"), "-o", path),
                         78);
    VERIFY_CONTAINS(invalid.error(), "Procfile.bad:1:1: expected NAME: COMMAND");
    QVERIFY(!QFile::exists(path));
}

void ImportTest::refusesEvaluation()
{
    CompletedRun run(
        words("import", "pm2", m_samples + QStringLiteral("pm2/ecosystem.config.js"), "--no-eval"),
        78);
    VERIFY_CONTAINS(run.error(), "--no-eval");
}

// The helper is found next to the command, so a copy of the command finds none.
void ImportTest::reportsMissingHelper()
{
    const QString command = m_folder.filePath(QStringLiteral("rekindle"));
    QVERIFY(QFile::copy(QStringLiteral(REKINDLE_COMMAND), command));
    QProcess run;
    run.start(command, words("import", "procfile", "x"));
    QVERIFY(run.waitForFinished(-1));
    QCOMPARE(run.exitCode(), 69);
    VERIFY_CONTAINS(run.readAllStandardError(), "the program of `rekindle import` is missing");
}

REKINDLE_TEST(ImportTest)
#include "importtest.moc"
