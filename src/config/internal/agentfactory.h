// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/config/configuration.h>
#include <rekindle/lifecycle/healthprobe.h>

#include <QUuid>

#include <memory>

namespace Rekindle {

class Agent;
class Scheduler;

/// Makes and changes the agents of ConfiguredAgents. All definitions are valid.
class REKINDLE_CONFIG_EXPORT AgentFactory
{
public:
    AgentFactory() = default;
    virtual ~AgentFactory();
    Q_DISABLE_COPY_MOVE(AgentFactory)

    [[nodiscard]] virtual std::unique_ptr<Agent> make(const AgentDefinition &definition,
                                                      Scheduler &scheduler) = 0;

    /// Returns the id of an agent that is to be added: by default, a random one.
    [[nodiscard]] virtual QUuid idOf(const QString &name) const;

    /// Returns the kind and the process of the next start of an agent. The rest has no meaning.
    [[nodiscard]] virtual AgentDefinition definitionOf(const Agent &agent) const = 0;

    /// Replaces them from the next start on.
    virtual void setDefinition(Agent &agent, const AgentDefinition &definition) const = 0;

    /// Makes the probe of a shared breaker, or nothing if `probe` is empty. By default, the probe
    /// of Rekindle::makeSharedCheck().
    [[nodiscard]] virtual HealthCheck makeSharedCheck(const QString &breaker,
                                                      const SharedBreakerProbe &probe,
                                                      Scheduler &scheduler) const;
};

} // namespace Rekindle
