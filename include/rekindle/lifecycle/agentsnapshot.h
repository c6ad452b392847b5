// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/agenthealthstatus.h>
#include <rekindle/policy/circuitbreaker.h>
#include <rekindle/policy/failure.h>
#include <rekindle/policy/instance.h>
#include <rekindle/policy/timepoint.h>

#include <QString>
#include <QUuid>

#include <optional>

namespace Rekindle {

/// How an instance stands at one moment: a copy, for people and models.
struct AgentSnapshot
{
    QUuid instanceId{};
    QString name{};
    InstanceState state = InstanceState::Stopped;
    quint64 generation = 0;
    int attempt = 0;                      ///< restarts begun in this sequence
    std::optional<int> maxRetries{};      ///< nothing: unlimited
    qint64 processId = 0;                 ///< of the current start; 0 where there is none
    std::optional<Instant> nextStartAt{}; ///< while a start is planned and not due yet
    std::optional<Instant> startedAt{};   ///< while a process or worker is alive
    CircuitBreakerInfo circuitBreaker{};
    std::optional<Failure> lastFailure{};
    AgentHealthStatus health{}; ///< what its probes say, with their last results
    quint64 staleReports = 0;   ///< reports of older starts, ignored
};

} // namespace Rekindle
