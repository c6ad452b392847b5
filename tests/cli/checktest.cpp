// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "commandrun.h"

#include <QTemporaryDir>
#include <QTest>

using namespace Rekindle;

/// What `rekindle check` says.
class CheckTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tellsEveryFaultWithItsPlace();
    void aMissingProgramIsAWarning();
    void theQuickStartIsFine();

private:
    QTemporaryDir m_folder;
};

void CheckTest::tellsEveryFaultWithItsPlace()
{
    const QString path =
        writeFile(m_folder.path(), QStringLiteral("faults.json"),
                  "{\n"
                  "  \"agents\": [\n"
                  "    { \"name\": \"a\", \"kind\": \"process\", \"program\": \"sh\",\n"
                  "      \"policy\": { \"multiplier\": 0.5 } },\n"
                  "    { \"name\": \"a\", \"kind\": \"process\", \"program\": \"sh\",\n"
                  "      \"stdot\": \"null\" }\n"
                  "  ]\n"
                  "}\n");
    CommandRun run({QStringLiteral("check"), path});
    QCOMPARE(run.complete(), 78);
    QCOMPARE(run.output(), QByteArray());
    const QByteArray error = run.error();
    const auto says = [&](const char *rest) {
        return error.contains(QByteArray(path.toLocal8Bit() + ':' + rest));
    };
    QVERIFY2(says("4:33: /agents/0/policy/multiplier: found 0.5, allowed 1 to"), error.constData());
    QVERIFY2(says("5:15: /agents/1/name: "), error.constData());
    QVERIFY2(error.contains("duplicate"), error.constData());
    QVERIFY2(says("6:7: /agents/1/stdot: "), error.constData());
    QCOMPARE(error.count('\n'), 3);
}

void CheckTest::aMissingProgramIsAWarning()
{
    const QString path =
        writeFile(m_folder.path(), QStringLiteral("missing.json"),
                  R"({"agents": [{"name": "a", "kind": "process", "program": "/nowhere/x"}]})");
    CommandRun run({QStringLiteral("check"), path});
    QCOMPARE(run.complete(), 0);
    QVERIFY(run.error().contains("/agents/0/program: warning: "));
    QVERIFY(run.output().contains(": fine, 1 agents"));
}

void CheckTest::theQuickStartIsFine()
{
    CommandRun run({QStringLiteral("check"),
                    QStringLiteral(REKINDLE_SOURCE "/examples/quickstart/quickstart.json")});
    QCOMPARE(run.complete(), 0);
    QCOMPARE(run.error(), QByteArray());
}

QTEST_GUILESS_MAIN(CheckTest)
#include "checktest.moc"
