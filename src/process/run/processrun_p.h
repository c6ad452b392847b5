// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "base/enlargedpipe_p.h"
#include "process/cgroup/agentcgroup_p.h"
#include "process/end/groupcensus_p.h"
#include "process/end/processguard_p.h"
#include "process/end/terminator_p.h"
#include "process/io/inputwriter_p.h"
#include "process/io/linereader_p.h"
#include "process/io/notifysocket_p.h"
#include "process/io/rotatedfile_p.h"
#include "process/io/stderrtail_p.h"
#include "process/launch/childprocess_p.h"
#include "process/launch/launchplan_p.h"
#include "process/terminal/signalrelay_p.h"
#include "process/terminal/terminalsession_p.h"

#include <rekindle/policy/lifecycleevent.h>
#include <rekindle/process/processdefinition.h>

#include <QObject>
#include <QPointer>
#include <QSocketNotifier>

namespace Rekindle {

class ChildStdio;

/// Receives what happens in a run. Each function may destroy the run.
class RunListener
{
public:
    virtual ~RunListener() = default;
    virtual void runNotifiedReady() {} ///< the process sent READY=1
    virtual void runStatus(const QString &) {}
    virtual void runHeartbeat() {}
    virtual void runStopping() {}         ///< the process sent STOPPING=1
    virtual void runExtended(Duration) {} ///< the process needs more time, from now on
    virtual void runReportedUnhealthy() {}
    virtual void runLine(AgentOutput::Stream stream, const QByteArray &line) = 0;
    /// The last line of stdout has no end yet; empty: there is none.
    virtual void runUnfinishedLine(const QByteArray &) {}
    virtual void runBytes(const QByteArray &) {}
    virtual void runOutputEnded() {}
    virtual void runInputDrained() {}
    virtual void runStuck() {}
    virtual void runEnding() {}  ///< killed or exited; must not destroy the run
    virtual void runEnded() = 0; ///< the last call
};

/// One start of an agent, from the launch until its group is empty. If it is destroyed before that,
/// it kills the group and leaves the process to the reaper.
class ProcessRun final : public QObject, private FdListener, private StopTarget
{
public:
    /// `descriptors` is null for a process that can store none.
    ProcessRun(const ProcessDefinition &definition, LaunchPlan &plan, Scheduler &scheduler,
               GuardSlot &slot, RunListener &listener, DescriptorStore *descriptors = nullptr);
    ~ProcessRun() override;

    /// `fencingToken` is passed as REKINDLE_FENCE; 0: it is not.
    [[nodiscard]] std::optional<LaunchFault> launch(qint64 fencingToken = 0);

    void stop() { m_terminator.stop(); }
    void kill() { m_terminator.kill(); }
    [[nodiscard]] bool stopRequested() const { return !m_terminator.isIdle() && !m_killCause; }

    enum class KillCause {
        LostOutput, ///< it had closed its stdout
        HungStop,   ///< it did not exit in time after STOPPING=1
    };
    /// Whether it is stopping or has exited.
    [[nodiscard]] bool isEnding() const { return m_status || !m_terminator.isIdle(); }
    /// Why it was killed although no stop was requested.
    [[nodiscard]] std::optional<KillCause> killCause() const { return m_killCause; }

    void setOutputPaused(bool paused);
    [[nodiscard]] bool isOutputPaused() const;

    bool signalGroup(int number) { return m_child.signalGroup(number); }
    [[nodiscard]] pid_t pid() const { return m_child.pid(); }
    [[nodiscard]] InputWriter &input() { return m_input; }
    /// How many bytes of its input the process may have read, after it has exited.
    [[nodiscard]] quint64 inputTaken() const { return m_inputTaken; }

    [[nodiscard]] const StderrTail &stderrTail() const { return m_stderrTail; }

    /// Of the leader of the group, after it has exited.
    [[nodiscard]] std::optional<ExitStatus> exitStatus() const { return m_status; }

    /// The file that reports that the kernel has killed the process because memory was short.
    [[nodiscard]] std::optional<QString> oomKillReport() const;

    void followJobControl();

private:
    void fdReady(int fd) override;
    bool closeInput() override;
    void terminateGroup() override;
    void killGroup() override;
    void reportUnresponsive() override;
    void reportStuck() override;

    /// An output stream that the host reads in lines.
    struct LineStream
    {
        AgentOutput::Stream kind = AgentOutput::Stream::Output;
        const OutputTarget &target;
        LineReader reader{target.longestLine};
        QList<QByteArray> lines{};           // read and not delivered yet
        std::shared_ptr<RotatedFile> file{}; // that the host writes
    };

    std::optional<LaunchFault> openNotify();
    std::optional<LaunchFault> openFiles();
    std::optional<LaunchFault> execute(const ChildStdio &stdio, qint64 fencingToken);
    std::optional<LaunchFault> watch(ChildStdio &stdio);
    bool readBytes(qsizetype limit);
    bool endBytes();
    void limitOwnStop();
    void extendStop(Duration time);
    void killBecause(KillCause cause);
    bool readLines(LineStream &stream, qsizetype limit);
    bool endLines(LineStream &stream);
    void notified(const NotifyMessage &message);
    [[nodiscard]] QByteArray watchdogEntry() const;
    bool deliver(LineStream &stream);
    void postDelivery();
    void stopReading(LineReader &reader);
    void leaderReady();
    void leaderExited();
    void finishExit();
    void end();
    void reportEnd();

    const ProcessDefinition &m_definition;
    LaunchPlan &m_plan;
    Scheduler &m_scheduler;
    GuardSlot &m_slot;
    RunListener &m_listener;
    DescriptorStore *const m_descriptors;
    std::shared_ptr<FdWatcher> m_watcher;
    std::shared_ptr<GroupCensus> m_census;
    std::unique_ptr<AgentCgroup> m_cgroup;
    ChildProcess m_child;
    std::optional<ExitStatus> m_status;
    bool m_isGracefulExit = false;
    bool m_isExitFinished = false;
    bool m_isEndReported = false;
    bool m_ended = false;
    LineStream m_output;
    LineStream m_error;
    bool m_isDeliveryPosted = false;
    EnlargedPipe m_enlargedBytes;
    UniqueFd m_bytes;                              // stdout that goes to Pipe
    std::unique_ptr<QSocketNotifier> m_bytesReady; // deleted before m_bytes is closed
    std::optional<KillCause> m_killCause;
    Deadline m_outputGrace;
    Deadline m_ownStop; // after STOPPING=1
    Instant m_latestOwnStop{};
    InputWriter m_input;
    quint64 m_inputTaken = 0;
    StderrTail m_stderrTail;
    std::unique_ptr<NotifySocket> m_notify;
    Terminator m_terminator;
    std::unique_ptr<TerminalSession> m_terminal;
    std::unique_ptr<SignalRelay> m_relay;
};

} // namespace Rekindle
