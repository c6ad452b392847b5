// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "json/jsonobjectreader.h"

#include <rekindle/config/agentdefinition.h>
#include <rekindle/config/fleetdefinition.h>
#include <rekindle/policy/groupdefinition.h>

#include <QDir>

#include <vector>

namespace Rekindle {

/// Reads `fleet` of the main file, and `placement` and `onStoreLoss` of all files.
class FleetReader
{
public:
    /// Reads the section in a file in `folder`.
    void read(const JsonPlace &place, const QDir &folder);

    /// Reads the keys of an agent, a server or the defaults.
    static void readPlacement(JsonObjectReader &object, std::optional<FleetPlacement> &placement);

    /// Notes the agent or server at this place, for check().
    void add(const JsonPlace &place, const AgentDefinition &agent);

    /// Checks the section and the placed agents against each other, when all were read.
    void check();

    /// Reports what is probably a mistake, if there are no faults. `agents` and `groups` are those
    /// of the configuration.
    void warn(const QList<AgentDefinition> &agents, const QList<GroupDefinition> &groups,
              bool hasFleetWideBreakers) const;

    [[nodiscard]] const std::optional<FleetDefinition> &fleet() const { return m_fleet; }

private:
    struct Agent
    {
        JsonPlace place;
        QString name;
        FleetPlacement placement;
        Duration stopSequence{0};
    };

    static void warnOfWaiting(const Agent &agent, const QList<AgentDefinition> &agents,
                              const QList<GroupDefinition> &groups);

    std::optional<FleetDefinition> m_fleet;
    std::vector<JsonPlace> m_place; ///< of the section, if it was read
    std::vector<Agent> m_agents;    ///< the placed ones
};

} // namespace Rekindle
