// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

/// Exit codes of the command. `run` exits with the code of a program that was given up.
namespace Rekindle::ExitCode {

inline constexpr int fine = 0;
inline constexpr int givenUp = 1;       ///< `up`: no agent is left and one was given up
inline constexpr int outputFailed = 1;  ///< the output could not be written
inline constexpr int replayDiffers = 1; ///< `replay`: something differs from the recorded run
inline constexpr int refused = 1;       ///< a running host refused a request
inline constexpr int toolFailed = 2;    ///< `tools call`: the tool reported an error
inline constexpr int usage = 64;        ///< EX_USAGE
inline constexpr int noInput = 66;      ///< EX_NOINPUT: the telemetry store cannot be read
inline constexpr int unavailable = 69;  ///< EX_UNAVAILABLE: address in use; no response to a call
inline constexpr int defect = 70;       ///< EX_SOFTWARE: a rule of Rekindle was violated
inline constexpr int cannotCreate = 73; ///< EX_CANTCREAT: a key, license or configuration
inline constexpr int tryLater = 75;     ///< EX_TEMPFAIL: a breaker is open; `up` runs already
inline constexpr int unsupportedProtocol = 76; ///< EX_PROTOCOL
inline constexpr int noPermission = 77;        ///< EX_NOPERM
inline constexpr int configuration = 78;       ///< EX_CONFIG; also for an invalid license or key
inline constexpr int deadlineExceeded = 124;   ///< like timeout(1)

/// The exit code after a signal.
constexpr int bySignal(int number) { return 128 + number; }

} // namespace Rekindle::ExitCode
