// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/mcp/export.h>
#include <rekindle/policy/timepoint.h>

#include <QObject>
#include <QString>

#include <functional>
#include <memory>

namespace Rekindle {

class Scheduler;

/// Options of a server that restarts itself (S4 3).
struct ServerRestartOptions
{
    /// Marker file. Relative paths are relative to the working directory. `rekindle mcp` uses the
    /// reason in it if it is the proxy's own marker file, which is the default.
    QString markerFile = QStringLiteral(".mcp_restart_marker");

    /// Time from the response to the exit, 0 to 1 min (S4 3.3). A response that the client does not
    /// read in that time may be lost.
    Duration delay = std::chrono::milliseconds(500);

    /// Ends the server with the exit code 42. Empty: QCoreApplication::exit(), so that main()
    /// returns the result of exec(), and logs and files are flushed.
    std::function<void(int exitCode)> exit{};
};

/// Implements the tools restart_server and verify_server_restarted in an MCP server that is written
/// with Qt. The server runs under `rekindle mcp` or another supervisor that understands exit code
/// 42. It calls request() when its tool restart_server is called and returns the text. Under
/// `rekindle mcp`, this class is not required, because the proxy offers both tools. Use it in a
/// server that restarts itself.
///
/// Lives in the thread of the scheduler, which needs the application's event loop.
class REKINDLE_MCP_EXPORT ServerRestart : public QObject
{
    Q_OBJECT

public:
    /// The response of a tool.
    struct Answer
    {
        QString text{};
        bool isError = false;

        bool operator==(const Answer &) const = default;
    };

    /// The exit code that requests a restart (S4 2.2).
    static constexpr int exitCode = 42;

    /// Creates the object. `scheduler` must outlive it. A delay out of range is replaced by the
    /// nearest permitted value.
    explicit ServerRestart(Scheduler &scheduler, ServerRestartOptions options = {},
                           QObject *parent = nullptr);
    ~ServerRestart() override;

    /// Writes the marker file and ends the server after the delay. If the marker file cannot be
    /// written, the answer is an error with the path and the reason, and the server keeps running.
    /// While a restart is pending, further requests change neither its reason nor its time.
    [[nodiscard]] Answer request(const QString &reason);

    /// Reports whether the marker file records a restart after `sinceTimestamp`, ISO 8601 (S4 4.3).
    /// No restart is an error. An exit code other than 42 is a warning.
    [[nodiscard]] Answer verify(const QString &sinceTimestamp) const;

    /// Returns whether an exit is pending.
    [[nodiscard]] bool isPending() const;

Q_SIGNALS:
    /// Emitted for the server's own log. The same is logged in the category `rekindle.restart`.
    /// `timestamp` is the time of the marker, rounded up to the next millisecond.
    void requested(const QString &reason, Rekindle::UtcTime timestamp);

    /// Emitted directly before the exit. Flush data here.
    void aboutToExit();

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
