// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "licenses.h"
#include "testprogram.h"

#include <QTemporaryDir>

#include <sys/stat.h>

using namespace Rekindle;

/// Files that may exist at the path of a license.
class LicenseFileTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void acceptsFilesAndLinks();
    void rejectsOtherFiles_data();
    void rejectsOtherFiles();

private:
    QTemporaryDir m_folder;
};

void LicenseFileTest::acceptsFilesAndLinks()
{
    const QString path = m_folder.filePath(QStringLiteral("good.json"));
    putFile(path, issued(claimsOfTheYear()));
    QVERIFY(SignedLicense::verifyFile(path, ownCheck()).isAccepted());
    const QString link = m_folder.filePath(QStringLiteral("link.json"));
    QVERIFY(QFile::link(path, link));
    QVERIFY(SignedLicense::verifyFile(link, ownCheck()).isAccepted());
}

void LicenseFileTest::rejectsOtherFiles_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("refusal");
    QTest::addColumn<QString>("text");
    const auto row = [](const char *name, const QString &path, const char *refusal,
                        const char *text) {
        QTest::newRow(name) << path << QString::fromLatin1(refusal) << QString::fromLatin1(text);
    };
    const auto inFolder = [this](const char *name) {
        return m_folder.filePath(QString::fromLatin1(name));
    };
    const QString file = inFolder("empty");
    putFile(file, {});
    row("empty", file, "Malformed", "the file is empty");
    row("missing", inFolder("nowhere"), "Missing", "No such file");
    row("no name", QString(), "Missing", "No such file");
    row("NUL in the name", file + QChar(u'\0'), "Missing", "No such file");
    row("a folder", m_folder.path(), "Unreadable", "found a folder");
    // Paths that not even root can open.
    row("below a file", file + QStringLiteral("/license.json"), "Unreadable", "Not a directory");
    const QString loop = inFolder("loop");
    QVERIFY(QFile::link(loop, loop));
    row("a link to itself", loop, "Unreadable", "symbolic links");
    row("too long a name", inFolder("") + QString(300, u'x'), "Unreadable", "too long");
    // Opening a pipe for reading blocks without O_NONBLOCK.
    const QString pipe = inFolder("pipe");
    QCOMPARE(::mkfifo(QFile::encodeName(pipe).constData(), 0600), 0);
    row("a pipe", pipe, "Unreadable", "found a pipe or a device");
    row("a device", QStringLiteral("/dev/zero"), "Unreadable", "found a pipe or a device");
    const QString huge = inFolder("huge");
    putFile(huge, QByteArray(SignedLicense::maxFileSize + 1, '{'));
    row("huge", huge, "TooLarge", "expected at most 65536 bytes, found more");
    const QString sparse = inFolder("sparse");
    putFile(sparse, {});
    QVERIFY(QFile::resize(sparse, qint64{1} << 40));
    row("a terabyte", sparse, "TooLarge", "expected at most 65536 bytes, found more");
    const QString locked = inFolder("locked");
    putFile(locked, issued(claimsOfTheYear()));
    QVERIFY(QFile::setPermissions(locked, QFile::Permissions()));
    // Root can open it.
    if (!QFile(locked).open(QIODevice::ReadOnly))
        row("no permission", locked, "Unreadable", "Permission denied");
}

void LicenseFileTest::rejectsOtherFiles()
{
    QFETCH(QString, path);
    QFETCH(QString, refusal);
    QFETCH(QString, text);
    const LicenseVerdict verdict = SignedLicense::verifyFile(path, ownCheck());
    QVERIFY(!verdict.isAccepted());
    QCOMPARE(toText(*verdict.refusal), refusal);
    QVERIFY2(verdict.text.contains(text), qPrintable(verdict.text));
    QVERIFY(!verdict.claims);
}

REKINDLE_TEST(LicenseFileTest)
#include "licensefiletest.moc"
