// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commandrun.h"
#include "testprogram.h"
#include "testrow.h"

using namespace Rekindle;

/// Terminal sessions of the pages. The commands of each ```console block after <!-- session --> are
/// run in a shell, those of a page in one folder. The folder contains the first configuration of
/// the page as agents.json, each block after <!-- file NAME --> under this name, and examples/.
class PageSessionsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void sessions_data();
    void sessions();
    void everyBlockIsTested();
    void namedTestsExist();
};

namespace {

const QString docs = QStringLiteral(REKINDLE_SOURCE "/docs/");

struct Step
{
    QString command;
    QString expected; ///< all output; "…" stands for anything on its line
    int exitCode = 0;
};

QStringList pages()
{
    QStringList found;
    for (QDirIterator it(docs, {QStringLiteral("*.md")}, QDir::Files, QDirIterator::Subdirectories);
         it.hasNext();)
        found.append(it.next().mid(docs.size()));
    found.sort();
    return found;
}

QString pageOf(const QString &name) { return QString::fromUtf8(readFile(docs + name)); }

// The blocks of a language after a marker.
QStringList blocksOf(const QString &page, const char *marker, const char *language)
{
    const QRegularExpression form(QStringLiteral("<!-- %1 -->\n```%2\n(.*?)\n```")
                                      .arg(QLatin1String(marker), QLatin1String(language)),
                                  QRegularExpression::DotMatchesEverythingOption);
    QStringList blocks;
    for (auto match = form.globalMatch(page); match.hasNext();)
        blocks.append(match.next().captured(1));
    return blocks;
}

QList<Step> stepsOf(const QString &page)
{
    QList<Step> steps;
    static const QRegularExpression exitLine(QStringLiteral("^\\[exit (\\d+)\\]$"));
    const QString session = blocksOf(page, "session", "console").join(u'\n');
    for (const QString &line : session.split(u'\n')) {
        const QRegularExpressionMatch exit = exitLine.match(line);
        if (line.startsWith(QLatin1String("$ ")))
            steps.append({line.mid(2), {}, 0});
        else if (exit.hasMatch())
            steps.last().exitCode = exit.captured(1).toInt();
        else
            steps.last().expected += line + u'\n';
    }
    return steps;
}

QRegularExpression patternOf(const QString &expected)
{
    QString pattern = QRegularExpression::escape(expected);
    pattern.replace(QRegularExpression::escape(QStringLiteral("…")), QLatin1String("[^\\n]+"));
    return QRegularExpression(QRegularExpression::anchoredPattern(pattern));
}

} // namespace

void PageSessionsTest::sessions_data()
{
    const Rows<QString> row("page");
    for (const QString &page : pages()) {
#ifndef REKINDLE_HAS_PLUGINS
        if (page == QLatin1String("evaluators.md"))
            continue;
#endif
        if (!blocksOf(pageOf(page), "session", "console").isEmpty())
            row(qPrintable(page), page);
    }
}

void PageSessionsTest::sessions()
{
    QFETCH(QString, page);
    const QString text = pageOf(page);
    const QTemporaryDir folder;
    const QStringList configurations = blocksOf(text, "configuration", "json");
    if (!configurations.isEmpty())
        (void)writeFile(folder.path(), QStringLiteral("agents.json"),
                        configurations.front().toUtf8());
    QVERIFY(QFile::link(QStringLiteral(REKINDLE_SOURCE "/examples"),
                        folder.filePath(QStringLiteral("examples"))));
    static const QRegularExpression file(QStringLiteral("<!-- file (\\S+) -->\n```\\w+\n(.*?)```"),
                                         QRegularExpression::DotMatchesEverythingOption);
    for (auto match = file.globalMatch(text); match.hasNext();) {
        const QRegularExpressionMatch found = match.next();
        (void)writeFile(folder.path(), found.captured(1), found.captured(2).toUtf8());
    }
    const QString bin = QFileInfo(QStringLiteral(REKINDLE_COMMAND)).path();
    for (const Step &step : stepsOf(text)) {
        ShellRun shell("sh", words("-c", step.command));
        shell.setWorkingDirectory(folder.path());
        shell.setProcessChannelMode(QProcess::MergedChannels);
        shell.setVariable("PATH", bin + QLatin1Char(':') + qEnvironmentVariable("PATH"));
        const int code = shell.complete();
        const QString output = QString::fromUtf8(shell.output());
        QVERIFY2(patternOf(step.expected).match(output).hasMatch(),
                 qPrintable(step.command + QStringLiteral("\nsays\n") + output));
        QCOMPARE(code, step.exitCode);
    }
}

// By this test or by one for the marker of the block. telemetrypagetest and statecommandtest run
// the blocks of telemetry.md and state.md; the package tests run the marked blocks of building.md,
// and observertest reads the arguments in observer.md.
void PageSessionsTest::everyBlockIsTested()
{
    static const QRegularExpression block(
        QStringLiteral("(?:<!-- (\\w+) -->\n)?```(sh|console)\n"));
    int checked = 0;
    for (const QString &page : pages()) {
        const QString text = pageOf(page);
        for (auto match = block.globalMatch(text); match.hasNext(); ++checked) {
            const QRegularExpressionMatch found = match.next();
            const bool isRun = found.captured(2) == QLatin1String("console")
                ? words("session", "example", "faults").contains(found.captured(1))
                : words("telemetry.md", "state.md", "building.md", "observer.md").contains(page);
            QVERIFY2(isRun, qPrintable(page + QLatin1String(": ") + found.captured()));
        }
    }
    QVERIFY(checked >= 5);
}

// systems.md: the second column of a table "test | here", in the files that the page names.
void PageSessionsTest::namedTestsExist()
{
    const QString page = pageOf(QStringLiteral("systems.md"));
    QByteArray sources;
    static const QRegularExpression file(QStringLiteral("`(tests/\\S+\\.cpp)`"));
    for (auto match = file.globalMatch(page); match.hasNext();)
        sources += readFile(QStringLiteral(REKINDLE_SOURCE "/") + match.next().captured(1));
    static const QRegularExpression name(QStringLiteral("`(\\w+)`"));
    bool isInTable = false;
    int checked = 0;
    for (const QString &line : page.split(u'\n')) {
        isInTable =
            line.startsWith(u'|') && (isInTable || line.endsWith(QLatin1String("test | here |")));
        if (!isInTable)
            continue;
        const QString here = line.section(u'|', 2, 2);
        for (auto match = name.globalMatch(here); match.hasNext(); ++checked) {
            const QByteArray test = match.next().captured(1).toUtf8();
            const QByteArray declared = "    void " + test + "()";
            QVERIFY2(sources.contains(declared), test.constData());
        }
    }
    QVERIFY(checked >= 20);
}

REKINDLE_TEST(PageSessionsTest)
#include "pagesessionstest.moc"
