// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "hostsession_p.h"

namespace Rekindle {

/// The options of `rekindle run`.
struct RunRequest
{
    HostOptions host;
    ProcessDefinition process;
    RestartPolicy policy;
    QString policyFile; ///< from which the policy was read, or empty
};

/// Supervises one program with the stdin, stdout and stderr of this process.
class RunSession : public HostSession
{
    Q_OBJECT

public:
    RunSession(RunRequest request, Messages &messages);

    /// Runs the event loop; returns the exit code.
    int run();

private:
    [[nodiscard]] bool prepare();
    void forwardOutput();
    void listen();
    void onSignal(int number) override;
    void onKey(int signalNumber);
    void onFailure(const AgentFailed &event);
    void stopIfUnread(const AgentFailed &event);
    void stopAfterKey();
    void stopQuietly();
    void reportStop(const QString &cause, bool again);
    [[nodiscard]] int exitCode() const;

    RunRequest m_request;
    const QString m_name;
    ProcessAgent *m_agent = nullptr;
    Deadline m_exitDeadline;                 ///< for the exit of a program that got SIGINT by a key
    std::unique_ptr<OutputChannel> m_output; ///< only with readiness by line
    bool m_isUnread = false;                 ///< stopped because the reader of stdout has exited
};

} // namespace Rekindle
