// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "control/session/controlerror_p.h"

#include <QString>
#include <QStringList>

#include <functional>

namespace Rekindle {

class ReloadableConfiguration;

/// Carries out the requests of control clients that concern the configuration of the host.
class ConfigCalls
{
public:
    /// `file` is the configuration, the place of faults without one.
    explicit ConfigCalls(QString file);

    /// Null: the host has no configuration. It must outlive this object.
    void setConfiguration(ReloadableConfiguration *configuration)
    {
        m_configuration = configuration;
    }

    [[nodiscard]] ControlResponse check(const QByteArray &params);
    /// Announces a request that concerns these agents. Returns false if a slot of the host has
    /// destroyed this object.
    using Announce = std::function<bool(const QStringList &agents)>;

    /// Announces the agents that change, before that takes effect, and those that were added. A
    /// slot of the host may destroy this object.
    [[nodiscard]] ControlResponse reload(const QByteArray &params, const Announce &announce);

private:
    QString m_file;
    ReloadableConfiguration *m_configuration = nullptr;
};

} // namespace Rekindle
