// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/export.h>
#include <rekindle/policy/agenthealthstatus.h>
#include <rekindle/policy/circuitbreaker.h>
#include <rekindle/policy/failure.h>
#include <rekindle/policy/holdcause.h>
#include <rekindle/policy/instance.h>
#include <rekindle/policy/qmlvalue.h>
#include <rekindle/policy/timepoint.h>

#include <QObject>
#include <QString>
#include <QUuid>

#include <optional>

namespace Rekindle {

/// The status of an instance at one time, for display.
struct AgentSnapshot
{
    Q_GADGET_EXPORT(REKINDLE_LIFECYCLE_EXPORT)
    Q_PROPERTY(QUuid instanceId MEMBER instanceId)
    Q_PROPERTY(QString name MEMBER name)
    Q_PROPERTY(Rekindle::InstanceState state MEMBER state)
    Q_PROPERTY(bool stoppedByOperator MEMBER stoppedByOperator)
    Q_PROPERTY(QString stopReason MEMBER stopReason)
    Q_PROPERTY(quint64 generation MEMBER generation)
    Q_PROPERTY(int attempt MEMBER attempt)
    REKINDLE_QML_PROPERTY(QVariant, maxRetries)
    Q_PROPERTY(qint64 processId MEMBER processId)
    REKINDLE_QML_PROPERTY(QVariant, nextStartAt)
    Q_PROPERTY(Rekindle::Holds holds MEMBER holds)
    REKINDLE_QML_PROPERTY(QVariantList, holdCauses)
    REKINDLE_QML_PROPERTY(QVariant, startedAt)
    Q_PROPERTY(Rekindle::CircuitBreakerInfo circuitBreaker MEMBER circuitBreaker)
    REKINDLE_QML_PROPERTY(QVariant, lastFailure)
    Q_PROPERTY(Rekindle::AgentHealthStatus health MEMBER health)
    Q_PROPERTY(quint64 staleReports MEMBER staleReports)

public:
    QUuid instanceId{};
    QString name{};
    InstanceState state = InstanceState::Stopped;
    bool stoppedByOperator = false; ///< and not started since
    /// Why it stops or has stopped: "finished" if it has exited by itself without a failure, or the
    /// reason of RestartPolicyEvaluator::stop(). Empty in other states.
    QString stopReason{};
    quint64 generation = 0;
    int attempt = 0;                      ///< restarts of this sequence that have begun
    std::optional<int> maxRetries{};      ///< empty: unlimited
    qint64 processId = 0;                 ///< of the current start; 0 if there is none
    std::optional<Instant> nextStartAt{}; ///< while a start is planned
    Holds holds{};                        ///< why the planned start is held back
    QList<HoldCause> holdCauses{};        ///< one for each of `holds`
    std::optional<Instant> startedAt{};   ///< while a process or worker is alive
    CircuitBreakerInfo circuitBreaker{};
    std::optional<Failure> lastFailure{};
    AgentHealthStatus health{}; ///< results of the probes
    quint64 staleReports = 0;   ///< ignored reports of older starts
};

} // namespace Rekindle
