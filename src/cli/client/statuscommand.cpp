// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "agentchoice_p.h"
#include "cli/output/terminal_p.h"
#include "cli/output/texthelpers_p.h"
#include "control/internal/messagejson.h"
#include "hostcommand_p.h"
#include "policy/internal/texthelpers.h"
#include "statustext_p.h"

#include <QJsonDocument>

#include <unistd.h>

#include <utility>

namespace Rekindle {

namespace {

class StatusCommand final : public HostCommand
{
protected:
    void addOwnOptions(CLI::App &command) override
    {
        m_choice.addTo(command, "Only these agents (default: all)", AgentChoice::Default::All);
        command.add_flag("--json", m_json,
                         "Print one JSON object; with --watch, one line each time");
        auto *const watch = command.add_flag(
            "--watch", m_isWatching, "Print the table again after each interval, until Ctrl-C");
        addTimeLimit(command, "--interval", m_interval, "Time between two tables (default: 2s)")
            ->needs(watch);
    }

    int executeOn(HostConnection &host, Messages &messages) override
    {
        do {
            printOrEnd(messages, textOf(m_choice.list(host)));
            if (!m_isWatching || isUnread(STDOUT_FILENO))
                return ExitCode::fine;
        } while (host.follow(false, m_interval.value_or(std::chrono::seconds(2))));
        return host.exitCode();
    }

private:
    [[nodiscard]] QByteArray textOf(const QJsonObject &result)
    {
        if (m_json && m_isWatching)
            return QJsonDocument(result).toJson(QJsonDocument::Compact) + '\n';
        if (m_json)
            return QJsonDocument(result).toJson();
        const auto host = fromJson<HostStatus>(result);
        QByteArray table =
            columnsText(statusRows(host.agents, std::exchange(m_previous, host.agents)));
        if (host.governor && host.governor->queued > 0)
            table += '\n' + counted(host.governor->queued, "start waits", "starts wait").toLatin1()
                + " for the governor\n";
        if (host.store && !host.store->failure.isEmpty())
            table += "\nthe telemetry store cannot be written: "
                + forTerminal(host.store->failure.toLocal8Bit()) + '\n';
        if (host.store && host.store->droppedRows > 0)
            table += "\nthe telemetry store has dropped "
                + counted(host.store->droppedRows, "row", "rows").toLatin1()
                + "; `rekindle history` is incomplete\n";
        if (!host.groups.isEmpty())
            table += '\n' + columnsText(groupRows(host.groups));
        if (!host.sharedBreakers.isEmpty())
            table += '\n' + columnsText(sharedBreakerRows(host.sharedBreakers));
        if (!m_isWatching)
            return table;
        // On a terminal, each table replaces the previous one.
        return Terminal::isLive() ? QByteArray("\x1b[H\x1b[J" + table) : QByteArray(table + '\n');
    }

    AgentChoice m_choice;
    QList<AgentStatus> m_previous; ///< agents of the previous table
    std::optional<Duration> m_interval;
    bool m_json = false;
    bool m_isWatching = false;
};

} // namespace

const CommandRow statusCommand{
    .name = "status",
    .summary = "Show the agents of a running host",
    .help =
        R"(Shows the agents of a running host: state, process, uptime, CPU, memory, restarts, circuit breaker,
health, and what happens next.

STATE is one of these:

  Stopped      nothing runs and no start is pending
  Starting     started, not ready yet
  Running      ready
  Waiting      a start is pending
  CircuitOpen  the circuit breaker is open
  Evaluating   a custom evaluator is deciding
  Stopping     a stop was requested and the agent has not exited yet
  Exhausted    given up: no restarts are left, or its group has given up
  Failed       not restarted: permanent failure, policy none, or refused by an evaluator
  Gated        the license tier does not permit a restart

RESTARTS counts the restarts since the agent was last stable, and shows their limit. CPU is the
share of one core since the start or, with --watch, since the previous table. CPU and memory do not
include the processes that the agent has started.

If starts wait for the governor of the host, a line with their number follows. If the telemetry
store cannot be written, or has dropped rows since the host started, a line reports it.

The groups of these agents, and the shared breakers that they require, follow in tables of their
own. A group is Running if at least one member runs and the group starts and stops none. RESTARTS
counts the restarts in the period of the group, and shows their limit.

Examples:
  rekindle status
  rekindle status web worker
  rekindle status --tag backend
  rekindle status --config agents.json
  rekindle status --watch --interval 5s
  rekindle status --json | jq -r '.agents[] | select(.state != "Running").agent'
)",
    .exitCodes = hostCodes({{1, "stdout cannot be written"}}),
    .make = makeCommand<StatusCommand>,
};

} // namespace Rekindle
