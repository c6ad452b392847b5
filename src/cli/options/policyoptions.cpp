// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "policyoptions_p.h"

#include "cli/output/messages_p.h"

#include <rekindle/config/policyargument.h>
#include <rekindle/policy/validation.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

// Each function changes the policy; returns false for an invalid text.

bool setMaxRetries(const QString &text, RestartPolicy &policy)
{
    bool isNumber = true;
    if (text == QLatin1String("unlimited"))
        policy.maxRetries.reset();
    else
        policy.maxRetries = text.toInt(&isNumber);
    return isNumber;
}

auto setDuration(Duration RestartPolicy::*member)
{
    return [member](const QString &text, RestartPolicy &policy) {
        const std::optional<Duration> value = durationFromString(text);
        policy.*member = value.value_or(Duration{0});
        return value.has_value();
    };
}

bool setMultiplier(const QString &text, RestartPolicy &policy)
{
    bool isNumber = false;
    policy.multiplier = text.toDouble(&isNumber);
    return isNumber;
}

bool setJitter(const QString &text, RestartPolicy &policy)
{
    const QStringList parts = text.split(u':');
    const auto kind = valueOf(jitterKinds, parts.front());
    const bool mayHaveRatio = kind == JitterKind::Symmetric || kind == JitterKind::Additive;
    if (!kind || parts.size() > (mayHaveRatio ? 2 : 1))
        return false;
    policy.jitter.kind = *kind;
    bool isNumber = true;
    if (parts.size() > 1)
        policy.jitter.ratio = parts[1].toDouble(&isNumber);
    return isNumber;
}

bool setCircuitBreaker(const QString &text, RestartPolicy &policy)
{
    if (text == QLatin1String("off")) {
        policy.circuitBreaker.reset();
        return true;
    }
    const QStringList parts = text.split(u':');
    CircuitBreakerPolicy breaker = policy.circuitBreaker.value_or(CircuitBreakerPolicy{});
    const std::optional<Duration> timeout =
        parts.size() > 1 ? durationFromString(parts[1]) : breaker.timeout;
    bool isNumber = false;
    breaker.threshold = parts.front().toInt(&isNumber);
    if (!isNumber || !timeout || parts.size() > 2)
        return false;
    breaker.timeout = *timeout;
    breaker.maxTimeout = std::max(breaker.maxTimeout, breaker.timeout);
    policy.circuitBreaker = breaker;
    return true;
}

constexpr char aDuration[] = "a duration such as 500ms, 5s or 1m";

} // namespace

RestartPolicy policyFromOption(const QString &argument, Messages &messages, Duration startTimeout)
{
    const Parsed<RestartPolicy> parsed = policyFromArgument(argument, startTimeout);
    if (parsed)
        return *parsed.value;
    // A policy that is not in a file is identified by the option.
    if (!parsed.file.isEmpty())
        messages.sayFaults(parsed.faults, parsed.file);
    for (const Fault &fault : parsed.file.isEmpty() ? byPlace(parsed.faults) : QList<Fault>())
        messages.say(QLatin1String("--policy: ") + fault.toString());
    throw CommandFailure{};
}

PolicyOptions::PolicyOptions(QString preset, Of of)
    : m_preset(std::move(preset))
    , m_of(of)
{
}

void PolicyOptions::add(CLI::App &parser, const Value &value)
{
    addValue(parser, value.option, value.typeName, value.description, value.expected,
             [this, value](const QString &text) {
                 m_given.push_back({value, text});
                 RestartPolicy unused;
                 return value.set(text, unused);
             })
        ->group(m_of == Of::Calls ? "Retry policy" : "Restart policy");
}

void PolicyOptions::addTo(CLI::App &parser)
{
    const bool ofCalls = m_of == Of::Calls;
    addText(parser, "--policy", m_policy,
            "Base policy: the name of a preset, a JSON file or a JSON object (default: "
                + m_preset.toStdString() + ")",
            "NAME|FILE|JSON")
        ->group(ofCalls ? "Retry policy" : "Restart policy");
    add(parser,
        {"--max-retries", "/maxRetries", "N|unlimited",
         ofCalls ? "Maximum number of retries of a call" : "Maximum number of consecutive restarts",
         "0 to 1000000 or unlimited", " or unlimited", setMaxRetries});
    add(parser,
        {"--initial-delay", "/initialDelay", "D",
         ofCalls ? "Delay before the first retry" : "Delay before the first restart", aDuration, "",
         setDuration(&RestartPolicy::initialDelay)});
    add(parser,
        {"--max-delay", "/maxDelay", "D", "Maximum delay", aDuration, "",
         setDuration(&RestartPolicy::maxDelay)});
    add(parser,
        {"--multiplier", "/multiplier", "X", "Factor by which the delay grows", "1 to 100", "",
         setMultiplier});
    add(parser,
        {"--jitter", "/jitter", "KIND[:RATIO]",
         "Random part of the delays: none, symmetric, additive, full or decorrelated",
         "none, full, decorrelated, symmetric or additive; the last two with a ratio from "
         "0 to 1 such as symmetric:0.25",
         "", setJitter});
    add(parser,
        {"--circuit-breaker", "/circuitBreaker", "THRESHOLD[:D]|off",
         ofCalls ? "Consecutive failed calls of a tool that open its breaker, and the time "
                   "it stays open"
                 : "Consecutive failures that open the breaker, and the time it stays open",
         "1 to 1000 failures with a duration such as 5:1m, or off", " or off", setCircuitBreaker});
    if (ofCalls)
        return;
    add(parser,
        {"--start-timeout", "/startTimeout", "D",
         "Time from the start of the program until it must be ready", aDuration, "",
         setDuration(&RestartPolicy::startTimeout)});
    add(parser,
        {"--stable-after", "/stableAfter", "D",
         "How long the program must stay ready to end a sequence of failures", aDuration, "",
         setDuration(&RestartPolicy::stableAfter)});
}

RestartPolicy PolicyOptions::resolve(bool readyAtOnce, Messages &messages) const
{
    RestartPolicy policy =
        policyFromOption(m_policy.isNull() ? m_preset : m_policy, messages, m_startTimeout);
    for (const auto &[value, text] : m_given)
        value.set(text, policy);
    const QList<Fault> faults = validate(policy, readyAtOnce);
    for (const Fault &fault : faults) {
        if (fault.isError())
            messages.say(describe(fault, policy));
    }
    if (hasErrors(faults))
        throw CommandFailure{m_given.empty() ? ExitCode::configuration : ExitCode::usage};
    return policy;
}

QString PolicyOptions::file() const
{
    return m_policy.isNull() ? QString() : policyFromArgument(m_policy).file;
}

// Names the option instead of the JSON pointer if the value came from an option.
QString PolicyOptions::describe(const Fault &fault, const RestartPolicy &policy) const
{
    const auto isGiven = [this](const char *option) {
        return std::any_of(m_given.begin(), m_given.end(),
                           [option](const Given &given) { return given.value.option == option; });
    };
    if (fault.path == QLatin1String("/maxDelay") && isGiven("--initial-delay")
        && !isGiven("--max-delay")) {
        return QStringLiteral(
                   "--initial-delay: expected 0s to %2 (the policy's maxDelay), found %1; "
                   "set a larger --max-delay")
            .arg(durationToString(policy.initialDelay), durationToString(policy.maxDelay));
    }
    for (const Given &given : m_given) {
        const QString pointer = QString::fromStdString(given.value.pointer);
        if (!fault.path.startsWith(pointer))
            continue;
        QString text = QString::fromStdString(given.value.option) + QLatin1String(": ");
        if (const QString rest = fault.path.mid(pointer.size() + 1); !rest.isEmpty())
            text += rest + QLatin1String(": ");
        QString message = fault.message; // "expected X, found Y"
        if (const qsizetype end = message.lastIndexOf(QLatin1String(", found ")); end >= 0)
            message.insert(end, QString::fromStdString(given.value.alsoPermitted));
        return text + message;
    }
    return QLatin1String("policy: ") + fault.toString();
}

} // namespace Rekindle
