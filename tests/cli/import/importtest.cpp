// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commandrun.h"
#include "cli/import/importreaders_p.h"
#include "testprogram.h"

#include <rekindle/config/configuration.h>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

using namespace Rekindle;

class ImportTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void convertsSamples_data();
    void convertsSamples();
    void printsConfiguration();
    void writesFile();
    void importedRotationIsValid();
    void importedAgentsRun();
    void neverOverwrites();
    void reportsOtherFolder();
    void rejectsWrongCalls();
    void rejectsUnreadableFile();

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

void ImportTest::convertsSamples_data()
{
    QTest::addColumn<QString>("format");
    QTest::addColumn<QString>("file");
    for (const QString &format : QDir(m_samples).entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        for (const QString &file : QDir(m_samples + format).entryList(QDir::Files)) {
            if (!file.endsWith(QLatin1String(".golden")))
                QTest::addRow("%s/%s", qPrintable(format), qPrintable(file)) << format << file;
        }
    }
}

// The messages, then the configuration. `rekindle import FORMAT FILE >FILE.golden 2>&1` in the
// folder of a sample writes its golden file.
void ImportTest::convertsSamples()
{
    QFETCH(QString, format);
    QFETCH(QString, file);
    const QByteArray text = readFile(m_samples + format + u'/' + file);
    Imported imported;
    if (format == QLatin1String("supervisord"))
        imported = readSupervisord(text);
    else if (format == QLatin1String("systemd"))
        imported = readSystemd(text, file);
    else if (format == QLatin1String("pm2"))
        imported = readPm2(text);
    else if (format == QLatin1String("procfile"))
        imported = readProcfile(text);
    else
        imported = readCompose(text);
    imported.file = file;
    QByteArray result;
    for (const QString &line : imported.messages())
        result += line.toUtf8() + '\n';
    if (imported) {
        const QByteArray configuration = configurationText(imported, file);
        const Parsed<Configuration> parsed = parseConfiguration(configuration, m_folder.path());
        QVERIFY2(parsed, qPrintable(parsed.messages().join(u'\n')));
        QCOMPARE(std::size_t(parsed.value->agents.size()), imported.value->agents.size());
        result += configuration;
    }
    const QByteArray golden =
        readFile(m_samples + format + u'/' + file + QStringLiteral(".golden"));
    const QList<QByteArray> lines = result.split('\n');
    const QList<QByteArray> expected = golden.split('\n');
    for (qsizetype i = 0; i < std::min(lines.size(), expected.size()); ++i)
        QCOMPARE(lines[i], expected[i]);
    QCOMPARE(lines.size(), expected.size());
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

void ImportTest::neverOverwrites()
{
    const QString source =
        writeFile(m_folder.path(), QStringLiteral("Procfile"), "a: sleep infinity\n");
    const QString path = writeFile(m_folder.path(), QStringLiteral("mine.jsonc"), "mine");
    CompletedRun run(words("import", "procfile", source, "-o", path), 73);
    QCOMPARE(readFile(path), QByteArray("mine"));
}

void ImportTest::reportsOtherFolder()
{
    const QString path = m_folder.filePath(QStringLiteral("other.jsonc"));
    CompletedRun run(
        words("import", "procfile", m_samples + QStringLiteral("procfile/Procfile"), "-o", path));
    VERIFY_CONTAINS(run.error(), "other.jsonc: relative paths refer to its folder");
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
    VERIFY_CONTAINS(missing.error(), "none.js: ");
    CompletedRun folder(words("import", "pm2", m_folder.path()), 78);
    const QString path = m_folder.filePath(QStringLiteral("invalid.jsonc"));
    CompletedRun invalid(
        words("import", "pm2", m_samples + QStringLiteral("pm2/expression.config.js"), "-o", path),
        78);
    VERIFY_CONTAINS(invalid.error(),
                    "expression.config.js:2:59: expected a literal, found process.env.PORT");
    QVERIFY(!QFile::exists(path));
}

REKINDLE_TEST(ImportTest)
#include "importtest.moc"
