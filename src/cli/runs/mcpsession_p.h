// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "cli/options/distinctfiles_p.h"
#include "cli/options/licenseoptions_p.h"
#include "cli/output/eventstream_p.h"
#include "cli/output/narrator_p.h"
#include "signalwatch_p.h"
#include "supervision_p.h"

#include <rekindle/telemetry/telemetrystore.h>

#include <QObject>

#include <memory>

namespace Rekindle {

/// The options of `rekindle mcp` for one or many servers.
struct McpRequest
{
    LicenseOptions license;
    QString events; ///< a file, "-" for stderr, or empty
    QString store;  ///< a file, "off", or empty for the default
    QStringList pluginFolders;
    bool quiet = false;
};

/// Connects an MCP client, on stdin and stdout of this process, with its servers.
class McpSession : public QObject
{
    Q_OBJECT

public:
    ~McpSession() override;

    /// Runs the event loop; returns the exit code.
    int run();

protected:
    McpSession(const McpRequest &request, Messages &messages);

    /// The default file of the store.
    [[nodiscard]] virtual QString usualStore() const = 0;

    /// The files in use, except events and store.
    [[nodiscard]] virtual QList<UsedFile> otherFiles() const = 0;

    /// Adds the servers and connects them. Returns an exit code other than 0 after an error was
    /// reported.
    [[nodiscard]] virtual int prepare() = 0;

    virtual void begin() = 0;

    /// Stops the servers; done() follows.
    virtual void end() = 0;

    /// All servers have stopped.
    void done();

    /// Reports that stdout cannot be written.
    void outputFailed(const QString &reason);

    void say(const QString &text);

    /// Forwards a line of stderr of a server.
    void pass(const QByteArray &line);

    [[nodiscard]] bool isQuiet() const { return m_options.quiet; }
    [[nodiscard]] bool isEnding() const { return m_endsAsked > 0; }
    [[nodiscard]] Supervision &supervision() { return m_supervision; }

private:
    [[nodiscard]] bool checkFiles() const;
    [[nodiscard]] bool openEvents();
    [[nodiscard]] bool openStore();
    void listen();
    void onSignal();

    const McpRequest m_options;
    Messages &m_messages;
    Supervision m_supervision;
    std::unique_ptr<SignalWatch> m_signals;
    std::unique_ptr<EventStream> m_events;
    std::unique_ptr<TelemetryStore> m_store;
    std::unique_ptr<Narrator> m_narrator;
    int m_endsAsked = 0;
    bool m_hasOutputFailed = false;
};

} // namespace Rekindle
