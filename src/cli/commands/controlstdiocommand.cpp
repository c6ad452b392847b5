// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/uniquefd_p.h"
#include "cli/control/hostaddress_p.h"
#include "cli/control/hostchoice_p.h"
#include "cli/control/hostconnection_p.h"
#include "cli/control/stdiobridge_p.h"
#include "command_p.h"

#include <rekindle/control/controlclient.h>

namespace Rekindle {

namespace {

class ControlStdioCommand final : public Command
{
public:
    void addOptions(CLI::App &command) override
    {
        m_choice.addTo(command, HostChoice::Machines::ThisOnly);
    }

    int execute(Messages &messages) override
    {
        int exitCode = ExitCode::fine;
        const std::optional<QString> path = m_choice.choose(messages, exitCode);
        if (!path)
            return exitCode;
        if (isRemoteHost(*path)) {
            messages.say(
                QStringLiteral("--host: expected a host on this machine, found \"%1\"").arg(*path));
            return ExitCode::usage;
        }
        const ControlClient::Connection connection = ControlClient::connectedSocket(*path);
        const UniqueFd socket(connection.socket);
        if (!socket.isOpen()) {
            messages.say(connection.fault);
            return exitCodeOf(connection.cause);
        }
        const int error = bridgeToStdio(socket.get());
        if (error == 0)
            return ExitCode::fine;
        messages.say(QLatin1String("stdout: ") + qt_error_string(error));
        return ExitCode::outputFailed;
    }

private:
    HostChoice m_choice;
};

} // namespace

const CommandRow controlStdioCommand{
    .name = "control-stdio",
    .summary = "Connect stdin and stdout to a running host",
    .help =
        R"(Connects stdin and stdout to the control socket of a running host, and copies bytes until the
host closes the connection or the reader of stdout exits. With --host ssh://..., the other commands
run it on the other machine. docs/control.md describes the protocol.

Examples:
  echo '{"jsonrpc":"2.0","id":1,"method":"hello","params":{"protocols":[1],"client":"me"}}' |
    rekindle control-stdio
  ssh machine rekindle control-stdio --config agents.json
)",
    .exitCodes = {{0, "the connection has ended"},
                  {64, "usage, several hosts, or a host on another machine"},
                  {69, "no running host"},
                  {75, "the host has too many pending connections"},
                  {77, "no permission"}},
    .make = makeCommand<ControlStdioCommand>,
};

} // namespace Rekindle
