// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "eventstream_p.h"
#include "filewatch_p.h"
#include "licenseoptions_p.h"
#include "narrator_p.h"
#include "signalwatch_p.h"
#include "supervision_p.h"

#include <rekindle/mcp/watchdogproxy.h>
#include <rekindle/telemetry/telemetrystore.h>

#include <QObject>

#include <memory>

namespace Rekindle {

/// What `rekindle mcp` was asked to do.
struct McpRequest
{
    LicenseOptions license;
    QString program;
    QStringList arguments;
    RestartPolicy policy;
    WatchdogOptions watchdog;
    QString events;    ///< a file, "-" for stderr, or nothing
    QString store;     ///< a file, "off", or nothing for the usual one
    QStringList globs; ///< of files whose change restarts the server
    QStringList pluginFolders;
    bool quiet = false;
};

/// One MCP server behind the watchdog proxy, whose client has stdin and stdout of this process.
class McpSession : public QObject
{
    Q_OBJECT

public:
    McpSession(McpRequest request, Messages &messages);
    ~McpSession() override;

    /// Runs the event loop; returns the exit code.
    int run();

private:
    [[nodiscard]] bool openEvents();
    [[nodiscard]] bool openStore();
    [[nodiscard]] bool prepare();
    [[nodiscard]] bool watchFiles();
    void restart(const QString &reason);
    void listen();
    [[nodiscard]] int finish();
    void onSignal(int number);

    McpRequest m_request;
    Messages &m_messages;
    Supervision m_supervision;
    QString m_name;
    std::unique_ptr<WatchdogProxy> m_proxy;
    std::unique_ptr<SignalWatch> m_signals;
    std::unique_ptr<EventStream> m_events;
    std::unique_ptr<TelemetryStore> m_store;
    std::unique_ptr<Narrator> m_narrator;
    std::unique_ptr<FileWatch> m_files;
    Deadline m_restartLater; ///< one that was refused
    QString m_restartReason; ///< of that
    int m_endsAsked = 0;
    bool m_hasOutputFailed = false;
};

} // namespace Rekindle
