// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/agent.h>
#include <rekindle/lifecycle/scheduler.h>
#include <rekindle/process/processdefinition.h>

#include <functional>
#include <memory>

namespace Rekindle {

/// An agent that is a program (spec 6). Each start is one process. It leads a process group, and a
/// session unless it shares the terminal. Linux only.
///
/// Exit code 0 emits stopped(), and 42 emits restartRequested() unless the exit-code table has a
/// row for it. Every other code and every signal emits failed(), with the reason from the table. If
/// stderr goes to Lines, a failure contains its last 20 lines.
///
/// No process is left behind. When the process exits, the rest of its group is killed. When the
/// host exits for any reason, a guard process kills all groups. docs/process.md lists the
/// exceptions. The guard is the program rekindle-guard; docs/process.md describes where it is
/// searched for.
///
/// Nothing blocks: the destructor kills the group, and a reaper waits for it. Use the agent from
/// its own thread, which needs a Qt event loop. The thread must exist as long as the process,
/// because the kernel kills the children of a thread that exits.
class REKINDLE_PROCESS_EXPORT ProcessAgent : public Agent
{
    Q_OBJECT

public:
    /// `scheduler` must outlive the agent.
    ProcessAgent(ProcessDefinition definition, Scheduler &scheduler, QObject *parent = nullptr);
    ~ProcessAgent() override;

    /// The definition of the next start. It also applies to a process that runs, unless
    /// setDefinition() was called since its start.
    [[nodiscard]] const ProcessDefinition &definition() const;

    /// Replaces the definition from the next start on. A process that runs is not touched and ends
    /// by its own definition; only `usage` and `recycling` apply to it at once. Call
    /// AgentMonitor::setHealth() to replace its probes.
    void setDefinition(ProcessDefinition definition);

    void start() override;
    /// Returns the faults of definition(), see validate(const ProcessDefinition &), and a warning
    /// if its program or working directory is not found now.
    [[nodiscard]] QList<Fault> faults() const override;
    void stop() override;
    void kill() override;
    /// The stop sequence limits the stop and ends with stuck().
    [[nodiscard]] std::optional<Duration> defaultStopTimeout() const override { return {}; }
    [[nodiscard]] bool isAlive() const override;
    [[nodiscard]] qint64 processId() const override;
    /// The probes of ProcessDefinition::health.
    [[nodiscard]] std::vector<HealthCheck> ownHealthChecks() override;

    /// Sets a function that returns why the process has exited with 42. The default, also for an
    /// empty text, is "exit code 42".
    void setRestartReason(std::function<QString()> reason);

    /// Sets a function that is called when ProcessDefinition::recycling is due, and again each
    /// minute while it remains due. The default, also for a null function, emits
    /// restartRequested().
    void setRecycler(std::function<void(const QString &reason)> recycler);

    /// Reports that the process is ready, whatever its definition requires. Ignored if no process
    /// runs or it is ready already.
    void reportReady();

    /// Writes to a piped stdin. Returns the number of bytes accepted, or -1 if there is no open
    /// pipe. Up to 1 MiB that the process has not read yet is buffered. Further bytes are not
    /// accepted until standardInputDrained() is emitted.
    qint64 write(const QByteArray &bytes);

    /// Closes stdin when all accepted bytes are written.
    void closeStandardInput();

    /// The number of bytes that write() has accepted and that are not written yet.
    [[nodiscard]] qint64 pendingInput() const;

    /// Pauses or resumes reading a stdout that goes to Pipe. The process blocks when the pipe is
    /// full. A new start is not paused. When the process exits, up to 1 MiB that is left in the
    /// pipe is emitted even if reading is paused.
    void setOutputPaused(bool paused);
    [[nodiscard]] bool isOutputPaused() const;

    /// The last 20 lines of a stderr that goes to Lines, of the current or the last process.
    [[nodiscard]] QStringList stderrTail() const override;

    /// The last STATUS= that the running process has sent to $NOTIFY_SOCKET, on one line of at most
    /// 200 characters. Empty if there is none.
    [[nodiscard]] QString statusText() const override;

    /// Returns the files of the streams that go to File, with or without a rotation.
    [[nodiscard]] QList<OutputFile> outputFiles() const override;

    /// By Recycling::maxAge.
    [[nodiscard]] std::optional<Instant> recyclingAt() const override;

    /// The names of the descriptors that the processes of this agent have stored (FDSTORE=1).
    [[nodiscard]] QStringList storedDescriptors() const override;
    /// Closes these descriptors.
    void discardStored() override;

    /// Returns true. The guard enforces the deadline. A start of a bound agent fails if the
    /// deadline has passed or no guard runs. Exec probes are not bound.
    [[nodiscard]] bool setKillDeadlineBound(bool bound) override;
    void setFencingToken(qint64 token) override;

    /// Opens the output files with OutputTarget::rotation of all agents of this thread again, after
    /// another program, such as logrotate, has renamed them.
    static void reopenOutputFiles();

    /// Sends a signal to the whole process group. Returns false if there is none.
    bool signalGroup(int signalNumber);

    /// To be called after SIGCHLD if the agent shares the terminal. If the process was stopped
    /// (Ctrl-Z), takes the terminal back and stops the host too. When the host continues, the agent
    /// gets the terminal back and continues.
    void followJobControl();

    /// The exit code of the last process, or 128 plus the signal that killed it. nullopt if it has
    /// not exited yet or if its exit status is unknown.
    [[nodiscard]] std::optional<int> lastExitStatus() const;

    /// How many of the bytes that write() has accepted the current or last process may have read.
    /// It cannot have read any byte after these. 0 if no process was started.
    [[nodiscard]] quint64 lastInputTaken() const;

Q_SIGNALS:
    /// The running process has sent another STATUS= than before.
    void statusTextChanged(const QString &text);

    /// Bytes of a stdout that goes to Pipe; never empty.
    void outputBytes(const QByteArray &bytes);

    /// A stdout that goes to Pipe was closed. Emitted once for each start, before the signal that
    /// reports the end of the process. The process may still run.
    void outputEnded();

    /// All buffered bytes are written; or the process has closed its stdin, and write() returns -1.
    void standardInputDrained();

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
