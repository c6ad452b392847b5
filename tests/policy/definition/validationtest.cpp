// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"
#include "testrow.h"

#include <rekindle/policy/restartpolicy.h>
#include <rekindle/policy/validation.h>

#include <functional>
#include <limits>

using namespace Rekindle;
using namespace std::chrono_literals;

using Change = std::function<void(RestartPolicy &)>;
Q_DECLARE_METATYPE(Change)

namespace {
constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr Duration oneDay = 24h;
} // namespace

class ValidationTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void defaultsHaveNoFaults();
    void faults_data();
    void faults();
    void acceptsLimits_data();
    void acceptsLimits();
    void reportsAllFaultsAtOnce();
    void rejectsStableAfterZeroIfReadyAtOnce();
    void messagesNameThePermittedRange();
    void formatsFaults();
};

void ValidationTest::defaultsHaveNoFaults()
{
    QCOMPARE(validate(RestartPolicy{}), QList<Fault>{});
    QCOMPARE(validate(RestartPolicy{}, true), QList<Fault>{});
}

void ValidationTest::faults_data()
{
    QTest::addColumn<Change>("change");
    QTest::addColumn<QString>("path");
    QTest::addColumn<bool>("isError");
    const auto row = [](const char *name, const char *path, const Change &change) {
        QTest::newRow(name) << change << QString::fromLatin1(path) << true;
    };
    const auto warning = [](const char *name, const char *path, const Change &change) {
        QTest::newRow(name) << change << QString::fromLatin1(path) << false;
    };
    // Each kind of range; policyfieldstest compares the ranges themselves with the schema.
    row("negative maxRetries", "/maxRetries", [](auto &p) { p.maxRetries = -1; });
    row("too many retries", "/maxRetries", [](auto &p) { p.maxRetries = 1'000'001; });
    row("window without restarts", "/window/restarts", [](auto &p) { p.window = {0, 1s}; });
    row("window too long", "/window/period", [](auto &p) { p.window = {1, 8 * oneDay}; });
    row("initialDelay below 0", "/initialDelay", [](auto &p) { p.initialDelay = -1ns; });
    row("initialDelay too long", "/initialDelay", [](auto &p) {
        p.initialDelay = oneDay + 1ns;
        p.maxDelay = 2 * oneDay;
    });
    row("multiplier NaN", "/multiplier", [](auto &p) { p.multiplier = notANumber; });
    row("multiplier infinite", "/multiplier", [](auto &p) { p.multiplier = infinity; });
    row("maxDelay below initialDelay", "/maxDelay", [](auto &p) { p.maxDelay = 500ms; });
    row("no steps", "/steps", [](auto &p) { p.type = RestartPolicyType::Stepped; });
    row("too many steps", "/steps", [](auto &p) { p.steps = QList<Duration>(1001, 1s); });
    row("step below 0", "/steps/1", [](auto &p) { p.steps = {1s, -1s}; });
    row("ratio above 1", "/jitter/ratio", [](auto &p) { p.jitter.ratio = 1.1; });
    row("no startTimeout", "/startTimeout", [](auto &p) { p.startTimeout = 0s; });
    row("threshold 1001", "/circuitBreaker/threshold",
        [](auto &p) { p.circuitBreaker->threshold = 1001; });
    row("growth NaN", "/circuitBreaker/growth",
        [](auto &p) { p.circuitBreaker->growth = notANumber; });
    row("maxTimeout below timeout", "/circuitBreaker/maxTimeout",
        [](auto &p) { p.circuitBreaker->maxTimeout = 1min; });
    row("permanent 0", "/permanent/0", [](auto &p) { p.permanentExitCodes = {0}; });
    row("permanent 42", "/permanent/1", [](auto &p) { p.permanentExitCodes = {1, 42}; });
    row("permanent 256", "/permanent/0", [](auto &p) { p.permanentExitCodes = {256}; });
    row("no request permitted", "/requestLimit/count", [](auto &p) { p.requestLimit.count = 0; });
    row("healthWindow below 0", "/healthWindow", [](auto &p) { p.healthWindow = -1ns; });
    row("stopTimeout too long", "/stopTimeout", [](auto &p) { p.stopTimeout = 1h + 1ns; });
    row("rearmAfter 0", "/rearmAfter", [](auto &p) { p.rearmAfter = 0s; });
    row("custom without evaluator", "/evaluator",
        [](auto &p) { p.type = RestartPolicyType::Custom; });
    row("evaluator without custom", "/evaluator",
        [](auto &p) { p.evaluator = EvaluatorReference{QStringLiteral("id"), {}}; });
    row("evaluator without id", "/evaluator/id", [](auto &p) {
        p.type = RestartPolicyType::Custom;
        p.evaluator = EvaluatorReference{};
    });
    row("custom base of an evaluator", "/evaluator/base", [](auto &p) {
        p.type = RestartPolicyType::Custom;
        p.evaluator = EvaluatorReference{QStringLiteral("id"), {}, RestartPolicyType::Custom};
    });
    row("stepped base without steps", "/steps", [](auto &p) {
        p.type = RestartPolicyType::Custom;
        p.evaluator = EvaluatorReference{QStringLiteral("id"), {}, RestartPolicyType::Stepped};
    });
    warning("threshold never reached", "/circuitBreaker/threshold",
            [](auto &p) { p.maxRetries = 3, p.circuitBreaker->threshold = 6; });
    warning("stableAfter outlasts the window", "/stableAfter",
            [](auto &p) { p.window = {5, 10s}; });
    warning("stableAfter outlasts crash periods", "/stableAfter",
            [](auto &p) { p.stableAfter = 1h; });
    warning("no delay and no limit", "/type", [](auto &p) {
        p.type = RestartPolicyType::Immediate;
        p.maxRetries.reset();
        p.circuitBreaker.reset();
    });
}

void ValidationTest::faults()
{
    QFETCH(Change, change);
    QFETCH(QString, path);
    QFETCH(bool, isError);
    RestartPolicy policy;
    change(policy);
    const QList<Fault> faults = validate(policy);
    QCOMPARE(faults.size(), 1);
    QCOMPARE(faults.first().path, path);
    QCOMPARE(faults.first().isError(), isError);
    QCOMPARE(hasErrors(faults), isError);
    QVERIFY(!faults.first().message.isEmpty());
}

void ValidationTest::acceptsLimits_data()
{
    const Rows<Change> row("change");
    row("least", [](auto &p) {
        p.maxRetries = 0;
        p.window = {1, 1ms};
        p.initialDelay = p.maxDelay = 0s;
        p.multiplier = 1.0;
        p.jitter.ratio = 0;
        p.stableAfter = 0s;
        p.startTimeout = 1ms;
        p.permanentExitCodes = {1};
        p.rearmAfter = 1ms;
        p.requestLimit = {1, 1ms};
        p.healthWindow = 0s;
        p.stopTimeout = 0s;
        p.circuitBreaker = CircuitBreakerPolicy{1, 1ms, 1.0, 1ms};
    });
    row("greatest", [](auto &p) {
        p.maxRetries = 1'000'000;
        p.window = {10'000, 7 * oneDay};
        p.initialDelay = p.stableAfter = p.startTimeout = p.minInterval = p.requestedDelay = oneDay;
        p.maxDelay = 7 * oneDay;
        p.multiplier = 100.0;
        p.jitter.ratio = 1;
        p.permanentExitCodes = {255};
        p.rearmAfter = 7 * oneDay;
        p.requestLimit = {1000, 7 * oneDay};
        p.healthWindow = oneDay;
        p.stopTimeout = 1h;
        p.circuitBreaker = CircuitBreakerPolicy{1000, 7 * oneDay, 100.0, 7 * oneDay};
    });
    row("unlimited", [](auto &p) { p.maxRetries.reset(); });
    row("breaker off", [](auto &p) { p.circuitBreaker.reset(); });
    row("steps below initialDelay", [](auto &p) {
        p.type = RestartPolicyType::Stepped;
        p.steps = {10ms, 20ms};
        p.maxDelay = 20ms;
    });
    row("an evaluator's steps below initialDelay", [](auto &p) {
        p.type = RestartPolicyType::Custom;
        p.evaluator = EvaluatorReference{QStringLiteral("id"), {}, RestartPolicyType::Stepped};
        p.steps = {10ms, 20ms};
        p.maxDelay = 20ms;
    });
}

void ValidationTest::acceptsLimits()
{
    QFETCH(Change, change);
    RestartPolicy policy;
    change(policy);
    for (const Fault &fault : validate(policy))
        QVERIFY2(!fault.isError(), qPrintable(fault.toString()));
}

void ValidationTest::reportsAllFaultsAtOnce()
{
    RestartPolicy policy;
    policy.maxRetries = -1;
    policy.multiplier = notANumber;
    policy.jitter.ratio = 2;
    policy.maxDelay = 1ms;
    policy.circuitBreaker->threshold = 0;
    QStringList paths;
    for (const Fault &fault : validate(policy))
        paths << fault.path;
    paths.sort();
    QCOMPARE(paths,
             QStringList({QStringLiteral("/circuitBreaker/threshold"),
                          QStringLiteral("/jitter/ratio"), QStringLiteral("/maxDelay"),
                          QStringLiteral("/maxRetries"), QStringLiteral("/multiplier")}));
}

void ValidationTest::rejectsStableAfterZeroIfReadyAtOnce()
{
    RestartPolicy policy;
    policy.stableAfter = 0s;
    QVERIFY(!hasErrors(validate(policy, false)));
    const QList<Fault> faults = validate(policy, true);
    QCOMPARE(faults.size(), 1);
    QCOMPARE(faults.first().path, QStringLiteral("/stableAfter"));
}

void ValidationTest::messagesNameThePermittedRange()
{
    RestartPolicy policy;
    policy.multiplier = 0.5;
    QCOMPARE(validate(policy).first().message, QStringLiteral("expected 1 to 100, found 0.5"));
    policy = {};
    policy.stableAfter = 36h;
    QCOMPARE(validate(policy).first().message, QStringLiteral("expected 0s to 1d, found 36h"));
}

void ValidationTest::formatsFaults()
{
    Fault fault{QStringLiteral("/maxRetries"), QStringLiteral("found -1"), Fault::Severity::Error,
                3, 7};
    QCOMPARE(fault.toString(QStringLiteral("a.json")),
             QStringLiteral("a.json:3:7: /maxRetries: found -1"));
    QCOMPARE(fault.toString(), QStringLiteral("3:7: /maxRetries: found -1"));
    fault.line = fault.column = 0;
    QCOMPARE(fault.toString(QStringLiteral("a.json")),
             QStringLiteral("a.json: /maxRetries: found -1"));
    fault.severity = Fault::Severity::Warning;
    QCOMPARE(fault.toString(), QStringLiteral("/maxRetries: warning: found -1"));
    fault.path.clear();
    QCOMPARE(fault.toString(), QStringLiteral("warning: found -1"));
}

REKINDLE_TEST(ValidationTest)
#include "validationtest.moc"
