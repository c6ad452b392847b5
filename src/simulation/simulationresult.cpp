// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "simulation/internal/figuresjson.h"

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

constexpr std::array<Figure<AgentResult>, 8> agentFigures = {{
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
    {QLatin1String("moves"),
     [](const AgentResult &agent) { return static_cast<double>(agent.moves.value_or(0)); }},
    {QLatin1String("twoCopies"),
     [](const AgentResult &agent) { return toSeconds(agent.twoCopies); }, true},
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

void writeHerd(JsonWriter &json, JsonName name, const SimulationResult::Herd &herd)
{
    json.object(name, [&] {
        json.member("restarts", herd.restarts);
        json.member("atMs", herd.at);
    });
}

void writeAgent(JsonWriter &json, const SimulationResult::Agent &agent)
{
    json.member("name", agent.name);
    json.member("starts", agent.starts);
    json.member("failures", agent.failures);
    json.member("upPercent", agent.upPercent());
    json.member("upMs", agent.up);
    json.member("downMs", agent.down);
    json.member("longestOutageMs", agent.longestOutage);
    json.member("breakerOpenMs", agent.breakerOpen);
    json.member("gaveUpAtMs", agent.gaveUpAt);
    json.member("attemptsLeft", agent.attemptsLeft);
    if (agent.moves) {
        json.member("moves", *agent.moves);
        json.member("twoCopiesMs", agent.twoCopies);
    }
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

void writeFigures(JsonWriter &json, const SimulationResult &result)
{
    json.member("lengthMs", result.length);
    json.member("inputs", result.inputs);
    json.member("restarts", result.restarts);
    json.member("restartsPerHour", result.restartsPerHour());
    writeHerd(json, "herdInSecond", result.herdInSecond);
    writeHerd(json, "herdInTenth", result.herdInTenth);
    json.member("longestQueue", result.longestQueue);
    json.member("violations", result.violations);
    json.array("agents", result.agents, [&json](const SimulationResult::Agent &agent) {
        json.object([&] { writeAgent(json, agent); });
    });
}

QByteArray toJson(const SimulationResult &result)
{
    return jsonObject([&result](JsonWriter &json) {
               json.member("seed", result.seed);
               json.member("unusedSteps", result.unusedSteps);
               writeFigures(json, result);
               const auto &prefix = result.violatingPrefix;
               if (!prefix)
                   return;
               json.object("violatingPrefix", [&] {
                   json.member("inputs", prefix->inputs);
                   json.member("steps", prefix->steps);
                   json.member("lengthMs", prefix->length);
               });
           })
        + '\n';
}

} // namespace Rekindle
