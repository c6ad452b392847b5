// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "fleetreader_p.h"

#include "config/environment/valuevariables_p.h"
#include "policy/internal/texthelpers.h"

#include <rekindle/json/enumnames.h>
#include <rekindle/policy/validation.h>

#include <algorithm>

namespace Rekindle {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t mostNodes = 100;
constexpr Duration longestLease = 24h;

constexpr std::array<EnumName<bool>, 2> storeLossNames = {{
    {false, QLatin1String("stop")},
    {true, QLatin1String("keep")},
}};

void readNode(const JsonPlace &place, const ValueVariables &variables, QString &node)
{
    const std::optional<QString> text = variables.textNotEmpty(place);
    if (const auto fault = text ? nameFault(*text) : std::nullopt)
        place.fault(*fault);
    else if (text)
        node = *text;
}

void readEtcd(JsonObjectReader &object, const ValueVariables &variables, const QDir &folder,
              FleetDefinition::Etcd &etcd)
{
    const auto read = [&](const char *name, QString &target) {
        const auto place = object.member(name);
        if (const auto text = place ? variables.textNotEmpty(*place) : std::nullopt)
            target = *text;
    };
    const auto readFile = [&](const char *name, QString &target) {
        read(name, target);
        if (!target.isEmpty())
            target = QDir::cleanPath(folder.absoluteFilePath(target));
    };
    const auto endpoints = object.required("endpoints");
    const auto items = endpoints ? endpoints->items() : std::nullopt;
    for (const JsonPlace &item : items.value_or(std::vector<JsonPlace>())) {
        if (const std::optional<QString> text = variables.textNotEmpty(item))
            etcd.endpoints.append(*text);
    }
    if (items && items->empty())
        endpoints->fault("expected at least one URL, found none");
    read("prefix", etcd.prefix);
    read("user", etcd.user);
    readFile("passwordFile", etcd.passwordFile);
    readFile("caFile", etcd.caFile);
    readFile("certificateFile", etcd.certificateFile);
    readFile("keyFile", etcd.keyFile);
    const auto needs = [&object](const QString &one, const QString &other, const char *missing) {
        if (!one.isEmpty() && other.isEmpty())
            object.object().fault(QStringLiteral("missing key \"%1\"").arg(QLatin1String(missing)));
    };
    needs(etcd.user, etcd.passwordFile, "passwordFile");
    needs(etcd.passwordFile, etcd.user, "user");
    needs(etcd.certificateFile, etcd.keyFile, "keyFile");
    needs(etcd.keyFile, etcd.certificateFile, "certificateFile");
}

void readLease(JsonObjectReader &object, FleetTimes &times)
{
    object.read("duration", times.duration, Duration{1s}, longestLease);
    object.read("renewal", times.renewal, Duration{1s}, longestLease);
    object.read("giveUp", times.giveUp, Duration{1s}, longestLease);
}

// The time after which no process is left.
Duration stopSequenceOf(const AgentDefinition &agent)
{
    const StopSequence &stop = agent.process.stop;
    const bool hasInput = agent.kind == AgentDefinition::Kind::McpServer
        || agent.process.standardInput == ProcessDefinition::StandardInput::Pipe;
    return (hasInput ? stop.closeStdin : Duration{0}) + stop.terminate + stop.kill;
}

} // namespace

void FleetReader::read(const JsonPlace &place, const QDir &folder)
{
    FleetDefinition &fleet = m_fleet.emplace();
    m_place.push_back(place);
    const ValueVariables variables(folder, ValueVariables::Environment());
    JsonObjectReader object(place);
    if (!place.isObject())
        return;
    if (const auto node = object.required("node"))
        readNode(*node, variables, fleet.node);
    if (const auto etcd = object.required("etcd"))
        readObject(*etcd, [&](JsonObjectReader &reader) {
            readEtcd(reader, variables, folder, fleet.etcd);
        });
    object.nested("lease", [&](JsonObjectReader &reader) { readLease(reader, fleet.times); });
    object.finish();
}

void FleetReader::readPlacement(JsonObjectReader &object, std::optional<FleetPlacement> &placement)
{
    if (const auto place = object.member("placement")) {
        if (!placement)
            placement.emplace();
        placement->prefer.clear();
        readObject(*place, [&placement](JsonObjectReader &reader) {
            const std::optional<JsonPlace> mode = reader.member("mode");
            if (mode && !mode->isText("one"))
                mode->mismatch("\"one\" (this version has no other)");
            const std::vector<JsonPlace> nodes = reader.items("prefer");
            if (nodes.size() > mostNodes)
                reader.object().at("/prefer").fault(
                    QStringLiteral("expected at most %1 nodes, found %2")
                        .arg(mostNodes)
                        .arg(nodes.size()));
            for (const JsonPlace &item : nodes) {
                const std::optional<QString> node = item.text();
                if (const auto fault = node ? nameFault(*node) : std::nullopt)
                    item.fault(*fault);
                else if (node && placement->prefer.contains(*node))
                    item.fault(QStringLiteral("repeated node \"%1\"").arg(*node));
                else if (node)
                    placement->prefer.append(*node);
            }
        });
    }
    if (const auto place = object.member("onStoreLoss")) {
        bool keep = false;
        const bool isValid = place->to(keep, storeLossNames);
        if (isValid && placement)
            placement->keep = keep;
        else if (isValid)
            place->faultAtName("not permitted without \"placement\"");
    }
}

void FleetReader::add(const JsonPlace &place, const AgentDefinition &agent)
{
    if (agent.placement)
        m_agents.push_back({place, agent.name, *agent.placement, stopSequenceOf(agent)});
}

void FleetReader::check()
{
    if (!m_fleet) {
        for (const Agent &agent : m_agents)
            agent.place.at("/placement").fault("needs the key \"fleet\" in the main file");
        return;
    }
    const auto longest =
        std::ranges::max_element(m_agents, {}, [](const Agent &each) { return each.stopSequence; });
    if (longest != m_agents.end())
        m_fleet->times.stopSequence = longest->stopSequence;
    for (const Fault &fault : m_fleet->times.faults()) {
        QString text = fault.path.mid(1) + QLatin1String(": ") + fault.message;
        if (longest != m_agents.end() && fault.path == QLatin1String("/duration"))
            text += QStringLiteral("; the stop sequence of %1 is %2")
                        .arg(longest->name, durationToString(longest->stopSequence));
        m_place.front().at("/lease").fault(text);
    }
}

// Other agents of the host that do not start while the agent runs on another node.
void FleetReader::warnOfWaiting(const Agent &agent, const QList<AgentDefinition> &agents,
                                const QList<GroupDefinition> &groups)
{
    const JsonPlace place = agent.place.at("/placement");
    for (const AgentDefinition &other : agents) {
        const bool isDependent = std::ranges::any_of(
            other.dependsOn, [&](const Dependency &each) { return each.agent == agent.name; });
        if (isDependent)
            place.warn(QStringLiteral("%1 depends on this agent, and does not start on a node "
                                      "while this agent runs on another one")
                           .arg(other.name));
    }
    for (const GroupDefinition &group : groups) {
        const bool isMember = std::ranges::any_of(group.members, [&](const GroupMember &each) {
            return !each.isGroup && each.name == agent.name;
        });
        if (isMember && group.members.size() > 1)
            place.warn(QStringLiteral("group %1 contains this agent: the members after it do not "
                                      "start on a node while it runs on another one")
                           .arg(group.name));
    }
}

void FleetReader::warn(const QList<AgentDefinition> &agents, const QList<GroupDefinition> &groups,
                       bool hasFleetWideBreakers) const
{
    if (m_fleet && m_agents.empty() && !hasFleetWideBreakers)
        m_place.front().warnAtName("has no effect: no agent has \"placement\"");
    for (const Agent &agent : m_agents) {
        if (agent.placement.keep)
            agent.place.at("/onStoreLoss")
                .warn("with \"keep\", the agent can run on two nodes while one of them does "
                      "not reach etcd");
        warnOfWaiting(agent, agents, groups);
    }
}

} // namespace Rekindle
