// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/json/enumnames.h>
#include <rekindle/policy/export.h>

#include <QObject>
#include <QString>
#include <QStringList>

#include <optional>

namespace Rekindle {

/// Why an agent failed. Names and numbers are stable, because they are stored and sent.
enum class FailureReason {
    UnhandledException = 0,   ///< an exception was not caught by the agent
    HealthCheckFailed = 1,    ///< its health probes failed repeatedly
    InitializationFailed = 2, ///< it could not be started, or its startup failed
    Timeout = 3,              ///< it was not ready in time
    ResourceExhaustion = 4,   ///< a limit or the capacity of the system was exceeded
    DependencyFailure = 5,    ///< a dependency is not available
    ProcessCrash = 6,         ///< its process exited with an error or was killed by a signal
    Unknown = 99,             ///< no reason is known
};

/// All reasons with their names; valueOf() finds a reason by its name.
inline constexpr std::array<EnumName<FailureReason>, 8> failureReasons = {{
    {FailureReason::UnhandledException, QLatin1String("UnhandledException")},
    {FailureReason::HealthCheckFailed, QLatin1String("HealthCheckFailed")},
    {FailureReason::InitializationFailed, QLatin1String("InitializationFailed")},
    {FailureReason::Timeout, QLatin1String("Timeout")},
    {FailureReason::ResourceExhaustion, QLatin1String("ResourceExhaustion")},
    {FailureReason::DependencyFailure, QLatin1String("DependencyFailure")},
    {FailureReason::ProcessCrash, QLatin1String("ProcessCrash")},
    {FailureReason::Unknown, QLatin1String("Unknown")},
}};

[[nodiscard]] inline QString toText(FailureReason reason) { return nameOf(failureReasons, reason); }

/// Details of a failure.
struct FailureDetail
{
    QString message{};             ///< one sentence for people
    std::optional<int> exitCode{}; ///< of a process that exited
    std::optional<int> signal{};   ///< of a process that was killed by a signal
    qint64 processId = 0;          ///< 0 if the agent is not a process
    QStringList stderrTail{};      ///< its last lines on stderr, oldest first
    bool permanent = false;        ///< a retry cannot succeed

    bool operator==(const FailureDetail &) const = default;
};

/// One failure: the reason and the details.
struct Failure
{
    FailureReason reason = FailureReason::Unknown;
    FailureDetail detail{};

    bool operator==(const Failure &) const = default;
};

} // namespace Rekindle
