// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/groups/export.h>
#include <rekindle/policy/governor.h>

#include <QObject>

#include <memory>
#include <optional>

namespace Rekindle {

class AgentSupervisor;

/// Applies a Governor to the starts of a supervisor. Without limits, all starts pass.
///
/// A start that must wait is held with Hold::Governor until its turn. A start of an operator passes
/// at once, also one that begins because the operator resets or releases the circuit breaker.
///
/// Use the object from the thread of the supervisor. Destroy it before the supervisor; its
/// destructor admits all queued starts.
class REKINDLE_GROUPS_EXPORT StartGate : public QObject
{
    Q_OBJECT

public:
    /// Calls AgentSupervisor::setLaunchGate(). `supervisor` must outlive the gate.
    explicit StartGate(AgentSupervisor &supervisor, QObject *parent = nullptr);
    ~StartGate() override;

    /// Changes the limits without an effect on running agents. Nothing: no limits, and all queued
    /// starts are admitted.
    void setLimits(const std::optional<GovernorLimits> &limits);
    [[nodiscard]] std::optional<GovernorLimits> limits() const;

    /// Sets the priority of an agent's starts, from 0, the default, to 9, which is served first.
    void setPriority(const QUuid &instanceId, int priority);
    [[nodiscard]] int priority(const QUuid &instanceId) const;

    /// Frees the slot of the agent as soon as it is started, because it becomes ready by a mere
    /// timer. Only the rate then limits its starts.
    void setReadyByTimer(const QUuid &instanceId, bool readyByTimer = true);

    /// The governor with its queue; for display.
    [[nodiscard]] const Governor &governor() const;

    /// "4th of 12": the place of the agent in the queue; empty if it is not queued.
    [[nodiscard]] QString placeText(const QUuid &instanceId) const;

Q_SIGNALS:
    /// Governor::queuedCount() has changed. A slot must not operate agents or delete the gate.
    void queuedCountChanged(qsizetype count);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
