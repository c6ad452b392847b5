// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// Checks the traits of the public value types at compile time: values are cheap to move and can be
// stored in containers; objects with an identity cannot be copied.

#include <rekindle/lifecycle/agentsnapshot.h>
#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/lifecycle/customevaluators.h>
#include <rekindle/lifecycle/eventqueue.h>
#include <rekindle/lifecycle/healthprobe.h>
#include <rekindle/lifecycle/licenseprovider.h>
#include <rekindle/lifecycle/virtualscheduler.h>
#include <rekindle/lifecycle/workeragent.h>

#include <concepts>
#include <type_traits>

namespace Rekindle {

template<typename T>
constexpr bool isValue = std::semiregular<T> && std::is_nothrow_move_constructible_v<T>;

static_assert(isValue<AgentSnapshot>);
static_assert(isValue<EvaluatorRequest>);
static_assert(isValue<EvaluatorFault> && std::equality_comparable<EvaluatorFault>);
static_assert(isValue<LicenseStatus> && std::equality_comparable<LicenseStatus>);
static_assert(isValue<ShadowTally> && std::equality_comparable<ShadowTally>);
static_assert(isValue<TierLimit>);
static_assert(isValue<SupervisorOptions>);
static_assert(isValue<AgentSupervisor::Added>);
static_assert(isValue<EventQueue::Gap> && std::equality_comparable<EventQueue::Gap>);
static_assert(isValue<EventQueue::Item>);
static_assert(isValue<WorkerOptions>);

static_assert(std::copyable<WorkerContext> && !std::is_default_constructible_v<WorkerContext>);
static_assert(std::movable<HealthCheck> && !std::is_copy_constructible_v<HealthCheck>);
static_assert(!std::is_copy_constructible_v<Deadline> && !std::is_move_constructible_v<Deadline>);
static_assert(!std::is_copy_constructible_v<VirtualClock>);
static_assert(!std::is_copy_constructible_v<VirtualScheduler>);

} // namespace Rekindle
