// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/models/agentsource.h>

namespace Rekindle {

AgentSource::AgentSource(QObject *parent)
    : QObject(parent)
{
}

AgentSource::~AgentSource() = default;

std::optional<InstanceState> AgentSource::state(const QUuid &id) const
{
    const std::optional<AgentStatus> status = agent(id);
    return status ? valueOf(instanceStates, status->state) : std::nullopt;
}

std::optional<RestartPolicy> AgentSource::policy(const QUuid & /*id*/) const { return {}; }

std::optional<RestartPolicyType> AgentSource::policyType(const QUuid &id) const
{
    const std::optional<RestartPolicy> known = policy(id);
    return known ? std::optional(known->type) : std::nullopt;
}

std::optional<LicenseTier> AgentSource::tier() const { return {}; }

QList<OutputLine> AgentSource::followOutput(const QUuid & /*id*/) { return {}; }

} // namespace Rekindle
