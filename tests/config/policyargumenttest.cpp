// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"
#include "testrow.h"

#include <rekindle/config/policyargument.h>
#include <rekindle/policy/presets.h>

using namespace Rekindle;
using namespace std::chrono_literals;

class PolicyArgumentTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsPreset();
    void readsObject();
    void readsFile();
    void writtenStartTimeoutReplacesTheDefault_data();
    void writtenStartTimeoutReplacesTheDefault();
    void reportsFaults_data();
    void reportsFaults();

private:
    QTemporaryDir m_folder;

    QString written(const char *name, const QByteArray &text) const
    {
        QFile file(m_folder.filePath(QString::fromLatin1(name)));
        return file.open(QIODevice::WriteOnly) && file.write(text) > 0 ? file.fileName()
                                                                       : QString();
    }
};

void PolicyArgumentTest::readsPreset()
{
    const Parsed<RestartPolicy> parsed = policyFromArgument(QStringLiteral("watchdog"));
    QVERIFY(parsed);
    QCOMPARE(parsed.value, preset(u"watchdog"));
    QVERIFY(!policyFromArgument(QString()));
}

void PolicyArgumentTest::readsObject()
{
    const Parsed<RestartPolicy> parsed =
        policyFromArgument(QStringLiteral(" {\"type\": \"linear\", \"initialDelay\": \"2s\"}"));
    QVERIFY(parsed);
    QCOMPARE(parsed.value->initialDelay, Duration(2s));
}

void PolicyArgumentTest::readsFile()
{
    const QString path = written("mine.json", "{\"type\": \"immediate\"}");
    const Parsed<RestartPolicy> absolute = policyFromArgument(path);
    QVERIFY2(absolute, qPrintable(absolute.messages().join(u'\n')));
    QCOMPARE(toText(absolute.value->type), QStringLiteral("immediate"));
    QCOMPARE(absolute.file, path);
    const QString relative = QDir::current().relativeFilePath(path);
    QVERIFY(policyFromArgument(relative));
}

void PolicyArgumentTest::writtenStartTimeoutReplacesTheDefault_data()
{
    const Rows<QString, Duration> row("argument", "startTimeout");
    row("object", R"({"type": "linear"})", 1min);
    row("written as the general default", R"({"type": "linear", "startTimeout": "30s"})", 30s);
    row("file", written("none.json", R"({"type": "linear"})"), 1min);
    row("written in a file", written("same.json", R"({"type": "none", "startTimeout": "30s"})"),
        30s);
    row("preset", "linear", 1min);
    row("preset with all keys", "default", 1min);
}

void PolicyArgumentTest::writtenStartTimeoutReplacesTheDefault()
{
    QFETCH(QString, argument);
    const Parsed<RestartPolicy> parsed = policyFromArgument(argument, 1min);
    QVERIFY(parsed);
    QTEST(parsed.value->startTimeout, "startTimeout");
}

void PolicyArgumentTest::reportsFaults_data()
{
    const Rows<QString, QString> row("argument", "message");
    const QString bad = written("bad.json", "{\n  \"type\": \"immediat\"\n}");
    row("object", "{\"maxRetries\": 1.9}",
        "1:16: /maxRetries: expected a whole number from 0 to 1000000 or \"unlimited\", found 1.9");
    row("file", bad,
        bad
            + QStringLiteral(":2:11: /type: expected one of none, immediate, linear, exponential, "
                             "stepped, custom, found \"immediat\"; did you mean \"immediate\"?"));
    row("missing file", "missing.json",
        "missing.json: cannot be opened: No such file or directory");
    row("unknown name", "watchdogg",
        "unknown policy \"watchdogg\"; did you mean \"watchdog\"? Expected an object, a file (with "
        "\"/\" or \".json\") or one of default, exponential, immediate, kubernetes, linear, "
        "mcp-proxy, none, otp, spawn, stdio-backend, systemd, tool-call, vscode, watchdog");
}

void PolicyArgumentTest::reportsFaults()
{
    QFETCH(QString, argument);
    const Parsed<RestartPolicy> parsed = policyFromArgument(argument);
    QVERIFY(!parsed);
    QTEST(parsed.messages().join(u'\n'), "message");
}

REKINDLE_TEST(PolicyArgumentTest)
#include "policyargumenttest.moc"
