// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "eventstream_p.h"
#include "licenseoptions_p.h"
#include "narrator_p.h"
#include "signalwatch_p.h"
#include "supervision_p.h"

#include <rekindle/config/mcpservers.h>
#include <rekindle/mcp/mcpgateway.h>

#include <QObject>

#include <memory>

namespace Rekindle {

/// What `rekindle mcp --config` was asked to do.
struct McpGatewayRequest
{
    LicenseOptions license;
    QList<McpServerDefinition> servers;
    RestartPolicy policy; ///< of those that have none of their own
    CallRetry retry = CallRetry::Safe;
    std::optional<Duration> callTimeout{};
    McpGatewayOptions gateway;
    QString events; ///< a file, "-" for stderr, or nothing
    QStringList pluginFolders;
    bool quiet = false;
};

/// Many MCP servers behind the gateway, whose client has stdin and stdout of this process.
class McpGatewaySession : public QObject
{
    Q_OBJECT

public:
    McpGatewaySession(McpGatewayRequest request, Messages &messages);
    ~McpGatewaySession() override;

    /// Runs the event loop; returns the exit code.
    int run();

private:
    [[nodiscard]] bool openEvents();
    [[nodiscard]] bool prepare();
    void listen();
    void onSignal();

    McpGatewayRequest m_request;
    Messages &m_messages;
    Supervision m_supervision;
    std::unique_ptr<McpGateway> m_gateway;
    std::unique_ptr<SignalWatch> m_signals;
    std::unique_ptr<EventStream> m_events;
    std::unique_ptr<Narrator> m_narrator;
    int m_endsAsked = 0;
    bool m_hasOutputFailed = false;
};

} // namespace Rekindle
