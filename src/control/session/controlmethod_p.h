// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArrayView>

#include <array>
#include <cstddef>
#include <optional>

namespace Rekindle {

/// The requests of the control protocol, except hello.
enum class ControlMethod {
    ListAgents,
    GetAgent,
    ExplainAgent,
    WaitForAgents,
    StartAgents,
    StopAgents,
    RestartAgents,
    RetryAgents,
    ResetBreaker,
    IsolateBreaker,
    ReleaseBreaker,
    SubscribeToEvents,
    ReadLogs,
    FollowLogs,
    CheckConfiguration,
    ReloadConfiguration,
    StopHost,
};

struct ControlMethodRow
{
    ControlMethod method{};
    QByteArrayView name{};
    bool isOperation = false;
};

inline constexpr std::array controlMethods{
    ControlMethodRow{ControlMethod::ListAgents, "agents.list", false},
    ControlMethodRow{ControlMethod::GetAgent, "agents.get", false},
    ControlMethodRow{ControlMethod::ExplainAgent, "agents.explain", false},
    ControlMethodRow{ControlMethod::WaitForAgents, "agents.wait", false},
    ControlMethodRow{ControlMethod::StartAgents, "agents.start", true},
    ControlMethodRow{ControlMethod::StopAgents, "agents.stop", true},
    ControlMethodRow{ControlMethod::RestartAgents, "agents.restart", true},
    ControlMethodRow{ControlMethod::RetryAgents, "agents.retry", true},
    ControlMethodRow{ControlMethod::ResetBreaker, "breaker.reset", true},
    ControlMethodRow{ControlMethod::IsolateBreaker, "breaker.isolate", true},
    ControlMethodRow{ControlMethod::ReleaseBreaker, "breaker.release", true},
    ControlMethodRow{ControlMethod::SubscribeToEvents, "events.subscribe", false},
    ControlMethodRow{ControlMethod::ReadLogs, "logs.read", false},
    ControlMethodRow{ControlMethod::FollowLogs, "logs.follow", false},
    ControlMethodRow{ControlMethod::CheckConfiguration, "config.check", true},
    ControlMethodRow{ControlMethod::ReloadConfiguration, "config.reload", true},
    ControlMethodRow{ControlMethod::StopHost, "host.stop", true},
};

/// In the order of ControlMethod.
[[nodiscard]] constexpr QByteArrayView nameOf(ControlMethod method)
{
    return controlMethods.at(static_cast<std::size_t>(method)).name;
}

[[nodiscard]] constexpr bool isOperation(ControlMethod method)
{
    return controlMethods.at(static_cast<std::size_t>(method)).isOperation;
}

/// Whether the client receives something later than the host can respond.
[[nodiscard]] constexpr bool isLasting(ControlMethod method)
{
    return method == ControlMethod::WaitForAgents || method == ControlMethod::SubscribeToEvents
        || method == ControlMethod::FollowLogs;
}

} // namespace Rekindle
