// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/config/configuration.h>
#include <rekindle/host/export.h>
#include <rekindle/lifecycle/agentsupervisor.h>

#include <QObject>

#include <memory>

namespace Rekindle {

class ConfiguredAgents;
class ControlServer;
class CustomEvaluators;
class LicenseProvider;
class MetricsCollector;
class MetricsServer;
struct MetricsServerOptions;
class StartGate;
class StateFile;
class TelemetryStore;
struct ControlServerOptions;
struct StateFileOptions;
struct TelemetryOptions;

/// Owns a supervisor and its optional parts: license, evaluators, state file, store, metrics and
/// control socket. Destroys them in the right order. `rekindle up` uses this class, too.
///
/// ```
/// Rekindle::AgentHost host;
/// host.setLicense(std::make_unique<Rekindle::FixedLicenseProvider>(tier));
/// host.useState({.path = statePath}).open();
/// host.useStore({.path = storePath});
/// const QList<Rekindle::Fault> faults = host.addAll(*configuration.value);
/// host.quitGracefully(app);
/// host.startAll();
/// return app.exec();
/// ```
///
/// Call a function that begins with "set" or "use" at most once, before agents are added. Create
/// the object after QCoreApplication, and use it from its own thread.
class REKINDLE_HOST_EXPORT AgentHost : public QObject
{
    Q_OBJECT

public:
    explicit AgentHost(QObject *parent = nullptr);

    /// Uses this scheduler, which must outlive the host, instead of a TimerScheduler. With a
    /// VirtualScheduler, a test of the host needs no real time. `random`: see AgentSupervisor.
    explicit AgentHost(Scheduler &scheduler, RestartPolicyEvaluator::RandomSource random = {},
                       QObject *parent = nullptr);
    ~AgentHost() override;

    [[nodiscard]] AgentSupervisor &supervisor() const;

    /// Sets the license. Without one, nothing is restarted (tier Core).
    void setLicense(std::unique_ptr<LicenseProvider> license);

    /// Sets the evaluators for policies of type custom.
    void setEvaluators(std::unique_ptr<CustomEvaluators> evaluators);

    /// Creates a state file. Call StateFile::open(); it emits a signal and returns false if the
    /// file cannot be used.
    StateFile &useState(const StateFileOptions &options);

    /// Creates a store, which records all events from now on.
    TelemetryStore &useStore(const TelemetryOptions &options);

    /// Creates the metrics. Call MetricsServer::listen().
    MetricsServer &useMetrics();
    MetricsServer &useMetrics(const MetricsServerOptions &options);
    /// Destroys the metrics again, for example because the server cannot listen.
    void discardMetrics();

    /// Creates the server of the control socket. Its clients can also read the events in the store,
    /// if useStore() was called before. Call ControlServer::listen().
    ControlServer &useControl(const ControlServerOptions &options);
    /// Destroys the server again, for example because it cannot listen.
    void discardControl();

    // Return null if there is none.
    [[nodiscard]] CustomEvaluators *evaluators() const;
    [[nodiscard]] StateFile *state() const;
    [[nodiscard]] TelemetryStore *store() const;
    [[nodiscard]] MetricsCollector *metrics() const;
    [[nodiscard]] ControlServer *control() const;

    /// Adds all agents of a configuration. Returns the faults of all entries; an entry with an
    /// error is not added.
    [[nodiscard]] QList<Fault> addAll(const Configuration &configuration);

    /// The governor of the configuration. Without "governor" in it, all starts pass.
    [[nodiscard]] StartGate &startGate() const;

    /// The agents of addAll(), for a reload: `agents().apply(configuration)`.
    [[nodiscard]] ConfiguredAgents &agents() const;

    /// Starts all agents, except those with a manual start. With an open state file, they continue
    /// from the state in which the last host was killed.
    void startAll();

    /// Stops the agents and calls close() before the application quits:
    /// AgentSupervisor::quitGracefully().
    void quitGracefully(QCoreApplication &application, Duration limit = std::chrono::seconds(30));

    /// Records an orderly exit in the state file, and closes it and the store. Blocks for a limited
    /// time. Call it when all agents have stopped. Returns false if the state could not be written.
    bool close();

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
