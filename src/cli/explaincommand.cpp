// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "commandline_p.h"
#include "exitcode_p.h"
#include "historytext_p.h"
#include "messages_p.h"
#include "storechoice_p.h"

#include <rekindle/lifecycle/clock.h>

#include <CLI/CLI.hpp>

namespace Rekindle {

namespace {

constexpr char examples[] =
    "Tells the last decisions about an agent: what they were made from, the rule, the delay\n"
    "before and after jitter, the restarts that are left, the last lines on stderr, and what "
    "comes\n"
    "next. It reads the telemetry store that `rekindle up` writes.\n"
    "\n"
    "Examples:\n"
    "  rekindle explain web\n"
    "  rekindle explain web --limit 10 --config agents.json\n"
    "  rekindle explain web --json | jq .decision.inputs\n"
    "\n"
    "Exit codes: 0 fine; 1 there is no decision about it, or the store cannot be read; 64 usage.\n";

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
        QList<StoredDecision> decisions;
        QList<StoredEvent> latest;
        if (reader.error().isEmpty())
            decisions = reader.decisions({.agent = name, .limit = m_limit});
        if (reader.error().isEmpty())
            latest = reader.events({.agent = name, .limit = 1});
        if (!reader.error().isEmpty()) {
            messages.say(QStringLiteral("%1: %2").arg(store, reader.error()));
            return ExitCode::outputFailed;
        }
        if (decisions.isEmpty()) {
            messages.say(QStringLiteral("%1: no decision about %2; agents there: %3")
                             .arg(store, name, reader.agents().join(QLatin1String(", "))));
            return ExitCode::outputFailed;
        }
        QByteArray text;
        if (m_json) {
            for (const StoredDecision &decision : std::as_const(decisions))
                text += decisionJson(decision) + '\n';
        } else {
            const auto last = latest.isEmpty() ? std::optional<StoredEvent>() : latest.front();
            text = explainText(decisions, last, SystemClock().utcNow());
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
