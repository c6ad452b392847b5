// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "hostcommand_p.h"

namespace Rekindle {

void HostCommand::addOptions(CLI::App &command)
{
    addOwnOptions(command);
    m_choice.addTo(command);
}

int HostCommand::execute(Messages &messages)
{
    const QString address = m_choice.choose(messages);
    HostConnection host(messages);
    host.open(address);
    return executeOn(host, messages);
}

ExitCodes hostCodes(ExitCodes own, Names names)
{
    own.insert(own.end(),
               {{64,
                 names == Names::Agents
                     ? "usage, an unknown agent, or several hosts without --host or --config"
                     : "usage, or several hosts without --host or --config"},
                {69, "no running host, or the host does not respond or exits before its response"},
                {75, "the host has too many clients, or is stopping its agents"},
                {76, "the host supports another protocol"},
                {77, "no permission"}});
    return own;
}

} // namespace Rekindle
