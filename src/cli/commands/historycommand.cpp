// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/history/historytext_p.h"
#include "cli/options/storechoice_p.h"
#include "cli/output/exitcode_p.h"
#include "cli/output/messages_p.h"
#include "commandline_p.h"

#include <rekindle/lifecycle/clock.h>
#include <rekindle/policy/toolcallfinished.h>
#include <rekindle/telemetry/audittrail.h>

#include <CLI/CLI.hpp>

#include <QDateTime>

#include <algorithm>

namespace Rekindle {

namespace {

constexpr char examples[] =
    "Reads the telemetry store that `rekindle up`, `rekindle mcp` and `rekindle tools call "
    "--store`\n"
    "write, also while they run. Without --store and --config it is the only store that there is.\n"
    "The audit trail of all decisions is a hash chain: `history verify` finds any row that was\n"
    "changed, removed or inserted.\n"
    "\n"
    "Examples:\n"
    "  rekindle history\n"
    "  rekindle history web --since 1h\n"
    "  rekindle history --calls\n"
    "  rekindle history --since 2026-11-21T01:00:00Z --limit 1000 --json | jq .type\n"
    "  rekindle history verify --config agents.json\n"
    "\n"
    "Exit codes: 0 fine, also where nothing happened; 1 the store is not there, cannot be read or\n"
    "knows no such agent; 64 usage.\n";

constexpr char verifyExamples[] =
    "Names the first bad row of the audit trail. Somebody who may write the file can make up a\n"
    "whole new trail: keep the printed head elsewhere, and give it to --head later.\n"
    "\n"
    "Examples:\n"
    "  rekindle history verify\n"
    "  rekindle history verify --store agents.sqlite\n"
    "  rekindle history verify --head \"$(cat head.txt)\"\n"
    "\n"
    "Exit codes: 0 the trail is intact; 1 it is not, or the store cannot be read; 64 usage.\n";

constexpr int greatestLimit = 1'000'000;

// A moment, or how long ago.
std::optional<UtcTime> momentFrom(const QString &text)
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
    void addTo(CLI::App &parser) override
    {
        CLI::App *command = parser.add_subcommand("history", "Show what happened, from the store");
        command->footer(examples);
        addName(*command);
        addSince(*command);
        command->add_option("--limit", m_query.limit, "The newest N events (default: 100)")
            ->type_name("N")
            ->check(CLI::Range(1, greatestLimit));
        command->add_flag("--json", m_json, "Each event as a line of JSON (CloudEvents 1.0)");
        command->add_flag_callback(
            "--calls", [this] { m_query.type = toolCallFinishedType; },
            "Calls of tools alone: retries, and what ended them");
        m_choice.addTo(*command);

        m_verify = command->add_subcommand("verify", "Check the audit trail of all decisions");
        m_verify->footer(verifyExamples);
        m_choice.addTo(*m_verify);
        addHead(*m_verify);
        m_verify->final_callback([command] { refuseWhatOnlyShows(*command); });
    }

    int execute(Messages &messages) override
    {
        int exitCode = ExitCode::fine;
        const std::optional<QString> store = m_choice.choose(messages, exitCode);
        if (!store)
            return exitCode;
        return m_verify->parsed() ? verify(*store, messages) : show(*store, messages);
    }

private:
    // A trail is verified as a whole.
    static void refuseWhatOnlyShows(const CLI::App &history)
    {
        for (const CLI::Option *option :
             history.get_options([](const CLI::Option *any) { return any->count() > 0; })) {
            const std::string name = option->get_name();
            if (name != "--store" && name != "--config")
                throw CLI::ValidationError(name,
                                           "not with verify, which takes --store, --config "
                                           "and --head");
        }
    }

    void addName(CLI::App &command)
    {
        command.add_option_function<std::string>(
            "NAME",
            [this](const std::string &name) { m_query.agent = QString::fromStdString(name); },
            "Of this agent alone");
    }

    void addSince(CLI::App &command)
    {
        command
            .add_option_function<std::string>(
                "--since",
                [this](const std::string &text) {
                    m_query.since = momentFrom(QString::fromStdString(text));
                    m_since = QString::fromStdString(text);
                    if (!m_query.since) {
                        throw CLI::ValidationError(
                            "--since",
                            "found \"" + text
                                + "\", allowed a duration such as 90s or 2h, or a time such as "
                                  "2026-11-21T01:00:00Z");
                    }
                },
                "Not before this: a time, or how long ago")
            ->type_name("T|D");
    }

    void addHead(CLI::App &command)
    {
        command
            .add_option_function<std::string>(
                "--head",
                [this](const std::string &text) {
                    m_head = AuditHead::fromString(QString::fromStdString(text).trimmed());
                    if (!m_head) {
                        throw CLI::ValidationError(
                            "--head",
                            "found \"" + text + "\", allowed ROW:HASH as verify prints it");
                    }
                },
                "A head of this trail from earlier, kept elsewhere")
            ->type_name("ROW:HASH");
    }

    int show(const QString &store, Messages &messages)
    {
        HistoryReader reader(store);
        const QList<StoredEvent> events =
            reader.error().isEmpty() ? reader.events(m_query) : QList<StoredEvent>();
        if (!reader.error().isEmpty()) {
            messages.say(QStringLiteral("%1: %2").arg(store, reader.error()));
            return ExitCode::outputFailed;
        }
        if (!isKnown(reader, events)) {
            messages.say(unknownAgentText(store, m_query.agent, reader.agents()));
            return ExitCode::outputFailed;
        }
        if (events.isEmpty())
            messages.say(QStringLiteral("%1: %2").arg(store, nothingText()));
        QByteArray text;
        if (m_json) {
            for (const StoredEvent &event : events)
                text += event.toCloudEvent() + '\n';
        } else {
            const bool isWhole =
                events.size() < m_query.limit && !m_query.since && m_query.type.isEmpty();
            // Where hosts begin and end is no call.
            const QList<StoredRun> runs =
                m_query.type.isEmpty() ? reader.runs() : QList<StoredRun>();
            text = historyText(events, runs, isWhole, lastTold(reader, runs, events));
            if (!reader.error().isEmpty()) {
                messages.say(QStringLiteral("%1: %2").arg(store, reader.error()));
                return ExitCode::outputFailed;
            }
        }
        return print(messages, text) ? ExitCode::fine : ExitCode::outputFailed;
    }

    // Of an agent alone, what else was done last is not among the events.
    [[nodiscard]] QHash<QString, UtcTime> lastTold(HistoryReader &reader,
                                                   const QList<StoredRun> &runs,
                                                   const QList<StoredEvent> &events) const
    {
        QHash<QString, UtcTime> times;
        for (const StoredRun &run : runs) {
            const bool isShown =
                std::any_of(events.begin(), events.end(),
                            [&run](const StoredEvent &event) { return event.run == run.run; });
            if (m_query.agent.isEmpty() || run.ended || !run.isOver() || !isShown)
                continue;
            for (const StoredEvent &last : reader.events({.limit = 1, .run = run.run}))
                times.insert(run.run, last.time);
            if (!reader.error().isEmpty())
                break;
        }
        return times;
    }

    // Gaps belong to every agent, also to one that was never there.
    [[nodiscard]] bool isKnown(HistoryReader &reader, const QList<StoredEvent> &events) const
    {
        const auto isOfIt = [this](const StoredEvent &event) {
            return event.agent == m_query.agent;
        };
        return m_query.agent.isEmpty() || std::any_of(events.begin(), events.end(), isOfIt)
            || reader.agents().contains(m_query.agent);
    }

    [[nodiscard]] QString nothingText() const
    {
        QString text = m_query.type.isEmpty() ? QStringLiteral("no event")
                                              : QStringLiteral("no call of a tool");
        if (!m_query.agent.isEmpty())
            text += QLatin1String(" of ") + m_query.agent;
        if (!m_query.since)
            return text + QLatin1String(" yet");
        const QString from = toRfc3339(*m_query.since);
        text += QLatin1String(" since ") + from;
        return m_since == from ? text : text + QStringLiteral(" (--since %1)").arg(m_since);
    }

    int verify(const QString &store, Messages &messages)
    {
        const AuditReport report = AuditTrail::verify(store, m_head);
        if (!report.error.isEmpty()) {
            messages.say(QStringLiteral("%1: %2").arg(store, report.error));
            return ExitCode::outputFailed;
        }
        if (report.fault) {
            messages.say(QStringLiteral("%1: the audit trail is not intact: row %2: %3")
                             .arg(store)
                             .arg(report.fault->row)
                             .arg(report.fault->what));
            return ExitCode::outputFailed;
        }
        QString text = QStringLiteral("%1: intact, %2 rows").arg(store).arg(report.rows);
        if (report.removedThrough > 0) {
            text += QStringLiteral(", those up to row %1 removed for their age or for room")
                        .arg(report.removedThrough);
        }
        text += QStringLiteral("\nhead %1\n").arg(report.head.toString());
        return print(messages, text.toLocal8Bit()) ? ExitCode::fine : ExitCode::outputFailed;
    }

    StoreChoice m_choice;
    HistoryQuery m_query;
    QString m_since; ///< as it was given
    std::optional<AuditHead> m_head;
    bool m_json = false;
    CLI::App *m_verify = nullptr;
};

} // namespace

std::unique_ptr<Command> makeHistoryCommand() { return std::make_unique<HistoryCommand>(); }

} // namespace Rekindle
