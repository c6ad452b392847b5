// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/metrics/export.h>
#include <rekindle/policy/timepoint.h>
#include <rekindle/policy/validation.h>

#include <QHostAddress>
#include <QObject>
#include <QStringList>

#include <memory>
#include <optional>

namespace Rekindle {

class AgentSupervisor;
class MetricsCollector;

/// Limits of a MetricsServer. A value out of range is replaced by the nearest valid value.
struct MetricsServerOptions
{
    /// Concurrent connections, 1 to 10000. If the limit is reached and another client connects, the
    /// connection that has been idle for the longest time is closed. If none is idle, the new one
    /// is closed.
    int maxConnections = 64;
    /// Size of request line and headers in bytes, 256 to 1048576. A larger request is answered with
    /// 431.
    int maxRequestSize = 8192;
    /// Duration of a connection, from its beginning to its last byte, 10 ms to 1 h. Then it is
    /// closed. The default equals the scrape timeout of Prometheus.
    Duration timeLimit = std::chrono::seconds(10);
    /// How long a connection may be idle, 10 ms to 1 h. Then it is closed. It is idle while the
    /// server waits for the client to send the request or to read the response.
    Duration idleTimeout = std::chrono::seconds(5);
    /// Names of this machine by which clients address it. A request whose header `Host` is neither
    /// an IP address nor localhost nor one of them is answered with 421, because it may come from a
    /// page in a browser (DNS rebinding).
    QStringList names{};
};

/// Serves HTTP/1.1 for Prometheus and for the probes of an orchestrator:
///
///   /metrics   200: the collector's text
///   /healthz   200: the event loop is responsive
///   /readyz    200: every expected agent is ready; 503: the names of those that are not
///
/// Supports GET and HEAD, with one request per connection. An agent is expected to be ready unless
/// it is Stopped: never started, stopped by an operator, or after a clean exit.
///
/// There is no encryption, no password and no rate limit. Listen on the loopback address unless the
/// network is trusted. A client that sends an incomplete or invalid request, or that never reads,
/// uses a bounded amount of memory for a bounded time, and does not lock out other clients. A
/// client may close its own direction of the connection after the request.
///
/// Use it from the supervisor's thread, whose event loop serves the connections without blocking.
/// The text is created in a thread of QThreadPool::globalInstance().
class REKINDLE_METRICS_EXPORT MetricsServer : public QObject
{
    Q_OBJECT

public:
    /// Creates a server that does not listen yet. The scheduler of `supervisor` must outlive it.
    /// When `supervisor` has been deleted, the response to /readyz is 503. When `collector` has
    /// been deleted, its metrics do not change anymore.
    MetricsServer(AgentSupervisor &supervisor, MetricsCollector &collector,
                  const MetricsServerOptions &options = {}, QObject *parent = nullptr);
    /// Closes all connections.
    ~MetricsServer() override;

    /// Starts to listen; port 0 selects a free port. Returns a fault with an empty path if this
    /// fails, for example because the port is in use or the server is already listening.
    [[nodiscard]] std::optional<Fault> listen(const QHostAddress &address, quint16 port);

    /// Return the address and port; null and 0 if the server is not listening.
    [[nodiscard]] QHostAddress address() const;
    [[nodiscard]] quint16 port() const;

    [[nodiscard]] int connectionCount() const;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
