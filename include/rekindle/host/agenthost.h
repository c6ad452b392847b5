// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/config/configuration.h>
#include <rekindle/host/export.h>
#include <rekindle/lifecycle/agentsupervisor.h>

#include <QObject>
#include <QStringList>

#include <memory>

namespace Rekindle {

class ConfiguredAgents;
class ControlServer;
class CustomEvaluators;
class FleetStore;
class HostConfiguration;
class LicenseProvider;
class MetricsCollector;
class MetricsServer;
struct MetricsServerOptions;
class StartGate;
class StateFile;
class TelemetryStore;
struct ControlServerOptions;
struct HostConfigurationOptions;
struct StateFileOptions;
struct TelemetryOptions;

/// Owns a supervisor and its optional parts: license, evaluators, state file, store, metrics,
/// configuration file, control socket and messages to the service manager. Destroys them in the
/// right order. `rekindle up` uses this class, too.
///
/// ```
/// Rekindle::AgentHost host;
/// host.setLicense(std::move(license));
/// host.watchLicense();
/// host.useState({.path = statePath}).open();
/// host.useStore({.path = storePath});
/// Rekindle::HostConfiguration &file = host.useConfiguration({.path = path});
/// const auto configuration = file.load();
/// const QList<Rekindle::Fault> faults = host.addAll(*configuration.value);
/// file.watch(*configuration.value);
/// host.quitGracefully(app);
/// host.startAll();
/// host.useServiceManager();
/// return app.exec();
/// ```
///
/// Call a function that begins with "set" or "use" at most once, and before agents are added,
/// except useServiceManager(). Create the object after QCoreApplication, and use it from its own
/// thread.
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
    /// Reads the license again whenever one of its LicenseProvider::files() changes.
    void watchLicense();

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

    /// Sets the configuration file. Call HostConfiguration::load(). Clients of useControl() can
    /// reload it.
    HostConfiguration &useConfiguration(const HostConfigurationOptions &options);

    /// Runs the placed agents of the configuration on at most one host of a fleet. The store is an
    /// EtcdStore. Call it after useState(), with the run id of the supervisor's evaluator in
    /// StateFileOptions::run; without that, a host that was killed waits for FleetTimes::duration.
    void useFleet(std::unique_ptr<FleetStore> store, const FleetDefinition &fleet);

    /// Releases the placed agents and ends the session in the store, so that other hosts need not
    /// wait for FleetTimes::duration. Runs an event loop for at most 5 s. close() calls it. Does
    /// nothing while an agent runs.
    void leaveFleet();

    /// Reports to the service manager that has started this process, as sd_notify(3) does: that the
    /// host is ready, reloads and stops, how many agents run, and that the event loop responds.
    /// Call it after startAll(): the host is ready as soon as no agent is starting. Does nothing
    /// if the environment has no NOTIFY_SOCKET.
    void useServiceManager();

    // Return null if there is none.
    [[nodiscard]] CustomEvaluators *evaluators() const;
    [[nodiscard]] StateFile *state() const;
    [[nodiscard]] TelemetryStore *store() const;
    [[nodiscard]] MetricsCollector *metrics() const;
    [[nodiscard]] HostConfiguration *configuration() const;
    [[nodiscard]] ControlServer *control() const;
    [[nodiscard]] const FleetDefinition *fleet() const;

    /// Adds all agents of a configuration, and calls watchFiles(). Returns the faults of all
    /// entries; an entry with an error is not added. The tierWarning() of an agent is a warning. An
    /// agent with a placement is an error without useFleet().
    [[nodiscard]] QList<Fault> addAll(const Configuration &configuration);

    /// Returns how the license tier limits the policy of an agent now, for display: "license tier
    /// Core does not permit linear restarts; restarts are disabled". Empty if the tier permits it.
    [[nodiscard]] QString tierWarning(const QUuid &agent) const;

    /// Restarts agents when the files of their AgentDefinition::watch change, instead of those of
    /// an earlier call. addAll() and HostConfiguration call it. A stopped agent is not started, nor
    /// one whose circuit breaker is isolated. The RestartPolicy::requestLimit of an agent limits
    /// these restarts.
    void watchFiles(const Configuration &configuration);

    /// Changes of these files never count for watchFiles(), because this process writes them. The
    /// files of the license, state and store and the output files of agents never count either.
    void ignoreFiles(const QStringList &paths);

    /// The governor of the configuration. Without "governor" in it, all starts pass.
    [[nodiscard]] StartGate &startGate() const;

    /// The agents of addAll(), for a reload: `agents().apply(configuration)`.
    [[nodiscard]] ConfiguredAgents &agents() const;

    /// Starts all agents, except those with a manual start. With an open state file, they continue
    /// from the state in which the last host was killed.
    void startAll();

    /// Returns whether an agent can still start: its start is manual, an operator has stopped it,
    /// it was given up and its files are watched, or its group has not started it yet. A host that
    /// exits when all agents have ended stays while this is true.
    [[nodiscard]] bool canAgentsBeStarted() const;

    /// Stops all agents because the host is about to exit: AgentSupervisor::stopAll(). The
    /// configuration is not reloaded anymore.
    void stopAll();

    /// Returns true from stopAll() on, and while the supervisor stops all agents.
    [[nodiscard]] bool isStopping() const;

    /// Stops the agents and calls close() before the application quits:
    /// AgentSupervisor::quitGracefully().
    void quitGracefully(QCoreApplication &application, Duration limit = std::chrono::seconds(30));

    /// Records an orderly exit in the state file, and closes it and the store. Blocks for a limited
    /// time. Call it when all agents have stopped. Returns false if the state could not be written.
    bool close();

Q_SIGNALS:
    /// The license or files of agents cannot be watched, or an agent is not restarted after a
    /// change, or only later, or something has happened in the fleet. For display.
    void noted(const QString &text);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
