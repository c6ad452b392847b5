// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"
#include "testrow.h"

#include <rekindle/policy/policyjson.h>

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

QJsonObject object(const QByteArray &json) { return QJsonDocument::fromJson(json).object(); }

RestartPolicy everythingSet()
{
    RestartPolicy policy;
    policy.type = RestartPolicyType::Custom;
    policy.maxRetries = std::nullopt;
    policy.window = RestartWindow{3, 90s};
    policy.restartOn = RestartOn::Always;
    policy.immediateFirst = true;
    policy.initialDelay = 1500us;
    policy.multiplier = 1.1;
    policy.maxDelay = 49h;
    policy.steps = {0s, 250ms, 1h};
    policy.jitter = {JitterKind::Decorrelated, 0.123456789, false};
    policy.stableAfter = 0s;
    policy.startTimeout = 1ms;
    policy.minInterval = 1s;
    policy.requestedDelay = 500ms;
    policy.requestLimit = {60, 90s};
    policy.stopTimeout = 3s;
    policy.healthWindow = 2min;
    policy.circuitBreaker = CircuitBreakerPolicy{7, 61s, 1.5, 2h};
    policy.permanentExitCodes = {1, 255};
    policy.permanentReasons = {FailureReason::Timeout, FailureReason::Unknown};
    policy.rearmAfter = 24h * 7;
    policy.evaluator = EvaluatorReference{
        QStringLiteral("org.example.quiet"),
        QJsonObject{{QStringLiteral("from"), QStringLiteral("22:00\n\u00e4")},
                    {QStringLiteral("big"), 9007199254740993LL},
                    {QStringLiteral("list"), QJsonArray{1.5, true, QJsonValue::Null}}},
        RestartPolicyType::Stepped, true};
    return policy;
}

} // namespace

class PolicyJsonTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void missingKeysHaveDefaults();
    void readsEveryKey();
    void writtenPoliciesReadBack_data();
    void writtenPoliciesReadBack();
    void steppedMaxDelayDefaultsToTheLargestStep();
    void maxTimeoutDefaultIsAtLeastTheTimeout();
    void faults_data();
    void faults();
    void warningsKeepThePolicyUsable();
    void writesDecision();
};

void PolicyJsonTest::missingKeysHaveDefaults()
{
    const Parsed<RestartPolicy> parsed = restartPolicyFromJson("{}");
    QVERIFY(parsed);
    QCOMPARE(*parsed.value, RestartPolicy{});
    QVERIFY(parsed.warnings.isEmpty());
}

void PolicyJsonTest::readsEveryKey()
{
    const Parsed<RestartPolicy> parsed = restartPolicyFromJson(R"({
        "type": "custom", "maxRetries": "unlimited",
        "window": { "restarts": 3, "period": "90s" }, "restartOn": "always",
        "immediateFirst": true, "initialDelay": "1.5ms", "multiplier": 1.1, "maxDelay": "49h",
        "steps": ["0s", "250ms", "1h"],
        "jitter": { "kind": "decorrelated", "ratio": 0.123456789, "withinMax": false },
        "stableAfter": "0s", "startTimeout": "1ms", "minInterval": "1s", "requestedDelay": "500ms",
        "requestLimit": { "count": 60, "period": "90s" }, "stopTimeout": "3s",
        "healthWindow": "2m",
        "circuitBreaker": { "threshold": 7, "timeout": "61s", "growth": 1.5, "maxTimeout": "2h" },
        "permanent": [1, "Timeout", 255, "Unknown"], "rearmAfter": "7d",
        "evaluator": { "id": "org.example.quiet", "base": "stepped", "mode": "shadow",
            "parameters": { "from": "22:00\n\u00e4", "big": 9007199254740993,
                            "list": [1.5, true, null] } } })");
    QVERIFY2(parsed, qPrintable(parsed.messages().join(u'\n')));
    QCOMPARE(*parsed.value, everythingSet());

    const Parsed<RestartPolicy> off = restartPolicyFromJson(
        R"({"window": "off", "circuitBreaker": "off", "rearmAfter": "off", "permanent": [],
            "stopTimeout": "default"})");
    QVERIFY(off);
    QVERIFY(!off.value->stopTimeout);
    QVERIFY(!off.value->window && !off.value->circuitBreaker && !off.value->rearmAfter);
    QVERIFY(off.value->permanentExitCodes.isEmpty() && off.value->permanentReasons.isEmpty());
}

void PolicyJsonTest::writtenPoliciesReadBack_data()
{
    const Rows<RestartPolicy> row("policy");
    row("default", RestartPolicy{});
    row("everything set", everythingSet());
    RestartPolicy policy;
    policy.circuitBreaker = std::nullopt;
    policy.permanentExitCodes.clear();
    policy.maxRetries = 0;
    row("everything off", policy);
    policy.type = RestartPolicyType::Stepped;
    policy.steps = {5s, 10s};
    policy.maxDelay = 7s;
    row("stepped with maxDelay", policy);
}

void PolicyJsonTest::writtenPoliciesReadBack()
{
    QFETCH(const RestartPolicy, policy);
    const Parsed<RestartPolicy> parsed = restartPolicyFromJson(toJson(policy));
    QVERIFY2(parsed, qPrintable(parsed.messages().join(u'\n')));
    QCOMPARE(*parsed.value, policy);
}

void PolicyJsonTest::steppedMaxDelayDefaultsToTheLargestStep()
{
    const auto maximum = [](const QByteArray &json) {
        return restartPolicyFromJson(json).value.value_or(RestartPolicy{}).maxDelay;
    };
    QCOMPARE(maximum(R"({"type": "stepped", "steps": ["1s", "2h", "5m"]})"), Duration(2h));
    QCOMPARE(maximum(R"({"type": "stepped", "steps": ["100ms"]})"), Duration(100ms));
    QCOMPARE(maximum(R"({"type": "stepped", "steps": ["2h"], "maxDelay": "1h"})"), Duration(1h));
    QCOMPARE(maximum(R"({"type": "linear", "steps": ["2h"]})"), Duration(60s));
}

void PolicyJsonTest::maxTimeoutDefaultIsAtLeastTheTimeout()
{
    const auto maximum = [](const QByteArray &json) {
        const Parsed<RestartPolicy> parsed = restartPolicyFromJson(json);
        return parsed ? parsed.value->circuitBreaker->maxTimeout : Duration{0};
    };
    QCOMPARE(maximum(R"({"circuitBreaker": {"timeout": "2h"}})"), Duration(2h));
    QCOMPARE(maximum(R"({"circuitBreaker": {"timeout": "7d"}})"), Duration(7 * 24h));
    QCOMPARE(maximum(R"({"circuitBreaker": {"timeout": "5m"}})"), Duration(1h));
    QCOMPARE(maximum(R"({"circuitBreaker": {"timeout": "5m", "maxTimeout": "10m"}})"),
             Duration(10min));
}

void PolicyJsonTest::faults_data()
{
    const Rows<QByteArray, QString> row("json", "expected");
    row("no JSON", "{",
        "1:2: expected a name in double quotes or \"}\", found the end of the text");
    row("no object", "[]", "1:1: expected an object, found an array");
    row("unknown key", "{\n \"maxRetrys\": 1}",
        "2:2: /maxRetrys: unknown key; did you mean \"maxRetries\"?");
    row("description", R"({"type": "none", "colour": 1})",
        "1:18: /colour: unknown key; expected one of type, maxRetries, window, restartOn, "
        "immediateFirst, initialDelay, multiplier, maxDelay, steps, jitter, stableAfter, "
        "healthWindow, startTimeout, minInterval, requestedDelay, requestLimit, stopTimeout, "
        "circuitBreaker, permanent, rearmAfter, evaluator");
    row("type", R"({"type": "exponentially"})",
        "1:10: /type: expected one of none, immediate, linear, exponential, stepped, custom, found "
        "\"exponentially\"; did you mean \"exponential\"?");
    row("type null", R"({"type": null})",
        "1:10: /type: expected one of none, immediate, linear, exponential, stepped, custom, found "
        "null");
    row("retries", R"({"maxRetries": -1})",
        "1:16: /maxRetries: expected a whole number from 0 to 1000000 or \"unlimited\", found -1");
    row("infinite retries", R"({"maxRetries": "infinite"})",
        "1:16: /maxRetries: expected a whole number from 0 to 1000000 or \"unlimited\", found "
        "\"infinite\"");
    row("window", R"({"window": {"restarts": 0, "period": 5, "extra": 1}})",
        "1:25: /window/restarts: expected a whole number from 1 to 10000, found 0\n"
        "1:38: /window/period: expected a text with a unit, such as \"500ms\", found 5\n"
        "1:41: /window/extra: unknown key; expected one of restarts, period");
    row("window without", R"({"window": {}})",
        "1:12: /window/restarts: missing\n1:12: /window/period: missing");
    row("request limit", R"({"requestLimit": {"count": 0, "period": "0s", "extra": 1}})",
        "1:28: /requestLimit/count: expected a whole number from 1 to 1000, found 0\n"
        "1:41: /requestLimit/period: expected 1ms to 7d, found 0s\n"
        "1:47: /requestLimit/extra: unknown key; expected one of count, period");
    row("maxDelay below initialDelay", R"({"initialDelay": "10s", "maxDelay": "5s"})",
        "1:37: /maxDelay: expected 10s (initialDelay) to 7d, found 5s");
    row("stepped without steps", "{\n\"type\": \"stepped\"}",
        "1:1: /steps: expected at least one delay for type \"stepped\", found none");
    row("steps", R"({"type": "stepped", "steps": ["1s", 2, "8d"]})",
        "1:37: /steps/1: expected a text with a unit, such as \"500ms\", found 2\n"
        "1:40: /steps/2: expected 0s to 7d, found 8d");
    row("jitter", R"({"jitter": {"kind": "fulll", "ratio": 1.5, "withinMax": "yes"}})",
        "1:21: /jitter/kind: expected one of none, symmetric, additive, full, decorrelated, found "
        "\"fulll\"; did you mean \"full\"?\n"
        "1:39: /jitter/ratio: expected 0 to 1, found 1.5\n"
        "1:57: /jitter/withinMax: expected true or false, found \"yes\"");
    row("timeouts",
        R"({"stableAfter": "25h", "startTimeout": "0s", "minInterval": 1, "requestedDelay": "-1s"})",
        "1:17: /stableAfter: expected 0s to 1d, found 25h\n"
        "1:40: /startTimeout: expected 1ms to 1d, found 0s\n"
        "1:61: /minInterval: expected a text with a unit, such as \"500ms\", found 1\n"
        "1:82: /requestedDelay: expected a duration such as \"500ms\", \"1.5s\", \"5m\", \"1h\" or "
        "\"7d\", found \"-1s\"");
    row("timeout above maxTimeout", R"({"circuitBreaker": {"timeout": "2h", "maxTimeout": "90m"}})",
        "1:52: /circuitBreaker/maxTimeout: expected 2h (timeout) to 7d, found 90m");
    row("permanent", R"({"permanent": [0, 42, 256, 1.5, "Boom", null]})",
        "1:16: /permanent/0: expected a whole number from 1 to 255 except 42, which requests a "
        "restart, found 0\n"
        "1:19: /permanent/1: expected a whole number from 1 to 255 except 42, which requests a "
        "restart, found 42\n"
        "1:23: /permanent/2: expected a whole number from 1 to 255 except 42, which requests a "
        "restart, found 256\n"
        "1:28: /permanent/3: expected a whole number from 1 to 255 except 42, which requests a "
        "restart, found 1.5\n"
        "1:33: /permanent/4: expected one of UnhandledException, HealthCheckFailed, "
        "InitializationFailed, Timeout, ResourceExhaustion, DependencyFailure, ProcessCrash, "
        "Unknown, found \"Boom\"\n"
        "1:41: /permanent/5: expected an exit code or the name of a failure reason, found null");
    row("custom alone", R"({"type": "custom"})",
        "1:1: /evaluator: missing; type \"custom\" requires an evaluator");
    row("evaluator alone", R"({"evaluator": {"id": "x"}})",
        "1:15: /evaluator: expected only with type \"custom\", found with type \"exponential\"");
    row("evaluator",
        R"({"type": "custom", "evaluator": {"parameters": 1, "base": "custom", "mode": "off"}})",
        "1:33: /evaluator/id: missing\n"
        "1:48: /evaluator/parameters: expected an object, found 1\n"
        "1:59: /evaluator/base: expected one of none, immediate, linear, exponential, stepped, "
        "found \"custom\"\n"
        "1:77: /evaluator/mode: expected one of active, shadow, found \"off\"");
    row("evaluator's id", R"({"type": "custom", "evaluator": {"id": ""}})",
        "1:40: /evaluator/id: expected a non-empty string, found \"\"");
}

void PolicyJsonTest::faults()
{
    QFETCH(const QByteArray, json);
    QFETCH(const QString, expected);
    const Parsed<RestartPolicy> parsed = restartPolicyFromJson(json);
    QVERIFY(!parsed);
    QCOMPARE(parsed.messages().join(u'\n'), expected);
}

void PolicyJsonTest::warningsKeepThePolicyUsable()
{
    const Parsed<RestartPolicy> parsed =
        restartPolicyFromJson("{\"maxRetries\": 3,\n \"circuitBreaker\": {\"threshold\": 9}}");
    QVERIFY(parsed);
    QCOMPARE(parsed.warnings.size(), 1);
    const QString line = parsed.messages().front();
    QVERIFY2(
        line.startsWith(QStringLiteral("2:34: /circuitBreaker/threshold: warning: 9 is never")),
        qPrintable(line));
}

void PolicyJsonTest::writesDecision()
{
    RestartDecision decision = RestartDecision::restart(2500us, 3, true);
    decision.restartAt = Instant(7ns);
    decision.inputs.maxRetries = std::nullopt;
    const QJsonObject written = object(toJson(decision));
    QCOMPARE(written[u"shouldRestart"], QJsonValue(true));
    QCOMPARE(written[u"delayMs"], QJsonValue(2.5));
    QCOMPARE(written[u"rule"], QJsonValue(QStringLiteral("Restart")));
    QCOMPARE(written[u"reason"], QJsonValue(decision.reason()));
    QCOMPARE(written[u"attemptNumber"], QJsonValue(3));
    QCOMPARE(written[u"isFinalAttempt"], QJsonValue(true));
    QCOMPARE(written[u"restartAtMonoNs"], QJsonValue(7));
    QCOMPARE(written[u"inputs"][u"maxRetries"], QJsonValue(QStringLiteral("unlimited")));

    const std::pair<DecisionRule, QString> rules[] = {
        {DecisionRule::PolicyNone, QStringLiteral("PolicyNone")},
        {DecisionRule::PermanentFailure, QStringLiteral("PermanentFailure")},
        {DecisionRule::AttemptsExhausted, QStringLiteral("AttemptsExhausted")},
        {DecisionRule::WindowExhausted, QStringLiteral("WindowExhausted")},
        {DecisionRule::CircuitOpen, QStringLiteral("CircuitOpen")},
        {DecisionRule::EvaluatorRefused, QStringLiteral("EvaluatorRefused")}};
    for (const auto &[rule, name] : rules)
        QCOMPARE(object(toJson(RestartDecision::noRestart(rule)))[u"rule"], QJsonValue(name));
}

REKINDLE_TEST(PolicyJsonTest)
#include "policyjsontest.moc"
