// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/control/hostchoice_p.h"
#include "cli/control/hostconnection_p.h"
#include "cli/output/exitcode_p.h"
#include "commandline_p.h"

#include <CLI/CLI.hpp>

namespace Rekindle {

namespace {

constexpr char downExamples[] =
    R"(Stops all agents of a running host in reverse order. The host then exits. This has the same
effect as Ctrl-C in its terminal.

Examples:
  rekindle down
  rekindle down --config agents.json
  rekindle down --kill

Exit codes:
  0   the host is stopping
  1   the host refused the request
  64  usage or several hosts
  69  no running host, or it does not respond
  75  the host has too many clients
  76  the host supports another protocol
  77  no permission
)";

class DownCommand final : public Command
{
public:
    void addOptions(CLI::App &command) override
    {
        command.footer(downExamples);
        command.add_flag("--kill", m_kill, "Kill the agents instead of stopping them");
        m_choice.addTo(command);
    }

    int execute(Messages &messages) override
    {
        int exitCode = ExitCode::fine;
        const std::optional<QString> socket = m_choice.choose(messages, exitCode);
        if (!socket)
            return exitCode;
        HostConnection host(messages);
        if (!host.open(*socket))
            return host.exitCode();
        const QString how = m_kill ? QStringLiteral("kill") : QStringLiteral("orderly");
        return host.request(QStringLiteral("host.stop"), {{QStringLiteral("how"), how}})
            ? ExitCode::fine
            : host.exitCode();
    }

private:
    HostChoice m_choice;
    bool m_kill = false;
};

} // namespace

std::unique_ptr<Command> makeDownCommand() { return std::make_unique<DownCommand>(); }

} // namespace Rekindle
