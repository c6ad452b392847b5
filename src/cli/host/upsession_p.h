// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "base/files/hostlock_p.h"
#include "detachment_p.h"
#include "hostsession_p.h"
#include "livetable_p.h"

#include <rekindle/config/configuration.h>
#include <rekindle/control/controlserver.h>
#include <rekindle/host/hostconfiguration.h>
#include <rekindle/state/statefile.h>

namespace Rekindle {

/// What `up` writes for each event if it shows no live table.
struct EventLog
{
    bool text = true; ///< a line on stderr
    bool json = true; ///< a line on stdout
};

/// The options of `rekindle up`.
struct UpRequest
{
    HostOptions host;
    QString path;  ///< of the configuration
    QString state; ///< a file, "off", or empty for the default
    std::optional<Duration> stopAfter;
    bool hasControl = true;      ///< a control socket
    int connections = 0;         ///< to the host, for the limit of descriptors
    Detachment detachment;       ///< begun if this is the copy in the background
    QString workingDirectory;    ///< of agents without one; empty: that of this process
    bool isWatching = false;     ///< reloads when a file of the configuration changes
    std::optional<EventLog> log; ///< without the live table; empty: a live table on a terminal
};

/// All agents of a configuration under supervision.
class UpSession : public HostSession
{
    Q_OBJECT

public:
    UpSession(UpRequest request, Messages &messages);
    ~UpSession() override;

    /// Adds the agents and runs the event loop; returns the exit code.
    int run(Configuration configuration);

private:
    void addAgents(const Configuration &configuration);
    void showOutputOf(const QUuid &agent);
    [[nodiscard]] Parsed<Configuration> load(const QString &path) const;
    void reportReloads();
    void reportReload(const ReloadableConfiguration::Result &result);
    void endIfNothingIsLeft();
    void reportRunningSoon();
    void reportRunning();
    [[nodiscard]] bool areStartsAttempted();
    [[nodiscard]] QList<UsedFile> filesOf(const Configuration &configuration) const;
    void lockConfiguration();
    [[noreturn]] void refuseSecondHost(const QString &cause);
    void openEventStream();
    void openTextLog();
    [[nodiscard]] EventLog eventLog() const; ///< what is written in fact
    [[nodiscard]] QString statePath() const;
    void openState(bool isInFleet);
    void openControl();
    void startAgents();
    void reportStillDown();
    void reportNothingLeft(const AgentTally &tally);
    void listen();
    void showTable();
    void showLine(const QString &agent, const QByteArray &line);
    void onSignal(int number) override;
    void reopenFiles() override;
    void reportStop(int number);
    void end();
    [[nodiscard]] int finish();

    UpRequest m_request;
    const bool m_live;
    const bool m_endsByHangup; ///< SIGHUP stops, because a terminal has ended; else it reloads
    std::unique_ptr<EventStream> m_log;
    StateFile *m_state = nullptr;       ///< of the host; null if it is off or cannot be used
    HostConfiguration &m_configuration; ///< of the host
    ControlServer *m_control = nullptr; ///< of the host; null if it is off or cannot listen
    HostLock m_lock; ///< released before the control socket, whose end `rekindle down` awaits
    std::unique_ptr<LiveTable> m_table;
    std::unique_ptr<Deadline> m_stopAfter;
    // Of --detach:
    std::unique_ptr<Deadline> m_startLimit;
    QMetaObject::Connection m_startEvents;
    qsizetype m_attemptedStarts = 0; ///< of the first agents
    bool m_isStoreOpening = false;
    QStringList m_downAtStop; ///< agents that did not run when the stop was requested
};

} // namespace Rekindle
