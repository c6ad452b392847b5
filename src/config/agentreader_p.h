// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "policyresolver_p.h"

#include <rekindle/config/agentdefinition.h>

#include <QDir>
#include <QHash>

namespace Rekindle {

/// Reads `defaults` and the agents that stand upon them.
class AgentReader
{
public:
    AgentReader(PolicyResolver &policies, const QDir &folder);

    void readDefaults(const JsonPlace &place);

    /// Faulty keys have their defaults in the result; the faults tell that it is not to be used.
    [[nodiscard]] AgentDefinition read(const JsonPlace &place);

private:
    void readName(const JsonPlace &place, QString &target);
    void check(const JsonPlace &place, const AgentDefinition &agent, bool policyIsGood) const;

    PolicyResolver &m_policies;
    QDir m_folder;
    ProcessDefinition m_process;
    std::optional<ResolvedPolicy> m_policy;
    QHash<QString, int> m_lines; // of the names that were read
};

} // namespace Rekindle
