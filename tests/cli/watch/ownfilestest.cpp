// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/watch/ownfiles_p.h"
#include "testprogram.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

using namespace Rekindle;

class OwnFilesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void names_data();
    void names();
    void links();
    void openDescriptors();

private:
    [[nodiscard]] QString path(const QString &name) const { return m_folder.filePath(name); }

    QTemporaryDir m_folder;
};

void OwnFilesTest::names_data()
{
    QTest::addColumn<bool>("isOwn");
    const auto row = [](const char *name, bool isOwn) { QTest::newRow(name) << isOwn; };
    row("events", true);
    row("events-wal", false);
    row("events.jsonl", false);
    row("sub/events", false);
    row("s.sqlite", true);
    row("s.sqlite-wal", true);
    row("s.sqlite-shm", true);
    row("s.sqlite-journal", true);
    row("s.sqlite.corrupt-20261122T010203-wal", true);
    row("s.sqlite.py", false);
    row("marker", true);
    row("marker.aBcXyZ", true);
    row("marker.aBcXyZa", false);
    row("marker.json", false);
}

void OwnFilesTest::names()
{
    OwnFiles own;
    own.add(path(QStringLiteral("events")));
    own.addStore(path(QStringLiteral("s.sqlite")));
    own.addReplaced(path(QStringLiteral("./marker")));
    QTEST(own.contains(path(QString::fromLatin1(QTest::currentDataTag()))), "isOwn");
}

void OwnFilesTest::links()
{
    QVERIFY(QDir(m_folder.path()).mkpath(QStringLiteral("real")));
    QVERIFY(QFile::link(path(QStringLiteral("real/log")), path(QStringLiteral("log"))));
    QVERIFY(QFile::link(path(QStringLiteral("real")), path(QStringLiteral("other"))));
    OwnFiles own;
    own.addStore(path(QStringLiteral("log")));
    for (const char *name : {"log", "real/log", "real/log-wal", "other/log", "other/log-shm"})
        QVERIFY2(own.contains(path(QString::fromLatin1(name))), name);
    QFile real(path(QStringLiteral("real/log")));
    QVERIFY(real.open(QIODevice::WriteOnly));
    QVERIFY(QFile::link(real.fileName(), path(QStringLiteral("again"))));
    QVERIFY(own.contains(path(QStringLiteral("again"))));
    QVERIFY(!own.contains(path(QStringLiteral("real"))));
}

void OwnFilesTest::openDescriptors()
{
    QFile log(path(QStringLiteral("output")));
    QVERIFY(log.open(QIODevice::WriteOnly));
    OwnFiles own;
    own.addOpen(log.handle());
    QVERIFY(own.contains(log.fileName()));
    QFile null(QStringLiteral("/dev/null"));
    QVERIFY(null.open(QIODevice::WriteOnly));
    own.addOpen(null.handle());
    QVERIFY(!own.contains(null.fileName()));
}

REKINDLE_TEST(OwnFilesTest)
#include "ownfilestest.moc"
