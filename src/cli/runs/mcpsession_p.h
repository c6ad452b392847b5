// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "hostsession_p.h"

namespace Rekindle {

/// Connects an MCP client, on stdin and stdout of this process, with its servers.
class McpSession : public HostSession
{
    Q_OBJECT

public:
    /// Runs the event loop; returns the exit code.
    int run();

protected:
    using HostSession::HostSession;

    /// The files in use, except events, store and license.
    [[nodiscard]] virtual QList<UsedFile> otherFiles() const = 0;

    /// Adds the servers and connects them. Returns an exit code other than 0 after an error was
    /// reported.
    [[nodiscard]] virtual int prepare() = 0;

    virtual void begin() = 0;

    /// Stops the servers; the event loop ends afterwards.
    virtual void end() = 0;

    /// Connects what the proxy and the gateway have in common.
    template<typename Host>
    void connectHost(const Host &host)
    {
        connect(&host, &Host::ended, this, &McpSession::exit);
        connect(&host, &Host::outputFailed, this, &McpSession::reportFailedOutput);
    }

    /// Forwards a line of stderr of a server.
    void forward(const QByteArray &line);

private:
    void stop(int number) override;
    void onSignal(int number) override;
    static void exit();
    void reportFailedOutput(const QString &reason);

    bool m_hasOutputFailed = false;
};

} // namespace Rekindle
