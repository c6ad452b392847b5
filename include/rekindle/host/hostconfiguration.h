// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/config/configuration.h>
#include <rekindle/control/reloadableconfiguration.h>
#include <rekindle/host/export.h>

#include <QObject>

#include <functional>
#include <memory>

namespace Rekindle {

class AgentHost;
class FileWatch;

/// The options of AgentHost::useConfiguration().
struct HostConfigurationOptions
{
    QString path{}; ///< of the file

    /// Reads and checks the file. Faults can accompany a value, which is then not applied. The
    /// default is loadConfiguration() with the probes of the components `Process` and `Mcp`.
    std::function<Parsed<Configuration>(const QString &path)> load{};
};

/// The configuration file of an AgentHost, which is applied again while the agents run: for clients
/// of the control socket, by reloadNow(), or when a file of it changes.
///
/// ```
/// HostConfiguration &file = host.useConfiguration({.path = path});
/// const Parsed<Configuration> read = file.load();
/// if (read) {
///     const QList<Fault> faults = host.addAll(*read.value);
///     file.watch(*read.value);
/// }
/// ```
///
/// Use it from the thread of the host.
class REKINDLE_HOST_EXPORT HostConfiguration final : public QObject, public ReloadableConfiguration
{
    Q_OBJECT

public:
    /// AgentHost::useConfiguration() calls it. `host` must outlive this object.
    HostConfiguration(AgentHost &host, HostConfigurationOptions options);
    ~HostConfiguration() override;

    /// Reads the file and applies nothing. Blocks while it reads.
    [[nodiscard]] Parsed<Configuration> load() const;

    /// Reads the file again and applies it with ConfiguredAgents::apply(). With an error, nothing
    /// is changed. It is an error if the program of an agent that would be restarted is missing. A
    /// host that stops its agents refuses. With `dryRun`, returns what that would change.
    [[nodiscard]] Result reload(bool dryRun) override;

    /// Reloads, for example after SIGHUP. reloaded() has the result.
    void reloadNow(const QString &cause);

    /// Reloads when the file, or a policy file, included file or environment file of it, changes.
    /// `current` is the configuration that was read last. Later reloads change the files.
    void watch(const Configuration &current);

Q_SIGNALS:
    /// A reload begins. `cause` is empty if a client has requested it, otherwise for example
    /// "agents.json changed". Not emitted for a dry run.
    void reloading(const QString &cause);
    /// A configuration without errors is applied next.
    void aboutToApply(const Rekindle::Configuration &configuration);
    void applied(const Rekindle::Configuration &configuration,
                 const Rekindle::ConfigurationChanges &changes);
    /// A reload has ended, also if nothing was applied.
    void reloaded(const Rekindle::ReloadableConfiguration::Result &result);

    /// Files cannot be watched. Each problem is reported once.
    void watchFailed(const QString &text);

private:
    [[nodiscard]] Result reloadBecause(const QString &cause);
    [[nodiscard]] Result readAndApply(bool dryRun);

    AgentHost &m_host;
    const HostConfigurationOptions m_options;
    std::unique_ptr<FileWatch> m_files; ///< after watch()
};

} // namespace Rekindle
