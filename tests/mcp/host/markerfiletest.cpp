// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "contains.h"
#include "mcp/host/markerfile_p.h"
#include "testprogram.h"

#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>

using namespace Rekindle;

class MarkerFileTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void writesAndReads()
    {
        const MarkerFile file(m_folder.filePath(QStringLiteral("marker")));
        QCOMPARE(file.read().state, MarkerReading::State::Absent);
        const RestartMarker marker{UtcTime(std::chrono::milliseconds(1234567890123)),
                                   QStringLiteral("why"), 42, QStringLiteral("exit 42")};
        QCOMPARE(file.write(marker), QString());
        QCOMPARE(file.read().state, MarkerReading::State::Read);
        QVERIFY(file.read().marker == marker);
    }

    // Reading a FIFO must not wait for a writer.
    void rejectsOtherThanRegularFiles()
    {
        const QString path = m_folder.filePath(QStringLiteral("pipe"));
        QCOMPARE(::mkfifo(QFile::encodeName(path).constData(), 0600), 0);
        QVERIFY(QFile::link(path, m_folder.filePath(QStringLiteral("link"))));
        for (const char *name : {"pipe", "link"}) {
            const MarkerFile file(m_folder.filePath(QString::fromUtf8(name)));
            QVERIFY2(file.write({}).contains(QStringLiteral("expected a restart marker")), name);
            QCOMPARE(file.read().state, MarkerReading::State::Unreadable);
            QVERIFY2(file.read().fault.contains(QStringLiteral("regular")), name);
        }
        QVERIFY(!QFileInfo(path).isFile());
    }

    void truncatesLongReasons()
    {
        QCOMPARE(markerReason(QStringLiteral("why")), QStringLiteral("why"));
        const QString before(999, u'x');
        const QString smile = QString::fromUcs4(U"\U0001F642", 1);
        QCOMPARE(markerReason(before + u'y' + smile), before + u'y');
        QCOMPARE(markerReason(before + smile), before); // without half a surrogate pair
        const MarkerFile file(m_folder.filePath(QStringLiteral("long")));
        QCOMPARE(file.write({{}, markerReason(QString(100000, u'\u0001')), 42, {}}), QString());
        QCOMPARE(file.read().state, MarkerReading::State::Read);
    }

    void limitsSize()
    {
        QFile big(m_folder.filePath(QStringLiteral("big")));
        QVERIFY(big.open(QIODevice::WriteOnly));
        QVERIFY(big.resize(65537));
        const MarkerReading reading = MarkerFile(big.fileName()).read();
        QCOMPARE(reading.state, MarkerReading::State::Unreadable);
        VERIFY_CONTAINS(reading.fault, "65536");
    }

    void reportsMissingFolder()
    {
        const MarkerFile file(m_folder.filePath(QStringLiteral("none/marker")));
        QVERIFY(file.write({}).contains(QStringLiteral("none/marker")));
    }

    // A limit of the file size acts like a full disk.
    void preservesFileOnFullDisk()
    {
        const MarkerFile file(m_folder.filePath(QStringLiteral("full")));
        const RestartMarker marker{{}, QStringLiteral("before"), 42, {}, QStringLiteral("s-1")};
        QCOMPARE(file.write(marker), QString());
        std::signal(SIGXFSZ, SIG_IGN);
        rlimit before{};
        ::getrlimit(RLIMIT_FSIZE, &before);
        const rlimit none{0, before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &none);
        const QString fault = file.write({{}, QStringLiteral("after"), 42, {}, {}});
        ::setrlimit(RLIMIT_FSIZE, &before);
        VERIFY_CONTAINS(fault, "cannot be written: ");
        QVERIFY(file.read().marker == marker);
    }

private:
    QTemporaryDir m_folder;
};

REKINDLE_TEST(MarkerFileTest)
#include "markerfiletest.moc"
