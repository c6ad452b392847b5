// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"

#include <rekindle/config/policyargument.h>
#include <rekindle/policy/presets.h>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace Rekindle;
using namespace std::chrono_literals;

class PolicyArgumentTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsPreset();
    void readsObject();
    void readsFile();
    void faultsNameTheFile();
    void unknownNameListsPresets();
};

void PolicyArgumentTest::readsPreset()
{
    const Parsed<RestartPolicy> parsed = policyFromArgument(QStringLiteral("watchdog"));
    QVERIFY(parsed);
    QCOMPARE(parsed.value, preset(u"watchdog"));
}

void PolicyArgumentTest::readsObject()
{
    const Parsed<RestartPolicy> parsed =
        policyFromArgument(QStringLiteral(" {\"type\": \"linear\", \"initialDelay\": \"2s\"}"));
    QVERIFY(parsed);
    QCOMPARE(parsed.value->initialDelay, Duration(2s));
    QCOMPARE(policyFromArgument(QStringLiteral("{\"maxRetries\": 1.9}")).messages(),
             QStringList{QStringLiteral("1:16: /maxRetries: expected a whole number from 0 to "
                                        "1000000 or \"unlimited\", found 1.9")});
}

void PolicyArgumentTest::readsFile()
{
    QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("mine.json")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{\"type\": \"immediate\"}");
    file.close();
    const Parsed<RestartPolicy> absolute = policyFromArgument(file.fileName());
    QVERIFY2(absolute, qPrintable(absolute.messages().join(u'\n')));
    QCOMPARE(toText(absolute.value->type), QStringLiteral("immediate"));
    QCOMPARE(absolute.file, file.fileName());
    const QString relative = QDir::current().relativeFilePath(file.fileName());
    QVERIFY(policyFromArgument(relative));
}

void PolicyArgumentTest::faultsNameTheFile()
{
    QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("bad.json")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{\n  \"type\": \"immediat\"\n}");
    file.close();
    QCOMPARE(policyFromArgument(file.fileName()).messages(),
             QStringList{file.fileName()
                         + QStringLiteral(":2:11: /type: expected one of none, immediate, linear, "
                                          "exponential, stepped, custom, found \"immediat\"; did "
                                          "you mean \"immediate\"?")});
    const QStringList missing = policyFromArgument(QStringLiteral("missing.json")).messages();
    QCOMPARE(missing.size(), 1);
    QVERIFY2(missing.front().startsWith(QStringLiteral("missing.json: cannot be opened: ")),
             qPrintable(missing.front()));
}

void PolicyArgumentTest::unknownNameListsPresets()
{
    QCOMPARE(policyFromArgument(QStringLiteral("watchdogg")).messages(),
             QStringList{QStringLiteral(
                 "unknown policy \"watchdogg\"; did you mean \"watchdog\"? Expected an object, a "
                 "file (with \"/\" or \".json\") or one of default, exponential, immediate, "
                 "kubernetes, linear, mcp-proxy, none, otp, spawn, stdio-backend, systemd, "
                 "tool-call, vscode, watchdog")});
    QVERIFY(!policyFromArgument(QString()));
}

REKINDLE_TEST(PolicyArgumentTest)
#include "policyargumenttest.moc"
