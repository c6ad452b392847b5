// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/files/fileglob_p.h"
#include "contains.h"
#include "testprogram.h"
#include "testrow.h"

using namespace Rekindle;

/// Matches of globs.
class FileGlobTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void matches_data();
    void matches();
    void rejects_data();
    void rejects();
    void followsNoLinkInCircles();
    void folderHasNoWildcards();

private:
    [[nodiscard]] static QString filesOf(const QString &glob)
    {
        GlobMatches found;
        FileGlob(glob).find(found);
        QStringList names;
        for (const QString &file : found.files.keys())
            names.append(QDir::current().relativeFilePath(file));
        names.sort();
        return names.join(u' ');
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_before;
};

void FileGlobTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_before = QDir::currentPath();
    QVERIFY(QDir::setCurrent(m_folder->path()));
    for (const char *name : {"server.py", "a.py", "b.js", "src/x.py", "src/y.txt", "src/deep/z.py",
                             "src/deep/er/w.py", "lib/x.py", ".hidden.py", ".git/hook.py",
                             "src/node_modules/m.py", "src/__pycache__/c.py", "odd [name].py"}) {
        QFile file(QString::fromUtf8(name));
        QVERIFY(QDir().mkpath(QFileInfo(file).path()));
        QVERIFY(file.open(QIODevice::WriteOnly));
    }
}

void FileGlobTest::cleanup() { QVERIFY(QDir::setCurrent(m_before)); }

void FileGlobTest::matches_data()
{
    const Rows<QString> row("files");
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

void FileGlobTest::matches()
{
    QFETCH(QString, files);
    const QString glob = QString::fromUtf8(QTest::currentDataTag());
    QCOMPARE(filesOf(glob), files);
    QCOMPARE(filesOf(m_folder->filePath(glob)), files);
    QCOMPARE(FileGlob(glob).matchesAny(), !files.isEmpty());
}

void FileGlobTest::rejects_data()
{
    const Rows<QString, QString> row("glob", "error");
    row("empty", {}, "found an empty value");
    for (const char *folder : {"src/", "src", ".", "/"})
        row(folder, "found a folder; add /**/*");
    for (const char *glob : {"~/x.py", "$HOME/x.py"})
        row(glob, "only a shell expands");
    for (const char *glob : {"[", "a[b", "[]", "[!]x", "src/[ab]/[c", "[b-a]"})
        row(glob, "invalid pattern: ");
}

void FileGlobTest::rejects()
{
    QFETCH(QString, glob);
    QFETCH(QString, error);
    const QString found = FileGlob::faultOf(glob);
    VERIFY_CONTAINS(found, error);
}

void FileGlobTest::followsNoLinkInCircles()
{
    QVERIFY(QFile::link(m_folder->path(), QStringLiteral("src/deep/up")));
    QCOMPARE(filesOf(QStringLiteral("**/z.py")), QStringLiteral("src/deep/z.py"));
}

void FileGlobTest::folderHasNoWildcards()
{
    QVERIFY(QDir().mkpath(QStringLiteral("a[b/[c]")));
    QVERIFY(QDir::setCurrent(QStringLiteral("a[b/[c]")));
    QFile file(QStringLiteral("x[1].py"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(FileGlob::faultOf(QStringLiteral("*.py")), QString());
    QCOMPARE(filesOf(QStringLiteral("*.py")), file.fileName());
    QCOMPARE(filesOf(FileGlob::ofFile(file.fileName())), file.fileName());
}

REKINDLE_TEST(FileGlobTest)

#include "fileglobtest.moc"
