// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "agentreader_p.h"

#include "json/jsonobjectreader.h"

#include <rekindle/config/configuration.h>

namespace Rekindle {

/// Reads a configuration and the files that it includes.
class ConfigurationReader
{
public:
    explicit ConfigurationReader(ProbeKinds kinds);

    /// `parsed` is the text of the main file, `folder` its folder, `path` its path if it is a file.
    /// Call it once.
    [[nodiscard]] Parsed<Configuration> read(Parsed<JsonNode> parsed, const QDir &folder,
                                             const QString &path = {});

private:
    void readDocument(ConfigurationDocument &document, const AgentReader *parent);
    void readSectionsOfMain(const ConfigurationDocument &document, JsonObjectReader &object);
    void warnOfMissingGovernor(ConfigurationDocument &main) const;
    void readAll(ConfigurationDocument &main);

    ProbeKinds m_kinds;
    PolicyResolver m_policies;
    AgentNames m_names;
    DependencyReader m_dependencies;
    GroupReader m_groups;
    SharedBreakerReader m_breakers;
    FleetReader m_fleet;
    Configuration m_configuration;
    bool m_hasEntries = false; ///< whether any file has agents or mcpServers
};

} // namespace Rekindle
