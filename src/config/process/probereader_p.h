// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "config/environment/valuevariables_p.h"
#include "json/jsonobjectreader.h"

#include <rekindle/process/healthprobedefinition.h>

#include <QDir>
#include <QList>

#include <utility>

namespace Rekindle {

/// Reads probes of the given kinds. Paths of commands are relative to `folder`. Variables in texts
/// are replaced.
class ProbeReader
{
public:
    ProbeReader(const QDir &folder, ProbeKinds kinds)
        : m_folder(folder)
        , m_kinds(std::move(kinds))
    {
    }

    /// Reads `health`, an array of probes, which replaces what `target` has.
    void readHealth(JsonObjectReader &object, ProbeKind::Use use, const ValueVariables &variables,
                    QList<HealthProbeDefinition> &target) const;

    /// Reads one probe. A readiness probe has only some keys of the schedule.
    [[nodiscard]] HealthProbeDefinition readProbe(const JsonPlace &place, ProbeKind::Use use,
                                                  const ValueVariables &variables) const;

    /// The probes of an MCP server without `health`.
    [[nodiscard]] QList<HealthProbeDefinition> serverDefaults() const;

private:
    [[nodiscard]] const ProbeKind *readKind(JsonObjectReader &reader, ProbeKind::Use use) const;
    [[nodiscard]] QVariant readField(const JsonPlace &place, const ProbeField &field,
                                     const ValueVariables &variables) const;
    [[nodiscard]] QVariant readCommand(const JsonPlace &place, const QString &expected,
                                       const ValueVariables &variables) const;

    QDir m_folder;
    ProbeKinds m_kinds;
};

} // namespace Rekindle
