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

/// Where `--metrics` listens.
struct ListenAddress
{
    QHostAddress address{};
    quint16 port = 0;
    bool operator==(const ListenAddress &) const = default;
};

/// Reads "127.0.0.1:9464", "[::1]:9464" or "localhost:9464"; a port alone means the loopback
/// address. Names are not looked up.
[[nodiscard]] std::optional<ListenAddress> listenAddressFromString(const QString &text);

/// An option that takes such a text.
void addListenAddress(CLI::App &parser, const std::string &name,
                      std::optional<ListenAddress> &target, const std::string &description);

/// The metrics of `rekindle up`, served.
class MetricsEndpoint
{
public:
    explicit MetricsEndpoint(AgentSupervisor &supervisor);

    /// False if that fails, which is said; else where it listens is.
    [[nodiscard]] bool listen(const ListenAddress &where, Messages &messages);

    [[nodiscard]] MetricsCollector &collector() { return m_collector; }

private:
    MetricsCollector m_collector;
    MetricsServer m_server;
};

} // namespace Rekindle
