// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "agentreader_p.h"

#include "config/process/processreader_p.h"
#include "config/process/processwarnings_p.h"
#include "mcpentry_p.h"

#include "base/files/fileglob_p.h"
#include "config/environment/valuevariables_p.h"
#include "policy/internal/texthelpers.h"
#include "json/jsonobjectreader.h"

#include <rekindle/json/enumnames.h>
#include <rekindle/policy/governor.h>
#include <rekindle/policy/presets.h>
#include <rekindle/policy/validation.h>

namespace Rekindle {

namespace {

constexpr std::array<EnumName<AgentDefinition::Start>, 2> startNames = {{
    {AgentDefinition::Start::Auto, QLatin1String("auto")},
    {AgentDefinition::Start::Manual, QLatin1String("manual")},
}};

constexpr qsizetype maximumTags = 32;

void readTags(const JsonPlace &place, QStringList &tags)
{
    tags.clear();
    const std::vector<JsonPlace> items = place.items().value_or(std::vector<JsonPlace>());
    if (items.size() > maximumTags) {
        place.fault(QStringLiteral("expected at most %1 tags, found %2")
                        .arg(maximumTags)
                        .arg(items.size()));
        return;
    }
    for (const JsonPlace &item : items) {
        const std::optional<QString> tag = item.text();
        if (const auto fault = tag ? nameFault(*tag) : std::nullopt)
            item.fault(*fault);
        else if (tag && tags.contains(*tag))
            item.fault(QStringLiteral("repeated tag \"%1\"").arg(*tag));
        else if (tag)
            tags.append(*tag);
    }
}

void readWatch(const JsonPlace &place, const ValueVariables &variables, const QDir &folder,
               QStringList &globs)
{
    globs.clear();
    for (const JsonPlace &item : place.items().value_or(std::vector<JsonPlace>())) {
        const std::optional<QString> glob = variables.textNotEmpty(item);
        if (!glob)
            continue;
        globs.append(FileGlob::absolute(*glob, folder));
        if (const QString fault = FileGlob::faultOf(*glob, folder); !fault.isEmpty())
            item.fault(printable(*glob) + QLatin1String(": ") + fault);
        else if (!FileGlob(globs.back()).matchesAny())
            item.warn(QStringLiteral("%1 matches no file yet").arg(printable(*glob)));
    }
}

// For programs and for servers.
void readOptions(JsonObjectReader &object, const ValueVariables &variables, const QDir &folder,
                 AgentDefinition &agent)
{
    object.read("start", agent.start, startNames);
    if (const auto place = object.member("tags"))
        readTags(*place, agent.tags);
    if (const auto place = object.member("watch"))
        readWatch(*place, variables, folder, agent.watch);
    object.read("priority", agent.priority, Governor::lowestPriority, Governor::highestPriority);
    FleetReader::readPlacement(object, agent.placement);
}

void readKind(JsonObjectReader &object)
{
    const std::optional<JsonPlace> place = object.member("kind");
    if (place && !place->isText("process"))
        place->mismatch("\"process\" (this version has no other)");
}

// startTimeout ends before the process can be ready by being alive.
void warnOfLateReady(const JsonPlace &agent, const ProcessDefinition &process,
                     const RestartPolicy &policy)
{
    const Readiness &ready = process.readiness;
    if (ready.kind != Readiness::Kind::Alive || ready.aliveFor < policy.startTimeout)
        return;
    const JsonNode &node = agent.node().nearest(QStringLiteral("/ready/for"));
    JsonPlace(node, agent.pointer() + QLatin1String("/ready"), agent.faults())
        .warn(QStringLiteral("never ready: it must be alive for %1, but startTimeout of its policy "
                             "ends each start after %2")
                  .arg(durationToString(ready.aliveFor), durationToString(policy.startTimeout)));
}

// The policy refuses requested restarts above its limit.
void warnOfFrequentRecycling(const JsonPlace &agent, const Recycling &recycling,
                             const RequestLimit &limit)
{
    if (recycling.maxAge == Duration{0} || recycling.maxAge * limit.count >= limit.period)
        return;
    const JsonNode &node = agent.node().nearest(QStringLiteral("/recycle/maxAge"));
    JsonPlace(node, agent.pointer() + QLatin1String("/recycle"), agent.faults())
        .warn(QStringLiteral(
                  "maxAge is too short: requestLimit of its policy permits %1 within %2 and "
                  "refuses further ones")
                  .arg(counted(limit.count, "requested restart", "requested restarts"),
                       durationToString(limit.period)));
}

void warnOfUselessCloseStdin(const JsonPlace &agent, const ProcessDefinition &process)
{
    const JsonNode *const stop = agent.node().member("stop");
    if (stop == nullptr || stop->member("closeStdin") == nullptr
        || process.stop.closeStdin == Duration{0}
        || process.standardInput == ProcessDefinition::StandardInput::Pipe)
        return;
    agent.at("/stop/closeStdin").warn("has no effect without stdin \"pipe\"");
}

void warnOfUselessOutputEvents(const JsonPlace &agent, const ProcessDefinition &process)
{
    if (process.standardOutput.kind == OutputTarget::Kind::Lines
        || process.standardError.kind == OutputTarget::Kind::Lines)
        return;
    agent.at("/outputEvents").warn("has no effect without stdout or stderr \"lines\"");
}

} // namespace

AgentReader::AgentReader(const Shared &shared, const ConfigurationDocument &document,
                         const ProbeKinds &kinds, const AgentReader *parent)
    : m_shared(shared)
    , m_document(document)
    , m_folder(document.folder)
    , m_probes(m_folder, kinds)
    , m_environments(m_folder)
{
    m_defaults.policyName = QStringLiteral("default");
    if (parent) {
        m_defaults = parent->m_defaults;
        m_hasPolicy = parent->m_hasPolicy;
    }
    m_defaults.file = document.isIncluded ? document.file : QString();
}

void AgentReader::readDefaults(const JsonPlace &place)
{
    JsonObjectReader object(place);
    if (place.member("dependsOn"))
        object.member("dependsOn")->faultAtName("not permitted in defaults; expected in an agent");
    m_environments.read(object, m_defaults.process);
    m_hasPolicy = readSettings(object, m_defaults);
    warnOfMissingFolder(place, u"workingDirectory", m_defaults.process);
}

// Reads the keys that `defaults` and agents have in common, except the environment. Returns whether
// the policy is valid.
bool AgentReader::readSettings(JsonObjectReader &object, AgentDefinition &agent)
{
    const bool hasPolicy = readPolicy(object, agent);
    readProcessSettings(object, m_folder, m_probes, agent.process);
    object.read("outputEvents", agent.outputEvents);
    readOptions(object, ValueVariables(m_folder, agent.process.environment), m_folder, agent);
    m_shared.breakers.readRequired(object, agent.requiredBreakers);
    object.finish();
    return hasPolicy;
}

bool AgentReader::readPolicy(JsonObjectReader &object, AgentDefinition &agent)
{
    const auto place = object.member("policy");
    if (!place)
        return m_hasPolicy;
    const std::optional<ResolvedPolicy> resolved = m_shared.policies.resolve(*place);
    if (resolved) {
        agent.policy = resolved->policy;
        agent.policyName = resolved->name;
    }
    return resolved.has_value();
}

AgentDefinition AgentReader::read(const JsonPlace &place)
{
    AgentDefinition agent = m_defaults;
    storePosition(place, agent);
    JsonObjectReader object(place);
    if (!place.isObject())
        return agent;
    const auto name = object.required("name");
    if (const auto text = name ? name->text() : std::nullopt) {
        agent.name = *text;
        if (const auto fault = m_shared.names.add(*text, m_document, name->node().position))
            name->fault(*fault);
    }
    readKind(object);
    m_shared.dependencies.read(object, agent);
    m_environments.read(object, agent.process);
    readProgram(object, m_folder, agent.process);
    const bool hasPolicy = readSettings(object, agent);
    check(place, agent, hasPolicy);
    m_shared.breakers.add(place, agent);
    m_shared.fleet.add(place, agent);
    return agent;
}

void AgentReader::readServers(const JsonPlace &place, QList<AgentDefinition> &agents)
{
    readMcpServers(
        place, m_shared.policies, FaultyEntries::Reject, agents,
        [&](JsonObjectReader &object, AgentDefinition &agent) {
            const JsonPlace &entry = object.object();
            agent.kind = AgentDefinition::Kind::McpServer;
            agent.file = m_defaults.file;
            if (const auto fault =
                    m_shared.names.add(agent.name, m_document, entry.node().namePosition))
                entry.faultAtName(*fault);
            agent.process = readServer(object, m_folder);
            if (agent.process.recycling.calls > 0)
                entry.at("/recycle/calls")
                    .warn("ignored: only `rekindle mcp --config` counts calls");
            if (agent.process.workingDirectory.isEmpty())
                agent.process.workingDirectory = QDir::cleanPath(m_folder.absolutePath());
            resolveProgram(agent.process, m_folder);
            agent.policyName = QStringLiteral("stdio-backend");
            agent.policy = preset(agent.policyName).value_or(RestartPolicy{});
            readPolicy(object, agent);
            const ValueVariables variables(m_folder, agent.process.environment,
                                           ValueVariables::Rules::Editor);
            readOptions(object, variables, m_folder, agent);
            m_shared.dependencies.read(object, agent);
            m_shared.breakers.readRequired(object, agent.requiredBreakers);
            m_shared.breakers.add(entry, agent);
            m_shared.fleet.add(entry, agent);
            agent.process.health = m_probes.serverDefaults();
            m_probes.readHealth(object, ProbeKind::Use::ServerHealth, variables,
                                agent.process.health);
            warnOfKeysOf(entry, gatewayKeys(), QStringLiteral("`rekindle mcp --config`"));
            return true;
        });
}

// Checks keys together, and against the files of this machine.
void AgentReader::check(const JsonPlace &place, const AgentDefinition &agent, bool hasPolicy) const
{
    const Readiness &ready = agent.process.readiness;
    if (ready.kind == Readiness::Kind::Line) {
        for (const Fault &fault : validate(agent.process)) {
            if (fault.path == QLatin1String("/ready")) // the reader checks single keys
                place.at("/ready").fault(fault.message);
        }
    }
    if (hasPolicy && ready.kind == Readiness::Kind::Now) {
        for (const Fault &fault : validate(agent.policy, true)) {
            if (fault.isError())
                place.at("/policy").fault(fault.path.mid(1) + QLatin1String(": ") + fault.message);
        }
    }
    if (const auto program = place.member("program"))
        warnOfMissingProgram(*program, agent.process.program, agent.process,
                             QStringLiteral("\"arguments\""));
    if (hasPolicy)
        warnOfLateReady(place, agent.process, agent.policy);
    if (hasPolicy)
        warnOfFrequentRecycling(place, agent.process.recycling, agent.policy.requestLimit);
    warnOfUselessCloseStdin(place, agent.process);
    if (agent.outputEvents)
        warnOfUselessOutputEvents(place, agent.process);
    warnOfMissingCommands(place, agent.process);
    warnOfMissingFolder(place, u"workingDirectory", agent.process);
}

} // namespace Rekindle
