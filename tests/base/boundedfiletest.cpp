// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/boundedfile_p.h"
#include "testprogram.h"
#include "testrow.h"

#include <sys/stat.h>

#include <cerrno>
#include <thread>

using namespace Rekindle;

using Status = BoundedFile::Status;

class BoundedFileTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void readsUpToTheLimit_data();
    void readsUpToTheLimit();
    void readsFilesWithoutASize();
    void rejectsWhatIsNoRegularFile_data();
    void rejectsWhatIsNoRegularFile();
    void readsPipesAndDevices();
    void reportsWhetherOthersMayRead();
    void namesTheOwner();

private:
    [[nodiscard]] QString path(const QString &name) const { return m_folder.filePath(name); }
    [[nodiscard]] QString written(const QByteArray &bytes) const
    {
        QFile file(path(QStringLiteral("file")));
        return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size()
            ? file.fileName()
            : QString();
    }

    QTemporaryDir m_folder;
};

void BoundedFileTest::initTestCase()
{
    QCOMPARE(::mkfifo(QFile::encodeName(path(QStringLiteral("fifo"))).constData(), 0600), 0);
}

void BoundedFileTest::readsUpToTheLimit_data()
{
    const Rows<int, bool> row("size", "isRead");
    constexpr int limit = 200'000; // more than one step of the reader
    row("empty", 0, true);
    row("one byte", 1, true);
    row("at the limit", limit, true);
    row("one byte above the limit", limit + 1, false);
}

void BoundedFileTest::readsUpToTheLimit()
{
    QFETCH(int, size);
    QFETCH(bool, isRead);
    const QByteArray bytes(size, 'x');
    const BoundedFile file = BoundedFile::read(written(bytes), 200'000);
    QCOMPARE(file.status, isRead ? Status::Read : Status::TooLarge);
    QCOMPARE(file.bytes, isRead ? bytes : QByteArray());
    QCOMPARE(file.error.isEmpty(), isRead);
}

void BoundedFileTest::readsFilesWithoutASize()
{
    const BoundedFile file = BoundedFile::read(QStringLiteral("/proc/self/cmdline"), 1'000'000);
    QVERIFY2(file.isRead(), qPrintable(file.error));
    QVERIFY(file.bytes.contains("basetests"));
    QCOMPARE(BoundedFile::read(QStringLiteral("/proc/self/cmdline"), 1).status, Status::TooLarge);
}

void BoundedFileTest::rejectsWhatIsNoRegularFile_data()
{
    const Rows<QString, Status> row("name", "status");
    row("absent", path(QStringLiteral("absent")), Status::Missing);
    row("folder", m_folder.path(), Status::Unreadable);
    row("FIFO without a writer", path(QStringLiteral("fifo")), Status::Unreadable);
    row("device", "/dev/null", Status::Unreadable);
    row("no name", "", Status::Missing);
    row("NUL in the name", path(QString(QChar(u'\0'))), Status::Missing);
    row("below a device", "/dev/null/file", Status::Unreadable);
    row("name too long", path(QString(300, u'x')), Status::Unreadable);
    const QString loop = path(QStringLiteral("loop"));
    QVERIFY(QFile::link(loop, loop));
    row("link to itself", loop, Status::Unreadable);
}

void BoundedFileTest::rejectsWhatIsNoRegularFile()
{
    QFETCH(QString, name);
    QFETCH(Status, status);
    const BoundedFile file = BoundedFile::read(name, 100);
    QCOMPARE(file.status, status);
    QVERIFY(!file.error.isEmpty());
}

void BoundedFileTest::readsPipesAndDevices()
{
    std::thread writer([name = path(QStringLiteral("fifo"))] {
        QFile fifo(name);
        if (fifo.open(QIODevice::WriteOnly))
            fifo.write("text");
    });
    const BoundedFile file = BoundedFile::readStream(path(QStringLiteral("fifo")), 100);
    writer.join();
    QVERIFY2(file.isRead(), qPrintable(file.error));
    QCOMPARE(file.bytes, QByteArray("text"));
    QCOMPARE(BoundedFile::readStream(QStringLiteral("/dev/zero"), 100).status, Status::TooLarge);
    QCOMPARE(BoundedFile::readStream(written("x"), 100).bytes, QByteArray("x"));
}

void BoundedFileTest::reportsWhetherOthersMayRead()
{
    const QString name = written("x");
    QCOMPARE(::chmod(QFile::encodeName(name).constData(), 0600), 0);
    QVERIFY(!BoundedFile::read(name, 1).isReadByOthers);
    QCOMPARE(::chmod(QFile::encodeName(name).constData(), 0640), 0);
    QVERIFY(BoundedFile::read(name, 1).isReadByOthers);
}

void BoundedFileTest::namesTheOwner()
{
    const QString file = written("text");
    const QString owner = QFileInfo(file).owner();
    const QString denied = openErrorText(file, EACCES);
    QVERIFY2(denied.endsWith(QStringLiteral(" (owner: %1)").arg(owner)), qPrintable(denied));
    const QString inFolder = openErrorText(path(QStringLiteral("absent")), EACCES);
    QVERIFY2(inFolder.endsWith(QStringLiteral(" (owner of %1: %2)").arg(m_folder.path(), owner)),
             qPrintable(inFolder));
    QCOMPARE(openErrorText(file, EMFILE), qt_error_string(EMFILE));
}

REKINDLE_TEST(BoundedFileTest)
#include "boundedfiletest.moc"
