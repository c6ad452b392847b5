// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/json/fault.h>
#include <rekindle/policy/configurationchanges.h>

#include <QList>
#include <QString>

namespace Rekindle {

/// The configuration of a host that clients of a ControlServer can check and reload: the requests
/// config.check and config.reload. ControlServer::setConfiguration() connects it.
class ReloadableConfiguration
{
public:
    struct Result
    {
        QString refusal{};     ///< why the host cannot reload now; empty if it can
        QList<Fault> faults{}; ///< errors and warnings; with an error, nothing is changed
        ConfigurationChanges changes{};
    };

    ReloadableConfiguration() = default;
    Q_DISABLE_COPY_MOVE(ReloadableConfiguration)
    virtual ~ReloadableConfiguration() = default;

    /// Reads the configuration again and applies it. With `dryRun`, returns what that would change.
    [[nodiscard]] virtual Result reload(bool dryRun) = 0;
};

} // namespace Rekindle
