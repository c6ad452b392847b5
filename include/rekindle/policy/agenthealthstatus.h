// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/json/enumnames.h>
#include <rekindle/policy/qmlvalue.h>
#include <rekindle/policy/timepoint.h>

#include <QList>
#include <QObject>
#include <QString>

#include <optional>

namespace Rekindle {

/// The result of one run of a health probe.
struct ProbeResult
{
    Q_GADGET_EXPORT(REKINDLE_POLICY_EXPORT)
    REKINDLE_QML_PROPERTY(QDateTime, at)
    Q_PROPERTY(bool ok MEMBER ok)
    REKINDLE_QML_PROPERTY(double, took)
    Q_PROPERTY(QString text MEMBER text)
    Q_PROPERTY(QString probe MEMBER probe)

public:
    UtcTime at{};    ///< time of the answer or of the timeout
    bool ok = false; ///< false: a probe failure
    Duration took{0};
    QString text{};  ///< the answer as text
    QString probe{}; ///< the probe, for example "http"

    bool operator==(const ProbeResult &) const = default;
};

/// The health of an agent according to its probes and its own reports. Unknown until one of them
/// has answered. Cheap to copy: the history is shared.
struct AgentHealthStatus
{
    Q_GADGET_EXPORT(REKINDLE_POLICY_EXPORT)
    Q_CLASSINFO("RegisterEnumClassesUnscoped", "false")
    Q_PROPERTY(State state MEMBER state)
    Q_PROPERTY(int consecutiveMisses MEMBER consecutiveMisses)
    Q_PROPERTY(QString detail MEMBER detail)
    REKINDLE_QML_PROPERTY(QVariantList, history)

public:
    enum class State {
        Unknown,   ///< no probe has answered since the start
        Healthy,   ///< the last answer of every probe that has answered was a success
        Unhealthy, ///< the last run of a probe failed
    };
    Q_ENUM(State)

    static constexpr qsizetype longestHistory = 10;

    State state = State::Unknown;
    int consecutiveMisses = 0;    ///< probe failures in a row; the highest count of all probes
    QString detail{};             ///< the last probe's answer as text
    QList<ProbeResult> history{}; ///< oldest first, at most `longestHistory`; outlives a restart
    std::optional<Instant> lastMissAt{}; ///< of the last probe failure; outlives a restart

    /// The newest result, or an empty one.
    [[nodiscard]] ProbeResult latest() const { return history.value(history.size() - 1); }

    bool operator==(const AgentHealthStatus &) const = default;
};

inline constexpr std::array<EnumName<AgentHealthStatus::State>, 3> agentHealthStates = {{
    {AgentHealthStatus::State::Unknown, QLatin1String("Unknown")},
    {AgentHealthStatus::State::Healthy, QLatin1String("Healthy")},
    {AgentHealthStatus::State::Unhealthy, QLatin1String("Unhealthy")},
}};

[[nodiscard]] inline QString toText(AgentHealthStatus::State state)
{
    return nameOf(agentHealthStates, state);
}

} // namespace Rekindle
