// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/export.h>

#include <QMetaType>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QStringView>

#include <optional>

namespace Rekindle {

/// Why an agent failed. Names and numbers are a contract (S1 4.2): they are stored and sent.
enum class FailureReason {
    UnhandledException = 0,   ///< an exception left the agent's code
    HealthCheckFailed = 1,    ///< its health probes failed repeatedly
    InitializationFailed = 2, ///< it could not be started or did not come up
    Timeout = 3,              ///< it was not ready in time
    ResourceExhaustion = 4,   ///< a limit was passed, or the system had nothing left to give
    DependencyFailure = 5,    ///< something that it needs is not there
    ProcessCrash = 6,         ///< its process ended with an error or by a signal
    Unknown = 99,             ///< nobody can say
};

/// The reason's name as S1 writes it, for example "ProcessCrash".
[[nodiscard]] REKINDLE_POLICY_EXPORT QString toText(FailureReason reason);

/// The reason of that exact name, or nothing.
[[nodiscard]] REKINDLE_POLICY_EXPORT std::optional<FailureReason>
failureReasonFromString(QStringView name);

/// What is known about one failure besides its reason.
struct FailureDetail
{
    QString message{};             ///< one sentence for people
    std::optional<int> exitCode{}; ///< of a process that exited
    std::optional<int> signal{};   ///< of a process that a signal ended
    qint64 processId = 0;          ///< 0 where the agent is no process
    QStringList stderrTail{};      ///< its last lines on stderr, oldest first
    bool permanent = false; ///< trying again is known to be useless (spec 6, exit-code table)

    bool operator==(const FailureDetail &) const = default;
};

/// One failure: the reason and what is known about it.
struct Failure
{
    FailureReason reason = FailureReason::Unknown;
    FailureDetail detail{};

    bool operator==(const Failure &) const = default;
};

} // namespace Rekindle

Q_DECLARE_METATYPE(Rekindle::FailureDetail)
Q_DECLARE_METATYPE(Rekindle::Failure)
