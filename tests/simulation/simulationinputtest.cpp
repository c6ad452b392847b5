// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "contains.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/simulation/failuremodel.h>
#include <rekindle/simulation/simulationexpectation.h>
#include <rekindle/simulation/simulationtrace.h>

#include <csignal>

using namespace Rekindle;
using namespace std::chrono_literals;

class SimulationInputTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void limitsStepsOfTraces()
    {
        const QByteArray step = "{\"at\": \"1s\", \"agent\": \"a\", \"do\": \"stop\"}\n";
        const Parsed<QList<SimulationStep>> parsed =
            parseSimulationTrace(step.repeated(100'000) + "\n \n" + step);
        QCOMPARE(
            parsed.messages(),
            QStringList(QStringLiteral("100003:1: expected at most 100000 steps, found more")));
    }

    void readsModel()
    {
        const Parsed<FailureModels> parsed = parseFailureModels(
            R"({"ready": "2s±1s", "life": "exp 10m", "end": {"1": 0.8, "SIGSEGV": 0.2},
                "agents": {"web": {"ready": "2s+-1s"}, "db": {"life": "1h"}}})");
        QCOMPARE(parsed.messages(), QStringList());
        const FailureModels &models = *parsed.value;
        QCOMPARE(models.common,
                 (FailureModel{2s, 1s, 10min, true, {{1, {}, 0.8}, {{}, SIGSEGV, 0.2}}}));
        QCOMPARE(models.of(QStringLiteral("web")).readySpread, Duration(1s));
        QVERIFY(!models.of(QStringLiteral("web")).life);
        QCOMPARE(models.of(QStringLiteral("db")).life, std::optional<Duration>(1h));
        QVERIFY(!models.of(QStringLiteral("db")).isExponential);
        QCOMPARE(models.of(QStringLiteral("other")), models.common);
    }

    void rejectsInvalidModel_data()
    {
        const Rows<QByteArray, QString> row("json", "fault");
        row("unknown key", R"({"lif": "1s"})", "1:2: /lif: unknown key; did you mean \"life\"?");
        row("spread", R"({"ready": "1s±2s"})",
            "1:11: /ready: expected a duration, or a duration and a spread that is not longer, "
            "such as \"2s±1s\", found \"1s±2s\"");
        row("life", R"({"life": "exponential"})",
            "1:10: /life: expected a duration, or a mean such as \"exp 10m\", found "
            "\"exponential\"");
        row("end", R"({"end": {"256": 1}})",
            "1:10: /end/256: expected an exit code (0 to 255) or a signal such as SIGKILL, found "
            "\"256\"");
        row("outage without a name", R"({"outages": [{"every": "1h", "for": "1m"}]})",
            "/outages/0/shared: missing");
        row("outage without end", R"({"outages": [{"shared": "api", "every": "1h", "for": "1h"}]})",
            "/outages/0/for: expected a duration below `every`, found \"1h\"");
        row("outage without pause", R"({"outages": [{"shared": "a", "every": "0s", "for": "0s"}]})",
            "/outages/0/every: expected a duration above 0, found \"0s\"");
        row("sum", R"({"end": {"1": 0.5, "2": 0.4}})",
            "1:9: /end: expected probabilities with the sum 1, found the sum 0.9");
    }

    void rejectsInvalidModel()
    {
        QFETCH(QByteArray, json);
        QFETCH(QString, fault);
        const Parsed<FailureModels> parsed = parseFailureModels(json);
        QVERIFY(!parsed);
        const QString messages = parsed.messages().join(u'\n');
        VERIFY_CONTAINS(messages, fault);
    }

    void sortsStepsOfTrace()
    {
        const Parsed<QList<SimulationStep>> parsed = parseSimulationTrace(
            R"({"at": "2s", "agent": "b", "do": "exit", "code": 3}

{"at": "1s", "agent": "a", "do": "signal", "signal": "SIGKILL"}
{"at": "2s", "agent": "a", "do": "isolate"}
{"at": "3s", "shared": "api", "do": "down", "for": "1m"}
{"at": "4s", "agent": "a", "do": "line", "text": "ready"}
{"at": "5s", "reload": "next.json"})");
        QCOMPARE(parsed.messages(), QStringList());
        QCOMPARE(parsed.value->size(), 6);
        QCOMPARE(parsed.value->at(3).shared, QStringLiteral("api"));
        QCOMPARE(parsed.value->at(3).time, Duration(1min));
        QCOMPARE(parsed.value->at(5).kind, SimulationStep::Kind::Reload);
        QCOMPARE(parsed.value->at(5).file, QStringLiteral("next.json"));
        QCOMPARE(parsed.value->at(4).text, QStringLiteral("ready"));
        QCOMPARE(parsed.value->at(0).number, SIGKILL);
        QCOMPARE(parsed.value->at(1).number, 3);
        QCOMPARE(parsed.value->at(2).command, OperatorCommand::IsolateBreaker);
    }

    void rejectsInvalidStep_data()
    {
        const Rows<QByteArray, QString> row("line", "fault");
        row("missing agent", R"({"at": "1s", "do": "hang"})", "/agent: missing");
        row("unknown action", R"({"at": "1s", "agent": "a", "do": "explode"})",
            "/do: expected one of");
        row("signal", R"({"at": "1s", "agent": "a", "do": "signal", "signal": "KILL"})",
            "/signal: expected a signal such as \"SIGKILL\", found \"KILL\"");
        row("line without text", R"({"at": "1s", "agent": "a", "do": "line"})", "/text: missing");
        row("text of a line", R"({"at": "1s", "agent": "a", "do": "line", "text": 3})",
            "/text: expected a string, found 3");
        row("key of another action", R"({"at": "1s", "agent": "a", "do": "hang", "code": 1})",
            "/code: unknown key");
        row("outage of an agent", R"({"at": "1s", "agent": "a", "do": "down", "for": "1s"})",
            "/do: expected one of");
        row("outage without time", R"({"at": "1s", "shared": "a", "do": "down"})", "/for: missing");
        row("exit of an endpoint", R"({"at": "1s", "shared": "a", "do": "exit", "for": "1s"})",
            "/do: expected");
        row("reload without file", R"({"at": "1s", "reload": ""})",
            "/reload: expected a non-empty string, found \"\"");
        row("reload of an agent", R"({"at": "1s", "reload": "a.json", "agent": "a"})",
            "/agent: unknown key");
        row("no JSON", "at 1s", "expected");
    }

    void rejectsInvalidStep()
    {
        QFETCH(QByteArray, line);
        QFETCH(QString, fault);
        const Parsed<QList<SimulationStep>> parsed = parseSimulationTrace("\n\n" + line);
        QVERIFY(!parsed);
        QCOMPARE(parsed.faults.front().line, 3);
        QVERIFY2(parsed.messages().join(u'\n').contains(fault),
                 qPrintable(parsed.messages().join(u'\n')));
    }

    void reportsFaultsOfAllLines()
    {
        const QByteArray invalid = R"({"at": "1s", "agent": "a", "do": "explode"})"
                                   "\n";
        const auto faultsOf = [&](int count) {
            return parseSimulationTrace(invalid.repeated(count)).faults;
        };
        QCOMPARE(faultsOf(3).size(), 3);
        QCOMPARE(faultsOf(3).back().line, 3);
        const QList<Fault> many = faultsOf(1001);
        QCOMPARE(many.size(), 1000);
        QVERIFY(
            many.back().message.endsWith(QLatin1String(" (the last of too many faults to list)")));
    }

    void comparesFigures_data()
    {
        const Rows<QString, double, bool> row("text", "value", "isMet");
        row("at least", "web.up >= 99.5", 99.5, true);
        row("below", "web.up>=99.5", 99.4, false);
        row("less", "restarts < 3", 3.0, false);
        row("duration", "a.b.longestOutage <= 2m", 120.0, true);
        row("equal", "x.gaveUp == 0", 0.0, true);
        row("different", "x.gaveUp != 0", 0.0, false);
    }

    void comparesFigures()
    {
        QFETCH(QString, text);
        QFETCH(double, value);
        QFETCH(bool, isMet);
        const auto expectation = SimulationExpectation::parse(text);
        QCOMPARE(expectation.messages(), QStringList());
        QCOMPARE(expectation.value->isMetBy(value), isMet);
    }

    void rejectsInvalidExpectation_data()
    {
        const Rows<QString> row("fault");
        row("", "1:1: expected a comparison such as \"web.up >= 99.5\", found nothing");
        row(">= 3", "1:1: expected a comparison such as \"web.up >= 99.5\", found \">= 3\"");
        row("web.up", "1:7: expected one of <, <=, >, >=, == and !=, found nothing");
        row("web.up => 3", "1:8: expected one of <, <=, >, >=, == and !=, found \"=> 3\"");
        row("a b > 3", "1:3: expected one of <, <=, >, >=, == and !=, found \"b > 3\"");
        row("web.up >=", "1:10: expected a number, or a duration such as \"30s\", found nothing");
        row("web.up>= x", "1:10: expected a number, or a duration such as \"30s\", found \"x\"");
        row("a >= nan", "1:6: expected a number, or a duration such as \"30s\", found \"nan\"");
    }

    void rejectsInvalidExpectation()
    {
        QFETCH(QString, fault);
        const auto parsed =
            SimulationExpectation::parse(QString::fromLatin1(QTest::currentDataTag()));
        QVERIFY(!parsed);
        QCOMPARE(parsed.messages(), QStringList(fault));
    }
};

REKINDLE_TEST(SimulationInputTest)
#include "simulationinputtest.moc"
