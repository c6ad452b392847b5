// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "control/calls/controlcalls_p.h"

#include <array>

namespace Rekindle {

namespace {

using MethodKind = ControlMethod::Kind;

template<auto Calls, auto Function>
std::optional<ControlResponse> callOn(ControlCalls &all, ControlRequest &request)
{
    return ((all.*Calls).*Function)(request);
}

std::optional<ControlResponse> stopHost(ControlCalls &all, ControlRequest &request)
{
    return all.stopHost(request);
}

constexpr auto operate = callOn<&ControlCalls::operations, &OperateCalls::operate>;
constexpr auto operateBreaker = callOn<&ControlCalls::operations, &OperateCalls::operateBreaker>;

constexpr std::array methods{
    ControlMethod{"agents.list", MethodKind::Reads,
                  callOn<&ControlCalls::status, &StatusCalls::list>},
    ControlMethod{"agents.get", MethodKind::Reads,
                  callOn<&ControlCalls::status, &StatusCalls::get>},
    ControlMethod{"agents.explain", MethodKind::Reads,
                  callOn<&ControlCalls::explanations, &ExplainCalls::explain>},
    ControlMethod{"agents.wait", MethodKind::Lasts, callOn<&ControlCalls::waits, &WaitCalls::wait>},
    ControlMethod{"agents.start", MethodKind::Changes, operate},
    ControlMethod{"agents.stop", MethodKind::Changes, operate},
    ControlMethod{"agents.restart", MethodKind::Changes, operate},
    ControlMethod{"agents.retry", MethodKind::Changes, operate},
    ControlMethod{"breaker.reset", MethodKind::Changes, operateBreaker},
    ControlMethod{"breaker.isolate", MethodKind::Changes, operateBreaker},
    ControlMethod{"breaker.release", MethodKind::Changes, operateBreaker},
    ControlMethod{"events.subscribe", MethodKind::Lasts,
                  callOn<&ControlCalls::eventCalls, &EventCalls::subscribe>},
    ControlMethod{"logs.read", MethodKind::Reads, callOn<&ControlCalls::logs, &LogCalls::read>},
    ControlMethod{"logs.follow", MethodKind::Lasts, callOn<&ControlCalls::logs, &LogCalls::follow>},
    ControlMethod{"config.check", MethodKind::Reads,
                  callOn<&ControlCalls::operations, &OperateCalls::checkConfiguration>},
    ControlMethod{"config.reload", MethodKind::Changes,
                  callOn<&ControlCalls::operations, &OperateCalls::reloadConfiguration>},
    ControlMethod{"host.stop", MethodKind::Changes, stopHost},
};

} // namespace

std::span<const ControlMethod> controlMethods() { return methods; }

} // namespace Rekindle
