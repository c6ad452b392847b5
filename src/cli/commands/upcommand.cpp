// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/options/evaluatoroptions_p.h"
#include "cli/options/probekinds_p.h"
#include "cli/output/exitcode_p.h"
#include "cli/output/messages_p.h"
#include "cli/runs/upsession_p.h"
#include "commandline_p.h"

#include <CLI/CLI.hpp>

#include <utility>

namespace Rekindle {

namespace {

constexpr char examples[] =
    "On a terminal a live table shows every agent; what agents write scrolls by above it, with "
    "the\n"
    "agent's name in front. Where stdout is no terminal, every event is a line of JSON there\n"
    "(CloudEvents 1.0), and what agents write goes to stderr. Ctrl-C, SIGTERM and SIGHUP stop all\n"
    "agents in reverse order; a second one kills them. A reader of stdout that goes away (| head)\n"
    "stops nothing: that is told once, and the agents go on.\n"
    "The MCP servers in mcpServers are agents too: ready by their handshake, and pinged.\n"
    "Every key of CONFIG is in docs/configuration.md, installed in share/doc/rekindle.\n"
    "\n"
    "Examples:\n"
    "  rekindle up agents.json\n"
    "  rekindle up agents.json --events events.jsonl\n"
    "  rekindle up agents.json --metrics 127.0.0.1:9464\n"
    "  rekindle up agents.json --for 30s | jq .type\n"
    "  rekindle up agents.json --store agents.sqlite\n"
    "  rekindle up agents.json --state agents.state\n"
    "\n"
    "Exit codes: 0 after Ctrl-C or --for, or when all agents have ended well; 1 when nothing is\n"
    "left to supervise and an agent was given up or gated; 64 usage; 69 the address of\n"
    "--metrics is not free; 78 the configuration has a fault.\n";

class UpCommand final : public Command
{
public:
    void addTo(CLI::App &parser) override
    {
        CLI::App *command = parser.add_subcommand("up", "Supervise all agents of a configuration");
        command->footer(examples);
        command
            ->add_option_function<std::string>(
                "CONFIG",
                [this](const std::string &path) { m_request.path = QString::fromStdString(path); },
                "The configuration, a JSON file")
            ->required();
        addDuration(*command, "--for", m_request.stopAfter, "Stop all agents after this time");
        addText(*command, "--events", m_request.events,
                "Append every event as a line of JSON; - is stdout. Of this FILE and those of "
                "--store and --state the folder must be there",
                "FILE|-");
        addText(*command, "--store", m_request.store,
                "Where events and decisions are kept (default: CONFIG-HASH.sqlite in "
                "${XDG_STATE_HOME:-~/.local/state}/rekindle)",
                "FILE|off");
        addText(*command, "--state", m_request.state,
                "Where attempts, breakers and deadlines are kept, for the next `up` to go on from "
                "when this one is killed (default: CONFIG-HASH.state beside the default store)",
                "FILE|off");
        m_request.license.addTo(*command);
        addEvaluatorOption(*command, m_request.pluginFolders);
        addListenAddress(
            *command, "--metrics", m_request.metrics,
            "Serve /metrics, /healthz and /readyz there, on localhost where no address is given; "
            "port 0 takes any");
        command->add_flag("--json", m_request.json, "Event lines on stdout, on a terminal too");
    }

    int execute(Messages &messages) override
    {
        Parsed<Configuration> parsed = loadConfiguration(m_request.path, allProbeKinds());
        messages.sayFaults(parsed.faults + parsed.warnings, parsed.file);
        if (!parsed)
            return ExitCode::configuration;
        const QList<Fault> faults =
            evaluatorFaults(*parsed.value, parsed.file, m_request.pluginFolders);
        messages.sayFaults(faults, parsed.file);
        if (hasErrors(faults))
            return ExitCode::configuration;
        UpSession session(std::move(m_request), messages);
        return session.run(std::move(*parsed.value));
    }

private:
    UpRequest m_request;
};

} // namespace

std::unique_ptr<Command> makeUpCommand() { return std::make_unique<UpCommand>(); }

} // namespace Rekindle
