// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/simulation/simulationresult.h>

#include "json/jsontext.h"

#include <algorithm>

namespace Rekindle {

namespace {

double toSeconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }

std::optional<double> figureOf(const SimulationResult::Agent &agent, QStringView name)
{
    if (name == QLatin1String("up"))
        return agent.upPercent();
    if (name == QLatin1String("starts"))
        return static_cast<double>(agent.starts);
    if (name == QLatin1String("failures"))
        return static_cast<double>(agent.failures);
    if (name == QLatin1String("longestOutage"))
        return toSeconds(agent.longestOutage);
    if (name == QLatin1String("breakerOpen"))
        return toSeconds(agent.breakerOpen);
    if (name == QLatin1String("gaveUp"))
        return agent.gaveUpAt ? 1 : 0;
    return std::nullopt;
}

std::optional<double> figureOf(const SimulationResult &result, const QString &name)
{
    if (name == QLatin1String("restarts"))
        return static_cast<double>(result.restarts);
    if (name == QLatin1String("restartsPerHour"))
        return result.restartsPerHour();
    if (name == QLatin1String("lowestUp"))
        return result.lowestUpPercent();
    if (name == QLatin1String("herdInSecond"))
        return static_cast<double>(result.herdInSecond.restarts);
    if (name == QLatin1String("herdInTenth"))
        return static_cast<double>(result.herdInTenth.restarts);
    return std::nullopt;
}

Json herdJson(const SimulationResult::Herd &herd)
{
    return {{"restarts", herd.restarts}, {"atMs", toMilliseconds(herd.at)}};
}

Json agentJson(const SimulationResult::Agent &agent)
{
    return {{"name", agent.name.toStdString()},
            {"starts", agent.starts},
            {"failures", agent.failures},
            {"upPercent", agent.upPercent()},
            {"upMs", toMilliseconds(agent.up)},
            {"downMs", toMilliseconds(agent.down)},
            {"longestOutageMs", toMilliseconds(agent.longestOutage)},
            {"breakerOpenMs", toMilliseconds(agent.breakerOpen)},
            {"gaveUpAtMs", agent.gaveUpAt ? Json(toMilliseconds(*agent.gaveUpAt)) : Json()},
            {"attemptsLeft", agent.attemptsLeft ? Json(*agent.attemptsLeft) : Json()}};
}

} // namespace

double SimulationResult::Agent::upPercent() const
{
    const Duration wanted = up + down;
    return wanted == Duration{0} ? 100 : 100 * toSeconds(up) / toSeconds(wanted);
}

double SimulationResult::restartsPerHour() const
{
    constexpr double hour = 3600;
    return length == Duration{0} ? 0 : static_cast<double>(restarts) * hour / toSeconds(length);
}

double SimulationResult::lowestUpPercent() const
{
    double lowest = 100;
    for (const Agent &each : agents)
        lowest = std::min(lowest, each.upPercent());
    return lowest;
}

// Names of agents can contain dots.
std::optional<double> SimulationResult::figure(const QString &name) const
{
    const qsizetype dot = name.lastIndexOf(u'.');
    if (dot < 0)
        return figureOf(*this, name);
    for (const Agent &each : agents) {
        if (each.name == QStringView(name).left(dot))
            return figureOf(each, QStringView(name).mid(dot + 1));
    }
    return std::nullopt;
}

QByteArray toJson(const SimulationResult &result)
{
    Json agents = Json::array();
    for (const SimulationResult::Agent &each : result.agents)
        agents.push_back(agentJson(each));
    Json violations = Json::array();
    for (const QString &each : result.violations)
        violations.push_back(each.toStdString());
    return compactJson({{"seed", result.seed},
                        {"lengthMs", toMilliseconds(result.length)},
                        {"inputs", result.inputs},
                        {"restarts", result.restarts},
                        {"restartsPerHour", result.restartsPerHour()},
                        {"herdInSecond", herdJson(result.herdInSecond)},
                        {"herdInTenth", herdJson(result.herdInTenth)},
                        {"unusedSteps", result.unusedSteps},
                        {"violations", std::move(violations)},
                        {"agents", std::move(agents)}});
}

} // namespace Rekindle
