// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "policyoptions_p.h"

#include "commandline_p.h"
#include "exitcode_p.h"
#include "messages_p.h"

#include <rekindle/config/policyargument.h>
#include <rekindle/policy/validation.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

using Change = std::function<void(RestartPolicy &)>;

// Of a text that cannot be read there is no change.

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
    const auto kind = jitterKindFromString(QStringView(text).left(colon < 0 ? text.size() : colon));
    bool isNumber = true;
    std::optional<double> ratio;
    if (colon >= 0)
        ratio = QStringView(text).mid(colon + 1).toDouble(&isNumber);
    if (!kind || !isNumber)
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

} // namespace

void PolicyOptions::add(CLI::App &parser, const std::string &name, const std::string &typeName,
                        const std::string &description, const std::string &allowed,
                        std::function<Change(const QString &)> read)
{
    parser
        .add_option_function<std::string>(
            name,
            [this, name, allowed, read = std::move(read)](const std::string &text) {
                Change change = read(QString::fromStdString(text));
                if (!change)
                    throw CLI::ValidationError(name, "found \"" + text + "\", allowed " + allowed);
                m_changes.push_back(std::move(change));
            },
            description)
        ->type_name(typeName)
        ->group("Restart policy");
}

void PolicyOptions::addTo(CLI::App &parser)
{
    const std::string aDuration = "a duration such as 500ms, 5s or 1m";
    addText(parser, "--policy", m_policy,
            "A preset's name, a JSON file or a JSON object to begin with (default: default)",
            "NAME|FILE|JSON");
    parser.get_option("--policy")->group("Restart policy");
    add(parser, "--max-retries", "N|unlimited", "Restarts in a row before it is given up",
        "a whole number or unlimited", maxRetries);
    add(parser, "--initial-delay", "D", "Before the first restart", aDuration,
        [](const QString &text) { return duration(text, &RestartPolicy::initialDelay); });
    add(parser, "--max-delay", "D", "Where the delays stop growing", aDuration,
        [](const QString &text) { return duration(text, &RestartPolicy::maxDelay); });
    add(parser, "--multiplier", "X", "How the delays grow", "a number", multiplier);
    add(parser, "--jitter", "KIND[:RATIO]",
        "How the delays are spread: none, symmetric, additive, full, decorrelated",
        "none, symmetric, additive, full or decorrelated, and a ratio such as :0.25", jitter);
    add(parser, "--circuit-breaker", "THRESHOLD[:D]|off",
        "Failures in a row that open the breaker, and for how long",
        "a number of failures with a duration such as 5:1m, or off", circuitBreaker);
    add(parser, "--stable-after", "D", "Ready for this long, failures before are forgiven",
        aDuration, [](const QString &text) { return duration(text, &RestartPolicy::stableAfter); });
}

std::variant<RestartPolicy, int> PolicyOptions::resolve(bool readyAtOnce, Messages &messages) const
{
    const Parsed<RestartPolicy> parsed = policyFromArgument(m_policy);
    if (!parsed) {
        messages.sayFaults(parsed.faults, parsed.file);
        return ExitCode::configuration;
    }
    RestartPolicy policy = *parsed.value;
    for (const Change &change : m_changes)
        change(policy);
    const QList<Fault> faults = validate(policy, readyAtOnce);
    for (const Fault &fault : faults) {
        if (fault.isError())
            messages.say(QLatin1String("policy: ") + fault.toString());
    }
    if (hasErrors(faults))
        return m_changes.empty() ? ExitCode::configuration : ExitCode::usage;
    return policy;
}

} // namespace Rekindle
