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

/// What `rekindle run` was asked to do.
struct RunRequest
{
    LicenseOptions license;
    ProcessDefinition process;
    RestartPolicy policy;
    QString policyFile; ///< that the policy was read from, or nothing
    QString events;     ///< a file, "-" for stderr, or nothing
    QStringList pluginFolders;
    bool quiet = false;
};

/// One program under supervision, with the stdin, stdout and stderr of this process.
class RunSession : public QObject
{
    Q_OBJECT

public:
    RunSession(RunRequest request, Messages &messages);
    ~RunSession() override;

    /// Runs the event loop; returns the exit code.
    int run();

private:
    [[nodiscard]] bool areFilesItsOwn();
    [[nodiscard]] bool openEvents();
    [[nodiscard]] bool prepare();
    void passOutputOn();
    void listen();
    void onSignal(int number);
    void onKey(int signalNumber);
    void onFailure(const AgentFailed &event);
    void endUnread(const AgentFailed &event);
    void onRestartRequest();
    void endIfAsked();
    void endQuietly();
    void sayHowItEnds(const QString &cause, bool again);
    [[nodiscard]] int exitCode() const;

    RunRequest m_request;
    Messages &m_messages;
    Supervision m_supervision;
    QString m_name;
    ProcessAgent *m_agent = nullptr;
    /// Of a program that has been sent SIGINT by a key; armed, it may end by itself.
    Deadline m_patience;
    std::unique_ptr<SignalWatch> m_signals;
    std::unique_ptr<EventStream> m_events;
    std::unique_ptr<Narrator> m_narrator;
    std::unique_ptr<OutputChannel> m_output; ///< where its lines are looked at
    bool m_isUnread = false;                 ///< it has ended since nobody reads its stdout
};

} // namespace Rekindle
