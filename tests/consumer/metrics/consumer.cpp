// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
//
// A host with a metrics endpoint. It needs no headers of prometheus-cpp.

#include <Rekindle/AgentSupervisor>
#include <Rekindle/MetricsCollector>
#include <Rekindle/MetricsServer>

#include <QCoreApplication>

#include <cstdio>

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    Rekindle::AgentSupervisor supervisor;
    Rekindle::MetricsCollector metrics(supervisor);
    Rekindle::MetricsServer server(supervisor, metrics);
    const auto fault = server.listen(QHostAddress(QHostAddress::LocalHost), 0);
    const bool works =
        !fault && server.port() != 0 && metrics.text().contains("agents{series=\"own\"} 0\n");
    std::printf("metrics: %s\n", works ? "yes" : "NO");
    return works ? 0 : 1;
}
