// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/export.h>

#include <functional>
#include <thread>

namespace Rekindle {

/// A thread that no signal of the process is delivered to: those are the host's, which may wait for
/// them in its own threads, and may block them there only after this one has begun. Throws
/// std::system_error where there is no room for one.
[[nodiscard]] REKINDLE_LIFECYCLE_EXPORT std::thread startDeafThread(std::function<void()> work);

} // namespace Rekindle
