// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "policyjson_p.h"

#include "json/jsonobjectreader.h"
#include "json/jsonparser.h"
#include "policynames_p.h"

#include <rekindle/policy/policyjson.h>

#include <algorithm>

namespace Rekindle {

namespace {

constexpr auto off = u"off";
constexpr Duration longestTimeout = std::chrono::days(7);

void readMaxRetries(JsonObjectReader &object, RestartPolicy &policy)
{
    const std::optional<JsonPlace> place = object.member(QStringLiteral("maxRetries"));
    if (!place)
        return;
    if (place->isText(u"unlimited"))
        policy.maxRetries = std::nullopt;
    else if (const auto found = place->integer(0, 1'000'000, QStringLiteral(" or \"unlimited\"")))
        policy.maxRetries = found;
}

// An object, or "off" in its stead: then the place is absent here.
std::optional<JsonPlace> objectOrOff(JsonObjectReader &object, const QString &key, bool &isOff)
{
    std::optional<JsonPlace> place = object.member(key);
    isOff = place && place->isText(off);
    if (!place || isOff)
        return {};
    if (!place->isObject()) {
        place->mismatch(QStringLiteral("an object or \"off\""));
        return {};
    }
    return place;
}

void readWindow(JsonObjectReader &object, RestartPolicy &policy)
{
    bool isOff = false;
    const auto place = objectOrOff(object, QStringLiteral("window"), isOff);
    if (!place)
        return;
    RestartWindow window;
    JsonObjectReader reader(*place);
    if (const auto restarts = reader.required(QStringLiteral("restarts")))
        window.restarts = restarts->integer(1, 10'000).value_or(window.restarts);
    if (const auto period = reader.required(QStringLiteral("period")))
        window.period = period->duration().value_or(window.period);
    reader.finish();
    policy.window = window;
}

void readSteps(JsonObjectReader &object, RestartPolicy &policy)
{
    const std::optional<JsonPlace> place = object.member(QStringLiteral("steps"));
    const auto items = place ? place->items() : std::nullopt;
    if (!items)
        return;
    if (policy.effectiveType() != RestartPolicyType::Stepped) {
        place->warn(QStringLiteral("without a use: they are for type \"stepped\", found \"%1\"")
                        .arg(toText(policy.effectiveType())));
    }
    for (const JsonPlace &item : *items) {
        // A faulty one keeps its place in the list, so that later ones keep their pointers.
        policy.steps.append(item.duration().value_or(Duration::zero()));
    }
}

void readJitter(JsonObjectReader &object, Jitter &jitter)
{
    const std::optional<JsonPlace> place = object.member(QStringLiteral("jitter"));
    if (!place)
        return;
    JsonObjectReader reader(*place);
    reader.read(QStringLiteral("kind"), jitter.kind, jitterKinds);
    reader.read(QStringLiteral("ratio"), jitter.ratio);
    reader.read(QStringLiteral("withinMax"), jitter.withinMax);
    reader.finish();
}

void readBreaker(JsonObjectReader &object, RestartPolicy &policy)
{
    bool isOff = false;
    const auto place = objectOrOff(object, QStringLiteral("circuitBreaker"), isOff);
    if (isOff)
        policy.circuitBreaker = std::nullopt;
    if (!place)
        return;
    CircuitBreakerPolicy breaker;
    JsonObjectReader reader(*place);
    reader.read(QStringLiteral("threshold"), breaker.threshold, 1, 1000);
    reader.read(QStringLiteral("timeout"), breaker.timeout);
    reader.read(QStringLiteral("growth"), breaker.growth);
    // What nobody wrote must not contradict what somebody did.
    breaker.maxTimeout = std::clamp<Duration>(breaker.timeout, breaker.maxTimeout, longestTimeout);
    reader.read(QStringLiteral("maxTimeout"), breaker.maxTimeout);
    reader.finish();
    policy.circuitBreaker = breaker;
}

void readPermanent(JsonObjectReader &object, RestartPolicy &policy)
{
    const std::optional<JsonPlace> place = object.member(QStringLiteral("permanent"));
    const auto items = place ? place->items() : std::nullopt;
    if (!items)
        return;
    policy.permanentExitCodes.clear();
    policy.permanentReasons.clear();
    for (const JsonPlace &item : *items) {
        if (item.isString()) {
            if (const auto reason = item.choice(failureReasons))
                policy.permanentReasons.append(*reason);
        } else if (item.isNumber()) {
            const QString but = QStringLiteral(" but for 42, which asks for a restart");
            const std::optional<int> code = item.integer(1, 255, but);
            if (code == 42)
                item.mismatch(QStringLiteral("a whole number, 1 to 255") + but);
            else if (code)
                policy.permanentExitCodes.append(*code);
        } else {
            item.mismatch(QStringLiteral("an exit code or the name of a failure reason"));
        }
    }
}

void readRearm(JsonObjectReader &object, RestartPolicy &policy)
{
    const std::optional<JsonPlace> place = object.member(QStringLiteral("rearmAfter"));
    if (place && !place->isText(off))
        policy.rearmAfter = place->duration();
}

void readEvaluator(JsonObjectReader &object, RestartPolicy &policy)
{
    const std::optional<JsonPlace> place = object.member(QStringLiteral("evaluator"));
    if (!place)
        return;
    EvaluatorReference evaluator;
    JsonObjectReader reader(*place);
    if (const auto id = reader.required(QStringLiteral("id")))
        evaluator.id = id->textNotEmpty().value_or(QStringLiteral("?"));
    if (const auto parameters = reader.member(QStringLiteral("parameters"));
        parameters && parameters->wantObject())
        evaluator.parameters = parameters->node().toJsonValue().toObject();
    reader.read(QStringLiteral("base"), evaluator.base, baseTypes);
    reader.read(QStringLiteral("mode"), evaluator.shadow, evaluatorModes);
    reader.finish();
    policy.evaluator = evaluator;
}

void readDelays(JsonObjectReader &object, RestartPolicy &policy)
{
    object.read(QStringLiteral("immediateFirst"), policy.immediateFirst);
    object.read(QStringLiteral("initialDelay"), policy.initialDelay);
    object.read(QStringLiteral("multiplier"), policy.multiplier);
    readSteps(object, policy);
    // The default of a stepped policy is its own largest step, so that none is cut off. A step
    // that is out of range is reported as a step, not here.
    if (policy.effectiveType() == RestartPolicyType::Stepped && !policy.steps.isEmpty()) {
        const Duration largest = *std::max_element(policy.steps.begin(), policy.steps.end());
        policy.maxDelay = std::min<Duration>(largest, std::chrono::days(7));
    }
    object.read(QStringLiteral("maxDelay"), policy.maxDelay);
    readJitter(object, policy.jitter);
    object.read(QStringLiteral("stableAfter"), policy.stableAfter);
    object.read(QStringLiteral("startTimeout"), policy.startTimeout);
    object.read(QStringLiteral("minInterval"), policy.minInterval);
    object.read(QStringLiteral("requestedDelay"), policy.requestedDelay);
}

// Validation knows pointers within the policy; here they get their places in the text.
void addFindings(const JsonPlace &place, const RestartPolicy &policy)
{
    const bool hasBreaker = place.node().member(u"circuitBreaker") != nullptr;
    for (Fault fault : validate(policy)) {
        // What nobody wrote, nobody has meant.
        if (!fault.isError() && !hasBreaker
            && fault.path == QLatin1String("/circuitBreaker/threshold"))
            continue;
        const JsonNode &node = place.node().nearest(fault.path);
        fault.path.prepend(place.pointer());
        if (!place.faults().hasErrorAt(fault.path))
            place.faults().add(fault, node.position);
    }
}

} // namespace

RestartPolicy readPolicy(const JsonPlace &place)
{
    RestartPolicy policy;
    if (!place.wantObject())
        return policy;
    JsonObjectReader object(place);
    object.read(QStringLiteral("type"), policy.type, policyTypes);
    readMaxRetries(object, policy);
    readWindow(object, policy);
    object.read(QStringLiteral("restartOn"), policy.restartOn, restartOnNames);
    readEvaluator(object, policy);
    readDelays(object, policy);
    readBreaker(object, policy);
    readPermanent(object, policy);
    readRearm(object, policy);
    object.finish();
    addFindings(place, policy);
    return policy;
}

Parsed<RestartPolicy> restartPolicyFromJson(const QByteArray &json)
{
    Parsed<JsonNode> parsed = parseJson(json);
    if (!parsed) {
        Parsed<RestartPolicy> failed;
        failed.faults = std::move(parsed.faults);
        return failed;
    }
    JsonFaults faults;
    return faults.result(readPolicy(JsonPlace(*parsed.value, {}, faults)));
}

} // namespace Rekindle
