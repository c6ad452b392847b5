// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "agentreader_p.h"

#include "mcpentry_p.h"
#include "processreader_p.h"
#include "processwarnings_p.h"

#include "json/jsonobjectreader.h"

namespace Rekindle {

namespace {

// Required, and the fault names the allowed value (spec 10).
void readKind(JsonObjectReader &object, const JsonPlace &agent)
{
    const QString expected = QStringLiteral("\"process\" (this version has no other)");
    const std::optional<JsonPlace> place = object.member(QStringLiteral("kind"));
    if (!place)
        agent.at(QStringLiteral("/kind")).fault(QStringLiteral("missing; expected ") + expected);
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
    storePosition(place, agent);
    agent.process = m_process;
    agent.outputEvents = m_outputEvents;
    JsonObjectReader object(place);
    if (!place.isObject())
        return agent;
    const auto name = object.required(QStringLiteral("name"));
    if (const auto text = name ? name->text() : std::nullopt) {
        agent.name = *text;
        if (const auto fault = m_names.add(*text, name->node().position.line))
            name->fault(*fault);
    }
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

// Checks keys together, and against the files of this machine.
void AgentReader::check(const JsonPlace &place, const AgentDefinition &agent,
                        bool policyIsGood) const
{
    const Readiness &ready = agent.process.readiness;
    if (ready.kind == Readiness::Kind::Line
        && agent.process.standardOutput.kind != OutputTarget::Kind::Lines) {
        place.at(QStringLiteral("/ready"))
            .fault(QStringLiteral("kind \"line\" requires stdout \"lines\""));
    }
    if (policyIsGood && ready.kind == Readiness::Kind::Now) {
        for (const Fault &fault : validate(agent.policy, true)) {
            if (fault.isError())
                place.at(QStringLiteral("/policy"))
                    .fault(fault.path.mid(1) + QLatin1String(": ") + fault.message);
        }
    }
    if (const auto program = place.member(u"program"))
        warnOfMissingProgram(*program, agent.process.program, agent.process);
    if (policyIsGood)
        warnOfLateReady(place, agent.process, agent.policy);
    warnOfUselessCloseStdin(place, agent.process);
    if (agent.outputEvents)
        warnOfUselessOutputEvents(place, agent.process);
    warnOfMissingCommands(place, agent.process);
    warnOfMissingFolder(place, u"workingDirectory", agent.process);
}

} // namespace Rekindle
