// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commandrun.h"
#include "cli/simulate/simulationtext_p.h"
#include "testprogram.h"
#include "testrow.h"

using namespace Rekindle;

namespace {

// The agent has no jitter and is ready after 1 s.
constexpr char oneAgent[] =
    R"({"agents": [{"name": "a", "kind": "process", "program": "true",
        "policy": {"type": "linear", "initialDelay": "4s", "jitter": {"kind": "none"}}}]})";

} // namespace

/// `rekindle simulate`.
class SimulateTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_configuration = writeFile(m_folder->path(), QStringLiteral("agents.json"), oneAgent);
    }

    void printsFiguresAsJson()
    {
        CompletedRun run(
            arguments({QStringLiteral("--json"), QStringLiteral("--for"), QStringLiteral("1m"),
                       trace(R"({"at": "10s", "agent": "a", "do": "exit", "code": 1})")}));
        const QJsonObject result = QJsonDocument::fromJson(run.output()).object();
        QCOMPARE(result[QLatin1String("restarts")].toInt(), 1);
        const QJsonObject agent = result[QLatin1String("agents")][0].toObject();
        QCOMPARE(agent[QLatin1String("starts")].toInt(), 2);
        QCOMPARE(agent[QLatin1String("longestOutageMs")].toDouble(), 5000.0);
        QCOMPARE(run.error(), QByteArray());
    }

    // The product of the length and the number of characters would exceed 64 bits.
    void drawsTimelineOfYears()
    {
        CompletedRun run(arguments({QStringLiteral("--for"), QStringLiteral("9000d")}));
        VERIFY_CONTAINS(run.output(), "\na  -=================");
        VERIFY_CONTAINS(run.output(), "=====\n");
    }

    void refusesMoreWorkThanTheLimit()
    {
        const QStringList endless =
            arguments({QStringLiteral("--faults"), QStringLiteral(R"({"life": "exp 1m"})"),
                       QStringLiteral("--limit")});
        CompletedRun run(endless + words("100"), 78);
        QCOMPARE(run.output(), QByteArray());
        VERIFY_CONTAINS(
            run.error(),
            "agents.json: expected at most 100 timers and inputs in 1d, found more in ");
        VERIFY_CONTAINS(run.error(), " starts); shorten the run (--for), or raise --limit\n");
        CompletedRun enough(endless + words("10000000"));
        CompletedRun invalid(endless + words("0"), 64);
    }

    void limitsFilesOfReloads()
    {
        QByteArray steps;
        for (int i = 0; i <= 32; ++i)
            steps += "{\"at\": \"1s\", \"reload\": \"" + QByteArray("./").repeated(i)
                + "agents.json\"}\n";
        CompletedRun run(arguments({trace(steps)}), 78);
        VERIFY_CONTAINS(run.error(),
                        "jsonl:33:24: /reload: expected at most 32 different paths, found more\n");
    }

    void endsAfterTheGreatestSeed()
    {
        CompletedRun one(
            arguments({QStringLiteral("--seed"), QStringLiteral("18446744073709551615")}));
        CompletedRun two(arguments({QStringLiteral("--seeds"),
                                    QStringLiteral("18446744073709551614..18446744073709551615")}));
        VERIFY_CONTAINS(two.output(), "2 runs; ");
    }

    void showsWorstSeeds()
    {
        CompletedRun run(
            arguments({QStringLiteral("--faults"), QStringLiteral(R"({"life": "exp 1m"})"),
                       QStringLiteral("--seeds"), QStringLiteral("3..12")}));
        const QByteArray text = run.output();
        const QByteArrayList lines = text.split('\n');
        QVERIFY(lines.front().startsWith("SEED  LOWEST UP  AGENT  GAVE UP AFTER"));
        QVERIFY(lines.at(5).contains("--seed"));
        QVERIFY(lines.at(6).isEmpty());
        VERIFY_CONTAINS(text, "10 runs; ");
    }

    void drawsValidSvg()
    {
        const QString path = m_folder->filePath(QStringLiteral("run.svg"));
        CompletedRun run(arguments({QStringLiteral("--faults"), QStringLiteral(R"({"life": "1h"})"),
                                    QStringLiteral("--svg"), path}));
        QXmlStreamReader reader(readFile(path));
        while (!reader.atEnd())
            (void)reader.readNext();
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
    }

    void writesPerfettoTrace()
    {
        const QString path = m_folder->filePath(QStringLiteral("run.json"));
        for (int i = 0; i < 2; ++i) { // an earlier trace is replaced
            CompletedRun run(arguments(
                {QStringLiteral("--perfetto"), path, QStringLiteral("--for"), QStringLiteral("1m"),
                 trace(R"({"at": "10s", "agent": "a", "do": "exit", "code": 1})")}));
        }
        const QJsonObject written = QJsonDocument::fromJson(readFile(path)).object();
        QStringList events;
        for (const QJsonValue &each : written[QLatin1String("traceEvents")].toArray())
            events.append(QStringLiteral("%1 %2 %3 %4 %5")
                              .arg(each[QLatin1String("ph")].toString(),
                                   each[QLatin1String("name")].toString(),
                                   each[QLatin1String("args")][QLatin1String("name")].toString())
                              .arg(each[QLatin1String("ts")].toDouble() / 1e6)
                              .arg(each[QLatin1String("dur")].toDouble() / 1e6));
        QCOMPARE(events,
                 (QStringList{QStringLiteral("M thread_name a 0 0"), QStringLiteral("X down  0 1"),
                              QStringLiteral("X up  1 9"), QStringLiteral("X down  10 5"),
                              QStringLiteral("X up  15 45"), QStringLiteral("i failure  10 0")}));
    }

    void expectationDeterminesExitCode_data()
    {
        const Rows<QString, int, QByteArray> row("expectation", "code", "message");
        row("met", "a.up == 100", 1, "expected a.up == 100, found 99.99");
        row("not met", "a.starts == 1", 0, {});
        row("no figure", "b.up > 1", 64,
            "no figure is named \"b.up\" (the figures are lowestUp, restarts, "
            "restartsPerHour, herdInSecond, herdInTenth, longestQueue, NAME.up, "
            "NAME.starts, "
            "NAME.failures, NAME.longestOutage, NAME.breakerOpen, NAME.gaveUp, NAME.moves, "
            "NAME.twoCopies, where NAME is one of a); did you mean \"a.up\"?");
        row("time for a percentage", "a.up > 10s", 64,
            "--expect: expected a number without a unit for a.up, found \"a.up > "
            "10s\"");
    }

    void expectationDeterminesExitCode()
    {
        QFETCH(QString, expectation);
        QFETCH(int, code);
        QFETCH(QByteArray, message);
        CompletedRun run(arguments({QStringLiteral("--expect"), expectation}), code);
        VERIFY_CONTAINS(run.error(), message);
    }

    void rejectsInvalidInput_data()
    {
        const Rows<QStringList, int, QByteArray> row("added", "code", "message");
        row("missing trace", {QStringLiteral("/nowhere/trace")}, 78, "/nowhere/trace: ");
        row("invalid model", {QStringLiteral("--faults"), QStringLiteral(R"({"life": 3})")}, 78,
            "/life: expected");
        row("missing model", {QStringLiteral("--faults"), QStringLiteral("/nowhere/model")}, 78,
            "/nowhere/model: ");
        row("unknown agent",
            {QStringLiteral("--faults"), QStringLiteral(R"({"agents": {"x": {}}})")}, 78,
            "--faults: /agents/x: no agent named \"x\" (the configuration has a)");
        row("seeds", {QStringLiteral("--seeds"), QStringLiteral("5..1")}, 64,
            "expected two seeds such as 1..100");
        row("negative seed", {QStringLiteral("--seed"), QStringLiteral("-2")}, 64,
            "expected 0 to 18446744073709551615");
        row("seed and seeds",
            {QStringLiteral("--seeds"), QStringLiteral("1..5"), QStringLiteral("--seed"),
             QStringLiteral("3")},
            64, "--seed");
        row("trace of several runs",
            {QStringLiteral("--seeds"), QStringLiteral("1..5"), QStringLiteral("--perfetto"),
             QStringLiteral("x.json")},
            64, "--perfetto: requires a single run");
        row("drawing of several runs",
            {QStringLiteral("--seeds"), QStringLiteral("1..5"), QStringLiteral("--svg"),
             QStringLiteral("x.svg")},
            64, "--svg: requires a single run");
    }

    void rejectsInvalidInput()
    {
        QFETCH(QStringList, added);
        QFETCH(int, code);
        QFETCH(QByteArray, message);
        CompletedRun run(arguments(added), code);
        VERIFY_CONTAINS(run.error(), message);
    }

    void namesStepThatBreaksExpectation()
    {
        const QString path = trace(R"({"at": "10s", "agent": "a", "do": "exit", "code": 1}

                                      {"at": "40s", "agent": "a", "do": "exit", "code": 1}
                                      {"at": "30s", "agent": "a", "do": "exit", "code": 1}
                                      {"at": "50s", "agent": "a", "do": "stop"})");
        const auto errorOf = [&](const char *expectation) {
            CompletedRun run(
                arguments({path, QStringLiteral("--for"), QStringLiteral("1m"),
                           QStringLiteral("--expect"), QString::fromLatin1(expectation)}),
                1);
            return run.error();
        };
        QCOMPARE(errorOf("a.failures < 2"),
                 QByteArray("rekindle: expected a.failures < 2, found 3 with seed 1\nrekindle: "
                            + path.toLocal8Bit()
                            + ":4: the expectation is met without this step and those after it "
                              "(step 2 of 4, after "
                              "30s)\n"));
        VERIFY_CONTAINS(errorOf("a.failures < 3"),
                        ":3: the expectation is met without this step and those after it");
        VERIFY_CONTAINS(errorOf("a.failures < 1"),
                        ":1: the expectation is met without this step and those after it");
        QCOMPARE(errorOf("a.starts > 9"),
                 QByteArray("rekindle: expected a.starts > 9, found 3 with seed 1\n"
                            "rekindle: the expectation is not met without TRACE either\n"));
    }

    void namesPrefixOfViolation()
    {
        SimulationResult result{.seed = 7, .length = std::chrono::hours(1)};
        QVERIFY(!simulationText(result, 10).contains("First violated"));
        result.violations = QStringList(QStringLiteral("1h: a: a rule"));
        result.violatingPrefix = {1, 0, std::chrono::nanoseconds(1'500'000'001)};
        VERIFY_CONTAINS(simulationText(result, 10),
                        "DEFECT: 1h: a: a rule\nFirst violated after 1 input; repeat with "
                        "--seed 7 --for 1.501s\n");
        result.violatingPrefix = {12, 3, std::chrono::minutes(90)};
        VERIFY_CONTAINS(simulationsText({result}),
                        "DEFECT with seed 7: 1h: a: a rule\nFirst violated after 12 inputs and 3 "
                        "steps of the trace; repeat with --seed 7 --for 90m\n");
    }

    void reloadsRelativeToTrace()
    {
        (void)writeFile(m_folder->path(), QStringLiteral("next.json"),
                        R"({"agents": [{"name": "b", "kind": "process", "program": "true"}]})");
        const QString path = trace(R"({"at": "10s", "reload": "next.json"}
                                      {"at": "20s", "agent": "b", "do": "exit", "code": 1})");
        CompletedRun run(arguments({path, QStringLiteral("--json"), QStringLiteral("--for"),
                                    QStringLiteral("1m"), QStringLiteral("--expect"),
                                    QStringLiteral("b.starts == 2"), QStringLiteral("--faults"),
                                    QStringLiteral(R"({"agents": {"b": {"ready": "1s"}}})")}));
        QCOMPARE(run.error(), QByteArray());
        const QJsonObject result = QJsonDocument::fromJson(run.output()).object();
        QCOMPARE(result[QLatin1String("agents")][0][QLatin1String("upMs")].toDouble(), 9000.0);
    }

    void rejectsInvalidReload()
    {
        const QByteArray folder = m_folder->path().toLocal8Bit();
        const QString path = trace(R"({"at": "10s", "reload": "next.json"})");
        CompletedRun missing(arguments({path}), 78);
        VERIFY_CONTAINS(missing.error(), QByteArray(folder + "/next.json: "));
        const QByteArray place =
            path.toLocal8Bit() + ":1:25: /reload: next.json is invalid; its faults follow\n";
        QVERIFY2(missing.error().startsWith(place), missing.error().constData());
        (void)writeFile(m_folder->path(), QStringLiteral("next.json"), R"({"agents": [{}]})");
        CompletedRun invalid(arguments({path}), 78);
        VERIFY_CONTAINS(invalid.error(), QByteArray(folder + "/next.json:1:13: /agents/0"));
        (void)writeFile(m_folder->path(), QStringLiteral("next.json"),
                        R"({"mcpServers": {"a": {"command": "true"}}})");
        CompletedRun server(arguments({path}), 78);
        VERIFY_CONTAINS(
            server.error(),
            QByteArray(path.toLocal8Bit() + ":1:25: /reload: a: a running host cannot"));
    }

    void reportsAllInvalidReloads()
    {
        const QString path = trace(R"({"at": "10s", "reload": "x.json"}
                                      {"at": "20s", "reload": "y.json"}
                                      {"at": "30s", "reload": "x.json"})");
        CompletedRun run(arguments({path}), 78);
        QCOMPARE(run.error().count("/reload: "), 2);
        VERIFY_CONTAINS(run.error(), ":2:63: /reload: y.json is invalid; its faults follow\n");
    }

    void warnsOfStepsAfterTheEnd()
    {
        const QString path = trace(R"({"at": "10s", "agent": "a", "do": "exit", "code": 1}
                                      {"at": "61s", "agent": "a", "do": "exit", "code": 1}
                                      {"at": "1m", "agent": "a", "do": "stop"}
                                      {"at": "2m", "agent": "a", "do": "start"})");
        CompletedRun run(arguments({path, QStringLiteral("--for"), QStringLiteral("1m")}));
        QCOMPARE(run.error(),
                 QByteArray("rekindle: " + path.toLocal8Bit()
                            + ": warning: steps after the end of the simulation (1m) are ignored: "
                              "lines 2, 4; set the length with --for\n"));
        CompletedRun longer(arguments({path, QStringLiteral("--for"), QStringLiteral("2m")}));
        QCOMPARE(longer.error(), QByteArray());
    }

    void readsTraceFromPipe()
    {
        (void)writeFile(m_folder->path(), QStringLiteral("next.json"),
                        R"({"agents": [{"name": "b", "kind": "process", "program": "true"}]})");
        (void)trace(R"({"at": "10s", "reload": "next.json"})");
        ShellRun run(
            "sh",
            {QStringLiteral("-c"),
             QStringLiteral("cd \"$1\" && cat trace.jsonl | "
                            "\"$0\" simulate agents.json /dev/stdin --expect 'b.starts == 1'"),
             QStringLiteral(REKINDLE_COMMAND), m_folder->path()});
        QCOMPARE(run.complete(), 0);
        QCOMPARE(run.error(), QByteArray());
    }

    void drawingDoesNotReplaceReloadedFile()
    {
        const QString next = writeFile(m_folder->path(), QStringLiteral("next.json"), oneAgent);
        CompletedRun run(arguments({trace(R"({"at": "10s", "reload": "next.json"})"),
                                    QStringLiteral("--svg"), next}),
                         64);
        VERIFY_CONTAINS(run.error(), "/next.json is already used as the configuration");
        QCOMPARE(readFile(next), QByteArray(oneAgent));
    }

    void warnsIfNothingFails()
    {
        CompletedRun run(arguments({}));
        VERIFY_CONTAINS(run.error(), "warning: without TRACE and --faults, no agent fails");
    }

private:
    [[nodiscard]] QStringList arguments(const QStringList &added) const
    {
        return QStringList{QStringLiteral("simulate"), m_configuration} + added;
    }
    [[nodiscard]] QString trace(const QByteArray &lines) const
    {
        return writeFile(m_folder->path(), QStringLiteral("trace.jsonl"), lines);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_configuration;
};

REKINDLE_TEST(SimulateTest)
#include "simulatetest.moc"
