// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "commandrun.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
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
    void tellsTheSameAsJson();

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

void CheckTest::tellsTheSameAsJson()
{
    const auto check = [](const QString &path, int code) {
        CommandRun run({QStringLiteral("check"), path, QStringLiteral("--json")});
        const bool ended = run.complete() == code && run.error().isEmpty();
        const QJsonDocument document = QJsonDocument::fromJson(run.output());
        return ended && document.isArray() ? std::optional(document.array()) : std::nullopt;
    };
    const auto row = [](const QString &file, int line, int column, const char *pointer,
                        const char *severity) {
        return QJsonObject{{QStringLiteral("file"), file},
                           {QStringLiteral("line"), line},
                           {QStringLiteral("column"), column},
                           {QStringLiteral("pointer"), QLatin1String(pointer)},
                           {QStringLiteral("severity"), QLatin1String(severity)}};
    };
    const auto withoutMessage = [](const QJsonValue &value) {
        QJsonObject object = value.toObject();
        const bool has = !object.take(QStringLiteral("message")).toString().isEmpty();
        return has ? object : QJsonObject();
    };
    const QString faulty =
        writeFile(m_folder.path(), QStringLiteral("two.json"),
                  "{\"agents\": [{\"name\": \"a\", \"kind\": \"process\",\n"
                  "\"program\": \"sh\", \"stdot\": 1, \"policy\": {\"multiplier\": 0.5}}]}");
    const auto faults = check(faulty, 78);
    QVERIFY(faults);
    QCOMPARE(faults->size(), 2);
    QCOMPARE(withoutMessage(faults->at(0)), row(faulty, 2, 18, "/agents/0/stdot", "error"));
    QCOMPARE(withoutMessage(faults->at(1)),
             row(faulty, 2, 55, "/agents/0/policy/multiplier", "error"));
    QVERIFY(faults->at(1)
                .toObject()
                .value(QLatin1String("message"))
                .toString()
                .startsWith(QLatin1String("found 0.5, allowed 1 to 100")));

    const QString odd =
        writeFile(m_folder.path(), QStringLiteral("odd.json"),
                  R"({"agents": [{"name": "a", "kind": "process", "program": "/nowhere/x"}]})");
    const auto warnings = check(odd, 0);
    QVERIFY(warnings);
    QCOMPARE(warnings->size(), 1);
    QCOMPARE(withoutMessage(warnings->at(0)), row(odd, 1, 57, "/agents/0/program", "warning"));

    const auto fine =
        check(QStringLiteral(REKINDLE_SOURCE "/examples/quickstart/quickstart.json"), 0);
    QVERIFY(fine);
    QVERIFY(fine->isEmpty());
}

QTEST_GUILESS_MAIN(CheckTest)
#include "checktest.moc"
