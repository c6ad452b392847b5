// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/json/enumnames.h>
#include <rekindle/policy/export.h>

#include <QFlags>
#include <QObject>
#include <QString>
#include <QStringList>

#include <array>

/// The enums of this component are in one header, because a namespace has one meta-object. With it,
/// qDebug() prints their names, and QML reads them after qmlRegisterUncreatableMetaObject(). In
/// QML, a value needs the name of its enum (`Rekindle.InstanceState.Failed`), because enums have
/// values with equal names. Flags have the name of their set: `Rekindle.Holds.Group`.
namespace Rekindle {

Q_NAMESPACE_EXPORT(REKINDLE_POLICY_EXPORT)
Q_CLASSINFO("RegisterEnumClassesUnscoped", "false")

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
Q_ENUM_NS(FailureReason)

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

/// How the delay grows from attempt to attempt.
enum class RestartPolicyType {
    None,        ///< no restart
    Immediate,   ///< no delay
    Linear,      ///< initialDelay * n
    Exponential, ///< initialDelay * multiplier^(n - 1)
    Stepped,     ///< the n-th of a list; the last one repeats
    Custom,      ///< an evaluator of a plug-in decides, based on the decision of its base type
};
Q_ENUM_NS(RestartPolicyType)

/// All types with their names in a configuration.
inline constexpr std::array<EnumName<RestartPolicyType>, 6> restartPolicyTypes = {{
    {RestartPolicyType::None, QLatin1String("none")},
    {RestartPolicyType::Immediate, QLatin1String("immediate")},
    {RestartPolicyType::Linear, QLatin1String("linear")},
    {RestartPolicyType::Exponential, QLatin1String("exponential")},
    {RestartPolicyType::Stepped, QLatin1String("stepped")},
    {RestartPolicyType::Custom, QLatin1String("custom")},
}};

[[nodiscard]] inline QString toText(RestartPolicyType type)
{
    return nameOf(restartPolicyTypes, type);
}

/// Which exits of an agent count as failures.
enum class RestartOn {
    Failure, ///< all except a clean exit
    Always,  ///< a clean exit (exit code 0), too, for example of MCP servers
};
Q_ENUM_NS(RestartOn)

/// How delays vary, so that agents that fail together are not restarted together. u is uniform in
/// [0, 1), d the limited delay, r the ratio.
enum class JitterKind {
    None,         ///< d
    Symmetric,    ///< d (1 - r + 2ru)
    Additive,     ///< d (1 + ru)
    Full,         ///< d u
    Decorrelated, ///< uniform in [initialDelay, min(maxDelay, 3 * the previous delay)]
};
Q_ENUM_NS(JitterKind)

/// All kinds with their names in a configuration.
inline constexpr std::array<EnumName<JitterKind>, 5> jitterKinds = {{
    {JitterKind::None, QLatin1String("none")},
    {JitterKind::Symmetric, QLatin1String("symmetric")},
    {JitterKind::Additive, QLatin1String("additive")},
    {JitterKind::Full, QLatin1String("full")},
    {JitterKind::Decorrelated, QLatin1String("decorrelated")},
}};

[[nodiscard]] inline QString toText(JitterKind kind) { return nameOf(jitterKinds, kind); }

/// State of a circuit breaker. Names and numbers are stable.
enum class CircuitBreakerState {
    Closed = 0,   ///< restarts are permitted, consecutive failures are counted
    Open = 1,     ///< restarts are refused until the timeout has elapsed
    HalfOpen = 2, ///< exactly one restart is in flight as a trial
};
Q_ENUM_NS(CircuitBreakerState)

inline constexpr std::array<EnumName<CircuitBreakerState>, 3> circuitBreakerStates = {{
    {CircuitBreakerState::Closed, QLatin1String("Closed")},
    {CircuitBreakerState::Open, QLatin1String("Open")},
    {CircuitBreakerState::HalfOpen, QLatin1String("HalfOpen")},
}};

[[nodiscard]] inline QString toText(CircuitBreakerState state)
{
    return nameOf(circuitBreakerStates, state);
}

/// The tier of a host's license. Each tier includes the one before it.
enum class LicenseTier {
    Core,       ///< no restarts: type none
    WriterPro,  ///< none, immediate, linear
    Teams,      ///< every built-in type
    Enterprise, ///< every built-in type and custom evaluators
};
Q_ENUM_NS(LicenseTier)

/// All tiers with their names, the lowest first; valueOf() finds a tier by its name.
inline constexpr std::array<EnumName<LicenseTier>, 4> licenseTiers = {{
    {LicenseTier::Core, QLatin1String("Core")},
    {LicenseTier::WriterPro, QLatin1String("WriterPro")},
    {LicenseTier::Teams, QLatin1String("Teams")},
    {LicenseTier::Enterprise, QLatin1String("Enterprise")},
}};

[[nodiscard]] inline QString toText(LicenseTier tier) { return nameOf(licenseTiers, tier); }

/// The states of an instance.
enum class InstanceState {
    Stopped,     ///< not running, no start planned
    Starting,    ///< started, not ready yet; deadline: the start timeout
    Running,     ///< ready; deadline: when it becomes stable
    Waiting,     ///< a start is planned; deadline: that start
    CircuitOpen, ///< the breaker is open; deadline: the half-open trial, none while isolated
    Evaluating,  ///< an evaluation request is in flight; deadline: its timeout
    Stopping,    ///< a stop was requested, and it has not exited yet
    Exhausted,   ///< given up; deadline: the re-arming, if configured
    Failed,      ///< failed and not restarted
    Gated,       ///< the license does not permit a restart
};
Q_ENUM_NS(InstanceState)
inline constexpr int instanceStateCount = 10;

/// Whether no start is planned, except for the re-arming of an exhausted instance.
[[nodiscard]] constexpr bool isTerminal(InstanceState state)
{
    return state == InstanceState::Stopped || state == InstanceState::Exhausted
        || state == InstanceState::Failed || state == InstanceState::Gated;
}

inline constexpr std::array<EnumName<InstanceState>, instanceStateCount> instanceStates = {{
    {InstanceState::Stopped, QLatin1String("Stopped")},
    {InstanceState::Starting, QLatin1String("Starting")},
    {InstanceState::Running, QLatin1String("Running")},
    {InstanceState::Waiting, QLatin1String("Waiting")},
    {InstanceState::CircuitOpen, QLatin1String("CircuitOpen")},
    {InstanceState::Evaluating, QLatin1String("Evaluating")},
    {InstanceState::Stopping, QLatin1String("Stopping")},
    {InstanceState::Exhausted, QLatin1String("Exhausted")},
    {InstanceState::Failed, QLatin1String("Failed")},
    {InstanceState::Gated, QLatin1String("Gated")},
}};

[[nodiscard]] inline QString toText(InstanceState state) { return nameOf(instanceStates, state); }

/// Why a start is planned.
enum class PlannedStart {
    None,
    Operator,  ///< by an operator: a new sequence, no attempt, no limit
    Attempt,   ///< an automatic restart
    Requested, ///< requested by the agent: no attempt
    Group,     ///< after a stop because of other agents: no attempt
};
Q_ENUM_NS(PlannedStart)

/// A reason why a start that is due is not launched. An instance can have several. Another reason
/// is a process of an earlier start that has not exited (Instance::processAlive).
enum class Hold {
    Dependency = 0x1,    ///< an agent or a group that it depends on is down
    Group = 0x2,         ///< other members of its group stop or start first
    SharedBreaker = 0x4, ///< a circuit breaker that it shares with other agents is open
    Governor = 0x8,      ///< too many agents start at the same time
    Lease = 0x10,        ///< another host may run the agent
    Removal = 0x20,      ///< a removed agent, which may use the same port or file, has not exited
};
Q_DECLARE_FLAGS(Holds, Hold)
Q_DECLARE_OPERATORS_FOR_FLAGS(Holds)
Q_FLAG_NS(Holds)

inline constexpr std::array<EnumName<Hold>, 6> holdNames = {{
    {Hold::Dependency, QLatin1String("dependency")},
    {Hold::Group, QLatin1String("group")},
    {Hold::SharedBreaker, QLatin1String("sharedBreaker")},
    {Hold::Governor, QLatin1String("governor")},
    {Hold::Lease, QLatin1String("lease")},
    {Hold::Removal, QLatin1String("removal")},
}};

/// The names of all holds that are set, in the order of the enum.
[[nodiscard]] inline QStringList toTexts(Holds holds)
{
    QStringList texts;
    for (const EnumName<Hold> &each : holdNames) {
        if (holds.testFlag(each.value))
            texts += each.name;
    }
    return texts;
}

/// What an agent has reached in its newest start. The start of another agent can wait for it.
enum class DependencyLevel {
    Started = 0x1,   ///< its process runs
    Ready = 0x2,     ///< it is ready and has not failed since
    Stable = 0x4,    ///< it is stable and has not failed since
    Completed = 0x8, ///< it exited with code 0, by itself
};
Q_DECLARE_FLAGS(DependencyLevels, DependencyLevel)
Q_DECLARE_OPERATORS_FOR_FLAGS(DependencyLevels)
Q_FLAG_NS(DependencyLevels)

inline constexpr std::array<EnumName<DependencyLevel>, 4> dependencyLevels = {{
    {DependencyLevel::Started, QLatin1String("started")},
    {DependencyLevel::Ready, QLatin1String("ready")},
    {DependencyLevel::Stable, QLatin1String("stable")},
    {DependencyLevel::Completed, QLatin1String("completed")},
}};

[[nodiscard]] inline QString toText(DependencyLevel level)
{
    return nameOf(dependencyLevels, level);
}

/// What happens to a running agent when one of its dependencies no longer has the required level.
enum class OnDown {
    Keep,    ///< nothing
    Stop,    ///< it is stopped and stays stopped
    Restart, ///< it is stopped, and started when the dependency has the level again
};
Q_ENUM_NS(OnDown)

inline constexpr std::array<EnumName<OnDown>, 3> onDownNames = {{
    {OnDown::Keep, QLatin1String("keep")},
    {OnDown::Stop, QLatin1String("stop")},
    {OnDown::Restart, QLatin1String("restart")},
}};

[[nodiscard]] inline QString toText(OnDown onDown) { return nameOf(onDownNames, onDown); }

/// Which members of a group are restarted when one fails.
enum class GroupStrategy {
    OneForOne,  ///< only that member
    OneForAll,  ///< all members
    RestForOne, ///< that member and those after it
};
Q_ENUM_NS(GroupStrategy)

inline constexpr std::array<EnumName<GroupStrategy>, 3> groupStrategies = {{
    {GroupStrategy::OneForOne, QLatin1String("oneForOne")},
    {GroupStrategy::OneForAll, QLatin1String("oneForAll")},
    {GroupStrategy::RestForOne, QLatin1String("restForOne")},
}};

[[nodiscard]] inline QString toText(GroupStrategy strategy)
{
    return nameOf(groupStrategies, strategy);
}

/// The inputs of an instance: a closed set.
enum class InputKind {
    Start,            ///< operator: start now, whatever is planned
    Stop,             ///< operator: stop, cancel what is planned
    Restart,          ///< operator: stop and start again
    ResetBreaker,     ///< operator: close the breaker, begin the start it delays
    IsolateBreaker,   ///< operator: hold the breaker open
    ReleaseBreaker,   ///< operator: end the isolation
    ChangePolicy,     ///< operator: another policy, or another license tier
    Launch,           ///< supervisor: the planned start happens now
    Started,          ///< agent: its process runs
    ExtendStart,      ///< agent: it needs more time to become ready
    Ready,            ///< agent: it is ready
    Failed,           ///< agent: it exited with a failure
    Unhealthy,        ///< monitor: it failed and is still alive
    Exited,           ///< agent: it exited without a failure
    ExitedForRestart, ///< agent: it exited and requests a restart (exit code 42)
    RequestRestart,   ///< agent, tool: it requests a restart and is still alive
    Deadline,         ///< scheduler: the deadline of the instance is due
    Verdict,          ///< custom evaluator: its answer
    Success,          ///< host: the agent works, which counts as stable
    Resume,           ///< host: continue from the stored state of an earlier host
    GroupStop,        ///< host: stop because of other agents, and hold the next start back
    GiveUp,           ///< host: the group has given up: stop, and do not start again
    Refund,           ///< host: the last failure counts toward no limit; hold the start back
    AddHolds,         ///< host: hold starts back for these reasons, too
    LiftHolds,        ///< host: lift these reasons; launch if the start is due
};
Q_ENUM_NS(InputKind)
inline constexpr int inputKindCount = 25;

/// A command of an operator.
enum class OperatorCommand {
    Start, ///< also retryNow()
    Stop,
    Restart,
    ResetBreaker,
    IsolateBreaker,
    ReleaseBreaker,
};
Q_ENUM_NS(OperatorCommand)

/// What an operator does with an agent or its circuit breaker.
enum class ControlOperation {
    Start,
    Stop,
    Restart,
    Retry,
    ResetBreaker,
    IsolateBreaker,
    ReleaseBreaker
};
Q_ENUM_NS(ControlOperation)

inline constexpr std::array<EnumName<OperatorCommand>, 6> operatorCommands = {{
    {OperatorCommand::Start, QLatin1String("start")},
    {OperatorCommand::Stop, QLatin1String("stop")},
    {OperatorCommand::Restart, QLatin1String("restart")},
    {OperatorCommand::ResetBreaker, QLatin1String("resetBreaker")},
    {OperatorCommand::IsolateBreaker, QLatin1String("isolateBreaker")},
    {OperatorCommand::ReleaseBreaker, QLatin1String("releaseBreaker")},
}};

[[nodiscard]] inline QString toText(OperatorCommand command)
{
    return nameOf(operatorCommands, command);
}

/// The rule that determined a decision. Rules are applied in this order.
enum class DecisionRule {
    PolicyNone,        ///< the policy restarts nothing
    PermanentFailure,  ///< a retry cannot succeed
    AttemptsExhausted, ///< maxRetries restarts were made
    WindowExhausted,   ///< too many restarts in the sliding period
    CircuitOpen,       ///< the circuit breaker is open
    EvaluatorRefused,  ///< a custom evaluator refused
    Restart,           ///< restart after the delay
};
Q_ENUM_NS(DecisionRule)

/// Which failed calls are retried (spec 9). A call that no server has read is always retried.
enum class CallRetry {
    Safe,   ///< read-only methods, and tools annotated read-only or idempotent
    Always, ///< all calls, including results with isError (S3)
    Never,  ///< none
};
Q_ENUM_NS(CallRetry)

/// How a tool call ended.
enum class ToolCallEnd {
    Answered,          ///< the tool has answered, possibly with an error
    AttemptsExhausted, ///< the last permitted attempt failed
    DeadlineExceeded,  ///< its deadline has passed, or the next wait would exceed it
    NotRetryable,      ///< no retry is permitted, no server is running, or too many calls wait
    BreakerOpen,       ///< the circuit breaker of the tool is open
    Cancelled,         ///< by the caller
};
Q_ENUM_NS(ToolCallEnd)

inline constexpr std::array<EnumName<ToolCallEnd>, 6> toolCallEnds = {{
    {ToolCallEnd::Answered, QLatin1String("Answered")},
    {ToolCallEnd::AttemptsExhausted, QLatin1String("AttemptsExhausted")},
    {ToolCallEnd::DeadlineExceeded, QLatin1String("DeadlineExceeded")},
    {ToolCallEnd::NotRetryable, QLatin1String("NotRetryable")},
    {ToolCallEnd::BreakerOpen, QLatin1String("BreakerOpen")},
    {ToolCallEnd::Cancelled, QLatin1String("Cancelled")},
}};

[[nodiscard]] inline QString toText(ToolCallEnd end) { return nameOf(toolCallEnds, end); }

} // namespace Rekindle
