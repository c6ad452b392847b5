// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "config/document/configurationdocument_p.h"

#include <QHash>

#include <optional>

namespace Rekindle {

/// The names of all agents of a configuration, which must be unique.
class AgentNames
{
public:
    /// Returns a fault if the name is invalid or already exists.
    [[nodiscard]] std::optional<QString>
    add(const QString &name, const ConfigurationDocument &document, JsonPosition position);

private:
    struct Place
    {
        const ConfigurationDocument *document = nullptr;
        JsonPosition position;
    };

    QHash<QString, Place> m_places;
};

/// Describes that no agent or MCP server has this name. Skipped servers are none.
[[nodiscard]] QString unknownAgentText(const QString &name, QStringList known);

} // namespace Rekindle
