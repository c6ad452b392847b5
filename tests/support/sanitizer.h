// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

namespace Rekindle {

// Programs under them are several times slower, and do the same. Clang has no macro for them, and
// Qt defines __has_feature where a compiler lacks it.
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

} // namespace Rekindle
