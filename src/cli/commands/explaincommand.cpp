// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/options/storechoice_p.h"
#include "cli/output/exitcode_p.h"
#include "cli/output/messages_p.h"
#include "cli/output/texthelpers_p.h"
#include "commandline_p.h"

#include <rekindle/lifecycle/clock.h>
#include <rekindle/telemetry/agentexplanation.h>

#include <CLI/CLI.hpp>

namespace Rekindle {

namespace {

constexpr char explainExamples[] =
    R"(Shows the last decisions about an agent: inputs, rule, delay before and after jitter, restarts
left, last lines on stderr, and what happens next. Reads the telemetry store of `rekindle up`,
`rekindle run`, `rekindle mcp` or `rekindle tools call --store`.

Examples:
  rekindle explain web
  rekindle explain web --limit 10 --config agents.json
  rekindle explain web --json | jq .decision.inputs

Exit codes:
  0   success, even if the agent has not failed
  1   the store or the agent does not exist, or the store cannot be read
  64  usage
  78  no --store and no state folder (HOME or XDG_STATE_HOME)
)";

constexpr int maxEvents = 1'000'000;

class ExplainCommand final : public Command
{
public:
    void addOptions(CLI::App &command) override
    {
        command.footer(explainExamples);
        command.add_option("NAME", m_name, "The agent")->required();
        command.add_option("--limit", m_limit, "Show the newest N decisions (default: 3)")
            ->type_name("N")
            ->check(CLI::Range(1, maxEvents));
        command.add_flag("--json", m_json, "Print each decision as a line of JSON");
        m_choice.addTo(command);
    }

    int execute(Messages &messages) override
    {
        int exitCode = ExitCode::fine;
        const std::optional<QString> store = m_choice.choose(messages, exitCode);
        return store ? explain(*store, messages) : exitCode;
    }

private:
    int explain(const QString &store, Messages &messages) const
    {
        HistoryReader reader(store);
        const QString name = QString::fromStdString(m_name);
        const AgentExplanation explanation(reader, name, m_limit);
        const QStringList known = reader.error().isEmpty() && !explanation.hasDecisions()
            ? reader.agents()
            : QStringList(name);
        if (!reader.error().isEmpty())
            return reportStoreFault(messages, store, reader.error());
        if (!known.contains(name))
            return reportStoreFault(messages, store, unknownAgentText(name, known));
        if (!m_json)
            return print(messages, escaped(explanation.toText(SystemClock().utcNow())));
        if (!explanation.hasDecisions())
            messages.say(explanation.stateText());
        return print(messages, explanation.toJson());
    }

    static QByteArray escaped(const QString &text)
    {
        QByteArray lines;
        for (const QString &line : text.chopped(1).split(u'\n'))
            lines += forTerminal(line.toLocal8Bit()) + '\n';
        return lines;
    }

    StoreChoice m_choice;
    std::string m_name;
    int m_limit = 3;
    bool m_json = false;
};

} // namespace

std::unique_ptr<Command> makeExplainCommand() { return std::make_unique<ExplainCommand>(); }

} // namespace Rekindle
