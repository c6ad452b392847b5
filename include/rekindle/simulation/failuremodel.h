// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/json/parsed.h>
#include <rekindle/policy/timepoint.h>
#include <rekindle/simulation/export.h>

#include <QByteArray>
#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>

#include <optional>

namespace Rekindle {

/// How simulated agents behave: how long they start, how long they live, and how they exit.
struct FailureModel
{
    /// A way to exit: an exit code, or the number of a signal.
    struct End
    {
        std::optional<int> exitCode{};
        std::optional<int> signal{};
        double probability = 0; ///< more than 0; all ends of a model add up to 1

        bool operator==(const End &) const = default;
    };

    /// Time from start to ready, uniform in `ready` plus or minus `readySpread`. Not used for
    /// agents that are ready at once or after a fixed time (Readiness::Kind::Now and Alive).
    Duration ready{0};
    Duration readySpread{0};

    std::optional<Duration> life{}; ///< time from ready to exit; without it, they do not exit
    bool isExponential = false;     ///< whether `life` is the mean of an exponential distribution

    QList<End> ends{{1, {}, 1.0}};

    bool operator==(const FailureModel &) const = default;
};

/// Outages of something that has a name, at regular times.
struct Outage
{
    QString name{};
    Duration every{0}; ///< from one beginning to the next; the first begins after this time
    Duration time{0};  ///< shorter than `every`

    bool operator==(const Outage &) const = default;
};

/// How the fleet of a configuration fails. Without names of nodes, the nodes are that of the
/// configuration and those that its agents prefer.
struct FleetModel
{
    QStringList nodes{};
    QList<Outage> partitions{};   ///< the store is not reachable from this node
    QList<Outage> storeOutages{}; ///< the store is not reachable from any node; without a name
    QList<Outage> crashes{};      ///< this node loses power, and starts again at the end

    bool operator==(const FleetModel &) const = default;
};

/// The models of all agents.
struct FailureModels
{
    FailureModel common{};
    QMap<QString, FailureModel> agents{}; ///< by name, instead of `common`
    /// Of what the shared breaker of this name protects. During an outage, agents that require the
    /// breaker do not become ready, and those that run fail within a second, with
    /// DependencyFailure.
    QList<Outage> outages{};
    std::optional<FleetModel> fleet{};

    [[nodiscard]] FailureModel of(const QString &agent) const
    {
        return agents.value(agent, common);
    }

    bool operator==(const FailureModels &) const = default;
};

/// Reads models, for example
/// {"ready": "2s±1s", "life": "exp 10m", "end": {"1": 0.8, "SIGSEGV": 0.2}, "agents": {"web": {}},
/// "outages": [{"shared": "api", "every": "1h", "for": "5m"}],
/// "fleet": {"partitions": [{"node": "a", "every": "1h", "for": "1m"}]}}. A model in `agents`
/// replaces the common one. Never throws. Thread-safe.
[[nodiscard]] REKINDLE_SIMULATION_EXPORT Parsed<FailureModels>
parseFailureModels(const QByteArray &json);

} // namespace Rekindle
