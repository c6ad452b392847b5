// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "json/jsonobjectreader.h"

#include <rekindle/config/agentdefinition.h>
#include <rekindle/config/configuration.h>
#include <rekindle/policy/groupdefinition.h>
#include <rekindle/policy/sharedbreaker.h>

#include <QDir>

#include <vector>

namespace Rekindle {

/// Reads `sharedBreakers` and `requires` of all files of a configuration.
class SharedBreakerReader
{
public:
    /// Reads the shared breakers of a file in `folder`. Their probes may have these kinds.
    void read(const JsonPlace &place, const QDir &folder, const ProbeKinds &kinds);

    /// Reads `requires` of an agent, a server or the defaults, if it is there.
    void readRequired(JsonObjectReader &object, QStringList &required);

    /// Notes the agent or server at this place, for check().
    void add(const JsonPlace &place, const AgentDefinition &agent);

    /// Checks the breakers, agents and servers against each other, when all were read.
    void check(bool hasFleet) const;

    /// Reports what has no effect, if there are no faults. `groups` are the groups of the
    /// configuration.
    void warn(const QList<GroupDefinition> &groups) const;

    [[nodiscard]] const QList<SharedBreakerPolicy> &breakers() const { return m_breakers; }
    [[nodiscard]] bool hasFleetWide() const { return !m_fleetWide.empty(); }
    [[nodiscard]] const QMap<QString, SharedBreakerProbe> &probes() const { return m_probes; }

private:
    struct Agent
    {
        JsonPlace place;
        QString name;
        QStringList required;
        QStringList named; ///< by its exit codes
    };

    void readOne(const JsonPlace &place, const QDir &folder, const ProbeKinds &kinds);
    [[nodiscard]] QStringList names() const;
    [[nodiscard]] QStringList agentsOf(const QString &breaker) const;
    void warnOfFewAgents(const SharedBreakerPolicy &breaker, const JsonPlace &place) const;
    void warnOfGroup(const SharedBreakerPolicy &breaker, const JsonPlace &place,
                     const QList<GroupDefinition> &groups) const;

    QList<SharedBreakerPolicy> m_breakers;
    QMap<QString, SharedBreakerProbe> m_probes;
    std::vector<JsonPlace> m_places;    ///< of the breakers
    std::vector<JsonPlace> m_fleetWide; ///< `scope` of these breakers
    std::vector<JsonPlace> m_required;  ///< names in `requires`
    std::vector<Agent> m_agents;
};

} // namespace Rekindle
