// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/watch/globscan_p.h"
#include "testprogram.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>

using namespace Rekindle;

class GlobScanTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void matches_data();
    void matches();
    void whatIsAboveALink();
    void foldersThatMatter();
    void faults_data();
    void faults();
    void whatMatchesNothing();
    void linksThatGoInCircles();
    void linkedFile();
    void eachGlobHasItsOwnLimit();
    void whatMatters();

private:
    [[nodiscard]] QString path(const char *name) const
    {
        return m_folder->filePath(QString::fromUtf8(name));
    }
    void makeFile(const char *name) const
    {
        QVERIFY(QDir().mkpath(QFileInfo(path(name)).path()));
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
    }
    // Relative to the folder.
    [[nodiscard]] QStringList here(const QStringList &paths) const
    {
        QStringList names;
        for (const QString &found : paths)
            names.append(QDir(m_folder->path()).relativeFilePath(found));
        names.sort();
        return names;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_before;
};

void GlobScanTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_before = QDir::currentPath();
    QVERIFY(QDir::setCurrent(m_folder->path()));
    for (const char *name : {"server.py", "a.py", "b.js", "src/x.py", "src/y.txt", "src/deep/z.py",
                             "src/deep/er/w.py", "lib/x.py", ".hidden.py", ".git/hook.py",
                             "src/node_modules/m.py", "src/__pycache__/c.py", "odd [name].py"})
        makeFile(name);
}

void GlobScanTest::cleanup() { QVERIFY(QDir::setCurrent(m_before)); }

void GlobScanTest::matches_data()
{
    QTest::addColumn<QString>("glob");
    QTest::addColumn<QString>("files");
    const auto row = [](const char *glob, const char *files) {
        QTest::newRow(glob) << QString::fromUtf8(glob) << QString::fromUtf8(files);
    };
    row("server.py", "server.py");
    row("./server.py", "server.py");
    row("src/../server.py", "server.py");
    row("*.py", "a.py odd [name].py server.py");
    row("?.py", "a.py");
    row("[ab].*", "a.py b.js");
    row("[!a].*", "b.js");
    row("odd [[]name[]].py", "odd [name].py");
    row("./~/x.py", "");
    row("./$x", "");
    row("src/*.py", "src/x.py");
    row("*/x.py", "lib/x.py src/x.py");
    row("src/**/*.py", "src/deep/er/w.py src/deep/z.py src/x.py");
    row("**/x.py", "lib/x.py src/x.py");
    row("**/deep/**/*.py", "src/deep/er/w.py src/deep/z.py");
    row("src/**", "src/deep/er/w.py src/deep/z.py src/x.py src/y.txt");
    row("**/**/z.py", "src/deep/z.py");
    row(".*.py", ".hidden.py");
    row(".git/*.py", ".git/hook.py");
    row("src/node_modules/*.py", "src/node_modules/m.py");
    row("nothere/*.py", "");
    row("server.py/*", "");
}

void GlobScanTest::matches()
{
    QFETCH(QString, glob);
    QFETCH(QString, files);
    for (const QString &text : {glob, m_folder->filePath(glob)}) {
        GlobScan scan;
        QCOMPARE(scan.add(text), QString());
        QCOMPARE(here(scan.find().files.keys()).join(u' '), files);
    }
}

// As for whoever opens it: above what the link points to.
void GlobScanTest::whatIsAboveALink()
{
    QVERIFY(QFile::link(m_folder->filePath(QStringLiteral("src/deep")), QStringLiteral("link")));
    QVERIFY(QFile::exists(QStringLiteral("link/../y.txt")));
    GlobScan scan;
    QCOMPARE(scan.add(QStringLiteral("link/../*.txt")), QString());
    scan.addFile(QStringLiteral("link/../x.py"));
    QCOMPARE(here(scan.find().files.keys()).join(u' '), QStringLiteral("src/x.py src/y.txt"));
}

// Those in which something may appear that belongs to it, and no others but those on the way.
void GlobScanTest::foldersThatMatter()
{
    const auto folders = [this](const char *glob) {
        GlobScan scan;
        (void)scan.add(QString::fromUtf8(glob));
        const GlobFindings findings = scan.find();
        QStringList found;
        for (auto folder = findings.folders.cbegin(); folder != findings.folders.cend(); ++folder) {
            if (!folder->isOnTheWay)
                found.append(folder.key());
        }
        return here(found).join(u' ');
    };
    QCOMPARE(folders("server.py"), QStringLiteral("."));
    QCOMPARE(folders("src/*.py"), QStringLiteral("src"));
    QCOMPARE(folders("src/**/*.py"), QStringLiteral("src src/deep src/deep/er"));
    QCOMPARE(folders("*/x.py"), QStringLiteral(". lib src"));
    QCOMPARE(folders("nothere/deep/*.py"), QStringLiteral(".")); // where it would appear
}

void GlobScanTest::faults_data()
{
    QTest::addColumn<QString>("glob");
    QTest::addColumn<QString>("part");
    QTest::newRow("nothing") << QString() << QStringLiteral("found nothing");
    QTest::newRow("folder") << QStringLiteral("src/") << QStringLiteral("src/**/*");
    QTest::newRow("known folder") << QStringLiteral("src") << QStringLiteral("src/**/*");
    QTest::newRow("here") << QStringLiteral(".") << QStringLiteral("./**/*");
    QTest::newRow("home") << QStringLiteral(
        "~/x.py") << QStringLiteral("allowed %1/x.py, or ./~/x.py for").arg(QDir::homePath());
    QTest::newRow("variable") << QStringLiteral("$HOME/x.py")
                              << QStringLiteral("found $, which only a shell expands");
    for (const char *glob : {"[", "a[b", "[]", "[!]x", "src/[ab]/[c"}) {
        QTest::newRow(glob) << QString::fromLatin1(glob)
                            << QStringLiteral("found a [ without its ] in ");
    }
    QTest::newRow("root") << QStringLiteral("/") << QStringLiteral("found a folder");
}

void GlobScanTest::faults()
{
    QFETCH(QString, glob);
    QFETCH(QString, part);
    GlobScan scan;
    const QString fault = scan.add(glob);
    QVERIFY2(fault.contains(part), qPrintable(fault));
    QVERIFY(scan.isEmpty());
}

void GlobScanTest::whatMatchesNothing()
{
    GlobScan scan;
    for (const char *glob : {"*.py", "*.rb", "nothere/*"})
        QCOMPARE(scan.add(QString::fromUtf8(glob)), QString());
    QCOMPARE(scan.find().withoutMatch,
             QStringList({QStringLiteral("*.rb"), QStringLiteral("nothere/*")}));
}

void GlobScanTest::linksThatGoInCircles()
{
    QVERIFY(QFile::link(m_folder->path(), path("src/deep/up")));
    GlobScan scan;
    QCOMPARE(scan.add(QStringLiteral("**/z.py")), QString());
    QCOMPARE(here(scan.find().files.keys()), QStringList(QStringLiteral("src/deep/z.py")));
}

// What it points to is written elsewhere.
void GlobScanTest::linkedFile()
{
    QVERIFY(QFile::link(path("lib/x.py"), path("src/linked.py")));
    GlobScan scan;
    QCOMPARE(scan.add(QStringLiteral("src/linked.py")), QString());
    const GlobFindings findings = scan.find();
    QVERIFY(findings.folders.value(path("lib")).takesAll);
    QVERIFY(findings.folders.value(path("src")).takesAll);
    QCOMPARE(findings.files.size(), 1);
}

void GlobScanTest::eachGlobHasItsOwnLimit()
{
    GlobScan scan(2);
    for (const char *glob : {"**/*.py", "lib/*.py", "server.py"})
        QCOMPARE(scan.add(QString::fromUtf8(glob)), QString());
    const GlobFindings findings = scan.find();
    QVERIFY(findings.hasTooManyFolders);
    QVERIFY(findings.files.contains(path("lib/x.py")));
    QVERIFY(findings.files.contains(path("server.py")));
}

void GlobScanTest::whatMatters()
{
    GlobScan scan;
    QCOMPARE(scan.add(QStringLiteral("src/**/*.py")), QString());
    const GlobFindings findings = scan.find();
    const auto matters = [&](const QString &folder, const char *name, bool isFolder) {
        const QSet<int> parts = findings.folders.value(folder).parts;
        return std::any_of(parts.cbegin(), parts.cend(), [&](int part) {
            return scan.isLookedFor(part, QString::fromUtf8(name), isFolder);
        });
    };
    QVERIFY(matters(m_folder->path(), "src", true));
    QVERIFY(!matters(m_folder->path(), "lib", true));
    QVERIFY(matters(path("src/deep"), "new.py", false));
    QVERIFY(matters(path("src/deep"), "folder", true));
    QVERIFY(!matters(path("src/deep"), "node_modules", true));
    QVERIFY(!matters(path("src/deep"), "log.txt", false));
}

REKINDLE_TEST(GlobScanTest)
#include "globscantest.moc"
