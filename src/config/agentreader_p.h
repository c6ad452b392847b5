// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "agentnames_p.h"
#include "policyresolver_p.h"

#include <rekindle/config/agentdefinition.h>

#include <QDir>

namespace Rekindle {

/// Reads `defaults` and the agents that stand upon them.
class AgentReader
{
public:
    AgentReader(PolicyResolver &policies, AgentNames &names, const QDir &folder);

    void readDefaults(const JsonPlace &place);

    /// Faulty keys have their defaults in the result; the faults tell that it is not to be used.
    [[nodiscard]] AgentDefinition read(const JsonPlace &place);

private:
    void readName(const JsonPlace &place, QString &target);
    void check(const JsonPlace &place, const AgentDefinition &agent, bool policyIsGood) const;

    PolicyResolver &m_policies;
    AgentNames &m_names;
    QDir m_folder;
    ProcessDefinition m_process;
    bool m_outputEvents = false;
    std::optional<ResolvedPolicy> m_policy;
};

} // namespace Rekindle
