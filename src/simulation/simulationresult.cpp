// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/simulation/simulationresult.h>

#include "json/jsontext.h"

#include <algorithm>
#include <array>

namespace Rekindle {

namespace {

double toSeconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }

template<typename T>
struct Figure
{
    QLatin1String name;
    double (*value)(const T &);
    bool isTime = false;
};

using AgentResult = SimulationResult::Agent;

constexpr std::array<Figure<AgentResult>, 6> agentFigures = {{
    {QLatin1String("up"), [](const AgentResult &agent) { return agent.upPercent(); }},
    {QLatin1String("starts"),
     [](const AgentResult &agent) { return static_cast<double>(agent.starts); }},
    {QLatin1String("failures"),
     [](const AgentResult &agent) { return static_cast<double>(agent.failures); }},
    {QLatin1String("longestOutage"),
     [](const AgentResult &agent) { return toSeconds(agent.longestOutage); }, true},
    {QLatin1String("breakerOpen"),
     [](const AgentResult &agent) { return toSeconds(agent.breakerOpen); }, true},
    {QLatin1String("gaveUp"), [](const AgentResult &agent) { return agent.gaveUpAt ? 1.0 : 0.0; }},
}};

constexpr std::array<Figure<SimulationResult>, 6> runFigures = {{
    {QLatin1String("lowestUp"), [](const SimulationResult &run) { return run.lowestUpPercent(); }},
    {QLatin1String("restarts"),
     [](const SimulationResult &run) { return static_cast<double>(run.restarts); }},
    {QLatin1String("restartsPerHour"),
     [](const SimulationResult &run) { return run.restartsPerHour(); }},
    {QLatin1String("herdInSecond"),
     [](const SimulationResult &run) { return static_cast<double>(run.herdInSecond.restarts); }},
    {QLatin1String("herdInTenth"),
     [](const SimulationResult &run) { return static_cast<double>(run.herdInTenth.restarts); }},
    {QLatin1String("longestQueue"),
     [](const SimulationResult &run) { return static_cast<double>(run.longestQueue); }},
}};

template<typename T>
std::optional<double> figureOf(const T &of, const auto &figures, QStringView name)
{
    for (const Figure<T> &each : figures) {
        if (each.name == name)
            return each.value(of);
    }
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
    const Agent *const lowest = lowestAgent();
    return lowest ? lowest->upPercent() : 100;
}

const SimulationResult::Agent *SimulationResult::lowestAgent() const
{
    const auto lowest =
        std::min_element(agents.begin(), agents.end(), [](const Agent &a, const Agent &b) {
            return a.upPercent() < b.upPercent();
        });
    return lowest == agents.end() ? nullptr : &*lowest;
}

// Names of agents can contain dots.
std::optional<double> SimulationResult::figure(const QString &name) const
{
    const qsizetype dot = name.lastIndexOf(u'.');
    if (dot < 0)
        return figureOf(*this, runFigures, name);
    for (const Agent &each : agents) {
        if (each.name == QStringView(name).left(dot))
            return figureOf(each, agentFigures, QStringView(name).mid(dot + 1));
    }
    return std::nullopt;
}

bool SimulationResult::isTime(const QString &figure)
{
    const QStringView name = QStringView(figure).mid(figure.lastIndexOf(u'.') + 1);
    return std::ranges::any_of(
        agentFigures, [name](const auto &each) { return each.name == name && each.isTime; });
}

QStringList SimulationResult::figureNames() const
{
    QStringList names;
    for (const auto &figure : runFigures)
        names.append(figure.name);
    for (const Agent &agent : agents) {
        for (const auto &figure : agentFigures)
            names.append(agent.name + u'.' + figure.name);
    }
    return names;
}

QByteArray toJson(const SimulationResult &result)
{
    Json agents = Json::array();
    for (const SimulationResult::Agent &each : result.agents)
        agents.push_back(agentJson(each));
    Json violations = Json::array();
    for (const QString &each : result.violations)
        violations.push_back(each.toStdString());
    Json json = {{"seed", result.seed},
                 {"lengthMs", toMilliseconds(result.length)},
                 {"inputs", result.inputs},
                 {"restarts", result.restarts},
                 {"restartsPerHour", result.restartsPerHour()},
                 {"herdInSecond", herdJson(result.herdInSecond)},
                 {"herdInTenth", herdJson(result.herdInTenth)},
                 {"longestQueue", result.longestQueue},
                 {"unusedSteps", result.unusedSteps},
                 {"violations", std::move(violations)},
                 {"agents", std::move(agents)}};
    if (const auto &prefix = result.violatingPrefix)
        json["violatingPrefix"] = {{"inputs", prefix->inputs},
                                   {"steps", prefix->steps},
                                   {"lengthMs", toMilliseconds(prefix->length)}};
    return compactJson(json);
}

} // namespace Rekindle
