// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

namespace Rekindle {

// Sanitizers make programs several times slower. Clang has no macros for them, and Qt defines
// __has_feature if the compiler lacks it.
#if defined(__clang__)
constexpr bool underThreadSanitizer = __has_feature(thread_sanitizer);
constexpr bool underAddressSanitizer = __has_feature(address_sanitizer);
#else
#ifdef __SANITIZE_THREAD__
constexpr bool underThreadSanitizer = true;
#else
constexpr bool underThreadSanitizer = false;
#endif
#ifdef __SANITIZE_ADDRESS__
constexpr bool underAddressSanitizer = true;
#else
constexpr bool underAddressSanitizer = false;
#endif
#endif

/// Returns the number of random runs in this build. The build without a sanitizer takes all of
/// them; in a program that is up to ten times slower, a tenth is sufficient to detect races and
/// memory errors.
constexpr int runsHere(int runs)
{
    return underThreadSanitizer || underAddressSanitizer ? (runs + 9) / 10 : runs;
}

} // namespace Rekindle
