// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "randominputs.h"

#include <array>

namespace Rekindle {

using namespace std::chrono_literals;

namespace {

// Derives choices from a number.
class Choices
{
public:
    explicit Choices(std::uint32_t number)
        : m_left(mixed(number)) // near numbers give different choices
    {
    }

    std::uint32_t below(std::uint32_t limit)
    {
        m_left = mixed(m_left + 0x9e3779b9U);
        return m_left % limit;
    }
    bool oneIn(std::uint32_t count) { return below(count) == 0; }
    template<typename T, std::size_t size>
    T of(const std::array<T, size> &values)
    {
        return values[below(size)];
    }

private:
    // The last step of MurmurHash3.
    static constexpr std::uint32_t mixed(std::uint32_t value)
    {
        value = (value ^ (value >> 16U)) * 0x85ebca6bU;
        value = (value ^ (value >> 13U)) * 0xc2b2ae35U;
        return value ^ (value >> 16U);
    }

    std::uint32_t m_left;
};

std::shared_ptr<const RestartPolicy> anyPolicy(Choices choose)
{
    using enum RestartPolicyType;
    RestartPolicy policy;
    policy.type = choose.of<RestartPolicyType>(
        std::array{None, Immediate, Linear, Exponential, Exponential, Stepped, Custom, Custom});
    policy.initialDelay = 1s;
    policy.maxDelay = 8s;
    policy.steps = {500ms, 2s};
    policy.jitter.kind = choose.of<JitterKind>(std::array{
        JitterKind::None, JitterKind::Symmetric, JitterKind::Additive, JitterKind::Decorrelated});
    policy.immediateFirst = choose.oneIn(4);
    if (policy.type == Custom)
        policy.evaluator =
            EvaluatorReference{QStringLiteral("any"), {}, choose.oneIn(4) ? None : Exponential};
    policy.maxRetries = choose.of(std::array<std::optional<int>, 6>{0, 1, 2, 3, 5, std::nullopt});
    if (choose.oneIn(3))
        policy.window = {static_cast<int>(1 + choose.below(3)), 10s};
    policy.restartOn = choose.oneIn(4) ? RestartOn::Always : RestartOn::Failure;
    policy.stableAfter = choose.of(std::array<Duration, 3>{0s, 2s, 5s});
    policy.startTimeout = 2s;
    policy.minInterval = choose.of(std::array<Duration, 3>{0s, 0s, 3s});
    policy.requestedDelay = choose.of(std::array<Duration, 2>{0s, 500ms});
    policy.circuitBreaker = choose.of(std::array<std::optional<CircuitBreakerPolicy>, 5>{
        std::nullopt, CircuitBreakerPolicy{1, 5s, 1.0, 5s}, CircuitBreakerPolicy{2, 5s, 2.0, 20s},
        CircuitBreakerPolicy{3, 4s, 3.0, 1min}, CircuitBreakerPolicy{2, 30s, 1.0, 1h}});
    if (choose.oneIn(3))
        policy.rearmAfter = choose.of(std::array<Duration, 3>{100ms, 4s, 40s});
    return std::make_shared<const RestartPolicy>(policy);
}

constexpr std::array<InputKind, 61> mix = [] {
    using enum InputKind;
    // clang-format off
    return std::array<InputKind, 61>{
        Resume, Deadline, Deadline, Deadline, Deadline, Deadline, Deadline, Deadline, Deadline,
        Deadline, Deadline, Deadline, Failed, Failed, Failed, Failed, Failed, Failed, Ready, Ready,
        Ready, Ready, Ready, Launch, Launch, Verdict, Verdict, Verdict, Started, Unhealthy,
        Unhealthy, ExtendStart, Exited, ExitedForRestart, ExitedForRestart, RequestRestart, RequestRestart,
        Start, Start, Start, Stop, Restart, ResetBreaker, IsolateBreaker, ReleaseBreaker,
        ReleaseBreaker, ChangePolicy, ChangePolicy, Success, AddHolds, AddHolds, LiftHolds, LiftHolds,
        LiftHolds, GroupStop, GroupStop, GroupStop, GiveUp, GiveUp, Refund, Refund};
    // clang-format on
}();

} // namespace

std::shared_ptr<const RestartPolicy> randomPolicy(std::uint32_t number)
{
    return anyPolicy(Choices(number));
}

void applyRandomInput(InstanceChecker &checker, std::uint32_t number)
{
    Choices choose(number);
    InstanceInput input;
    input.kind = choose.of(mix);
    const bool prompt = !choose.oneIn(4);
    const bool stale = choose.oneIn(16);
    input.generation = checker.instance().generation - (stale ? 1 : 0);
    Failure failure;
    failure.reason = choose.oneIn(2) ? FailureReason::ProcessCrash : FailureReason::Timeout;
    if (choose.oneIn(8))
        failure.detail.exitCode = 127;
    failure.detail.permanent = choose.oneIn(16);
    input.failure = &failure;
    const double draw = choose.below(1000) / 1000.0;

    switch (input.kind) {
    case InputKind::Deadline:
        if (!choose.oneIn(3)) {
            checker.passToDeadline();
        } else {
            checker.pass(choose.of(std::array<Duration, 5>{0s, 10ms, 1s, 7s, 2h}));
            checker.apply(input, draw);
        }
        break;
    case InputKind::ChangePolicy:
        input.policy = anyPolicy(choose);
        input.gated = choose.oneIn(2);
        checker.apply(input, draw);
        break;
    case InputKind::Verdict:
        using enum EvaluatorVerdict::Kind;
        input.verdict.kind =
            choose.of<EvaluatorVerdict::Kind>(std::array{Accept, Delay, Refuse, OpenBreaker});
        input.verdict.delay = choose.of(std::array<Duration, 4>{0s, 3s, 8 * 24h, Duration::max()});
        checker.apply(input, draw);
        break;
    case InputKind::ExtendStart:
        input.extension = choose.of(std::array<Duration, 3>{1s, 7s, 2h});
        checker.apply(input, draw);
        break;
    case InputKind::AddHolds:
    case InputKind::LiftHolds:
    case InputKind::GroupStop:
    case InputKind::Refund:
        input.holds = choose.of<Holds>(std::array<Holds, 4>{
            Hold::Dependency, Hold::Governor, Hold::Dependency | Hold::Group,
            Hold::Dependency | Hold::Group | Hold::SharedBreaker | Hold::Governor | Hold::Lease});
        checker.apply(input, draw);
        break;
    case InputKind::Resume:
        if (choose.oneIn(3)) {
            checker.apply(input, draw);
        } else {
            checker.pass(choose.of(std::array<Duration, 3>{0s, 1s, 2h})); // no deadlines fire
            checker.killHost();
        }
        break;
    default:
        checker.apply(input, draw);
    }
    if (prompt && checker.launchRequested())
        checker.apply(InputKind::Launch);
}

QString describeRandomInput(std::uint32_t number)
{
    Choices choose(number);
    return QStringLiteral("%1 (input %2)").arg(number).arg(static_cast<int>(choose.of(mix)));
}

InstanceChecker playRandomInputs(std::uint32_t seed)
{
    constexpr std::uint32_t count = 200;
    InstanceChecker checker(randomPolicy(seed));
    checker.apply(InputKind::Start);
    for (std::uint32_t i = 0; i < count; ++i)
        applyRandomInput(checker, seed * 1000 + i);
    return checker;
}

} // namespace Rekindle
