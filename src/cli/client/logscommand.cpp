// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "agentchoice_p.h"
#include "base/files/filetail_p.h"
#include "cli/output/terminal_p.h"
#include "cli/output/texthelpers_p.h"
#include "control/internal/messagejson.h"
#include "hostcommand_p.h"
#include "policy/internal/texthelpers.h"

#include <QHash>

#include <unistd.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace Rekindle {

namespace {

constexpr Duration fileInterval = std::chrono::milliseconds(200);

/// A file to which an agent writes.
struct FollowedFile
{
    QString agent;
    QString stream;
    FileTail tail;
};

class LogsCommand final : public HostCommand
{
protected:
    void addOwnOptions(CLI::App &command) override
    {
        m_choice.addTo(command, "Only these agents (default: all)", AgentChoice::Default::All);
        command.add_flag("-f,--follow", m_follow, "Print new lines until the host exits");
        command
            .add_option("-n,--lines", m_lines,
                        "Number of lines of each agent, and of each of its files (default: 100)")
            ->check(CLI::Range(0, 1000).description(""))
            ->type_name("N");
        addText(command, "--grep", m_match, "Only lines that contain this text", "TEXT");
        command.add_option("--stream", m_stream, "Only lines of this stream (default: both)")
            ->check(CLI::IsMember({"stdout", "stderr"}).description(""))
            ->type_name("stdout|stderr");
        auto *const json = command.add_flag(
            "--json", m_json, "Print each line as a JSON object, with its stream and time");
        command
            .add_flag("-t,--timestamps", m_hasTime,
                      "Begin each line with the time when the host has read it")
            ->excludes(json);
    }

    int executeOn(HostConnection &host, Messages &messages) override
    {
        const QStringList agents = m_choice.names(host);
        m_hasPrefix = agents.size() > 1;
        bool isDone = false;
        int exitCode = ExitCode::fine;
        const QObject context;
        QObject::connect(&host.client(), &ControlClient::linesMissed, &context,
                         [&](const QString &agent, qint64 count) {
                             if (!isDone)
                                 messages.say(
                                     QStringLiteral("%1: %2 dropped, because they were read "
                                                    "too slowly")
                                         .arg(agent, counted(count, "line", "lines")));
                         });
        QObject::connect(&host.client(), &ControlClient::lineReceived, &context,
                         [&](const OutputLine &line) {
                             if (isDone)
                                 return;
                             exitCode = print(messages, textOf(line));
                             isDone = exitCode != ExitCode::fine || isUnread(STDOUT_FILENO);
                         });
        for (const QString &each : agents) {
            request(host, messages, each);
            if (m_follow) // the host sends new lines from now on
                printOrEnd(messages, readText());
        }
        printOrEnd(messages, readText());
        if (!m_follow || !m_hasMore)
            return exitCode;
        bool isHostThere = true;
        while (!m_files.empty() && isHostThere && !isDone) {
            isHostThere = host.follow(false, fileInterval);
            if (!isDone)
                printAddedLines(messages);
            isDone = isDone || isUnread(STDOUT_FILENO);
        }
        if (isHostThere)
            host.follow(isDone);
        return isHostThere && isDone ? exitCode : host.exitCode();
    }

private:
    // Prints the first lines of an agent.
    void request(HostConnection &host, Messages &messages, const QString &agent)
    {
        const auto result =
            host.request(m_follow ? QStringLiteral("logs.follow") : QStringLiteral("logs.read"),
                         paramsOf(agent));
        m_follow && !host.isRemote() ? addFiles(messages, agent, result)
                                     : addLines(messages, agent, result);
    }

    [[nodiscard]] QJsonObject paramsOf(const QString &agent) const
    {
        QJsonObject params{{QStringLiteral("agent"), agent}, {QStringLiteral("lines"), m_lines}};
        if (!m_match.isEmpty())
            params[QLatin1String("match")] = m_match;
        if (!m_stream.empty())
            params[QLatin1String("streams")] = QJsonArray{QString::fromStdString(m_stream)};
        return params;
    }

    void addLines(Messages &messages, const QString &agent, const QJsonValue &result)
    {
        const auto lines = fromJson<QList<OutputLine>>(result[QLatin1String("lines")]);
        for (OutputLine line : lines) {
            line.agent = agent;
            m_readLines.append(line);
        }
        const QJsonArray files = result[QLatin1String("files")].toArray();
        for (const auto &each : files) {
            const QString path = each[QLatin1String("path")].toString();
            const QString error = each[QLatin1String("error")].toString();
            if (!error.isEmpty())
                messages.say(QStringLiteral("%1: %2: %3").arg(agent, path, error));
            else if (m_follow)
                messages.say(
                    QStringLiteral("%1: new lines of %2 on the other machine are not followed")
                        .arg(agent, path));
        }
        m_hasMore = m_hasMore || files.size() < (m_stream.empty() ? 2 : 1);
        if (lines.isEmpty() && files.isEmpty() && !m_follow && m_lines > 0 && m_match.isEmpty())
            messages.say(QStringLiteral("%1: no lines yet, or \"stdout\" and \"stderr\" of the "
                                        "agent are not configured as \"lines\" or as a file")
                             .arg(agent));
    }

    // The lines of all agents in the order of time. Lines of files have no time and come first.
    [[nodiscard]] QByteArray readText()
    {
        QList<OutputLine> lines = std::exchange(m_readLines, {});
        std::stable_sort(lines.begin(), lines.end(),
                         [](const auto &one, const auto &other) { return one.time < other.time; });
        QByteArray text;
        for (const OutputLine &line : std::as_const(lines))
            text += textOf(line);
        return text;
    }

    // The host does not send the lines of files.
    void addFiles(Messages &messages, const QString &agent, const QJsonValue &result)
    {
        m_hasMore = true;
        for (const auto &each : result[QLatin1String("files")].toArray()) {
            const QString path = each[QLatin1String("path")].toString();
            FollowedFile &file = m_files.emplace_back(
                FollowedFile{agent, each[QLatin1String("stream")].toString(), FileTail(path)});
            const QByteArrayList texts = selectedLines(file);
            printTexts(messages, file, texts.mid(std::max<qsizetype>(0, texts.size() - m_lines)));
            if (!file.tail.error().isEmpty())
                messages.say(QStringLiteral("%1: %2: %3").arg(agent, path, file.tail.error()));
        }
    }

    void printAddedLines(Messages &messages)
    {
        for (FollowedFile &file : m_files) {
            for (QByteArrayList texts = selectedLines(file); !texts.isEmpty();
                 texts = selectedLines(file))
                printTexts(messages, file, texts);
        }
    }

    [[nodiscard]] QByteArrayList selectedLines(FollowedFile &file) const
    {
        QByteArrayList texts = file.tail.readLines();
        texts.removeIf(
            [match = m_match.toUtf8()](const QByteArray &each) { return !each.contains(match); });
        return texts;
    }

    void printTexts(Messages &messages, const FollowedFile &file, const QByteArrayList &texts)
    {
        QByteArray text;
        for (const QByteArray &each : texts)
            text += textOf({.agent = file.agent,
                            .stream = file.stream,
                            .text = QString::fromUtf8(forTerminal(each))});
        printOrEnd(messages, text);
    }

    [[nodiscard]] QByteArray textOf(const OutputLine &line)
    {
        if (m_json)
            return messageJson(line) + '\n';
        QString prefix;
        if (m_hasTime)
            prefix = (line.time ? toRfc3339(*line.time) : QString()) + u' ';
        if (m_hasPrefix)
            prefix += line.agent + QLatin1String("| ");
        const QByteArray text = (prefix + line.text).toLocal8Bit();
        QByteArray shown = forTerminal(text) + '\n';
        if (Terminal::isTerminal(STDOUT_FILENO) && isOfNewProcess(line)) {
            prefix += QStringLiteral("-- process %1 --").arg(*line.processId);
            shown.prepend(forTerminal(prefix.toLocal8Bit()) + '\n');
        }
        return shown;
    }

    // Whether the previous line of the agent was written by another process.
    [[nodiscard]] bool isOfNewProcess(const OutputLine &line)
    {
        const qint64 now = line.processId.value_or(0);
        if (now == 0)
            return false;
        const qint64 before = std::exchange(m_processes[line.agent], now);
        return before != 0 && before != now;
    }

    AgentChoice m_choice;
    bool m_hasPrefix = false;
    int m_lines = 100;
    QString m_match;
    std::string m_stream;
    bool m_follow = false;
    bool m_hasTime = false;
    bool m_json = false;
    std::vector<FollowedFile> m_files;
    QList<OutputLine> m_readLines;      ///< of all agents, before new lines are followed
    QHash<QString, qint64> m_processes; ///< of the last printed line of each agent, on a terminal
    bool m_hasMore = false;             ///< with --follow, further lines can arrive
};

} // namespace

const CommandRow logsCommand{
    .name = "logs",
    .summary = "Print the output of agents of a running host",
    .help =
        R"(Prints the newest lines that agents have written to stdout and stderr. The host has at most 1,000
lines or 256 KiB of each agent in memory. If a stream goes to a file, up to --lines lines are read
from the end of the file; they have no time and are printed first. The other lines of all agents are
printed in the order of time. Streams that are configured as `inherit` or `null` have no lines. With
several agents, each line begins with the name of its agent. If an agent is removed, the host
discards its lines, but not its files.

On a terminal, a line such as `-- process 4711 --` precedes the first line after a restart. It is
not printed to a file or a pipe. With --json, each line has its stream and, unless it was read from
a file, the process id in `pid`.

With --follow, new lines are printed until the host exits or Ctrl-C is pressed. After an orderly
exit of the host, the exit code is 0. If this command or its reader is too slow, the host drops
lines; their number is reported on stderr. Files of a host on another machine are not followed.

Examples:
  rekindle logs web
  rekindle logs web worker --follow
  rekindle logs --tag backend --follow
  rekindle logs --follow
  rekindle logs web --lines 20 --grep error --timestamps
  rekindle logs web --stream stderr
  rekindle logs web --json | jq -r 'select(.pid == 4711).text'
)",
    .exitCodes = hostCodes({{1, "stdout cannot be written"}}),
    .make = makeCommand<LogsCommand>,
};

} // namespace Rekindle
