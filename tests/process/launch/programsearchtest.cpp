// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "process/launch/programsearch_p.h"
#include "testprogram.h"

#include <cerrno>

using namespace Rekindle;

class ProgramSearchTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    QByteArray make(const QString &folder, const QString &name, bool executable)
    {
        QDir(m_folder.path()).mkpath(folder);
        const QString path = m_folder.filePath(folder + u'/' + name);
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly))
            qFatal("cannot write a file");
        file.setPermissions(executable ? QFile::ReadOwner | QFile::ExeOwner : QFile::ReadOwner);
        return path.toLocal8Bit();
    }

    QByteArray folder(const char *name)
    {
        return m_folder.filePath(QString::fromLatin1(name)).toLocal8Bit();
    }

private Q_SLOTS:
    void findsFirstExecutable()
    {
        make(QStringLiteral("a"), QStringLiteral("tool"), false);
        const QByteArray second = make(QStringLiteral("b"), QStringLiteral("tool"), true);
        make(QStringLiteral("c"), QStringLiteral("tool"), true);
        const ProgramSearch found = ProgramSearch::find(
            "tool", folder("missing") + ':' + folder("a") + ':' + folder("b") + ':' + folder("c"));
        QCOMPARE(found.error, 0);
        QCOMPARE(found.path, second);
    }

    void returnsError()
    {
        make(QStringLiteral("d"), QStringLiteral("text"), false);
        QCOMPARE(ProgramSearch::find("text", folder("d")).error, EACCES);
        QCOMPARE(ProgramSearch::find("other", folder("d")).error, ENOENT);
        QCOMPARE(ProgramSearch::find("", folder("d")).error, ENOENT);
        QCOMPARE(ProgramSearch::find("d", m_folder.path().toLocal8Bit()).error, EACCES);
        QCOMPARE(ProgramSearch::find(folder("d") + "/none", "").error, ENOENT);
    }

    void skipsRelativeFolders()
    {
        make(QStringLiteral("e"), QStringLiteral("here"), true);
        const QString before = QDir::currentPath();
        QDir::setCurrent(m_folder.path() + QStringLiteral("/e"));
        QCOMPARE(ProgramSearch::find("here", ".:").error, ENOENT);
        // A path may be relative.
        const ProgramSearch found = ProgramSearch::find("./here", "");
        QDir::setCurrent(before);
        QCOMPARE(found.error, 0);
        QVERIFY(found.path.startsWith('/'));
    }

    void hasDefaultPath() { QCOMPARE(ProgramSearch::find("sh", "").error, 0); }
};

REKINDLE_TEST(ProgramSearchTest)
#include "programsearchtest.moc"
