// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "models/internal/worstfirst.h"

#include <rekindle/models/agentsource.h>

#include <algorithm>

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

std::optional<InstanceState> AgentSource::worstState(const QList<QUuid> &ids) const
{
    const auto *worst = worstFirst.end();
    for (const QUuid &id : ids) {
        const std::optional<InstanceState> known = state(id);
        if (!known)
            return {};
        worst = std::min(worst, std::find(worstFirst.begin(), worstFirst.end(), *known));
    }
    return worst == worstFirst.end() ? std::nullopt : std::optional(*worst);
}

std::optional<RestartPolicy> AgentSource::policy(const QUuid & /*id*/) const { return {}; }

std::optional<LicenseTier> AgentSource::tier() const { return {}; }

QList<OutputLine> AgentSource::followOutput(const QUuid & /*id*/) { return {}; }

} // namespace Rekindle
