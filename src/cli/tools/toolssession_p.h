// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "cli/host/hostsession_p.h"
#include "cli/output/outputchannel_p.h"
#include "toolsnarrator_p.h"

#include <rekindle/mcp/ondemandserver.h>

namespace Rekindle {

/// The options of `rekindle tools`.
struct ToolsRequest
{
    HostOptions host;
    QString program;
    QStringList arguments;
    QString tool; ///< empty: list the tools
    QJsonObject toolArguments;
    int repeat = 1;
    ToolCallerOptions caller;
    bool restartOnExit = false;
    bool json = false;
};

/// Starts a server for requests and stops it afterwards.
class ToolsSession : public HostSession
{
    Q_OBJECT

public:
    ToolsSession(ToolsRequest request, Messages &messages);

    /// Runs the event loop; returns the exit code.
    int run();

private:
    [[nodiscard]] bool prepare();
    void next();
    void finishRequest(const ToolListOutcome &outcome);
    void finishRequest(const ToolCallOutcome &outcome);
    void cancel();
    void cancelled(const ToolCallFinished &call);
    void show(const QByteArray &text);
    void reportOutcome(const ToolCallOutcome &outcome);
    void continueOrStop();
    void outputFailed(const QString &reason);
    void end();
    void stop(int number) override;

    ToolsRequest m_request;
    OnDemandServer m_server;
    std::unique_ptr<ToolCaller> m_caller;
    QFuture<ToolCallOutcome> m_call;         ///< the last one
    std::unique_ptr<OutputChannel> m_output; ///< null: stdout is closed
    std::unique_ptr<ToolsNarrator> m_toolsNarrator;
    int m_left;
    int m_code = 0;
    bool m_hasOutput = true; ///< false after stdout failed
    bool m_isWaitingForReader = false;
    bool m_isEnding = false;
};

} // namespace Rekindle
