// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/metrics/export.h>
#include <rekindle/policy/timepoint.h>
#include <rekindle/policy/validation.h>

#include <QHostAddress>
#include <QObject>

#include <memory>
#include <optional>

namespace Rekindle {

class AgentSupervisor;
class MetricsCollector;

/// What a MetricsServer allows its clients. What is out of range is taken for the nearest value.
struct MetricsServerOptions
{
    /// At the same time; 1 to 10000. One too many is closed at once.
    int maxConnections = 64;
    /// Request line and headers, in bytes; 256 to 1048576. More is answered with 431.
    int maxRequestSize = 8192;
    /// For a connection, from its beginning to its last byte, after which it is cut; 10 ms to 1 h.
    /// As long as Prometheus waits for an answer.
    Duration timeLimit = std::chrono::seconds(10);
};

/// Answers HTTP/1.1 for a Prometheus and for probes of an orchestrator:
///
///   /metrics   200: the collector's text
///   /healthz   200: the event loop is alive
///   /readyz    200: every agent that should be ready is; 503: the names of those that are not
///
/// GET and HEAD only; one request for each connection. Ready should be every agent but those in
/// state Stopped: never started, stopped by an operator, or ended well.
///
/// There is no encryption, no password and no limit on who may ask: listen on the loopback address
/// unless the network is trusted. A client that sends half a request, nothing or garbage, or that
/// never reads, costs a bounded amount of memory for a bounded time.
///
/// Use it from the supervisor's thread, whose event loop serves it and never waits for it; the text
/// is made in a thread of QThreadPool::globalInstance().
class REKINDLE_METRICS_EXPORT MetricsServer : public QObject
{
    Q_OBJECT

public:
    /// Supervisor and collector must outlive the server.
    MetricsServer(AgentSupervisor &supervisor, MetricsCollector &collector,
                  const MetricsServerOptions &options = {}, QObject *parent = nullptr);
    /// Cuts the connections.
    ~MetricsServer() override;

    /// Begins to listen; port 0 takes any that is free. A fault if that fails, for example because
    /// the port is taken, or if it listens already; its path is empty.
    [[nodiscard]] std::optional<Fault> listen(const QHostAddress &address, quint16 port);

    /// Where it listens; null and 0 while it does not.
    [[nodiscard]] QHostAddress address() const;
    [[nodiscard]] quint16 port() const;

    [[nodiscard]] int connectionCount() const;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
