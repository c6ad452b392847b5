// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/timepoint.h>
#include <rekindle/process/exitcodetable.h>
#include <rekindle/process/healthprobedefinition.h>

#include <QMap>
#include <QString>
#include <QStringList>

#include <optional>

namespace Rekindle {

/// When a process counts as ready (spec 6).
struct Readiness
{
    enum class Kind {
        Alive,  ///< it has lived for `aliveFor`
        Now,    ///< as soon as it was started
        Line,   ///< a line on its stdout matches `pattern`; needs stdout to go to Lines
        Notify, ///< it has sent READY=1 to $NOTIFY_SOCKET (sd_notify)
        Probe,  ///< `probe` has succeeded once
    };

    Kind kind = Kind::Alive;
    Duration aliveFor = std::chrono::seconds(1); ///< of Alive; more than 0, at most 24 h
    QString pattern{};                           ///< of Line; a regular expression (PCRE)

    /// Of Probe; any kind but Heartbeat. Asked at once and then, until it succeeds, `interval`
    /// after each answer; `timeout` holds, the rest of its schedule means nothing here.
    HealthProbeDefinition probe{};

    bool operator==(const Readiness &) const = default;
};

/// Where the standard input of a process comes from.
enum class StandardInput {
    Null,    ///< /dev/null
    Inherit, ///< the host's own
    Pipe,    ///< a pipe whose other end the agent holds; closed as the first step of a stop
};

/// Where an output stream of a process goes.
struct OutputTarget
{
    enum class Kind {
        Inherit, ///< the host's own
        Null,    ///< /dev/null
        File,    ///< appended to `file`, made with mode 0600 if it is missing
        Lines,   ///< delivered line by line by ProcessAgent::outputLine()
        Pipe,    ///< stdout alone: the bytes as they come, by ProcessAgent::outputBytes(), for a
                 ///< process that one talks to (stderr goes to Lines instead)
    };

    Kind kind = Kind::Lines;
    QString file{}; ///< of File; relative paths count from the working directory of the host

    /// Of Lines, in bytes; longer ones come in pieces. 1 to `greatestLongestLine`; a value outside
    /// counts as the nearest of these.
    qsizetype longestLine = 65536;

    /// Of Pipe: how long the process may live on when its stdout has ended; then its group is
    /// killed, and that is a failure: whoever cannot answer any more is of no use. 0 to 1 h.
    Duration graceAtEnd = std::chrono::seconds(1);

    static constexpr qsizetype greatestLongestLine = 64 * 1024 * 1024; ///< 64 MiB

    bool operator==(const OutputTarget &) const = default;
};

/// How a process is stopped: close its stdin and wait, SIGTERM to its group and wait, SIGKILL to
/// its group and wait (spec 6). Each wait 0 to 1 h. A wait of 0 goes straight to the next step.
struct StopSequence
{
    Duration closeStdin{0};
    Duration terminate = std::chrono::seconds(5);
    Duration kill = std::chrono::seconds(2); ///< then it is reported as stuck

    bool operator==(const StopSequence &) const = default;
};

/// Everything that is needed to run one program. Every field except `program` has a default.
struct REKINDLE_PROCESS_EXPORT ProcessDefinition
{
    /// A server on stdio, such as an MCP server: stdin and stdout are pipes, stderr is delivered in
    /// lines. After its stdin is closed the server has 2 s to exit, and 2 s more after SIGTERM.
    [[nodiscard]] static ProcessDefinition stdioServer(const QString &program,
                                                       const QStringList &arguments);

    /// A path, or a bare name that is looked up in the PATH of the resulting environment (its
    /// relative entries are passed over). Relative paths count from the working directory of the
    /// host, not from `workingDirectory`.
    QString program{};
    QStringList arguments{};

    /// Empty: the host's own. It must exist at every start, else InitializationFailed.
    QString workingDirectory{};

    /// Merged into the host's environment, as that is at the first start; a name without a value
    /// is removed. The host's own NOTIFY_SOCKET and WATCHDOG_USEC are never passed on.
    QMap<QString, std::optional<QString>> environment{};

    StandardInput standardInput = StandardInput::Null;
    OutputTarget standardOutput{};
    OutputTarget standardError{};
    Readiness readiness{};

    /// What makeHealthChecks() makes its probes of. With one of kind Heartbeat the process has
    /// $NOTIFY_SOCKET and $WATCHDOG_USEC, the shortest interval, and sends WATCHDOG=1 more often
    /// than that (sd_notify); WATCHDOG=trigger says that it is beyond help.
    QList<HealthProbeDefinition> health{};
    StopSequence stop{};
    ExitCodeTable exitCodes{};

    /// Whether the process shares the terminal of the host, as its foreground process group and
    /// with job control. Otherwise it leads a session of its own. The host receives Ctrl-C (SIGINT)
    /// and Ctrl-\ (SIGQUIT) too, with the si_code SI_QUEUE: handle or ignore both.
    bool sharesTerminal = false;

    /// Besides stdin, stdout and stderr it has the descriptors of the host that are not
    /// close-on-exec; else none of them.
    bool inheritsDescriptors = false;

    bool operator==(const ProcessDefinition &) const = default;
};

} // namespace Rekindle
