// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/durablefile_p.h"
#include "testprogram.h"

#include <QTemporaryDir>

using namespace Rekindle;

namespace {

QByteArray contentsOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(unreadable)");
}

} // namespace

class DurableFileTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void createsAFile();
    void neverOverwritesOnCreate();
    void replacesTheWholeFile();
    void replacesALinkAndNotItsTarget();
    void leavesNothingBehindOnError();
    void movesAsideToTheNextFreeNumber();

private:
    [[nodiscard]] QString path(const QString &name) const { return m_folder->filePath(name); }
    [[nodiscard]] QStringList names() const
    {
        return QDir(m_folder->path()).entryList(QDir::Files);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void DurableFileTest::init() { m_folder = std::make_unique<QTemporaryDir>(); }

void DurableFileTest::createsAFile()
{
    const QString name = path(QStringLiteral("new"));
    QCOMPARE(createFile(name, "secret", ownerOnly), QString());
    QCOMPARE(contentsOf(name), "secret");
    const auto others = QFileDevice::ReadGroup | QFileDevice::ReadOther;
    QVERIFY(!(QFile::permissions(name) & others));
}

void DurableFileTest::neverOverwritesOnCreate()
{
    const QString name = path(QStringLiteral("old"));
    QCOMPARE(createFile(name, "old", ownerOnly), QString());
    QCOMPARE(createFile(name, "new", ownerOnly),
             QStringLiteral("the file exists and is not overwritten"));
    QCOMPARE(contentsOf(name), "old");
}

void DurableFileTest::replacesTheWholeFile()
{
    const QString name = path(QStringLiteral("file"));
    QCOMPARE(replaceFile(name, "a long first text"), QString());
    QCOMPARE(createFile(name + QStringLiteral(".tmp"), "of a killed host", ownerOnly), QString());
    QCOMPARE(replaceFile(name, "short"), QString());
    QCOMPARE(contentsOf(name), "short");
    QCOMPARE(names(), QStringList{QStringLiteral("file")});
}

void DurableFileTest::replacesALinkAndNotItsTarget()
{
    const QString target = path(QStringLiteral("target"));
    const QString link = path(QStringLiteral("link"));
    QCOMPARE(createFile(target, "of others", ownerOnly), QString());
    QVERIFY(QFile::link(target, link));
    QCOMPARE(replaceFile(link, "ours"), QString());
    QCOMPARE(contentsOf(target), "of others");
    QCOMPARE(contentsOf(link), "ours");
}

void DurableFileTest::leavesNothingBehindOnError()
{
    QVERIFY(!createFile(path(QStringLiteral("absent/file")), "x", ownerOnly).isEmpty());
    QVERIFY(QDir(m_folder->path()).mkdir(QStringLiteral("folder")));
    QVERIFY(!replaceFile(path(QStringLiteral("folder")), "x").isEmpty());
    QCOMPARE(names(), QStringList());
}

void DurableFileTest::movesAsideToTheNextFreeNumber()
{
    const QString name = path(QStringLiteral("file"));
    for (int number = 1; number <= 2; ++number) {
        QCOMPARE(createFile(name, QByteArray::number(number), ownerOnly), QString());
        QCOMPARE(moveAside(name), QStringLiteral("%1.bad-%2").arg(name).arg(number));
    }
    QCOMPARE(contentsOf(name + QStringLiteral(".bad-1")), "1");
    QCOMPARE(contentsOf(name + QStringLiteral(".bad-2")), "2");
    QCOMPARE(moveAside(name), QString());
}

REKINDLE_TEST(DurableFileTest)
#include "durablefiletest.moc"
