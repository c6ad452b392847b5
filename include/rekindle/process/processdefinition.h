// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/timepoint.h>
#include <rekindle/process/cgrouplimits.h>
#include <rekindle/process/exitcodetable.h>
#include <rekindle/process/healthprobedefinition.h>
#include <rekindle/process/processidentity.h>
#include <rekindle/process/recycling.h>
#include <rekindle/process/resourcelimit.h>
#include <rekindle/process/usagelimits.h>

#include <QMap>
#include <QObject>
#include <QString>
#include <QStringList>

#include <csignal>
#include <optional>

namespace Rekindle {

#ifdef REKINDLE_PROCESS_PKG_CONFIG
// Defined by rekindle-process.pc. A static library does not know where it was installed, so the
// guard is found relative to this header.
inline const char *const processHeader __attribute__((used)) = __FILE__;
#endif

/// When a process is ready (spec 6).
struct Readiness
{
    Q_GADGET_EXPORT(REKINDLE_PROCESS_EXPORT)
    Q_CLASSINFO("RegisterEnumClassesUnscoped", "false")

public:
    enum class Kind {
        Alive,    ///< after it has run for `aliveFor`
        Now,      ///< immediately after its start
        Line,     ///< when a line of its stdout matches `pattern`; stdout must go to Lines
        Notify,   ///< when it sends READY=1 to $NOTIFY_SOCKET (sd_notify)
        Probe,    ///< when `probe` has succeeded once
        Reported, ///< when ProcessAgent::reportReady() is called
    };
    Q_ENUM(Kind)

    Kind kind = Kind::Alive;
    Duration aliveFor = std::chrono::seconds(1); ///< of Alive; more than 0, at most 24 h
    QString pattern{};                           ///< of Line; a regular expression (PCRE)

    /// Of Probe. Its kind must allow ProbeKind::Use::Readiness. The first run is immediate; each
    /// further run begins `interval` after the end of the last one. Of the schedule, only
    /// `interval` and `timeout` are used.
    HealthProbeDefinition probe{};

    bool operator==(const Readiness &) const = default;
};

/// When an output file is rotated: FILE is renamed to FILE.1, FILE.1 to FILE.2 and so on, and a new
/// FILE is created. Without any limit, it is not rotated.
struct LogRotation
{
    qint64 maxSize = 0; ///< in bytes; 0: no limit
    Duration maxAge{0}; ///< since the first line of the file; 0: no limit
    int keep = 5;       ///< number of renamed files, at least 1; the oldest one is removed

    bool operator==(const LogRotation &) const = default;
};

/// The destination of an output stream of a process.
struct OutputTarget
{
    Q_GADGET_EXPORT(REKINDLE_PROCESS_EXPORT)
    Q_CLASSINFO("RegisterEnumClassesUnscoped", "false")

public:
    enum class Kind {
        Inherit, ///< the host's own
        Null,    ///< /dev/null
        File,    ///< appended to `file`, which is created with mode 0600 if it does not exist
        Lines,   ///< Agent::output() emits each line
        Pipe, ///< of stdout only: ProcessAgent::outputBytes() emits the bytes as they arrive, for
              ///< a process that speaks a protocol (stderr goes to Lines instead)
    };
    Q_ENUM(Kind)

    Kind kind = Kind::Lines;
    QString file{}; ///< of File; relative to the working directory of the host

    /// Of File. With it, the host reads the lines of the process and writes them to the file, so
    /// that the file can be rotated and reopened while the process runs. Without it, the process
    /// writes.
    std::optional<LogRotation> rotation{};

    /// Of Lines, in bytes. Longer lines are split. Values outside 1 to `greatestLongestLine` are
    /// clamped.
    qsizetype longestLine = 65536;

    /// Of Pipe: how long the process may run after it has closed its stdout, 0 to 1 h. Then its
    /// group is killed, which is a failure, because the process can no longer answer.
    Duration graceAtEnd = std::chrono::seconds(1);

    static constexpr qsizetype greatestLongestLine = qsizetype{64} * 1024 * 1024; ///< 64 MiB

    bool operator==(const OutputTarget &) const = default;
};

/// How long each step of a stop waits for the process to exit, 0 to 1 h (spec 6). The steps: close
/// its stdin, `signal` to its group, SIGKILL to its group. A step with a wait of 0 is skipped,
/// except the last one.
struct StopSequence
{
    Duration closeStdin{0};
    Duration terminate = std::chrono::seconds(5);
    Duration kill = std::chrono::seconds(2); ///< then ProcessAgent::stuck() is emitted
    int signal = SIGTERM;                    ///< of the step `terminate`; not SIGKILL or SIGSTOP

    bool operator==(const StopSequence &) const = default;
};

/// Everything that is needed to run one program. Every field except `program` has a default.
struct REKINDLE_PROCESS_EXPORT ProcessDefinition
{
    Q_GADGET
    Q_CLASSINFO("RegisterEnumClassesUnscoped", "false")

public:
    /// The standard input of a process.
    enum class StandardInput {
        Null,    ///< /dev/null
        Inherit, ///< the host's own
        Pipe,    ///< a pipe to the agent; a stop closes it first
    };
    Q_ENUM(StandardInput)

    /// A server on stdio, such as an MCP server: stdin and stdout are pipes, stderr is delivered in
    /// lines. The host that speaks the protocol reports when the server is ready. After its stdin
    /// is closed the server has 2 s to exit, and 2 s more after SIGTERM.
    [[nodiscard]] static ProcessDefinition stdioServer(const QString &program,
                                                       const QStringList &arguments);

    /// The shortest interval of its heartbeat probes, which the process gets in $WATCHDOG_USEC;
    /// nullopt if it has none.
    [[nodiscard]] std::optional<Duration> watchdogInterval() const;

    /// A path, or a name without '/', which is looked up in the absolute entries of PATH of the
    /// resulting environment. A relative path is relative to the working directory of the host, not
    /// to `workingDirectory`.
    QString program{};
    QStringList arguments{};

    /// Empty: inherited from the host. If it does not exist, a start fails with
    /// InitializationFailed.
    QString workingDirectory{};

    /// Changes to the environment that the host has at the first start. A name without a value is
    /// removed. NOTIFY_SOCKET and WATCHDOG_USEC of the host are always removed.
    QMap<QString, std::optional<QString>> environment{};

    ProcessIdentity identity{};

    /// The permissions that new files of the process do not have, 0 to 0777. nullopt: inherited.
    std::optional<int> umask{};

    /// -20 to 19. A value below the niceness of the host needs privileges. nullopt: inherited.
    std::optional<int> nice{};

    /// By the names of ResourceLimit::names(). The other limits are inherited. A value above the
    /// hard limit of the host needs privileges.
    QMap<QString, ResourceLimit> limits{};

    /// With a value, the process gets a control group (cgroup v2) of its own, if the group of the
    /// host is delegated: all of its processes are killed when it has exited. Otherwise, a warning
    /// is logged.
    std::optional<CgroupLimits> cgroup{};

    /// Enforced by the host, from the start of the process on.
    UsageLimits usage{};
    Recycling recycling{};

    StandardInput standardInput = StandardInput::Null;
    OutputTarget standardOutput{};
    OutputTarget standardError{};
    Readiness readiness{};

    /// The probes, which AgentMonitor runs without further code. AgentSupervisor::add() returns
    /// their faults. If one of them is a heartbeat, the process gets $NOTIFY_SOCKET and
    /// $WATCHDOG_USEC, the shortest interval. It must send WATCHDOG=1 more often than that
    /// (sd_notify). WATCHDOG=trigger reports that it cannot recover.
    QList<HealthProbeDefinition> health{};
    StopSequence stop{};
    ExitCodeTable exitCodes{};

    /// Whether the process shares the terminal of the host, as its foreground process group and
    /// with job control. Otherwise it leads a session of its own. The host receives Ctrl-C (SIGINT)
    /// and Ctrl-\ (SIGQUIT) too, with the si_code SI_QUEUE: handle or ignore both.
    bool sharesTerminal = false;

    /// Whether the process inherits all descriptors of the host that are not close-on-exec.
    /// Otherwise it has only stdin, stdout, stderr and its stored descriptors (FDSTORE=1).
    bool inheritsDescriptors = false;

    bool operator==(const ProcessDefinition &) const = default;
};

/// Returns all faults of a definition. The paths are as in a configuration: "/stop/signal".
/// Looks up the user and the group, which may block. A condition that can change before a start,
/// for example a missing program, is not a fault.
[[nodiscard]] REKINDLE_PROCESS_EXPORT QList<Fault> validate(const ProcessDefinition &process);

} // namespace Rekindle
