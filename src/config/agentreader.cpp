// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "agentreader_p.h"

#include "processreader_p.h"
#include "processwarnings_p.h"

#include "json/jsonobjectreader.h"

namespace Rekindle {

namespace {

// Reports a fault about two keys at one of them, or at the agent if that key is missing.
void faultAt(const JsonPlace &agent, QStringView key, const QString &message)
{
    const JsonNode *member = agent.node().member(key);
    agent.faults().add({agent.pointer() + pointerToken(key), message},
                       (member ? *member : agent.node()).position);
}

// Required, and the fault names the allowed value (spec 10).
void readKind(JsonObjectReader &object, const JsonPlace &agent)
{
    const QString expected = QStringLiteral("\"process\" (this version has no other)");
    const std::optional<JsonPlace> place = object.member(QStringLiteral("kind"));
    if (!place)
        faultAt(agent, u"kind", QStringLiteral("missing; expected ") + expected);
    else if (!place->isText(u"process"))
        place->mismatch(expected);
}

} // namespace

AgentReader::AgentReader(PolicyResolver &policies, AgentNames &names, const QDir &folder,
                         const ProbeReader &probes)
    : m_policies(policies)
    , m_names(names)
    , m_folder(folder)
    , m_probes(probes)
{
    m_policy = ResolvedPolicy{{}, QStringLiteral("default")};
}

void AgentReader::readDefaults(const JsonPlace &place)
{
    JsonObjectReader object(place);
    if (const auto policy = object.member(QStringLiteral("policy")))
        m_policy = m_policies.resolve(*policy);
    readProcessSettings(object, m_folder, m_probes, m_process);
    object.read(QStringLiteral("outputEvents"), m_outputEvents);
    object.finish();
    warnOfMissingFolder(place, u"workingDirectory", m_process);
}

AgentDefinition AgentReader::read(const JsonPlace &place)
{
    AgentDefinition agent;
    agent.pointer = place.pointer();
    agent.line = place.node().position.line;
    agent.column = place.node().position.column;
    agent.process = m_process;
    agent.outputEvents = m_outputEvents;
    JsonObjectReader object(place);
    if (!place.isObject())
        return agent;
    if (const auto name = object.required(QStringLiteral("name")))
        readName(*name, agent.name);
    readKind(object, place);
    readProgram(object, m_folder, agent.process);
    std::optional<ResolvedPolicy> policy = m_policy;
    if (const auto own = object.member(QStringLiteral("policy")))
        policy = m_policies.resolve(*own);
    agent.policy = policy ? policy->policy : RestartPolicy{};
    agent.policyName = policy ? policy->name : QString();
    readProcessSettings(object, m_folder, m_probes, agent.process);
    object.read(QStringLiteral("outputEvents"), agent.outputEvents);
    object.finish();
    check(place, agent, policy.has_value());
    return agent;
}

void AgentReader::readName(const JsonPlace &place, QString &target)
{
    const std::optional<QString> name = place.text();
    if (!name)
        return;
    if (!isPlainName(*name)) {
        place.mismatch(AgentNames::expected());
        return;
    }
    if (const auto why = m_names.add(*name, place.node().position.line))
        place.fault(*why);
    else
        target = *name;
}

// Checks keys together, and against the files of this machine.
void AgentReader::check(const JsonPlace &place, const AgentDefinition &agent,
                        bool policyIsGood) const
{
    const Readiness &ready = agent.process.readiness;
    if (ready.kind == Readiness::Kind::Line
        && agent.process.standardOutput.kind != OutputTarget::Kind::Lines) {
        faultAt(place, u"ready", QStringLiteral("kind \"line\" requires stdout \"lines\""));
    }
    if (policyIsGood && ready.kind == Readiness::Kind::Now) {
        for (const Fault &fault : validate(agent.policy, true)) {
            if (fault.isError())
                faultAt(place, u"policy", fault.path.mid(1) + QLatin1String(": ") + fault.message);
        }
    }
    if (const JsonNode *program = place.node().member(u"program")) {
        warnOfMissingProgram(
            JsonPlace(*program, place.pointer() + QLatin1String("/program"), place.faults()),
            agent.process.program, agent.process);
    }
    if (policyIsGood)
        warnOfLateReady(place, agent.process, agent.policy);
    warnOfUselessCloseStdin(place, agent.process);
    if (agent.outputEvents)
        warnOfUselessOutputEvents(place, agent.process);
    warnOfMissingCommands(place, agent.process);
    warnOfMissingFolder(place, u"workingDirectory", agent.process);
}

} // namespace Rekindle
