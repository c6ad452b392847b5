// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

/// What the command ends with (spec 10). A program that `run` gives up hands its own code on.
namespace Rekindle::ExitCode {

inline constexpr int fine = 0;
inline constexpr int givenUp = 1;        ///< `up`: every agent has ended, and not all of them well
inline constexpr int outputFailed = 1;   ///< what was asked for could not be written
inline constexpr int toolFailed = 2;     ///< `tools call`: the tool says that it has failed
inline constexpr int usage = 64;         ///< EX_USAGE
inline constexpr int unavailable = 69;   ///< EX_UNAVAILABLE: an address to listen on is not free; a
                                         ///< call of a tool has no answer
inline constexpr int cannotCreate = 73;  ///< EX_CANTCREAT: a key or a licence, for it is there
inline constexpr int tryLater = 75;      ///< EX_TEMPFAIL: a circuit breaker is open
inline constexpr int configuration = 78; ///< EX_CONFIG; a licence or a key that is refused
inline constexpr int deadlineExceeded = 124; ///< as timeout(1) has it

/// A call of a tool that Ctrl-C has cancelled; a program of `run` whose stdout nobody reads.
constexpr int bySignal(int number) { return 128 + number; }

} // namespace Rekindle::ExitCode
