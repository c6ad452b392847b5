// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/history/historytext_p.h"
#include "cli/history/historytrace_p.h"
#include "cli/options/storechoice_p.h"
#include "cli/output/distinctfiles_p.h"
#include "cli/output/tracefile_p.h"
#include "command_p.h"
#include "policy/internal/texthelpers.h"

#include <rekindle/lifecycle/clock.h>
#include <rekindle/policy/toolcallfinished.h>
#include <rekindle/telemetry/audittrail.h>

#include <QDateTime>

#include <algorithm>

namespace Rekindle {

namespace {

const CommandRow verifyRow{
    .help =
        R"help(Reports the first invalid row of the audit trail. Someone with write access to the file can
replace the whole trail. To detect this, store the printed head elsewhere and pass it to --head.

Examples:
  rekindle history verify
  rekindle history verify --store agents.sqlite
  rekindle history verify --head "$(cat head.txt)"
)help",
    .exitCodes = {{0, "the trail is intact"},
                  {1, "the trail is not intact, or stdout cannot be written"},
                  {64, "usage"},
                  {66, "the store does not exist or cannot be read"},
                  {78, "no --store and no state folder (HOME or XDG_STATE_HOME)"}},
};

constexpr int maximumLimit = 1'000'000;
constexpr int rowsAtATime = 1'000;

// A time, or a duration before now.
std::optional<UtcTime> timeFrom(const QString &text)
{
    if (const std::optional<Duration> ago = durationFromString(text))
        return SystemClock().utcNow() - std::chrono::round<std::chrono::milliseconds>(*ago);
    const QDateTime moment = QDateTime::fromString(text, Qt::ISODateWithMs);
    if (!moment.isValid())
        return {};
    return UtcTime(std::chrono::milliseconds(moment.toMSecsSinceEpoch()));
}

class HistoryCommand final : public Command
{
public:
    void addOptions(CLI::App &command) override
    {
        addValue(command, "NAME", "", "Show only events of this agent", "a name",
                 [this](const QString &name) {
                     m_query.agent = name;
                     return true;
                 });
        addValue(command, "--since", "T|D", "Show events since the time T, or of the last D",
                 "a duration such as 90s or 2h, or a time such as 2026-11-21T01:00:00Z",
                 [this](const QString &text) {
                     m_since = text;
                     m_query.since = timeFrom(text);
                     return m_query.since.has_value();
                 });
        CLI::Option *const limit =
            command.add_option("--limit", m_query.limit, "Show the newest N events (default: 100)")
                ->type_name("N")
                ->check(CLI::Range(1, maximumLimit));
        CLI::Option *const json = command.add_flag(
            "--json", m_json, "Print each event as a line of JSON (CloudEvents 1.0)");
        CLI::Option *const calls = command.add_flag_callback(
            "--calls", [this] { m_query.type = toolCallFinishedType; },
            "Show tool calls instead of events, with their retries");
        addText(command, "--perfetto", m_perfetto,
                "Write all events as a trace for ui.perfetto.dev instead; \"-\" is stdout", "FILE")
            ->excludes(limit)
            ->excludes(json)
            ->excludes(calls);
        m_choice.addTo(command);

        m_verify = command.add_subcommand(
            "verify", "Check the audit trail of decisions, restart requests and commands");
        m_verify->footer(helpText(verifyRow));
        m_choice.addTo(*m_verify);
        addValue(*m_verify, "--head", "ROW:HASH", "A head of this trail that was printed earlier",
                 "ROW:HASH as printed by verify", [this](const QString &text) {
                     m_head = AuditHead::fromString(text.trimmed());
                     return m_head.has_value();
                 });
        m_verify->final_callback([&command] { rejectFilters(command); });
    }

    int execute(Messages &messages) override
    {
        const QString store = m_choice.choose(messages, m_query.agent);
        if (m_verify->parsed())
            return verify(store, messages);
        return m_perfetto.isNull() ? show(store, messages) : trace(store, messages);
    }

private:
    // Filters do not apply to the trail, which is verified as a whole.
    static void rejectFilters(const CLI::App &history)
    {
        for (const CLI::Option *option :
             history.get_options([](const CLI::Option *any) { return any->count() > 0; })) {
            const std::string name = option->get_name();
            if (name != "--store" && name != "--config")
                throw CLI::ValidationError(
                    name, "not valid with verify, which accepts --store, --config and --head");
        }
    }

    int show(const QString &store, Messages &messages)
    {
        HistoryReader reader(store);
        const QList<StoredEvent> events =
            reader.error().isEmpty() ? reader.events(m_query) : QList<StoredEvent>();
        if (!reader.error().isEmpty())
            refuseUnreadable(store, reader.error(), messages);
        if (!isKnown(reader, events))
            refuseContents(store, unknownAgentText(m_query.agent, reader.agents()), messages);
        if (events.isEmpty())
            messages.say(QStringLiteral("%1: %2").arg(store, noEventsText(reader)));
        QByteArray text;
        if (m_json) {
            for (const StoredEvent &event : events)
                text += event.toCloudEvent() + '\n';
        } else {
            const bool isWhole =
                events.size() < m_query.limit && !m_query.since && m_query.type.isEmpty();
            // The start and the exit of a host are not tool calls.
            const QList<StoredRun> runs =
                m_query.type.isEmpty() ? reader.runs() : QList<StoredRun>();
            text = historyText(events, runs, isWhole, lastEventTimes(reader, runs, events));
            if (!reader.error().isEmpty())
                refuseUnreadable(store, reader.error(), messages);
        }
        return print(messages, text);
    }

    int trace(const QString &store, Messages &messages)
    {
        HistoryReader reader(store);
        const QStringList agents = reader.agents();
        if (!reader.error().isEmpty())
            refuseUnreadable(store, reader.error(), messages);
        if (!m_query.agent.isEmpty() && !agents.contains(m_query.agent))
            refuseContents(store, unknownAgentText(m_query.agent, agents), messages);
        QList<UsedFile> files = filesRead({store}, QStringLiteral("the store"))
            + filesRead({m_choice.configuration()}, QStringLiteral("the configuration"));
        if (m_perfetto != QLatin1String("-"))
            files.append(
                {m_perfetto, QStringLiteral("the trace"), TraceFile::option, WrittenFile::Trace});
        checkFiles(files, messages);
        TraceFile file(m_perfetto, messages);
        HistoryTrace trace(file, m_query);
        for (StoredEventPage page; !page.isLast;) {
            page = reader.eventsFrom(page.nextRow, {}, rowsAtATime);
            if (!reader.error().isEmpty())
                refuseUnreadable(store, reader.error(), messages);
            for (const StoredEvent &event : std::as_const(page.events))
                trace.add(event);
        }
        const bool isEmpty = !trace.finish(reader.runs());
        if (!reader.error().isEmpty())
            refuseUnreadable(store, reader.error(), messages);
        file.finish();
        if (isEmpty)
            messages.say(QStringLiteral("%1: %2").arg(store, noEventsText(reader)));
        return ExitCode::fine;
    }

    // With a filter by agent, the last event of a host may be of another agent.
    [[nodiscard]] QHash<QString, UtcTime> lastEventTimes(HistoryReader &reader,
                                                         const QList<StoredRun> &runs,
                                                         const QList<StoredEvent> &events) const
    {
        QHash<QString, UtcTime> times;
        for (const StoredRun &run : runs) {
            const bool isShown =
                std::any_of(events.begin(), events.end(),
                            [&run](const StoredEvent &event) { return event.run == run.run; });
            if (m_query.agent.isEmpty() || run.ended || !run.hasExited() || !isShown)
                continue;
            for (const StoredEvent &last : reader.events({.limit = 1, .run = run.run}))
                times.insert(run.run, last.time);
            if (!reader.error().isEmpty())
                break;
        }
        return times;
    }

    // Gap markers match every agent name, even an unknown one.
    [[nodiscard]] bool isKnown(HistoryReader &reader, const QList<StoredEvent> &events) const
    {
        const auto isOfIt = [this](const StoredEvent &event) {
            return event.agent == m_query.agent;
        };
        return m_query.agent.isEmpty() || std::any_of(events.begin(), events.end(), isOfIt)
            || reader.agents().contains(m_query.agent);
    }

    [[nodiscard]] bool hasCalls(HistoryReader &reader) const
    {
        HistoryQuery calls = m_query;
        calls.type = toolCallFinishedType;
        calls.limit = 1;
        return !reader.events(calls).isEmpty();
    }

    [[nodiscard]] QString noEventsText(HistoryReader &reader) const
    {
        QString text =
            m_query.type.isEmpty() ? QStringLiteral("no events") : QStringLiteral("no tool calls");
        if (!m_query.agent.isEmpty())
            text += QLatin1String(" of ") + m_query.agent;
        if (m_query.since) {
            const QString from = toRfc3339(*m_query.since);
            text += QLatin1String(" since ") + from;
            if (m_since != from)
                text += QStringLiteral(" (--since %1)").arg(m_since);
        }
        if (m_query.type.isEmpty() && hasCalls(reader))
            text += QLatin1String("; use --calls to show tool calls");
        return text;
    }

    int verify(const QString &store, Messages &messages)
    {
        const AuditReport report = AuditTrail::verify(store, m_head);
        if (!report.error.isEmpty())
            refuseUnreadable(store, report.error, messages);
        if (report.fault)
            refuseContents(store,
                           QStringLiteral("audit trail not intact: row %1: %2")
                               .arg(report.fault->row)
                               .arg(report.fault->what),
                           messages);
        QString text =
            QStringLiteral("%1: intact, %2").arg(store, counted(report.rows, "row", "rows"));
        if (report.removedThrough > 0) {
            text +=
                QStringLiteral(", rows up to %1 removed by retention").arg(report.removedThrough);
        }
        text += QStringLiteral("\nhead %1\n").arg(report.head.toString());
        return print(messages, text.toLocal8Bit());
    }

    StoreChoice m_choice;
    HistoryQuery m_query;
    QString m_since; ///< as given on the command line
    std::optional<AuditHead> m_head;
    QString m_perfetto;
    bool m_json = false;
    CLI::App *m_verify = nullptr;
};

} // namespace

const CommandRow historyCommand{
    .name = "history",
    .summary = "Show the events of a telemetry store",
    .help =
        R"(Reads the telemetry store of `rekindle up`, `rekindle run`, `rekindle mcp` or `rekindle tools
call --store`, even while they run. --store and --config can be omitted if only one store exists,
contains NAME, or is written by a running host.
--perfetto writes the states of agents as slices and their events as instants.
`history verify` checks the audit trail, a hash chain of all decisions, restart requests and
operator commands. It finds rows that were changed, removed or inserted.

Examples:
  rekindle history
  rekindle history web --since 1h
  rekindle history --calls
  rekindle history --since 2026-11-21T01:00:00Z --limit 1000 --json | jq .type
  rekindle history --since 1d --perfetto day.json
  rekindle history verify --config agents.json
)",
    .exitCodes = {{0, "success, even if there are no events"},
                  {1, "the agent does not exist, or FILE or stdout cannot be written"},
                  {66, "the store does not exist or cannot be read"},
                  {78,
                   "no --store and no state folder (HOME or XDG_STATE_HOME), or FILE exists and "
                   "rekindle did not\nwrite it"}},
    .make = makeCommand<HistoryCommand>,
};

} // namespace Rekindle
