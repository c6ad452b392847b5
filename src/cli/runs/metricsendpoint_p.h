// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/metrics/metricscollector.h>
#include <rekindle/metrics/metricsserver.h>

#include <string>

namespace CLI {
class App;
}

namespace Rekindle {

class Messages;

/// The address of `--metrics`.
struct ListenAddress
{
    QHostAddress address{};
    quint16 port = 0;
    bool operator==(const ListenAddress &) const = default;
};

/// Parses "127.0.0.1:9464", "[::1]:9464", "localhost:9464", or a port on the loopback address. Host
/// names are not resolved.
[[nodiscard]] std::optional<ListenAddress> listenAddressFromString(const QString &text);

/// Adds an option with such a value.
void addListenAddress(CLI::App &parser, const std::string &name,
                      std::optional<ListenAddress> &target, const std::string &description);

/// Serves the metrics of `rekindle up`.
class MetricsEndpoint
{
public:
    explicit MetricsEndpoint(AgentSupervisor &supervisor);

    /// Reports the address, or an error; then returns false.
    [[nodiscard]] bool listen(const ListenAddress &where, Messages &messages);

    [[nodiscard]] MetricsCollector &collector() { return m_collector; }

private:
    MetricsCollector m_collector;
    MetricsServer m_server;
};

} // namespace Rekindle
