// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "base/signalwatch_p.h"
#include "cli/options/licenseoptions_p.h"
#include "cli/options/optiontypes_p.h"
#include "cli/output/distinctfiles_p.h"
#include "cli/output/eventstream_p.h"
#include "cli/output/narrator_p.h"
#include "supervision_p.h"

#include <rekindle/telemetry/telemetrystore.h>

#include <QObject>

#include <csignal>
#include <memory>
#include <optional>

namespace Rekindle {

class MemoryRelease;

/// The options that commands with supervised agents have in common.
struct HostOptions
{
    LicenseOptions license;
    QString events;            ///< a file, "-" for a standard stream, or empty
    QString store;             ///< a file, "off", or empty for the default
    bool recordsInputs = true; ///< into the store
    std::optional<ListenAddress> metrics;
    QStringList metricsNames; ///< of this machine
    QStringList pluginFolders;
    bool quiet = false;

    /// Adds all options except --store and --metrics. With --events, `-` is stderr.
    void addTo(CLI::App &parser);
    void addMetricsTo(CLI::App &parser);
    void addRecordTo(CLI::App &parser);

    /// Makes all paths absolute. Relative paths are relative to `folder`.
    void resolvePaths(const QDir &folder);

    /// The file of the events, or an empty text.
    [[nodiscard]] QString eventsFile() const;
};

/// What a command has around its supervised agents: signals, events, store and messages.
class HostSession : public QObject
{
    Q_OBJECT

public:
    ~HostSession() override;

protected:
    /// `usualStore` is the default file of the store, or empty.
    HostSession(HostOptions options, QString usualStore, Messages &messages);

    /// These files and those for events and the store.
    [[nodiscard]] QList<UsedFile> filesWith(QList<UsedFile> files) const;

    /// Sets the license and reads it again whenever its file changes.
    void followLicense();

    /// Opens the target of --events. An error ends the command.
    void openEvents();

    /// Reports that default files are not used if there is no state folder, except with --quiet.
    /// `options` are those of default files in addition to the store's.
    void warnWithoutStateFolder(QStringList options = {}) const;

    /// Opens the store, unless it is off or has no folder. Ends the command if its folder does not
    /// exist. Later errors of the store are reported only.
    void openStore();

    /// Serves the metrics, if --metrics is given. Call it after the target of --events was opened.
    /// Reports an error, with its consequence, and returns false if that fails.
    [[nodiscard]] bool openMetrics(const QString &consequence = {});

    /// Passes signals to onSignal().
    void watchSignals(std::initializer_list<int> numbers);

    /// Reports what happens to the agents, except with --quiet.
    void narrate();

    /// Runs the event loop and closes the store.
    void execute();
    /// Runs the event loop and returns memory that only the start needed.
    void runEventLoop();
    void closeStore();
    /// Calls MemoryRelease::releaseSoon() after work that no agent has caused.
    void releaseMemorySoon();

    /// The first signal calls stop(), the second kills the agents, and the third exits without
    /// waiting.
    virtual void onSignal(int number);
    virtual void stop(int number);

    /// Opens the files of --events and of agents again, because another program has renamed them.
    /// SIGUSR1 calls it.
    virtual void reopenFiles();

    [[nodiscard]] bool isStopRequested() const { return m_signalCount > 0; }

    const HostOptions m_options;
    const QString m_usualStore;
    Messages &m_messages;
    SignalWatch m_reopening{SIGUSR1};       ///< as long as m_signals
    std::unique_ptr<SignalWatch> m_signals; ///< until the agents are destroyed
    Supervision m_supervision;
    std::unique_ptr<EventStream> m_events;
    TelemetryStore *m_store = nullptr; ///< of the host; null if it is off
    QSet<QUuid> m_onDemand;            ///< agents that calls start; set it before narrate()
    std::unique_ptr<Narrator> m_narrator;

private:
    [[nodiscard]] QString storePath() const;

    /// With --quiet, only a store that was named is reported.
    [[nodiscard]] bool reportsStore() const;

    std::unique_ptr<MemoryRelease> m_memory; ///< while the event loop runs
    int m_signalCount = 0;
};

/// The name of a program's agent: that of the file, with other characters replaced by '_'.
[[nodiscard]] QString agentNameOf(const QString &program);

} // namespace Rekindle
