// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "cli/options/optiontypes_p.h"

#include <QJsonObject>
#include <QStringList>

#include <vector>

namespace Rekindle {

class HostConnection;

/// The argument AGENT..., or the option --agent, and the options --tag, --group and --all of
/// commands for agents of a running host.
class AgentChoice
{
public:
    enum class Default {
        All, ///< a command without options is for all agents
        None ///< AGENT, --tag, --group or --all is required
    };

    /// Adds the argument, which is returned, --tag, --group and, if agents are required, --all.
    CLI::Option *addTo(CLI::App &parser, const std::string &description, Default choice);
    /// Adds --shared, after the other options, which it excludes.
    void addSharedTo(CLI::App &parser, const std::string &description);
    /// Adds --agent, --tag and --group.
    void addOptionsTo(CLI::App &parser, const std::string &description);

    /// Whether the names of the chosen agents must be requested from a running host.
    [[nodiscard]] bool needsHost() const
    {
        return m_isAll || !m_tags.isEmpty() || !m_groups.isEmpty();
    }
    /// The shared breaker that is given instead of agents; empty if none is.
    [[nodiscard]] const QString &sharedBreaker() const { return m_shared; }
    /// The names of the arguments.
    [[nodiscard]] QStringList givenNames() const;

    /// Requests the chosen agents from the host, and returns the result of agents.list. It is an
    /// error if there is no agent with one of the tags.
    [[nodiscard]] QJsonObject list(HostConnection &host) const;

    /// The names of the chosen agents. If they are not given by name, requests them from the host.
    [[nodiscard]] QStringList names(HostConnection &host) const;

private:
    void addSetsTo(CLI::App &parser, CLI::Option *names);
    void addAllTo(CLI::App &parser);
    [[nodiscard]] QStringList groupMembers(HostConnection &host) const;

    std::vector<std::string> m_names;
    QStringList m_tags;
    QStringList m_groups;
    QString m_shared;
    bool m_offersShared = false;
    bool m_offersAll = false;
    bool m_isAll = false;
};

} // namespace Rekindle
