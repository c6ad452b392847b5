// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/history/explained_p.h"
#include "cli/options/storechoice_p.h"
#include "cli/output/exitcode_p.h"
#include "cli/output/messages_p.h"
#include "commandline_p.h"

#include <rekindle/lifecycle/clock.h>

#include <CLI/CLI.hpp>

namespace Rekindle {

namespace {

constexpr char examples[] =
    "Tells the last decisions about an agent: what they were made from, the rule, the delay\n"
    "before and after jitter, the restarts that are left, the last lines on stderr, and what "
    "comes\n"
    "next. It reads the telemetry store that `rekindle up`, `rekindle mcp` and `rekindle tools "
    "call\n"
    "--store` write.\n"
    "\n"
    "Examples:\n"
    "  rekindle explain web\n"
    "  rekindle explain web --limit 10 --config agents.json\n"
    "  rekindle explain web --json | jq .decision.inputs\n"
    "\n"
    "Exit codes: 0 fine, also where it has not failed; 1 the store is not there, cannot be read "
    "or\n"
    "knows no such agent; 64 usage.\n";

constexpr int greatestLimit = 1'000'000;

class ExplainCommand final : public Command
{
public:
    void addTo(CLI::App &parser) override
    {
        CLI::App *command =
            parser.add_subcommand("explain", "Tell why an agent was restarted, or was not");
        command->footer(examples);
        command->add_option("NAME", m_name, "The agent")->required();
        command->add_option("--limit", m_limit, "The newest N decisions (default: 3)")
            ->type_name("N")
            ->check(CLI::Range(1, greatestLimit));
        command->add_flag("--json", m_json, "Each decision as a line of JSON");
        m_choice.addTo(*command);
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
        const Explained found = Explained::from(reader, name, m_limit);
        const bool isKnown = !found.decisions.isEmpty() || found.started;
        const QStringList known =
            reader.error().isEmpty() && !isKnown ? reader.agents() : QStringList();
        if (!reader.error().isEmpty()) {
            messages.say(QStringLiteral("%1: %2").arg(store, reader.error()));
            return ExitCode::outputFailed;
        }
        if (!isKnown && !known.contains(name)) {
            messages.say(unknownAgentText(store, name, known));
            return ExitCode::outputFailed;
        }
        if (m_json && found.decisions.isEmpty())
            messages.say(noDecisionText(name, found));
        QByteArray text;
        if (m_json) {
            for (const StoredDecision &decision : found.decisions)
                text += decisionJson(decision, found) + '\n';
        } else {
            text = explainText(name, found, SystemClock().utcNow());
        }
        return print(messages, text) ? ExitCode::fine : ExitCode::outputFailed;
    }

    StoreChoice m_choice;
    std::string m_name;
    int m_limit = 3;
    bool m_json = false;
};

} // namespace

std::unique_ptr<Command> makeExplainCommand() { return std::make_unique<ExplainCommand>(); }

} // namespace Rekindle
