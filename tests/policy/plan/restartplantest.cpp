// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "contains.h"
#include "testprogram.h"
#include "testrow.h"
#include "valuetype.h"

#include <rekindle/policy/policyjson.h>
#include <rekindle/policy/presets.h>
#include <rekindle/policy/restartplan.h>

using namespace Rekindle;

static_assert(isValue<RestartPlan> && std::equality_comparable<RestartPlan>);

/// The schedule of a policy, as values, text and JSON.
class RestartPlanTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void matchesGoldenFile_data();
    void matchesGoldenFile();
    void containsSteps();
    void hasAtMostThisManyAttempts();
    void drawsBars();
    void statesTotals_data();
    void statesTotals();
    void statesEnd_data();
    void statesEnd();
    void statesThatThereAreNoRestarts();
    void appliesTier();
    void jsonContainsTier();
    void jsonContainsWarnings();

private:
    static constexpr LicenseTier all = LicenseTier::Enterprise;

    static RestartPlan planOf(const char *name, int maxAttempts, LicenseTier tier = all)
    {
        const QString preset = QString::fromLatin1(name);
        return RestartPlan::of(preset, Rekindle::preset(preset).value(), tier, maxAttempts);
    }

    static RestartPolicy policyOf(const char *json)
    {
        return restartPolicyFromJson(QByteArray(json).replace('\'', '"')).value.value();
    }
};

void RestartPlanTest::matchesGoldenFile_data()
{
    const Rows<int> row("maxAttempts");
    row("default", 11);
    row("otp", 12);
    row("watchdog", 12);
}

void RestartPlanTest::matchesGoldenFile()
{
    QFETCH(int, maxAttempts);
    const RestartPlan plan = planOf(QTest::currentDataTag(), maxAttempts);
    const auto golden = [](const char *ending) {
        QFile file(QStringLiteral(GOLDEN_FILES "/plan-%1.%2")
                       .arg(QLatin1String(QTest::currentDataTag()), QLatin1String(ending)));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    QCOMPARE(toText(plan).split(u'\n'), QString::fromUtf8(golden("txt")).split(u'\n'));
    QCOMPARE(toJson(plan).split('\n'), golden("json").split('\n'));
}

void RestartPlanTest::containsSteps()
{
    using namespace std::chrono_literals;
    using Kind = RestartPlan::Step::Kind;
    const RestartPlan plan = RestartPlan::of(
        QStringLiteral("p"),
        policyOf(
            "{'type': 'linear', 'initialDelay': '1s', 'maxRetries': 2, 'jitter': {'kind': 'none'},"
            " 'circuitBreaker': {'threshold': 2, 'timeout': '1m'}}"),
        all, 12);
    const QList<RestartPlan::Step> expected{{Kind::Restart, 1, 1, 1s, {1s, 1s}, 1s},
                                            {Kind::BreakerOpens, 2, 0, 1min, {}, 1s},
                                            {Kind::Trial, 2, 2, 1min, {}, 61s}};
    QCOMPARE(plan.steps, expected);
    QCOMPARE(plan.end, DecisionRule::AttemptsExhausted);
    QCOMPARE(plan.failures, 3);
    QCOMPARE(plan.attempts, 2);
    QCOMPARE(plan.elapsed, Duration(61s));
    QCOMPARE(plan.totalAttempts, 2);
    QCOMPARE(plan.totalElapsed, std::optional<Duration>(61s));
    QVERIFY(!plan.rearmsIn);
}

void RestartPlanTest::hasAtMostThisManyAttempts()
{
    const RestartPlan plan = planOf("stdio-backend", 3);
    QCOMPARE(plan.attempts, 3);
    QVERIFY(!plan.end && !plan.totalElapsed);
    const QJsonObject json = QJsonDocument::fromJson(toJson(plan)).object();
    QCOMPARE(json[QLatin1String("end")].toString(), QStringLiteral("goesOn"));
    QVERIFY(json[QLatin1String("totalRetryTimeMs")].isNull());
}

// Solid up to the minimum delay, shaded up to the maximum.
void RestartPlanTest::drawsBars()
{
    const QString text = toText(planOf("default", 3), 10);
    VERIFY_CONTAINS(text, QString::fromUtf8("  3s .. 5s              7s          ██████░░░░\n"));
}

// The total is the time until the last row, then the time until the end.
void RestartPlanTest::statesTotals_data()
{
    const Rows<RestartPlan, QString> row("plan", "ending");
    row("all", planOf("default", 11),
        "  5m         half-open trial       30m 15s\n"
        "         failure 11: given up after 10 restarts\n\n"
        "Total: 30m 15s from the first failure to the last (5m 3s without the circuit breaker)\n");
    row("some", planOf("default", 3),
        "      3  4s         3s .. 5s              7s\n"
        "         and 7 more\n\n"
        "Total: 7s for the 3 attempts shown; 7 more, 30m 15s in total (5m 3s without the circuit "
        "breaker)\n");
    row("one",
        RestartPlan::of(QStringLiteral("p"),
                        policyOf("{'type': 'linear', 'initialDelay': '1s', 'maxRetries': 2, "
                                 "'circuitBreaker': 'off'}"),
                        all, 1),
        "Total: 1s for the 1 attempt shown; 1 more, 3s in total\n");
    row("without end", planOf("watchdog", 4),
        "         and so on, without limit\n\nTotal: 8s for the 4 attempts shown\n");
}

void RestartPlanTest::statesTotals()
{
    QFETCH(RestartPlan, plan);
    QFETCH(QString, ending);
    const QString text = toText(plan);
    QVERIFY2(text.endsWith(ending), qPrintable(text));
}

void RestartPlanTest::statesEnd_data()
{
    QTest::addColumn<QString>("policy");
    QTest::addColumn<QString>("end");
    const auto row = [](const char *policy, const char *end) {
        QTest::newRow(end) << QString::fromLatin1(policy) << QString::fromLatin1(end);
    };
    row("{'type': 'none'}", "not restarted: the policy type is none");
    row("{'type': 'linear', 'maxRetries': 1}", "given up after 1 restart");
    row("{'type': 'linear', 'maxRetries': 1, 'rearmAfter': '1h'}",
        "given up after 1 restart; a fresh sequence begins 1h later");
    row("{'type': 'linear', 'initialDelay': '1s', 'window': {'restarts': 2, 'period': '5m'}}",
        "given up: more than 2 restarts within 5m");
    row("{'type': 'linear', 'maxRetries': 500}", "and 497 more");
    row("{'type': 'immediate', 'maxRetries': 6000, 'circuitBreaker': 'off'}",
        "and so on, up to 6000 restarts");
}

void RestartPlanTest::statesEnd()
{
    QFETCH(QString, policy);
    QTEST(RestartPlan::of({}, policyOf(policy.toLatin1().constData()), all, 3).endText(), "end");
}

void RestartPlanTest::statesThatThereAreNoRestarts()
{
    QCOMPARE(toText(planOf("none", 3)),
             QStringLiteral("none: none, no restarts\nlicense tier Enterprise permits it\n\n"
                            "         failure 1: not restarted: the policy type is none\n\n"
                            "Total: 0s from the first failure to the last\n"));
}

// The schedule is for the permitted policy type.
void RestartPlanTest::appliesTier()
{
    QCOMPARE(planOf("default", 3).tierText(), QStringLiteral("license tier Enterprise permits it"));

    const RestartPlan linear = planOf("default", 3, LicenseTier::WriterPro);
    QVERIFY(linear.isDowngraded());
    QCOMPARE(linear.tierText(),
             QStringLiteral("license tier WriterPro does not permit exponential restarts; using "
                            "linear"));
    QVERIFY(toText(linear).startsWith(QLatin1String("default: linear, 10 consecutive restarts")));
    QVERIFY(toText(planOf("systemd", 3, LicenseTier::Enterprise))
                .contains(QLatin1String("unlimited consecutive restarts, at most 4 within 10s, ")));
    QVERIFY(toText(linear).contains(QLatin1String("\n      3  3s ")));

    const RestartPlan none = planOf("default", 3, LicenseTier::Core);
    QCOMPARE(none.tierText(),
             QStringLiteral("license tier Core does not permit exponential restarts; restarts are "
                            "disabled"));
    QCOMPARE(none.endText(), QStringLiteral("not restarted: the license tier permits no restarts"));
}

void RestartPlanTest::jsonContainsTier()
{
    const QJsonObject plan =
        QJsonDocument::fromJson(toJson(planOf("default", 3, LicenseTier::WriterPro))).object();
    QCOMPARE(plan[QLatin1String("tier")].toString(), QStringLiteral("WriterPro"));
    QCOMPARE(plan[QLatin1String("requestedType")].toString(), QStringLiteral("exponential"));
    QCOMPARE(plan[QLatin1String("policy")][QLatin1String("type")].toString(),
             QStringLiteral("linear"));
}

void RestartPlanTest::jsonContainsWarnings()
{
    const RestartPolicy policy = policyOf("{'maxRetries': 3, 'circuitBreaker': {'threshold': 6}}");
    const QByteArray json = toJson(RestartPlan::of(QStringLiteral("p"), policy, all, 3));
    VERIFY_CONTAINS(json, "/circuitBreaker/threshold: warning: 6 is never reached");
}

REKINDLE_TEST(RestartPlanTest)
#include "restartplantest.moc"
