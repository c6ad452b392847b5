// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "agentrelations_p.h"
#include "cli/options/evaluatoroptions_p.h"
#include "cli/options/fleetoptions_p.h"
#include "cli/options/licenseoptions_p.h"
#include "command_p.h"
#include "policy/internal/policykeys.h"
#include "policy/internal/texthelpers.h"
#include "json/faultsjson.h"

#include <rekindle/policy/policygate.h>
#include <rekindle/policy/presets.h>

namespace Rekindle {

namespace {

void writeAgent(JsonWriter &json, const AgentDefinition &agent, LicenseTier tier)
{
    const auto textOrNull = [](const QString &text) {
        return text.isEmpty() ? std::nullopt : std::optional(text);
    };
    const RestartPolicy inForce = gatePolicy(agent.policy, tier).policy;
    json.member("name", agent.name);
    json.member("policy", textOrNull(agent.policyName));
    json.member("requestedType", toText(agent.policy.type));
    json.member("effectiveType", toText(inForce.type));
    json.member("evaluator",
                textOrNull(agent.policy.evaluator ? agent.policy.evaluator->id : QString()));
    json.key("circuitBreaker");
    if (inForce.effectiveType() == RestartPolicyType::None)
        json.null();
    else
        writeBreaker(json, inForce);
}

// "web: exponential (policy patient); circuit breaker opens on failure 5 for 5m; license tier
// WriterPro does not permit exponential restarts; ..."
QString agentText(const AgentDefinition &agent, LicenseTier tier)
{
    const RestartPolicy &policy = agent.policy;
    QString text = QStringLiteral("  %1: %2").arg(agent.name, toText(policy.type));
    QStringList more;
    if (!agent.policyName.isEmpty())
        more.append(QLatin1String("policy ") + agent.policyName);
    if (policy.evaluator) {
        more.append(QStringLiteral("evaluator %1%2, base %3")
                        .arg(policy.evaluator->id,
                             policy.evaluator->shadow ? QLatin1String(" in shadow mode")
                                                      : QLatin1String(""),
                             toText(policy.evaluator->base)));
    }
    if (!more.isEmpty())
        text += QStringLiteral(" (%1)").arg(more.join(QLatin1String(", ")));
    const GatedPolicy gated = gatePolicy(policy, tier);
    if (gated.policy.effectiveType() != RestartPolicyType::None)
        text += QLatin1String("; ") + breakerText(gated.policy);
    if (gated.downgraded)
        text += QLatin1String("; ") + downgradeText(toText(tier), policy.type, gated.policy.type);
    return text;
}

// The agents that the gateway starts.
Parsed<Configuration> agentsOf(const Parsed<McpServers> &servers)
{
    Parsed<Configuration> result;
    result.file = servers.file;
    result.faults = servers.faults;
    result.warnings = servers.warnings;
    if (!servers)
        return result;
    Configuration &configuration = result.value.emplace();
    for (const McpServerDefinition &server : servers.value->servers) {
        AgentDefinition agent;
        agent.kind = AgentDefinition::Kind::McpServer;
        agent.name = server.name;
        agent.policyName = server.policy ? QString()
            : server.restartOnExit       ? QStringLiteral("spawn")
                                         : QStringLiteral("stdio-backend");
        agent.policy = server.policy ? *server.policy : preset(agent.policyName).value();
        configuration.agents.append(agent);
    }
    return result;
}

class CheckCommand final : public Command
{
public:
    void addOptions(CLI::App &command) override
    {
        command.add_option("CONFIG", m_path, "JSON file with the configuration")->required();
        command.add_flag(
            "--json", m_json,
            "Print faults, warnings, effective policy types and circuit breakers as JSON");
        m_license.addTo(command);
        addEvaluatorOption(command, m_pluginFolders);
    }

    int execute(Messages &messages) override
    {
        const QString path = QString::fromStdString(m_path);
        const bool isForGateway = isMcpServerFile(path);
        const Parsed<Configuration> parsed = isForGateway
            ? agentsOf(loadForGateway(path, m_pluginFolders))
            : loadForHost(path, m_pluginFolders);
        const LicenseTier tier = m_license.tier(messages);
        const QList<Fault> faults = parsed.faults + parsed.warnings;
        const bool isFine = parsed && !hasErrors(faults);
        QByteArray text;
        if (m_json) {
            text = asJson(parsed, byPlace(faults), tier);
        } else {
            messages.sayFaults(faults, parsed.file);
            if (isFine)
                text = summary(*parsed.value, tier);
            if (isFine && isForGateway)
                warnOfHost(path, messages);
        }
        const int code = print(messages, text);
        return isFine ? code : ExitCode::configuration;
    }

private:
    // A file of MCP clients may be valid only for the gateway.
    void warnOfHost(const QString &path, Messages &messages) const
    {
        const Parsed<Configuration> forHost = loadForHost(path, m_pluginFolders);
        if (!forHost)
            messages.say(QStringLiteral("%1: valid for `rekindle mcp --config`, but `rekindle up` "
                                        "does not accept it: %2")
                             .arg(path, forHost.faults.front().toString()));
    }

    [[nodiscard]] static QByteArray asJson(const Parsed<Configuration> &parsed,
                                           const QList<Fault> &faults, LicenseTier tier)
    {
        const AgentRelations relations(parsed ? *parsed.value : Configuration());
        const QList<AgentDefinition> agents =
            parsed ? parsed.value->agents : QList<AgentDefinition>();
        return onLines(jsonObject([&](JsonWriter &json) {
                   json.member("file", parsed.file);
                   json.member("tier", toText(tier));
                   json.key("faults");
                   writeFaults(json, faults, parsed.file);
                   relations.writeGroups(json);
                   json.array("agents", agents, [&](const AgentDefinition &agent) {
                       json.object([&] {
                           writeAgent(json, agent, tier);
                           relations.writeEffects(json, agent.name);
                       });
                   });
               }))
            + '\n';
    }

    [[nodiscard]] QByteArray summary(const Configuration &configuration, LicenseTier tier) const
    {
        QString text =
            QStringLiteral("%1: valid, %2, %3, license tier %4\n")
                .arg(QString::fromStdString(m_path),
                     counted(configuration.agents.size(), "agent", "agents"),
                     counted(configuration.policies.size(), "policy", "policies"), toText(tier));
        for (const AgentDefinition &agent : configuration.agents)
            text += agentText(agent, tier) + u'\n';
        const AgentRelations relations(configuration);
        text += relations.effectsText() + relations.groupsText() + fleetText(configuration);
        return text.toLocal8Bit();
    }

    LicenseOptions m_license;
    std::string m_path;
    bool m_json = false;
    QStringList m_pluginFolders;
};

} // namespace

const CommandRow checkCommand{
    .name = "check",
    .summary = "Check a configuration",
    .help =
        R"(Prints each fault as a line on stderr: FILE:LINE:COLUMN: JSON-POINTER: message. Warnings, for
example about a program that is not found, do not fail the check.

--json prints one object. `faults` is an array of {file, line, column, pointer, severity,
message}; severity is error or warning, and an unknown line or column is 0. `agents` has the
policy type of each agent, as requested and as permitted by the license tier, and its circuit
breaker. `circuitBreaker` is null if it is off, or if the agent is not restarted. `effects` lists
the agents that stop or restart if the agent is down: see `dependsOn` in docs/configuration.md.
`groups` has the limit of failures, the orders of starts and stops, and the members of each group,
and in `restarts` the agents that are restarted if the member fails.

A file of MCP clients, with `servers` or only `mcpServers`, is checked with the rules of `rekindle
mcp --config`: a server that cannot be used is skipped with a warning.

docs/configuration.md (installed in share/doc/rekindle) describes every key of CONFIG.

Examples:
  rekindle check agents.json
  rekindle check agents.json && rekindle up agents.json
  rekindle check agents.json --json | jq -r '.faults[].pointer'
)",
    .exitCodes = {{0, "valid"},
                  {78,
                   "invalid configuration or license key, too many agents for the limit of open "
                   "files,\nor no state folder for --license"}},
    .make = makeCommand<CheckCommand>,
};

} // namespace Rekindle
