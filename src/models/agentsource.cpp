// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/models/agentsource.h>

namespace Rekindle {

AgentSource::AgentSource(QObject *parent)
    : QObject(parent)
{
}

AgentSource::~AgentSource() = default;

std::optional<RestartPolicyType> AgentSource::policyType(const QUuid & /*id*/) const { return {}; }

std::optional<LicenseTier> AgentSource::tier() const { return {}; }

QList<OutputLine> AgentSource::followOutput(const QUuid & /*id*/) { return {}; }

} // namespace Rekindle
