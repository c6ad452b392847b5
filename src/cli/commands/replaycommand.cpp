// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/history/storedreplay_p.h"
#include "cli/options/evaluatoroptions_p.h"
#include "cli/options/licenseoptions_p.h"
#include "cli/options/policyoptions_p.h"
#include "cli/options/storechoice_p.h"
#include "cli/simulate/simulationtext_p.h"
#include "command_p.h"
#include "policy/internal/eventcursor.h"

#include <algorithm>

namespace Rekindle {

namespace {

class ReplayCommand final : public Command
{
public:
    void addOptions(CLI::App &command) override
    {
        m_stores.addTo(command);
        addValue(command, "STORE", "", "Telemetry store of the run, as with --store", "a file",
                 [this](const QString &path) {
                     m_stores.setStore(path);
                     return !path.isEmpty();
                 })
            ->excludes("--store")
            ->excludes("--config");
        addText(command, "--run", m_run,
                "Replay this run (default: the newest run whose host has exited), also that of a "
                "running host",
                "ID");
        addText(command, "--agent", m_agent, "Compare only this agent", "NAME");
        addValue(command, "--until", "CURSOR", "Replay the run only up to this event",
                 "a cursor of `rekindle events`, which is RUN:SEQ", [this](const QString &text) {
                     m_until = EventCursor::of(text);
                     return m_until.has_value();
                 });
        addText(command, "--with", m_configuration,
                "Also apply the policies of this configuration, and compare the figures", "CONFIG");
        addText(command, "--policy", m_policy,
                "Also apply this policy to all agents, and compare the figures", "NAME|FILE|JSON")
            ->excludes("--with");
        addTimeLimit(
            command, "--for", m_length,
            "With other settings: continue both runs until this time after their beginning");
        command.add_flag("--json", m_json, "Print the result as JSON");
        m_license.addTo(command);
        addEvaluatorOption(command, m_pluginFolders);
    }

    int execute(Messages &messages) override
    {
        chooseRun(messages);
        readSettings(messages);
        m_store = m_stores.choose(messages, m_agent);
        HistoryReader history(m_store);
        const QList<StoredRun> runs = history.runs();
        if (!history.error().isEmpty())
            refuseUnreadable(m_store, history.error(), messages);
        const auto found = std::find_if(runs.rbegin(), runs.rend(), [this](const StoredRun &run) {
            return m_run.isEmpty() ? run.hasExited() : run.run == m_run;
        });
        if (found == runs.rend())
            refuseUnreadable(m_store, noRunText(runs), messages);
        std::optional<Instant> until;
        if (m_until) {
            until = StoredReplay::timeOfEvent(m_store, found->run, m_until->sequence);
            if (!until)
                refuseContents(
                    m_store,
                    QStringLiteral("run %1 has no event %2").arg(found->run).arg(m_until->sequence),
                    messages);
        }
        StoredReplay replay(m_store, *found, m_agent, until);
        EventCursor cursor{found->run, 0};
        replay.run([&](const JournalEntry &entry) {
            if (!m_changed)
                return;
            if (!m_changed->difference())
                cursor.sequence = static_cast<quint64>(replay.lastEvent());
            m_changed->apply(entry);
        });
        if (replay.inputs() == 0)
            refuseUnreadable(
                m_store, QStringLiteral("run %1: %2").arg(found->run, noInputs(replay)), messages);
        if (!m_agent.isEmpty() && !replay.agents().contains(m_agent))
            refuseContents(m_store, unknownAgentText(m_agent, replay.agents().values()), messages);
        if (m_changed && replay.isIdentical())
            return printChanged(replay, cursor, messages);
        const int printed = print(messages, m_json ? replay.toJson() : replay.toText());
        return printed == ExitCode::fine && !replay.isIdentical() ? int{ExitCode::replayDiffers}
                                                                  : printed;
    }

private:
    [[nodiscard]] QString noRunText(const QList<StoredRun> &runs) const
    {
        const QString why = m_run.isEmpty() ? QStringLiteral("no run of an exited host")
                                            : QLatin1String("no run has the id ") + m_run;
        return runs.isEmpty()
            ? why
            : why + QLatin1String("; for the newest run, use --run ") + runs.back().run;
    }

    // A cursor names its run.
    void chooseRun(Messages &messages)
    {
        if (m_until && m_run.isEmpty())
            m_run = m_until->run;
        if (m_until && m_until->run != m_run)
            messages.end(ExitCode::usage,
                         QStringLiteral("--until: expected a cursor of run %1, found %2")
                             .arg(m_run, m_until->text()));
    }

    void readSettings(Messages &messages)
    {
        const LicenseTier tier = m_license.tier(messages);
        if (!m_configuration.isEmpty()) {
            Parsed<Configuration> parsed = loadForHost(m_configuration, m_pluginFolders);
            Configuration &read = messages.require(parsed);
            if (!m_agent.isEmpty())
                read.agents.removeIf(
                    [this](const AgentDefinition &each) { return each.name != m_agent; });
            m_changed.emplace(std::move(read), tier);
        } else if (!m_policy.isEmpty()) {
            const RestartPolicy policy = policyFromOption(m_policy, messages);
            checkEvaluator(policy, m_pluginFolders, messages);
            m_changed.emplace(policy, tier);
        }
        if (m_length && !m_changed)
            messages.end(ExitCode::usage, QStringLiteral("--for: requires --with or --policy"));
    }

    [[nodiscard]] int printChanged(const StoredReplay &replay, EventCursor cursor,
                                   Messages &messages)
    {
        if (!m_changed->difference())
            cursor.sequence = static_cast<quint64>(replay.lastEvent());
        m_changed->finish(replay.end(), m_length.value_or(Duration{0}));
        if (const Duration length = m_changed->recorded().length;
            m_changed->changed().length < length)
            messages.end(ExitCode::configuration,
                         QStringLiteral("%1: run %2: %3")
                             .arg(m_store, cursor.run,
                                  exceededWork(m_changed->changed(),
                                               CounterfactualReplay::workLimit, length)));
        const int printed =
            print(messages,
                  m_json ? counterfactualJson(*m_changed, cursor.run, cursor.text())
                         : replay.toText() + counterfactualText(*m_changed, cursor.text()));
        return m_changed->changed().violations.isEmpty() ? printed : int{ExitCode::defect};
    }

    [[nodiscard]] static QString noInputs(const StoredReplay &replay)
    {
        return replay.fault().isEmpty()
            ? QStringLiteral("no inputs were recorded (--record off, or an older version)")
            : replay.fault();
    }

    StoreChoice m_stores;
    QString m_store;
    QString m_run;
    QString m_agent;
    std::optional<EventCursor> m_until;
    QString m_configuration;
    QString m_policy;
    std::optional<Duration> m_length;
    bool m_json = false;
    LicenseOptions m_license;
    QStringList m_pluginFolders;
    std::optional<CounterfactualReplay> m_changed; ///< if other settings are given
};

} // namespace

const CommandRow replayCommand{
    .name = "replay",
    .summary = "Replay a recorded run and compare its decisions",
    .help =
        R"(Applies the recorded inputs of a run to the restart rules of this version, and compares all
events and decisions with the recorded ones. Use it after an update, to see whether the new version
decides in the same way. Nothing is started, and the store is not changed.

Hosts with a telemetry store record their inputs unless --record off is given. A run can be replayed
as long as the store has its first input. docs/simulation.md (installed in share/doc/rekindle)
explains what is compared.

With --with or --policy, the inputs are applied to other settings, too. The result shows the figures
of `rekindle simulate` for the recorded and the changed settings. It is exact up to the first
difference, whose cursor is printed. After it, each process is assumed to exit in the same way at
the same age as in the recorded run.

Examples:
  rekindle replay --config agents.json
  rekindle replay agents.sqlite
  rekindle replay agents.sqlite --agent web --json
  rekindle replay agents.sqlite --with changed.json
  rekindle replay agents.sqlite --policy '{"type": "linear", "maxRetries": 20}' --for 1h
)",
    .exitCodes = {{0, "everything is identical; with other settings: the figures were printed"},
                  {1,
                   "something differs under the recorded settings, the run cannot be compared "
                   "completely, an agent\nor event does not exist, or stdout cannot be written"},
                  {66,
                   "the store does not exist or cannot be read, has no such run, or does not have "
                   "its first inputs"},
                  {70, "defect: the simulation violated a rule of Rekindle"},
                  {78,
                   "invalid configuration, policy or license key, no state folder and no store, or "
                   "the run\nwith the other settings exceeds the limit of work"}},
    .make = makeCommand<ReplayCommand>,
};

} // namespace Rekindle
