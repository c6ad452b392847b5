// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "control/calls/eventcalls_p.h"
#include "control/calls/explaincalls_p.h"
#include "control/calls/logcalls_p.h"
#include "control/calls/operatecalls_p.h"
#include "control/calls/waitcalls_p.h"

#include <rekindle/lifecycle/restartpolicyevaluator.h>

#include <functional>
#include <span>
#include <utility>

namespace Rekindle {

/// What carries out the requests of control clients.
class ControlCalls
{
public:
    /// The supervisor must outlive it. `configuration` is the file of the host's configuration.
    /// `changed` is called when a session has output to be written.
    ControlCalls(AgentSupervisor &supervisor, const QString &configuration,
                 std::function<void()> changed)
        : events(supervisor.policyEvaluator().run())
        , status(supervisor, events)
        , operations(supervisor, configuration)
        , eventCalls(supervisor, status, events, feed, std::move(changed))
        , explanations(supervisor, status)
        , waits(supervisor, status)
        , logs(supervisor)
    {
    }
    Q_DISABLE_COPY_MOVE(ControlCalls)
    virtual ~ControlCalls() = default;

    /// Carries out host.stop.
    [[nodiscard]] virtual std::optional<ControlResponse> stopHost(ControlRequest &request) = 0;

    EventRing events;
    EventFeed feed{events};
    StatusCalls status;
    OperateCalls operations;
    EventCalls eventCalls;
    ExplainCalls explanations;
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
    /// Returns nothing if the response follows later, or if a slot of the host has deleted the
    /// server.
    std::optional<ControlResponse> (*call)(ControlCalls &all, ControlRequest &request) = nullptr;
};

[[nodiscard]] std::span<const ControlMethod> controlMethods();

} // namespace Rekindle
