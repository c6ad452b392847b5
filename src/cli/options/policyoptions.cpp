// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "policyoptions_p.h"

#include "cli/output/exitcode_p.h"
#include "cli/output/messages_p.h"
#include "optiontypes_p.h"

#include <rekindle/config/policyargument.h>
#include <rekindle/policy/validation.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

using Change = std::function<void(RestartPolicy &)>;

// Each function returns an empty change for an invalid text.

Change maxRetries(const QString &text)
{
    if (text == QLatin1String("unlimited"))
        return [](RestartPolicy &policy) { policy.maxRetries.reset(); };
    bool isNumber = false;
    const int most = text.toInt(&isNumber);
    if (!isNumber)
        return {};
    return [most](RestartPolicy &policy) { policy.maxRetries = most; };
}

Change duration(const QString &text, Duration RestartPolicy::*member)
{
    const std::optional<Duration> value = durationFromString(text);
    if (!value)
        return {};
    return [value, member](RestartPolicy &policy) { policy.*member = *value; };
}

Change multiplier(const QString &text)
{
    bool isNumber = false;
    const double value = text.toDouble(&isNumber);
    if (!isNumber)
        return {};
    return [value](RestartPolicy &policy) { policy.multiplier = value; };
}

Change jitter(const QString &text)
{
    const qsizetype colon = text.indexOf(u':');
    const auto kind = valueOf(jitterKinds, QStringView(text).left(colon < 0 ? text.size() : colon));
    bool isNumber = true;
    std::optional<double> ratio;
    if (colon >= 0)
        ratio = QStringView(text).mid(colon + 1).toDouble(&isNumber);
    const bool hasRatio = kind == JitterKind::Symmetric || kind == JitterKind::Additive;
    if (!kind || !isNumber || (ratio && !hasRatio))
        return {};
    return [kind, ratio](RestartPolicy &policy) {
        policy.jitter.kind = *kind;
        policy.jitter.ratio = ratio.value_or(policy.jitter.ratio);
    };
}

Change circuitBreaker(const QString &text)
{
    if (text == QLatin1String("off"))
        return [](RestartPolicy &policy) { policy.circuitBreaker.reset(); };
    const qsizetype colon = text.indexOf(u':');
    bool isNumber = false;
    const int threshold = QStringView(text).left(colon < 0 ? text.size() : colon).toInt(&isNumber);
    std::optional<Duration> timeout;
    if (colon >= 0)
        timeout = durationFromString(QStringView(text).mid(colon + 1));
    if (!isNumber || (colon >= 0 && !timeout))
        return {};
    return [threshold, timeout](RestartPolicy &policy) {
        CircuitBreakerPolicy breaker = policy.circuitBreaker.value_or(CircuitBreakerPolicy{});
        breaker.threshold = threshold;
        breaker.timeout = timeout.value_or(breaker.timeout);
        breaker.maxTimeout = std::max(breaker.maxTimeout, breaker.timeout);
        policy.circuitBreaker = breaker;
    };
}

constexpr char aDuration[] = "a duration such as 500ms, 5s or 1m";

} // namespace

PolicyOptions::PolicyOptions(QString preset, Of of)
    : m_preset(std::move(preset))
    , m_of(of)
{
}

void PolicyOptions::add(CLI::App &parser, const Value &value)
{
    addValue(parser, value.option, value.typeName, value.description, value.expected,
             [this, value](const QString &text) {
                 const Change change = value.read(text);
                 if (change)
                     m_given.push_back({value, change});
                 return bool(change);
             })
        ->group(m_of == Of::Calls ? "Retry policy" : "Restart policy");
}

void PolicyOptions::addTo(CLI::App &parser)
{
    const auto durationOf = [](Duration RestartPolicy::*member) {
        return [member](const QString &text) { return duration(text, member); };
    };
    const bool ofCalls = m_of == Of::Calls;
    addText(parser, "--policy", m_policy,
            "Base policy: the name of a preset, a JSON file or a JSON object (default: "
                + m_preset.toStdString() + ")",
            "NAME|FILE|JSON")
        ->group(ofCalls ? "Retry policy" : "Restart policy");
    add(parser,
        {"--max-retries", "/maxRetries", "N|unlimited",
         ofCalls ? "Maximum number of retries of a call" : "Maximum number of consecutive restarts",
         "0 to 1000000 or unlimited", " or unlimited", maxRetries});
    add(parser,
        {"--initial-delay", "/initialDelay", "D",
         ofCalls ? "Delay before the first retry" : "Delay before the first restart", aDuration, "",
         durationOf(&RestartPolicy::initialDelay)});
    add(parser,
        {"--max-delay", "/maxDelay", "D", "Maximum delay", aDuration, "",
         durationOf(&RestartPolicy::maxDelay)});
    add(parser,
        {"--multiplier", "/multiplier", "X", "Factor by which the delay grows", "1 to 100", "",
         multiplier});
    add(parser,
        {"--jitter", "/jitter", "KIND[:RATIO]",
         "Random part of the delays: none, symmetric, additive, full or decorrelated",
         "none, full, decorrelated, symmetric or additive; the last two with a ratio from "
         "0 to 1 such as symmetric:0.25",
         "", jitter});
    add(parser,
        {"--circuit-breaker", "/circuitBreaker", "THRESHOLD[:D]|off",
         ofCalls ? "Consecutive failed calls of a tool that open its breaker, and the time "
                   "it stays open"
                 : "Consecutive failures that open the breaker, and the time it stays open",
         "1 to 1000 failures with a duration such as 5:1m, or off", " or off", circuitBreaker});
    if (!ofCalls)
        add(parser,
            {"--stable-after", "/stableAfter", "D",
             "How long the program must stay ready to end a sequence of failures", aDuration, "",
             durationOf(&RestartPolicy::stableAfter)});
}

std::variant<RestartPolicy, int> PolicyOptions::resolve(bool readyAtOnce, Messages &messages) const
{
    const Parsed<RestartPolicy> parsed =
        policyFromArgument(m_policy.isNull() ? m_preset : m_policy);
    if (!parsed) {
        // A policy that is not in a file is identified by the option.
        if (!parsed.file.isEmpty())
            messages.sayFaults(parsed.faults, parsed.file);
        for (const Fault &fault : parsed.file.isEmpty() ? byPlace(parsed.faults) : QList<Fault>())
            messages.say(QLatin1String("--policy: ") + fault.toString());
        return ExitCode::configuration;
    }
    RestartPolicy policy = *parsed.value;
    for (const auto &[value, change] : m_given)
        change(policy);
    const QList<Fault> faults = validate(policy, readyAtOnce);
    for (const Fault &fault : faults) {
        if (fault.isError())
            messages.say(describe(fault, policy));
    }
    if (hasErrors(faults))
        return m_given.empty() ? ExitCode::configuration : ExitCode::usage;
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
    for (const auto &[value, change] : m_given) {
        const QString pointer = QString::fromStdString(value.pointer);
        if (!fault.path.startsWith(pointer))
            continue;
        QString text = QString::fromStdString(value.option) + QLatin1String(": ");
        if (const QString rest = fault.path.mid(pointer.size() + 1); !rest.isEmpty())
            text += rest + QLatin1String(": ");
        QString message = fault.message; // "expected X, found Y"
        if (const qsizetype end = message.lastIndexOf(QLatin1String(", found ")); end >= 0)
            message.insert(end, QString::fromStdString(value.alsoPermitted));
        return text + message;
    }
    return QLatin1String("policy: ") + fault.toString();
}

} // namespace Rekindle
