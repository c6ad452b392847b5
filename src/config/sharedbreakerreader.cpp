// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "sharedbreakerreader_p.h"

#include "config/process/probereader_p.h"
#include "policy/internal/texthelpers.h"
#include "json/nearestname.h"

#include <rekindle/policy/validation.h>

#include <algorithm>

namespace Rekindle {

namespace {

using namespace std::chrono_literals;

constexpr qsizetype mostBreakers = 1000;
constexpr qsizetype mostRequired = 32;

} // namespace

void SharedBreakerReader::read(const JsonPlace &place, const QDir &folder, const ProbeKinds &kinds)
{
    if (!place.wantObject())
        return;
    for (const JsonPlace &member : place.members()) {
        const QString name = member.node().name;
        if (m_breakers.size() >= mostBreakers) {
            member.faultAtName(QStringLiteral("expected at most %1 shared breakers, found more")
                                   .arg(mostBreakers));
            return;
        }
        if (const auto fault = nameFault(name))
            member.faultAtName(*fault);
        else if (names().contains(name))
            member.faultAtName("another file has a shared breaker with this name");
        readOne(member, folder, kinds);
        m_places.push_back(member);
    }
}

void SharedBreakerReader::readOne(const JsonPlace &place, const QDir &folder,
                                  const ProbeKinds &kinds)
{
    using Policy = SharedBreakerPolicy;
    Policy policy{.name = place.node().name};
    JsonObjectReader object(place);
    object.read("threshold", policy.threshold, 1, Policy::highestThreshold);
    // The defaults change with the other values, so that these need no second key.
    policy.agents = std::min(policy.agents, policy.threshold);
    object.read("agents", policy.agents, 1, policy.threshold);
    object.read("window", policy.window, Duration{1ms}, Policy::longestWindow);
    object.read("timeout", policy.timeout, Duration{1ms}, Policy::longestTimeout);
    object.read("growth", policy.growth, 1, 100);
    policy.maxTimeout = std::max(policy.maxTimeout, policy.timeout);
    object.read("maxTimeout", policy.maxTimeout, policy.timeout, Policy::longestTimeout);
    object.read("provenAfter", policy.provenAfter, Duration{0}, Policy::longestWindow);
    if (const auto scope = object.member("scope")) {
        const QString fleet = QStringLiteral("fleet");
        policy.isFleetWide = scope->oneOf({QStringLiteral("host"), fleet}) == fleet;
        if (policy.isFleetWide)
            m_fleetWide.push_back(*scope);
    }
    if (const auto probe = object.member("probe")) {
        const ProbeReader reader(folder, kinds);
        m_probes.insert(policy.name,
                        {reader.readProbe(*probe, ProbeKind::Use::Readiness,
                                          ValueVariables(folder, ValueVariables::Environment())),
                         QDir::cleanPath(folder.absolutePath())});
    }
    object.finish();
    m_breakers.append(policy);
}

void SharedBreakerReader::readRequired(JsonObjectReader &object, QStringList &required)
{
    const auto place = object.member("requires");
    if (!place)
        return;
    required.clear();
    const std::vector<JsonPlace> items = object.items("requires");
    if (items.size() > std::size_t{mostRequired})
        place->fault(QStringLiteral("expected at most %1 shared breakers, found %2")
                         .arg(mostRequired)
                         .arg(items.size()));
    for (const JsonPlace &item : items) {
        const std::optional<QString> name = item.textNotEmpty();
        if (name && required.contains(*name)) {
            item.fault(QStringLiteral("repeated shared breaker \"%1\"").arg(printable(*name)));
        } else if (name) {
            required.append(*name);
            m_required.push_back(item);
        }
    }
}

void SharedBreakerReader::add(const JsonPlace &place, const AgentDefinition &agent)
{
    const QStringList named = agent.process.exitCodes.dependencies();
    if (!agent.requiredBreakers.isEmpty() || !named.isEmpty())
        m_agents.push_back({place, agent.name, agent.requiredBreakers, named});
}

void SharedBreakerReader::check(bool hasFleet) const
{
    for (const JsonPlace &each : m_fleetWide) {
        if (!hasFleet)
            each.fault("expected \"fleet\" in the main file, which is missing");
    }
    const QStringList known = names();
    for (const JsonPlace &each : m_required) {
        const QString name = each.node().text;
        if (!known.contains(name))
            each.fault(QStringLiteral("no shared breaker has the name \"%1\"").arg(printable(name))
                       + didYouMean(name, known));
    }
    for (const Agent &agent : m_agents) {
        for (const QString &name : agent.named) {
            if (!agent.required.contains(name))
                agent.place.at("/exitCodes")
                    .fault(QStringLiteral("expected a name in \"requires\", found \"%1\"")
                               .arg(printable(name)));
        }
    }
}

void SharedBreakerReader::warn(const QList<GroupDefinition> &groups) const
{
    for (qsizetype i = 0; i < m_breakers.size(); ++i) {
        const JsonPlace &place = m_places[static_cast<std::size_t>(i)];
        warnOfFewAgents(m_breakers.at(i), place);
        warnOfGroup(m_breakers.at(i), place, groups);
    }
    for (const Agent &agent : m_agents) {
        if (agent.required.size() > 1 && agent.named.isEmpty())
            agent.place.at("/requires")
                .warn(QStringLiteral("its failures count for none of these shared breakers: with "
                                     "more than one, an exit code must name one, such as "
                                     "\"69\": \"DependencyFailure:%1\"")
                          .arg(agent.required.front()));
    }
}

void SharedBreakerReader::warnOfFewAgents(const SharedBreakerPolicy &breaker,
                                          const JsonPlace &place) const
{
    const qsizetype count = agentsOf(breaker.name).size();
    if (count == 0)
        place.warn("no agent requires this shared breaker");
    else if (count < breaker.agents)
        place.warn(QStringLiteral("never opens: it needs failures of %1 agents, but %2 it")
                       .arg(breaker.agents)
                       .arg(counted(count, "agent requires", "agents require")));
}

// If the first agent fails, its group stops the others, so that they cannot fail, too.
void SharedBreakerReader::warnOfGroup(const SharedBreakerPolicy &breaker, const JsonPlace &place,
                                      const QList<GroupDefinition> &groups) const
{
    const QStringList agents = agentsOf(breaker.name);
    if (breaker.agents < 2 || agents.size() < breaker.agents)
        return;
    for (const GroupDefinition &group : groups) {
        const auto isMember = [&group](const QString &agent) {
            return std::any_of(
                group.members.begin(), group.members.end(),
                [&agent](const GroupMember &each) { return !each.isGroup && each.name == agent; });
        };
        if (group.strategy == GroupStrategy::OneForAll
            && std::all_of(agents.begin(), agents.end(), isMember))
            place.warn(QStringLiteral("may never open: it needs failures of %1 agents, but a "
                                      "failure of one stops the others, because all are members "
                                      "of group %2 (oneForAll); use \"agents\": 1")
                           .arg(breaker.agents)
                           .arg(printable(group.name)));
    }
}

QStringList SharedBreakerReader::agentsOf(const QString &breaker) const
{
    QStringList agents;
    for (const Agent &each : m_agents) {
        if (each.required.contains(breaker))
            agents.append(each.name);
    }
    return agents;
}

QStringList SharedBreakerReader::names() const
{
    QStringList names;
    for (const SharedBreakerPolicy &each : m_breakers)
        names.append(each.name);
    return names;
}

} // namespace Rekindle
