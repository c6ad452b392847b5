// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/durablefile_p.h"
#include "testprogram.h"
#include "testrow.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

using namespace Rekindle;

/// Which targets may be written.
class WrittenFileTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void acceptsOnlyFilesOfItsKind_data();
    void acceptsOnlyFilesOfItsKind();
    void refusesLinks_data();
    void refusesLinks();
    void refusesPipes();
    void appendsToPipesAndDevices();
    void openToAppendNeverWaitsForReader();
    void openToAppendFollowsOnlyTrustedLinks();

private:
    [[nodiscard]] QString path(const char *name) const
    {
        return m_folder->filePath(QLatin1String(name));
    }
    [[nodiscard]] QString write(const char *name, const QByteArray &bytes) const
    {
        return createFile(path(name), bytes, ownerOnly);
    }
    [[nodiscard]] QString pipe() const
    {
        static_cast<void>(::mkfifo(QFile::encodeName(path("pipe")).constData(), 0600));
        return path("pipe");
    }
    void setFolderMode(mode_t mode) const
    {
        QCOMPARE(::chmod(QFile::encodeName(m_folder->path()).constData(), mode), 0);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void WrittenFileTest::acceptsOnlyFilesOfItsKind_data()
{
    using Kind = WrittenFile;
    QTest::addColumn<int>("kind");
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("refusal");
    const auto row = [](const char *name, Kind kind, const QByteArray &bytes,
                        const char *refusal = "") {
        QTest::newRow(name) << static_cast<int>(kind) << bytes << QString::fromLatin1(refusal);
    };
    row("empty", Kind::State, "");
    row("state", Kind::State, R"({"format":"rekindle-state","version":1,"sha256":"00"})");
    row("torn state", Kind::State, R"({"format":"rekindle-state","ver)");
    row("text for state", Kind::State, "root:x:0:0\n", "expected a state file, found another file");
    row("zeros for state", Kind::State, QByteArray(4096, '\0'),
        "expected a state file, found another file");
    row("events for state", Kind::State, R"({"specversion":"1.0"})",
        "expected a state file, found another file");
    row("lock", Kind::StateLock, "12345\n");
    row("lock of a package manager", Kind::StateLock, "version = 3\n",
        "expected the lock of a state file, found another file");
    const QByteArray database = "SQLite format 3" + QByteArray(53, '\0');
    row("store", Kind::Store, database + "RKND" + QByteArray(28, '\0'));
    row("database of another program", Kind::Store, database + QByteArray(32, '\0'),
        "expected a telemetry store, found another file");
    row("text for store", Kind::Store, "not yours\n",
        "expected a telemetry store, found another file");
    row("license clock", Kind::LicenseClock, "rekindle-license-latest-time:2026-01-01T00:00:00Z\n");
    row("license for clock", Kind::LicenseClock, "rekindle-license-1\n",
        "expected a file of the latest known time, found another file");
    row("marker", Kind::Marker, R"({"timestamp": "x", "reason": "y", "exit_code": 42})");
    row("marker without exit code", Kind::Marker, R"({"timestamp": "x", "reason": "y"})");
    row("truncated marker", Kind::Marker, R"({"timestamp": "x", "reason": "y", "exit)");
    row("truncated marker, after a value", Kind::Marker, R"({"timestamp": "x",)");
    row("truncated marker, in a text", Kind::Marker, R"({"timestamp": "2026-)");
    row("log for marker", Kind::Marker, "{\"timestamp\":1,\"reason\":2}\n{\"timestamp\":2}\n",
        "expected a restart marker, found another file");
    row("package.json for marker", Kind::Marker, R"({"name": "x"})",
        "expected a restart marker, found another file");
    row("drawing", Kind::Drawing, "<svg xmlns=\"http://www.w3.org/2000/svg\"/>\n");
    row("Perfetto trace", Kind::Trace,
        "{\"otherData\":{\"producer\":\"rekindle\"},\"traceEvents\":[]}\n");
    row("drawing for trace", Kind::Trace, "<svg",
        "expected a trace of rekindle, found another file");
    row("trace for drawing", Kind::Drawing, R"({"otherData":{"producer":"rekindle"})",
        "expected a drawing, found another file");
    row("text for drawing", Kind::Drawing, "text", "expected a drawing, found another file");
    row("events", Kind::Events, "{\"specversion\":\"1.0\"}\n");
    row("text for events", Kind::Events, "export A=1\n",
        "expected a file of events, found another file");
    row("output", Kind::Output, "anything\n");
}

void WrittenFileTest::acceptsOnlyFilesOfItsKind()
{
    QFETCH(int, kind);
    QFETCH(QByteArray, bytes);
    QFETCH(QString, refusal);
    const auto wanted = static_cast<WrittenFile>(kind);
    QCOMPARE(refusalOf(path("file"), wanted), QString()); // missing
    QCOMPARE(write("file", bytes), QString());
    QCOMPARE(refusalOf(path("file"), wanted), refusal);
    QCOMPARE(refusalOfPlace(path("file"), wanted), QString());
    if (refusal.isEmpty())
        return;
    QCOMPARE(replaceFile(path("file"), "ours", wanted), refusal);
    QFile file(path("file"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), bytes);
}

void WrittenFileTest::refusesLinks_data()
{
    const Rows<bool> row("isDangling");
    row("to a file", false);
    row("to nothing", true);
}

void WrittenFileTest::refusesLinks()
{
    QFETCH(bool, isDangling);
    if (!isDangling)
        QCOMPARE(write("target", {}), QString());
    QVERIFY(QFile::link(path("target"), path("link")));
    for (const WrittenFile kind :
         {WrittenFile::State, WrittenFile::Store, WrittenFile::Marker, WrittenFile::LicenseClock,
          WrittenFile::Drawing, WrittenFile::Trace})
        QVERIFY2(refusalOf(path("link"), kind).endsWith(QLatin1String(", found a symbolic link")),
                 qPrintable(refusalOf(path("link"), kind)));
    for (const WrittenFile kind : {WrittenFile::Events, WrittenFile::Output}) {
        setFolderMode(0700);
        QCOMPARE(refusalOf(path("link"), kind), QString());
        for (const mode_t mode : {0777U, 0702U}) {
            setFolderMode(mode);
            QVERIFY(refusalOf(path("link"), kind)
                        .endsWith(QLatin1String("in a folder that others can write to")));
        }
    }
}

void WrittenFileTest::refusesPipes()
{
    QCOMPARE(refusalOf(pipe(), WrittenFile::Marker),
             QStringLiteral("expected a restart marker, found a pipe or a device"));
}

void WrittenFileTest::appendsToPipesAndDevices()
{
    for (const WrittenFile kind : {WrittenFile::Events, WrittenFile::Output}) {
        QCOMPARE(refusalOf(pipe(), kind), QString());
        QCOMPARE(refusalOf(QStringLiteral("/dev/null"), kind), QString());
    }
}

void WrittenFileTest::openToAppendNeverWaitsForReader()
{
    QCOMPARE(openToAppend(pipe()), -1);
    QCOMPARE(errno, ENXIO);
    QCOMPARE(appendErrorText(ENXIO), QStringLiteral("no reader"));
}

void WrittenFileTest::openToAppendFollowsOnlyTrustedLinks()
{
    QVERIFY(QFile::link(path("target"), path("link")));
    setFolderMode(0777);
    QCOMPARE(openToAppend(path("link")), -1);
    QCOMPARE(errno, ELOOP);
    QVERIFY(!QFile::exists(path("target")));
    setFolderMode(0700);
    const int descriptor = openToAppend(path("link"));
    QVERIFY(descriptor >= 0);
    ::close(descriptor);
    QVERIFY(QFile::exists(path("target")));
    const auto others = QFileDevice::ReadGroup | QFileDevice::ReadOther;
    QVERIFY(!(QFile::permissions(path("target")) & others));
}

REKINDLE_TEST(WrittenFileTest)
#include "writtenfiletest.moc"
