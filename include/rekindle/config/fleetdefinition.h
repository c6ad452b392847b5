// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/fleet/fleettimes.h>

#include <QString>
#include <QStringList>

namespace Rekindle {

/// The section `fleet` of a configuration: the store that this host shares with others, so that
/// each placed agent (AgentDefinition::placement) runs on at most one of them.
struct FleetDefinition
{
    /// How etcd is reached: see EtcdOptions of the component `etcd`. All paths are absolute.
    struct Etcd
    {
        QStringList endpoints{};
        QString prefix = QStringLiteral("rekindle/");
        QString user{};
        QString passwordFile{}; ///< the first line is the password
        QString caFile{};
        QString certificateFile{};
        QString keyFile{};

        bool operator==(const Etcd &) const = default;
    };

    QString node{}; ///< the id of this host in the fleet
    Etcd etcd{};
    /// FleetTimes::stopSequence is the longest one of the placed agents.
    FleetTimes times{};

    bool operator==(const FleetDefinition &) const = default;
};

} // namespace Rekindle
