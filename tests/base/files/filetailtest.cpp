// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/files/filetail_p.h"
#include "testprogram.h"

#include <sys/stat.h>

using namespace Rekindle;

class FileTailTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void readsLinesThatAreAdded();
    void readsOnlyTheEndOfLargeFile();
    void followsTheNameOfRotatedFile();
    void readsTruncatedFileFromItsBeginning();
    void readsFileThatIsCreatedLater();
    void splitsEndlessLine();
    void reportsWhatIsNotARegularFile();

private:
    void append(const QByteArray &bytes) const
    {
        QFile file(m_path);
        QVERIFY(file.open(QIODevice::Append));
        QCOMPARE(file.write(bytes), bytes.size());
    }

    QTemporaryDir m_folder;
    QString m_path;
    int m_files = 0;
};

void FileTailTest::init() { m_path = m_folder.filePath(QStringLiteral("%1.log").arg(++m_files)); }

void FileTailTest::readsLinesThatAreAdded()
{
    append("one\ntwo\nthr");
    FileTail tail(m_path);
    QCOMPARE(tail.readLines(), QByteArrayList({"one", "two"}));
    QCOMPARE(tail.readLines(), QByteArrayList());
    append("ee\n\nfour");
    QCOMPARE(tail.readLines(), QByteArrayList({"three", ""}));
    QCOMPARE(tail.takeRest(), QByteArray("four"));
    QCOMPARE(tail.takeRest(), QByteArray());
}

void FileTailTest::readsOnlyTheEndOfLargeFile()
{
    const QByteArray line(999, 'x');
    for (int i = 0; i < 1000; ++i)
        append(line + '\n');
    FileTail tail(m_path);
    const QByteArrayList lines = tail.readLines();
    QCOMPARE(lines.size(), FileTail::mostBytes / 1000);
    QCOMPARE(lines.front(), line); // the one that is cut is left out
    QCOMPARE(tail.readLines(), QByteArrayList());
}

void FileTailTest::followsTheNameOfRotatedFile()
{
    append("one\n");
    FileTail tail(m_path);
    QCOMPARE(tail.readLines(), QByteArrayList({"one"}));
    QVERIFY(QFile::rename(m_path, m_path + QLatin1String(".1")));
    QCOMPARE(tail.readLines(), QByteArrayList());
    QFile old(m_path + QLatin1String(".1"));
    QVERIFY(old.open(QIODevice::Append));
    old.write("two\nwithout an end");
    old.close();
    append("three\n");
    QCOMPARE(tail.readLines(), QByteArrayList({"two"}));
    QCOMPARE(tail.readLines(), QByteArrayList({"without an end", "three"}));
    append("four\n");
    QCOMPARE(tail.readLines(), QByteArrayList({"four"}));
}

void FileTailTest::readsTruncatedFileFromItsBeginning()
{
    append("one\ntwo\n");
    FileTail tail(m_path);
    QCOMPARE(tail.readLines().size(), 2);
    QVERIFY(QFile::resize(m_path, 0));
    append("new\n");
    QCOMPARE(tail.readLines(), QByteArrayList({"new"}));
}

void FileTailTest::readsFileThatIsCreatedLater()
{
    FileTail tail(m_path);
    QCOMPARE(tail.readLines(), QByteArrayList());
    QVERIFY(!tail.error().isEmpty());
    append("one\n");
    QCOMPARE(tail.readLines(), QByteArrayList({"one"}));
    QCOMPARE(tail.error(), QString());
}

void FileTailTest::splitsEndlessLine()
{
    append("first\n");
    FileTail tail(m_path);
    QCOMPARE(tail.readLines(), QByteArrayList({"first"}));
    append(QByteArray(3 * FileTail::mostBytes, 'x'));
    QCOMPARE(tail.readLines().front().size(), FileTail::mostBytes);
}

void FileTailTest::reportsWhatIsNotARegularFile()
{
    FileTail folder(m_folder.path());
    QCOMPARE(folder.readLines(), QByteArrayList());
    QCOMPARE(folder.error(), QStringLiteral("not a regular file"));
    QCOMPARE(::mkfifo(QFile::encodeName(m_path).constData(), 0600), 0);
    FileTail pipe(m_path);
    QCOMPARE(pipe.readLines(), QByteArrayList());
    QCOMPARE(pipe.error(), QStringLiteral("not a regular file"));
}

REKINDLE_TEST(FileTailTest)
#include "filetailtest.moc"
