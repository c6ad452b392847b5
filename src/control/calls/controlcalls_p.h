// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "control/calls/eventcalls_p.h"
#include "control/calls/logcalls_p.h"
#include "control/calls/waitcalls_p.h"

#include <rekindle/control/decisionlog.h>
#include <rekindle/control/fleetcontrol.h>
#include <rekindle/control/reloadableconfiguration.h>
#include <rekindle/groups/agentgroups.h>
#include <rekindle/groups/sharedbreakers.h>
#include <rekindle/groups/startgate.h>

#include <QPointer>

#include <functional>
#include <span>

namespace Rekindle {

/// A host as its control clients see it, and what carries out their requests.
class ControlCalls
{
public:
    /// `changed` is called when a session has output to be written.
    ControlCalls(AgentSupervisor &agents, QString file, std::function<void()> changed);
    Q_DISABLE_COPY_MOVE(ControlCalls)
    virtual ~ControlCalls() = default;

    /// Carries out host.stop.
    [[nodiscard]] virtual ControlReply stopHost(ControlRequest & /*request*/) { return {}; }

    /// The names of all agents.
    [[nodiscard]] QStringList names() const;
    /// The error for a name that is unknown or repeated; nothing if there is none.
    [[nodiscard]] std::optional<ControlError> faultIn(const QStringList &asked) const;
    /// The ids of these agents.
    [[nodiscard]] QList<QUuid> idsOf(const QStringList &names) const;
    [[nodiscard]] QList<AgentStatus> statusOf(const QList<QUuid> &ids) const;
    /// The same as detailsOf(), with the placement.
    [[nodiscard]] AgentStatus detailsOf(const QUuid &id) const;

    AgentSupervisor &supervisor;
    const QString configurationFile; ///< the place of faults without one
    // What the host has set. Null: there is none.
    QPointer<const AgentGroups> groups;
    QPointer<SharedBreakers> breakers;
    QPointer<const StartGate> gate;
    EventArchive *archive = nullptr;
    ReloadableConfiguration *configuration = nullptr;
    FleetControl *fleet = nullptr;

    EventRing events;
    EventFeed feed{events};
    EventCalls eventCalls;
    DecisionLog decisions;
    WaitCalls waits;
    LogCalls logs;
};

/// A method of the protocol, except hello.
struct ControlMethod
{
    enum class Kind {
        Reads,
        Lasts,   ///< the client receives something later than the host can respond
        Changes, ///< the host can store the change before the response is sent
    };

    QByteArrayView name{};
    Kind kind{};
    ControlReply (*call)(ControlRequest &request) = nullptr;
};

[[nodiscard]] std::span<const ControlMethod> controlMethods();

// In statuscalls.cpp.
[[nodiscard]] ControlReply listAgents(ControlRequest &request);
[[nodiscard]] ControlReply getAgent(ControlRequest &request);

// In explaincalls.cpp.
[[nodiscard]] ControlReply explainAgent(ControlRequest &request);

// In fleetcalls.cpp.
[[nodiscard]] ControlReply fleetStatus(ControlRequest &request);
[[nodiscard]] ControlReply drainFleetNode(ControlRequest &request);
[[nodiscard]] ControlReply moveFleetAgent(ControlRequest &request);

// In operatecalls.cpp. A slot of the host may destroy the supervisor and the server.
[[nodiscard]] ControlReply operateAgents(ControlRequest &request);
[[nodiscard]] ControlReply operateBreaker(ControlRequest &request);
[[nodiscard]] ControlReply checkConfiguration(ControlRequest &request);
/// Announces the agents that change, before that takes effect, and those that were added.
[[nodiscard]] ControlReply reloadConfiguration(ControlRequest &request);
/// Emits the event of a request that concerns these agents. Returns false if a slot of the host has
/// deleted the server.
bool announce(const ControlRequest &request, const QList<QUuid> &agents,
              const OperatorAction &action);

} // namespace Rekindle
