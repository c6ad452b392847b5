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

/// How a server goes about its own restart (S4 3).
struct ServerRestartOptions
{
    /// The restart marker; relative paths count from the working directory. `rekindle mcp` reads
    /// the reason from it if it is the file that it writes itself, as the default is.
    QString markerFile = QStringLiteral(".mcp_restart_marker");

    /// From the answer to the exit: 0 to 1 min. S4 3.3: ten times what the delivery of an answer
    /// takes. An answer that the client does not read in that time may be lost.
    Duration delay = std::chrono::milliseconds(500);

    /// Ends the server; 42 is passed. Empty: QCoreApplication::exit(), so that main() returns what
    /// exec() does, and logs and files are flushed on the way.
    std::function<void(int exitCode)> exit{};
};

/// For MCP servers that are written with Qt: the two tools of S4 on the server's side of a watchdog
/// (`rekindle mcp`, or any supervisor that takes exit code 42 for a request to start anew). The
/// server calls request() where its tool restart_server is called and answers with the text; the
/// rest happens by itself. Under `rekindle mcp` a server needs neither, for the proxy offers both
/// tools itself; it is for one that has a reason of its own, and knows it best.
///
/// Lives in the thread of the scheduler, which has the application's event loop.
class REKINDLE_MCP_EXPORT ServerRestart : public QObject
{
    Q_OBJECT

public:
    /// What a tool answers.
    struct Answer
    {
        QString text{};
        bool isError = false;

        bool operator==(const Answer &) const = default;
    };

    /// The exit code that asks for a restart (S4 2.2).
    static constexpr int exitCode = 42;

    /// `scheduler` must outlive it. A delay out of its range is the nearest one in it.
    explicit ServerRestart(Scheduler &scheduler, ServerRestartOptions options = {},
                           QObject *parent = nullptr);
    ~ServerRestart() override;

    /// Writes the marker, so that it is there before anything ends, and ends the server after the
    /// delay. Where the marker cannot be written the answer is an error that says which file and
    /// why, and nothing ends: a restart that nobody could verify is none that was asked for. While
    /// one is pending another changes neither its reason nor its moment.
    [[nodiscard]] Answer request(const QString &reason);

    /// Whether the marker tells of a restart after this time, ISO 8601 (S4 4.3): one that it does
    /// not tell of is an error, another exit code than 42 a warning.
    [[nodiscard]] Answer verify(const QString &sinceTimestamp) const;

    /// The exit is on its way.
    [[nodiscard]] bool isPending() const;

Q_SIGNALS:
    /// For the server's own records; also a line of the log category `rekindle.restart`.
    void requested(const QString &reason, Rekindle::UtcTime timestamp);

    /// The last moment: flush what must not be lost. The exit follows when this returns.
    void aboutToExit();

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
