// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/agent.h>
#include <rekindle/lifecycle/scheduler.h>
#include <rekindle/process/processdefinition.h>

#include <functional>
#include <memory>

namespace Rekindle {

/// An agent that is a program (spec 6). Each start is one process that leads its own group, and
/// its own session unless it shares the terminal. Linux only for now.
///
/// Exit 0 is stopped(); exit 42 is restartRequested(); anything else and every signal is failed(),
/// with the reason from the exit-code table, ready or not. The last 20 lines of stderr travel with
/// a failure where stderr goes to Lines.
///
/// No orphan is left: when the process ends, what remains of its group is killed; when the host
/// dies, however, a guard process kills all groups. What escapes both is said in docs/process.md.
/// The guard is the program rekindle-guard: $REKINDLE_GUARD, or else ../libexec/rekindle/ next to
/// the folder of the running program, or that folder, or the installed package's, which a program
/// built with find_package(Rekindle) finds by itself.
///
/// Nothing blocks: destroying the agent kills the group and leaves the rest to a reaper. Use it
/// from the thread it lives in, which needs a Qt event loop and must live as long as the process
/// (the kernel ends the children of a thread with the thread).
class REKINDLE_PROCESS_EXPORT ProcessAgent : public Agent
{
    Q_OBJECT

public:
    /// `scheduler` must outlive the agent.
    ProcessAgent(ProcessDefinition definition, Scheduler &scheduler, QObject *parent = nullptr);
    ~ProcessAgent() override;

    [[nodiscard]] const ProcessDefinition &definition() const;

    void start() override;
    void stop() override;
    void kill() override;
    [[nodiscard]] bool isAlive() const override;
    [[nodiscard]] qint64 processId() const override;

    /// Asked at each exit with 42 why that is, for a process that leaves word of it somewhere; an
    /// empty text is "exit code 42".
    void setRestartReason(std::function<QString()> reason);

    /// Writes to a piped stdin; returns how many bytes were taken, -1 if there is no open pipe.
    /// What the process does not read at once is kept, up to 1 MiB; what goes beyond is not taken,
    /// and standardInputDrained() tells when to go on.
    qint64 write(const QByteArray &bytes);

    /// Once what was taken is written.
    void closeStandardInput();

    /// How many bytes that write() has taken are not written yet.
    [[nodiscard]] qint64 pendingInput() const;

    /// Stops and resumes the reading of a stdout that goes to Pipe: what is not read makes the
    /// process wait, once the pipe is full. A new start is not paused. At the end of the process
    /// what is left in the pipe, 1 MiB at the most, is delivered even so.
    void setOutputPaused(bool paused);
    [[nodiscard]] bool isOutputPaused() const;

    /// The last 20 lines of stderr of the process, or of the last one, where that goes to Lines.
    [[nodiscard]] QStringList stderrTail() const;

    /// Sends a signal to the whole process group; false if there is none.
    bool signalGroup(int signalNumber);

    /// For a command whose agent shares its terminal, to be called after SIGCHLD: if the process
    /// was stopped (Ctrl-Z), takes the terminal back and stops this process too; when that goes
    /// on, the agent gets the terminal back and goes on.
    void followJobControl();

    /// How the last process ended, for hosts that pass it on: its exit code, or 128 + signal;
    /// nothing while it has not ended yet, or if nobody can tell.
    [[nodiscard]] std::optional<int> lastExitStatus() const;

    /// Of the bytes that write() has taken for the process, or for the last one, how many that may
    /// have read; what comes after these it cannot have seen. 0 where none was started.
    [[nodiscard]] quint64 lastInputTaken() const;

    enum class Stream { Output, Error };
    Q_ENUM(Stream)

Q_SIGNALS:
    /// One line of a stream that goes to Lines, without its end; a longer one than the stream's
    /// `longestLine` comes in pieces. Bytes as written: nothing is decoded.
    void outputLine(Rekindle::ProcessAgent::Stream stream, const QByteArray &line);

    /// What came from a stdout that goes to Pipe; never empty.
    void outputBytes(const QByteArray &bytes);

    /// A stdout that goes to Pipe has ended, while the process may still live. It comes once for
    /// each start, also where the process just ends, before the signal that says so.
    void outputEnded();

    /// All that write() has taken is written, after a time in which it was not; or the process has
    /// closed its stdin, and it never will be: then write() returns -1.
    void standardInputDrained();

    /// The process did not end within the whole stop sequence (it may be in an uninterruptible
    /// wait). Nothing more can be done; its end is still waited for.
    void stuck();

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
