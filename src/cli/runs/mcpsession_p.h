// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "cli/options/filesapart_p.h"
#include "cli/options/licenseoptions_p.h"
#include "cli/output/eventstream_p.h"
#include "cli/output/narrator_p.h"
#include "signalwatch_p.h"
#include "supervision_p.h"

#include <rekindle/telemetry/telemetrystore.h>

#include <QObject>

#include <memory>

namespace Rekindle {

/// What `rekindle mcp` was asked to do, whether for one server or for many.
struct McpRequest
{
    LicenseOptions license;
    QString events; ///< a file, "-" for stderr, or nothing
    QString store;  ///< a file, "off", or nothing for the usual one
    QStringList pluginFolders;
    bool quiet = false;
};

/// What stands between an MCP client, which has stdin and stdout of this process, and its servers.
class McpSession : public QObject
{
    Q_OBJECT

public:
    ~McpSession() override;

    /// Runs the event loop; returns the exit code.
    int run();

protected:
    McpSession(const McpRequest &request, Messages &messages);

    /// The store's file where none is named.
    [[nodiscard]] virtual QString usualStore() const = 0;

    /// What it reads or writes beside its events and its store.
    [[nodiscard]] virtual QList<UsedFile> otherFiles() const = 0;

    /// Adds the servers and connects what stands before them. Another exit code than 0 is the end,
    /// and was said.
    [[nodiscard]] virtual int prepare() = 0;

    virtual void begin() = 0;

    /// In order; done() follows.
    virtual void end() = 0;

    /// Nothing runs any more.
    void done();

    /// The client cannot be answered.
    void outputFailed(const QString &reason);

    void say(const QString &text);

    /// What a server wrote to stderr.
    void pass(const QByteArray &line);

    [[nodiscard]] bool isQuiet() const { return m_options.quiet; }
    [[nodiscard]] bool isEnding() const { return m_endsAsked > 0; }
    [[nodiscard]] Supervision &supervision() { return m_supervision; }

private:
    [[nodiscard]] bool areFilesItsOwn() const;
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
