// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// Reads any bytes as failure models, a trace or an expectation, selected by the first byte. What is
// valid is simulated, which must violate no rule.

#include "fuzztarget.h"

#include <rekindle/simulation/simulation.h>
#include <rekindle/simulation/simulationexpectation.h>

#include <QCoreApplication>

using namespace Rekindle;

namespace {

const Configuration &agents()
{
    static const Configuration configuration = [] {
        static int count = 1;
        static char name[] = "fuzz";
        static char *arguments[] = {name, nullptr};
        static const QCoreApplication application(count, arguments);
        const Parsed<Configuration> parsed = parseConfiguration(
            R"({"agents": [{"name": "a", "kind": "process", "program": "true",
                "health": [{"kind": "exec", "command": ["true"]}]},
                {"name": "b", "kind": "process", "program": "true",
                "ready": {"kind": "line", "pattern": "^ready"}}]})",
            QStringLiteral("/"));
        require(parsed.value.has_value(), "the configuration is invalid");
        return *parsed.value;
    }();
    return configuration;
}

// Without `a`, and with another process of `b`.
const Configuration &others()
{
    static const Configuration configuration = [] {
        Configuration changed = agents();
        changed.agents.removeFirst();
        changed.agents.front().process.readiness = {};
        return changed;
    }();
    return configuration;
}

template<typename T>
bool isValid(const Parsed<T> &parsed)
{
    require(parsed.value.has_value() == parsed.faults.isEmpty(), "rejected without an error");
    for (const Fault &fault : parsed.faults)
        require(!fault.message.isEmpty(), "a fault has no message");
    return parsed.value.has_value();
}

void run(const SimulationOptions &options)
{
    const SimulationResult result = simulate(agents(), options);
    require(result.violations.isEmpty(), "a rule is violated");
    for (const SimulationResult::Agent &agent : result.agents) {
        require(agent.up + agent.down <= options.length,
                "an agent is up and down at the same time");
        require(agent.failures <= agent.starts, "an agent fails without a start");
    }
}

} // namespace

void fuzzOne(QByteArrayView bytes)
{
    if (bytes.isEmpty())
        return;
    const QByteArray text = bytes.sliced(1).toByteArray();
    SimulationOptions options{.length = std::chrono::hours(1)};
    switch (bytes.front()) {
    case 'm':
        if (const auto models = parseFailureModels(text); isValid(models)) {
            options.models = *models.value;
            run(options);
        }
        break;
    case 't':
        if (const auto trace = parseSimulationTrace(text); isValid(trace)) {
            options.trace = *trace.value;
            for (const SimulationStep &each : std::as_const(options.trace)) {
                if (each.kind == SimulationStep::Kind::Reload)
                    options.reloads.insert(each.file, each.file == u"b" ? others() : agents());
            }
            run(options);
        }
        break;
    default:
        if (const auto expectation = SimulationExpectation::parse(QString::fromUtf8(text));
            isValid(expectation))
            require(!expectation.value->figure().isEmpty(), "an expectation has no figure");
    }
}
