// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/durablefile_p.h"
#include "cli/commands/command_p.h"
#include "cli/options/evaluatoroptions_p.h"
#include "cli/options/statefolder_p.h"
#include "cli/options/storechoice_p.h"
#include "upsession_p.h"

#include <rekindle/metrics/metricsserver.h>

#include <QDir>

#include <iostream>
#include <map>
#include <string>
#include <utility>

namespace Rekindle {

namespace {

class UpCommand final : public Command
{
public:
    void addOptions(CLI::App &command) override
    {
        addValue(command, "CONFIG", "", "JSON file with the configuration", "a file",
                 [this](const QString &path) {
                     m_request.path = path;
                     return true;
                 })
            ->required();
        addDuration(command, "--for", m_request.stopAfter, "Stop all agents after this time");
        addText(command, "--events", m_request.host.events,
                "Append every event as a line of JSON to FILE; - is stdout", "FILE|-");
        addText(command, "--store", m_request.host.store,
                "Record events and decisions in FILE (default: CONFIG-HASH.sqlite in "
                "${XDG_STATE_HOME:-~/.local/state}/rekindle)",
                "FILE|off");
        m_request.host.addRecordTo(command);
        addText(command, "--state", m_request.state,
                "Store attempts, breakers, deadlines and stops by operators in FILE. If this `up` "
                "is killed, the next one resumes from it (default: CONFIG-HASH.state beside the "
                "default store)",
                "FILE|off");
        command
            .add_option_function<std::string>(
                "--control",
                [this](const std::string &value) { m_request.hasControl = value == "on"; },
                "Listen on a control socket for `rekindle status` and related commands (default: "
                "on)")
            ->check(CLI::IsMember({"on", "off"}).description(""))
            ->type_name("on|off");
        command.add_flag("--detach", m_isDetaching,
                         "Run in the background; return when the host has launched the agents");
        command.final_callback([this] {
            if (m_isDetaching && !m_request.hasControl)
                throw CLI::ValidationError(
                    "--detach needs the control socket; remove --control off");
        });
        command.add_flag("--watch", m_request.isWatching,
                         "Reload CONFIG when it or a file that it refers to changes");
        m_request.host.license.addTo(command);
        addEvaluatorOption(command, m_request.host.pluginFolders);
        m_request.host.addMetricsTo(command);
        const std::map<std::string, EventLog> logs{{"text", {true, false}},
                                                   {"json", {false, true}},
                                                   {"both", {true, true}},
                                                   {"none", {false, false}}};
        command
            .add_option_function<std::string>(
                "--log", [this, logs](const std::string &name) { m_request.log = logs.at(name); },
                "Print no live table. text: each event as a line on stderr; json: as a line of "
                "JSON "
                "on stdout; both: the default without a terminal; none: no events")
            ->check(CLI::IsMember(logs).description(""))
            ->type_name("text|json|both|none");
    }

    [[nodiscard]] std::optional<int> prepare() override
    {
        if (!m_isDetaching)
            return {};
        if (!m_request.log)
            m_request.log = EventLog{true, false};
        const QString log = logOf(m_request.path);
        if (log.isEmpty()) {
            std::cerr << "rekindle: " << noStateFolderText().toLocal8Bit().constData() << '\n';
            return ExitCode::configuration;
        }
        createFolderOf(log);
        const QString name = m_request.path;
        resolvePaths();
        return m_request.detachment.begin(name, log);
    }

    int execute(Messages &messages) override
    {
        const HostOptions &host = m_request.host;
        // Without a fault, the original prints what is in the log.
        messages.setCopy(m_request.detachment.originalStderr(), Messages::Copies::Unwritten);
        m_request.connections = host.metrics ? MetricsServerOptions().maxConnections : 0;
        Parsed<Configuration> parsed = loadForHost(
            m_request.path, host.pluginFolders, m_request.connections, m_request.workingDirectory);
        messages.sayFaults(parsed.faults + parsed.warnings, parsed.file);
        if (!parsed || hasErrors(parsed.faults))
            return ExitCode::configuration;
        UpSession session(std::move(m_request), messages);
        return session.run(std::move(*parsed.value));
    }

private:
    // The working directory of the copy in the background is /.
    void resolvePaths()
    {
        const QDir here = QDir::current();
        resolvePath(here, m_request.path);
        resolvePath(here, m_request.state, QLatin1String("off"));
        m_request.host.resolvePaths(here);
        m_request.workingDirectory = here.path();
    }

    UpRequest m_request;
    bool m_isDetaching = false;
};

} // namespace

const CommandRow upCommand{
    .name = "up",
    .summary = "Supervise all agents of a configuration",
    .help =
        R"(On a terminal, shows a live table of all agents; their output scrolls above it, with the name
of the agent in front. If stdout is not a terminal, prints every event as a line of JSON
(CloudEvents 1.0) on stdout and as a line of text on stderr, and the output of agents goes to
stderr. If the reader of stdout exits (| head), the agents keep running.

The folders of the files of --events, --store and --state must exist.

While `up` runs, `rekindle status` shows the agents, and `rekindle restart` and other commands
operate them.

--detach runs `up` in the background, in its own session and in the folder /: it keeps running after
the shell exits or the terminal closes. Its messages, its text log with times and the output of
agents are appended to CONFIG-HASH.log in ${XDG_STATE_HOME:-~/.local/state}/rekindle. `rekindle down`
stops it.

Ctrl-C and SIGTERM stop all agents in reverse order, and dependents before their dependencies; a
second signal kills them, and a third one does not wait for them. The next `up` then also starts
agents that an operator has stopped, except those with "start": "manual".
If `up` has a terminal, SIGHUP stops all agents, too. Otherwise, SIGHUP reloads CONFIG, as
`rekindle reload` does.
SIGUSR1 opens the file of --events, output files with maxSize or maxAge and the log of --detach
again, for logrotate.
If rekindle is started with SIGINT ignored (sh -c '... &'), SIGINT stays ignored.
The servers in mcpServers are agents too. They are ready after their handshake and are pinged.

docs/configuration.md (installed in share/doc/rekindle) describes every key of CONFIG.

Examples:
  rekindle up agents.json
  rekindle up agents.json --events events.jsonl
  rekindle up agents.json --metrics 127.0.0.1:9464
  rekindle up agents.json --log text
  rekindle up agents.json --detach
  rekindle up agents.json --for 30s | jq .type
  rekindle up agents.json --store agents.sqlite
  rekindle up agents.json --state agents.state
)",
    .exitCodes =
        {{0, "after Ctrl-C or --for, or if all agents exited with 0"},
         {1, "no agent is left to supervise, and one was given up, has failed or is gated"},
         {69, "the address of --metrics is in use, or --detach cannot open the control socket"},
         {75, "another `rekindle up` runs the same CONFIG"},
         {78,
          "invalid configuration or license key, too many agents for the limit of open files,\nno "
          "state folder for --license, or an output file exists that rekindle did not write"}},
    .make = makeCommand<UpCommand>,
};

} // namespace Rekindle
