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

/// The status of an instance at one time, for display.
struct AgentSnapshot
{
    QUuid instanceId{};
    QString name{};
    InstanceState state = InstanceState::Stopped;
    quint64 generation = 0;
    int attempt = 0;                      ///< restarts of this sequence that have begun
    std::optional<int> maxRetries{};      ///< empty: unlimited
    qint64 processId = 0;                 ///< of the current start; 0 if there is none
    std::optional<Instant> nextStartAt{}; ///< while a start is planned
    std::optional<Instant> startedAt{};   ///< while a process or worker is alive
    CircuitBreakerInfo circuitBreaker{};
    std::optional<Failure> lastFailure{};
    AgentHealthStatus health{}; ///< results of the probes
    quint64 staleReports = 0;   ///< ignored reports of older starts
};

} // namespace Rekindle
