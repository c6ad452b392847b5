// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "json/enumnames.h"

#include <rekindle/policy/failure.h>
#include <rekindle/policy/restartpolicy.h>

#include <array>

namespace Rekindle {

inline constexpr std::array<EnumName<RestartOn>, 2> restartOnNames = {{
    {RestartOn::Failure, QLatin1String("failure")},
    {RestartOn::Always, QLatin1String("always")},
}};

/// Of EvaluatorReference::shadow.
inline constexpr std::array<EnumName<bool>, 2> evaluatorModes = {{
    {false, QLatin1String("active")},
    {true, QLatin1String("shadow")},
}};

/// All values in the order in which they are listed for people.
inline constexpr std::array policyTypes = {
    RestartPolicyType::None,        RestartPolicyType::Immediate, RestartPolicyType::Linear,
    RestartPolicyType::Exponential, RestartPolicyType::Stepped,   RestartPolicyType::Custom};

/// The base types of an evaluator.
inline constexpr std::array baseTypes = {RestartPolicyType::None, RestartPolicyType::Immediate,
                                         RestartPolicyType::Linear, RestartPolicyType::Exponential,
                                         RestartPolicyType::Stepped};

inline constexpr std::array jitterKinds = {JitterKind::None, JitterKind::Symmetric,
                                           JitterKind::Additive, JitterKind::Full,
                                           JitterKind::Decorrelated};

inline constexpr std::array failureReasons = {
    FailureReason::UnhandledException,   FailureReason::HealthCheckFailed,
    FailureReason::InitializationFailed, FailureReason::Timeout,
    FailureReason::ResourceExhaustion,   FailureReason::DependencyFailure,
    FailureReason::ProcessCrash,         FailureReason::Unknown};

} // namespace Rekindle
