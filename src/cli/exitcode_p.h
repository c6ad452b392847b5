// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

/// What the command ends with (spec 10). A program that `run` gives up hands its own code on.
namespace Rekindle::ExitCode {

inline constexpr int fine = 0;
inline constexpr int givenUp = 1;        ///< `up`: every agent has ended, and not all of them well
inline constexpr int outputFailed = 1;   ///< what was asked for could not be written
inline constexpr int usage = 64;         ///< EX_USAGE
inline constexpr int unavailable = 69;   ///< EX_UNAVAILABLE: an address to listen on is not free
inline constexpr int configuration = 78; ///< EX_CONFIG

} // namespace Rekindle::ExitCode
