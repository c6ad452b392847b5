// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/history/storedreplay_p.h"
#include "cli/options/optiontypes_p.h"
#include "cli/options/storechoice_p.h"
#include "cli/output/exitcode_p.h"
#include "cli/output/messages_p.h"
#include "commandline_p.h"
#include "json/jsontext.h"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace Rekindle {

namespace {

constexpr char replayExamples[] =
    R"(Applies the recorded inputs of a run to the restart rules of this version, and compares all
events and decisions with the recorded ones. Use it after an update, to see whether the new version
decides in the same way. Nothing is started, and STORE is not changed.

Hosts with a telemetry store record their inputs unless --record off is given. A run can be replayed
as long as the store has its first input. docs/simulation.md (installed in share/doc/rekindle)
explains what is compared.

Examples:
  rekindle replay agents.sqlite
  rekindle replay agents.sqlite --agent web --json

Exit codes:
  0   everything is identical
  1   something differs, the run cannot be compared completely, the agent does not exist, or stdout
      cannot be written
  64  usage
  66  STORE cannot be read, or has no such run with recorded inputs
)";

class ReplayCommand final : public Command
{
public:
    void addOptions(CLI::App &command) override
    {
        command.footer(replayExamples);
        addValue(command, "STORE", "", "Telemetry store of the run", "a file",
                 [this](const QString &path) {
                     m_store = path;
                     return true;
                 })
            ->required();
        addText(command, "--run", m_run,
                "Replay this run (default: the newest run whose host has exited)", "ID");
        addText(command, "--agent", m_agent, "Compare only this agent", "NAME");
        command.add_flag("--json", m_json, "Print the result as JSON");
    }

    int execute(Messages &messages) override
    {
        HistoryReader history(m_store);
        const QList<StoredRun> runs = history.runs();
        if (!history.error().isEmpty())
            return refuse(messages, history.error());
        const auto found = std::find_if(runs.rbegin(), runs.rend(), [this](const StoredRun &run) {
            return m_run.isEmpty() ? run.hasExited() : run.run == m_run;
        });
        if (found == runs.rend()) {
            return refuse(messages,
                          m_run.isEmpty()
                              ? QStringLiteral("no run of an exited host; use --run for "
                                               "the run of a running host")
                              : QStringLiteral("no run has the id %1").arg(m_run));
        }
        StoredReplay replay(m_store, *found, m_agent);
        replay.run();
        if (replay.inputs() == 0)
            return refuse(messages, QStringLiteral("run %1: %2").arg(found->run, noInputs(replay)));
        if (!m_agent.isEmpty() && !replay.agents().contains(m_agent))
            return reportStoreFault(messages, m_store,
                                    unknownAgentText(m_agent, replay.agents().values()));
        const int printed = print(messages, m_json ? replay.toJson() : replay.toText());
        return printed == ExitCode::fine && !replay.isIdentical() ? int{ExitCode::replayDiffers}
                                                                  : printed;
    }

private:
    [[nodiscard]] static QString noInputs(const StoredReplay &replay)
    {
        return replay.fault().isEmpty()
            ? QStringLiteral("no inputs were recorded (--record off, or an older version)")
            : replay.fault();
    }

    [[nodiscard]] int refuse(Messages &messages, const QString &fault) const
    {
        return reportUnreadableStore(messages, m_store, fault);
    }

    QString m_store;
    QString m_run;
    QString m_agent;
    bool m_json = false;
};

} // namespace

std::unique_ptr<Command> makeReplayCommand() { return std::make_unique<ReplayCommand>(); }

} // namespace Rekindle
