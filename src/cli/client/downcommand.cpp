// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/output/texthelpers_p.h"
#include "hostcommand_p.h"

namespace Rekindle {

namespace {

class DownCommand final : public HostCommand
{
protected:
    void addOwnOptions(CLI::App &command) override
    {
        command.add_flag("--kill", m_kill, "Kill the agents instead of stopping them");
    }

    int executeOn(HostConnection &host, Messages &messages) override
    {
        const QString how = m_kill ? QStringLiteral("kill") : QStringLiteral("orderly");
        // The host may end the connection together with its response.
        host.expectEnd();
        try {
            host.request(QStringLiteral("host.stop"), {{QStringLiteral("how"), how}});
            host.waitForEnd();
        } catch (const CommandFailure &failure) {
            if (failure.exitCode != ExitCode::fine)
                throw;
        }
        const QByteArray name = host.client().host().name.toLocal8Bit();
        return print(messages, forTerminal(name) + ": exited\n");
    }

private:
    bool m_kill = false;
};

} // namespace

const CommandRow downCommand{
    .name = "down",
    .summary = "Stop a running host",
    .help =
        R"(Stops all agents of a running host in reverse order and waits until the host exits. This has
the same effect as Ctrl-C in its terminal. The next `rekindle up` also starts agents that an
operator has stopped or isolated, except agents with "start": "manual".

Examples:
  rekindle down
  rekindle down --config agents.json
  rekindle down --kill
)",
    .exitCodes = hostCodes({{1, "the host refused the request, or stdout cannot be written"}},
                           Names::NoAgents),
    .make = makeCommand<DownCommand>,
};

} // namespace Rekindle
