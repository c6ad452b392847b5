// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "cli/options/licenseoptions_p.h"
#include "cli/output/eventstream_p.h"
#include "cli/output/narrator_p.h"
#include "signalwatch_p.h"
#include "supervision_p.h"

#include <QObject>

#include <memory>

namespace Rekindle {

/// The options of `rekindle run`.
struct RunRequest
{
    LicenseOptions license;
    ProcessDefinition process;
    RestartPolicy policy;
    QString policyFile; ///< from which the policy was read, or empty
    QString events;     ///< a file, "-" for stderr, or empty
    QStringList pluginFolders;
    bool quiet = false;
};

/// Supervises one program with the stdin, stdout and stderr of this process.
class RunSession : public QObject
{
    Q_OBJECT

public:
    RunSession(RunRequest request, Messages &messages);
    ~RunSession() override;

    /// Runs the event loop; returns the exit code.
    int run();

private:
    [[nodiscard]] bool checkFiles();
    [[nodiscard]] bool openEvents();
    [[nodiscard]] bool prepare();
    void forwardOutput();
    void listen();
    void onSignal(int number);
    void onKey(int signalNumber);
    void onFailure(const AgentFailed &event);
    void stopIfUnread(const AgentFailed &event);
    void onRestartRequest();
    void stopAfterKey();
    void stopQuietly();
    void reportStop(const QString &cause, bool again);
    [[nodiscard]] int exitCode() const;

    RunRequest m_request;
    Messages &m_messages;
    Supervision m_supervision;
    QString m_name;
    ProcessAgent *m_agent = nullptr;
    Deadline m_exitDeadline; ///< for the exit of a program that got SIGINT by a key
    std::unique_ptr<SignalWatch> m_signals;
    std::unique_ptr<EventStream> m_events;
    std::unique_ptr<Narrator> m_narrator;
    std::unique_ptr<OutputChannel> m_output; ///< only with readiness by line
    bool m_isUnread = false;                 ///< stopped because the reader of stdout has exited
};

} // namespace Rekindle
