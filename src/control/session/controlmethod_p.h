// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArrayView>

#include <array>
#include <cstddef>
#include <optional>

namespace Rekindle {

/// What a client may do. Operate includes Read.
enum class ControlAccess { Read, Operate };

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
    ControlAccess access = ControlAccess::Operate;
};

inline constexpr std::array controlMethods{
    ControlMethodRow{ControlMethod::ListAgents, "agents.list", ControlAccess::Read},
    ControlMethodRow{ControlMethod::GetAgent, "agents.get", ControlAccess::Read},
    ControlMethodRow{ControlMethod::ExplainAgent, "agents.explain", ControlAccess::Read},
    ControlMethodRow{ControlMethod::WaitForAgents, "agents.wait", ControlAccess::Read},
    ControlMethodRow{ControlMethod::StartAgents, "agents.start", ControlAccess::Operate},
    ControlMethodRow{ControlMethod::StopAgents, "agents.stop", ControlAccess::Operate},
    ControlMethodRow{ControlMethod::RestartAgents, "agents.restart", ControlAccess::Operate},
    ControlMethodRow{ControlMethod::RetryAgents, "agents.retry", ControlAccess::Operate},
    ControlMethodRow{ControlMethod::ResetBreaker, "breaker.reset", ControlAccess::Operate},
    ControlMethodRow{ControlMethod::IsolateBreaker, "breaker.isolate", ControlAccess::Operate},
    ControlMethodRow{ControlMethod::ReleaseBreaker, "breaker.release", ControlAccess::Operate},
    ControlMethodRow{ControlMethod::SubscribeToEvents, "events.subscribe", ControlAccess::Read},
    ControlMethodRow{ControlMethod::ReadLogs, "logs.read", ControlAccess::Read},
    ControlMethodRow{ControlMethod::FollowLogs, "logs.follow", ControlAccess::Read},
    ControlMethodRow{ControlMethod::CheckConfiguration, "config.check", ControlAccess::Operate},
    ControlMethodRow{ControlMethod::ReloadConfiguration, "config.reload", ControlAccess::Operate},
    ControlMethodRow{ControlMethod::StopHost, "host.stop", ControlAccess::Operate},
};

/// In the order of ControlMethod.
[[nodiscard]] constexpr QByteArrayView nameOf(ControlMethod method)
{
    return controlMethods.at(static_cast<std::size_t>(method)).name;
}

[[nodiscard]] constexpr ControlAccess accessTo(ControlMethod method)
{
    return controlMethods.at(static_cast<std::size_t>(method)).access;
}

/// Whether the client receives something later than the host can respond.
[[nodiscard]] constexpr bool isLasting(ControlMethod method)
{
    return method == ControlMethod::WaitForAgents || method == ControlMethod::SubscribeToEvents
        || method == ControlMethod::FollowLogs;
}

} // namespace Rekindle
