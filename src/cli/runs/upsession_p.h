// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "cli/options/licenseoptions_p.h"
#include "cli/output/agentlines_p.h"
#include "cli/output/eventstream_p.h"
#include "cli/output/narrator_p.h"
#include "livetable_p.h"
#include "metricsendpoint_p.h"
#include "signalwatch_p.h"
#include "supervision_p.h"

#include <rekindle/config/configuration.h>
#include <rekindle/state/statefile.h>
#include <rekindle/telemetry/telemetrystore.h>

#include <QObject>

#include <memory>

namespace Rekindle {

/// The options of `rekindle up`.
struct UpRequest
{
    LicenseOptions license;
    QString path;   ///< of the configuration
    QString events; ///< a file, "-" for stdout, or empty
    QString store;  ///< a file, "off", or empty for the default
    QString state;  ///< a file, "off", or empty for the default
    std::optional<Duration> stopAfter;
    QStringList pluginFolders;
    std::optional<ListenAddress> metrics;
    bool json = false; ///< event lines even on a terminal
};

/// All agents of a configuration under supervision.
class UpSession : public QObject
{
    Q_OBJECT

public:
    UpSession(UpRequest request, Messages &messages);
    ~UpSession() override;

    /// Adds the agents and runs the event loop; returns the exit code.
    int run(Configuration configuration);

private:
    [[nodiscard]] bool addAgents(Configuration configuration);
    [[nodiscard]] bool checkFiles(const QStringList &policyFiles);
    [[nodiscard]] bool openEvents();
    [[nodiscard]] bool openMetrics();
    [[nodiscard]] bool openStore();
    [[nodiscard]] bool openState();
    void startAgents();
    void reportStillDown();
    void reportNothingLeft(const AgentTally &tally);
    void listen();
    void showTable();
    void onSignal(int number);
    void reportStop(int number);
    void end();
    [[nodiscard]] int finish();

    UpRequest m_request;
    Messages &m_messages;
    const bool m_live;
    Supervision m_supervision;
    AgentLines m_lines;
    std::unique_ptr<SignalWatch> m_signals;
    std::unique_ptr<EventStream> m_events;
    std::unique_ptr<TelemetryStore> m_store;
    std::unique_ptr<StateFile> m_state;
    std::unique_ptr<MetricsEndpoint> m_metrics;
    std::unique_ptr<Narrator> m_narrator;
    std::unique_ptr<LiveTable> m_table;
    std::unique_ptr<Deadline> m_stopAfter;
    QStringList m_downAtStop; ///< agents that did not run when the stop was requested
};

} // namespace Rekindle
