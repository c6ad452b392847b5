// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "cli/output/distinctfiles_p.h"

#include <rekindle/config/configuration.h>
#include <rekindle/control/reloadableconfiguration.h>

#include <QObject>

#include <functional>
#include <memory>

namespace Rekindle {

class FileWatch;
class Messages;
class Supervision;

/// What `up` needs to read its configuration again.
struct ReloadOptions
{
    QString path; ///< of the configuration
    QStringList pluginFolders;
    int connections = 0;      ///< to the host, for the limit of descriptors
    QString workingDirectory; ///< of agents without one; empty: that of the host
    std::function<QList<UsedFile>(const Configuration &)> filesOf; ///< the files that `up` uses
};

/// Reads the configuration of `up` again and applies it: for clients, after SIGHUP, or when one of
/// its files changes.
class ConfigurationReload : public QObject, public ReloadableConfiguration
{
    Q_OBJECT

public:
    /// Both must outlive this object.
    ConfigurationReload(ReloadOptions options, Supervision &supervision, Messages &messages);
    ~ConfigurationReload() override;

    [[nodiscard]] Result reload(bool dryRun) override;

    /// Reloads and reports the result, because there is no client.
    void reloadAndReport(const QString &cause);

    /// Reloads when a file of the configuration changes.
    void watch(const Configuration &configuration);

Q_SIGNALS:
    void begun();
    void applied(const Rekindle::Configuration &configuration);
    void finished(); ///< also if nothing was applied

private:
    [[nodiscard]] Result readAndApply(bool dryRun);

    ReloadOptions m_options;
    Supervision &m_supervision;
    Messages &m_messages;
    std::unique_ptr<FileWatch> m_files; ///< with `--watch`
};

/// "1 added, 2 restarted, 3 unchanged", or "nothing has changed".
[[nodiscard]] QString changesText(const ConfigurationChanges &changes);

} // namespace Rekindle
