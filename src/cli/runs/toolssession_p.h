// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "cli/output/eventstream_p.h"
#include "cli/output/outputchannel_p.h"
#include "cli/output/toolsnarrator_p.h"
#include "signalwatch_p.h"

#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/lifecycle/fixedlicenseprovider.h>
#include <rekindle/lifecycle/timerscheduler.h>
#include <rekindle/mcp/ondemandserver.h>
#include <rekindle/telemetry/telemetrystore.h>

#include <QObject>

#include <memory>

namespace Rekindle {

/// The options of `rekindle tools`.
struct ToolsRequest
{
    QString program;
    QStringList arguments;
    QString tool; ///< empty: list the tools
    QJsonObject toolArguments;
    int repeat = 1;
    ToolCallerOptions caller;
    bool restartOnExit = false;
    bool json = false;
    bool quiet = false;
    QString events; ///< a file, "-" for stderr, or empty
    QString store;  ///< a file, or empty
};

/// Starts a server for requests and stops it afterwards.
class ToolsSession : public QObject
{
    Q_OBJECT

public:
    ToolsSession(ToolsRequest request, Messages &messages);
    ~ToolsSession() override;

    /// Runs the event loop; returns the exit code.
    int run();

private:
    [[nodiscard]] bool prepare();
    void listen();
    void next();
    void list();
    void call();
    void finishRequest(const ToolListOutcome &outcome);
    void finishRequest(const ToolCallOutcome &outcome);
    void cancel();
    void cancelled(const ToolCallFinished &call);
    void show(const QByteArray &text);
    void reportOutcome(const ToolCallOutcome &outcome);
    void continueOrStop();
    void outputFailed(const QString &reason);
    void end();
    void onSignal(int number);

    ToolsRequest m_request;
    Messages &m_messages;
    TimerScheduler m_scheduler;
    FixedLicenseProvider m_license{LicenseTier::Enterprise};
    AgentSupervisor m_supervisor;
    OnDemandServer m_server;
    std::unique_ptr<ToolCaller> m_caller;
    QFuture<ToolCallOutcome> m_call; ///< the last one
    std::unique_ptr<SignalWatch> m_signals;
    std::unique_ptr<OutputChannel> m_output; ///< null: stdout is closed
    std::unique_ptr<EventStream> m_events;
    std::unique_ptr<TelemetryStore> m_store;
    std::unique_ptr<ToolsNarrator> m_narrator;
    Deadline m_handshakeNotice; ///< reports a slow handshake
    int m_left;
    int m_code = 0;
    bool m_hasOutput = true; ///< false after stdout failed
    bool m_isWaitingForReader = false;
    bool m_isEnding = false;
    int m_signalsTaken = 0;
};

} // namespace Rekindle
