// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "base/signalwatch_p.h"
#include "cli/client/hostchoice_p.h"
#include "hostcall_p.h"
#include "mcp/internal/toolserver.h"

#include <rekindle/lifecycle/timerscheduler.h>

#include <QHash>
#include <QObject>

#include <variant>

namespace Rekindle {

class Messages;

/// Serves an MCP client on stdin and stdout: each tool call becomes a request to a running host.
class ControlMcpSession : public QObject
{
    Q_OBJECT

public:
    /// `hosts` must outlive it.
    ControlMcpSession(const HostChoice &hosts, bool mayOperate, Messages &messages);
    ~ControlMcpSession() override;

    /// Runs until the client ends the session. Returns the exit code.
    [[nodiscard]] int run();

private:
    void begin(quint64 call, const QString &tool, const QByteArray &arguments);
    void cancel(quint64 call);
    void cancelWaits();
    /// The address of the host, or why there is none.
    [[nodiscard]] std::variant<QString, QString> chosenHost() const;

    const HostChoice &m_hosts;
    Messages &m_messages;
    TimerScheduler m_scheduler;
    const ControlTools m_tools;
    ToolServer m_server;
    SignalWatch m_signals;
    QHash<quint64, HostCall *> m_calls;
    QSet<quint64> m_waits; ///< the calls of wait_for
    int m_exitCode = 0;
};

} // namespace Rekindle
