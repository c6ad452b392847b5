// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "agentchoice_p.h"
#include "cli/commands/command_p.h"
#include "cli/options/storechoice_p.h"
#include "cli/output/texthelpers_p.h"
#include "hostchoice_p.h"
#include "hostconnection_p.h"
#include "policy/internal/texthelpers.h"

#include <rekindle/lifecycle/clock.h>
#include <rekindle/telemetry/historyreader.h>

#include <algorithm>
#include <optional>

namespace Rekindle {

namespace {

constexpr int maxEvents = 1'000'000;
constexpr int mostOfHost = 5; // the limit of the parameter of agents.explain

class ExplainCommand final : public Command
{
public:
    void addOptions(CLI::App &command) override
    {
        m_choice.addTo(command, "The agent", AgentChoice::Default::None)->expected(1);
        command.add_option("--limit", m_limit, "Show the newest N decisions (default: 3)")
            ->type_name("N")
            ->check(CLI::Range(1, maxEvents));
        command.add_flag("--json", m_json, "Print each decision as a line of JSON");
        m_hosts.addHostTo(command);
        m_stores.addTo(command);
        command.get_option("--host")->excludes("--store")->excludes("--config");
        command.get_option("--tag")->excludes("--store");
        command.get_option("--group")->excludes("--store");
        command.get_option("--all")->excludes("--store");
    }

    int execute(Messages &messages) override
    {
        m_hosts.setConfiguration(m_stores.configuration());
        std::optional<QString> socket;
        if (m_hosts.hasHost() || m_choice.needsHost())
            socket = m_hosts.choose(messages);
        else if (!m_stores.hasStore())
            socket = m_hosts.runningHost();
        if (socket && explainLive(*socket, messages))
            return ExitCode::fine;
        try {
            explainStored(m_stores.choose(messages, givenName()), messages);
            return ExitCode::fine;
        } catch (const CommandFailure &) {
            // Other supervisors use this name for all agents.
            if (givenName() == QLatin1String("all"))
                messages.say(QStringLiteral("to select all agents of a running host, use --all"));
            if (!m_agentsOfHost.isEmpty())
                messages.end(ExitCode::usage,
                             QLatin1String("the running host has ")
                                 + unknownAgentText(givenName(), m_agentsOfHost));
            throw;
        }
    }

private:
    [[nodiscard]] QString givenName() const { return m_choice.givenNames().front(); }

    // Returns false if the host was not chosen by an option and has no such agent: it may be one of
    // a host that has exited.
    [[nodiscard]] bool explainLive(const QString &socket, Messages &messages)
    {
        HostConnection host(messages);
        host.open(socket);
        const bool isChosen =
            m_hosts.hasHost() || m_choice.needsHost() || !m_stores.configuration().isEmpty();
        if (!isChosen) {
            for (const AgentStatus &each : host.result(host.client().listAgents()).agents)
                m_agentsOfHost.append(each.agent);
            if (!m_agentsOfHost.contains(givenName()))
                return false;
        }
        const QStringList names = m_choice.names(host);
        for (const QString &name : names) {
            const AgentExplanation explanation =
                host.result(host.client().explain(name, std::min(m_limit, mostOfHost)));
            const bool isFirst = name == names.first();
            const qsizetype decisions = explanation.toJson().count('\n');
            if (m_limit > mostOfHost && decisions >= mostOfHost)
                messages.say(QStringLiteral("%1: a running host has only the last %2 decisions; "
                                            "use --store FILE to show older ones")
                                 .arg(name)
                                 .arg(mostOfHost));
            show(explanation, messages, isFirst || m_json ? QByteArray() : QByteArray("\n"));
        }
        return true;
    }

    void explainStored(const QString &store, Messages &messages) const
    {
        HistoryReader reader(store);
        const QString name = givenName();
        const AgentExplanation explanation = reader.explain(name, m_limit);
        const QStringList known = reader.error().isEmpty() && !explanation.hasDecisions()
            ? reader.agents()
            : QStringList(name);
        if (!reader.error().isEmpty())
            refuseUnreadable(store, reader.error(), messages);
        if (!known.contains(name))
            refuseContents(store, unknownAgentText(name, known), messages);
        show(explanation, messages);
    }

    void show(const AgentExplanation &explanation, Messages &messages,
              const QByteArray &before = {}) const
    {
        if (m_json && !explanation.hasDecisions())
            messages.say(explanation.stateText());
        printOrEnd(messages,
                   m_json ? explanation.toJson()
                          : before + escaped(explanation.toText(SystemClock().utcNow())));
    }

    static QByteArray escaped(const QString &text)
    {
        QByteArray lines;
        for (const QString &line : text.chopped(1).split(u'\n'))
            lines += forTerminal(line.toLocal8Bit()) + '\n';
        return lines;
    }

    HostChoice m_hosts;
    StoreChoice m_stores;
    AgentChoice m_choice;
    QStringList m_agentsOfHost; ///< of a host that was not chosen by an option
    int m_limit = 3;
    bool m_json = false;
};

} // namespace

const CommandRow explainCommand{
    .name = "explain",
    .summary = "Show why an agent was restarted or not",
    .help =
        R"(Shows the last decisions about an agent: inputs, rule, delay before and after jitter, restarts
left, last lines on stderr, and what happens next.

If the host runs, its own decisions are shown, at most 5. If it does not run, or with --store, the
decisions in the telemetry store of `rekindle up`, `rekindle run`, `rekindle mcp` or `rekindle tools
call --store` are shown, also those of earlier hosts. --tag needs a running host.

Examples:
  rekindle explain web
  rekindle explain web --config agents.json --json | jq .decision.inputs
  rekindle explain --tag backend
  rekindle explain web --limit 10 --store agents.sqlite
)",
    .exitCodes = {{0, "success, even if the agent has not failed"},
                  {1,
                   "without a running host, the agent does not exist in the store; or stdout "
                   "cannot be written"},
                  {64, "usage, or the running host has no such agent"},
                  {66, "the store does not exist or cannot be read"},
                  {69, "the host of --host or --tag does not run, or the host does not respond"},
                  {75, "the host has too many clients"},
                  {76, "the host supports another protocol"},
                  {77, "no permission"},
                  {78, "no --store and no state folder (HOME or XDG_STATE_HOME)"}},
    .make = makeCommand<ExplainCommand>,
};

} // namespace Rekindle
