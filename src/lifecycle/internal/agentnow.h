// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/export.h>
#include <rekindle/policy/agenthealthstatus.h>
#include <rekindle/policy/enums.h>
#include <rekindle/policy/timepoint.h>

#include <QString>
#include <QStringList>
#include <QUuid>

#include <optional>

namespace Rekindle {

class AgentSupervisor;

/// What an agent does now and what happens next, in the words that all tables, messages and
/// responses use. The values are from a snapshot of this host or of another one.
struct REKINDLE_LIFECYCLE_EXPORT AgentNow
{
    [[nodiscard]] static AgentNow of(const AgentSupervisor &supervisor, const QUuid &id);

    QString name{};
    QString group{}; ///< its group, or empty
    InstanceState state = InstanceState::Stopped;
    bool stoppedByOperator = false;
    QString stopReason{};
    int attempt = 0;
    std::optional<int> maxRetries{};     ///< empty: unlimited
    std::optional<Duration> nextStart{}; ///< time until the planned start; empty if none is planned
    QStringList holdTexts{};
    bool isHeldByGroup = false;
    bool isIsolated = false;
    QString lastFailure{}; ///< "ProcessCrash: exit code 1"
    AgentHealthStatus::State health = AgentHealthStatus::State::Unknown;
    QString healthDetail{};
    QString statusText{}; ///< reported by the agent itself

    /// "next start in 5s", "trial in 4m"; empty if none is planned.
    [[nodiscard]] QString nextText() const;

    /// Why it stops, has stopped, was given up or is not restarted: "stopped by an operator".
    /// Empty if it runs or can be started without a command.
    [[nodiscard]] QString whyDown() const;

    /// The same with the failure, and with a license tier that permits no restarts: "given up
    /// (ProcessCrash: exit code 1)".
    [[nodiscard]] QString downText() const;

    /// Whether it is not started without a command.
    [[nodiscard]] bool staysDown() const;

    /// "to start it: rekindle start web"
    [[nodiscard]] QString startHint() const;

    /// Everything on one line, as in `rekindle status`: the next start, what it waits for, the
    /// cause of the state, the failure of a probe and the status text of the agent.
    [[nodiscard]] QString text() const;

    /// Whether it has a process whose health is known. The health of an earlier process is ignored.
    [[nodiscard]] bool hasHealth() const;
    [[nodiscard]] bool isUnhealthy() const
    {
        return hasHealth() && health == AgentHealthStatus::State::Unhealthy;
    }

private:
    [[nodiscard]] QString cause() const;
};

} // namespace Rekindle
