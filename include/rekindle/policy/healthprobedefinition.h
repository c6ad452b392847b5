// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/export.h>
#include <rekindle/policy/timepoint.h>
#include <rekindle/policy/validation.h>

#include <QMetaType>
#include <QStringList>
#include <QUrl>

#include <optional>

namespace Rekindle {

/// When a health probe runs and what its misses lead to (spec 6).
struct REKINDLE_POLICY_EXPORT HealthSchedule
{
    /// From one run to the next; 10 ms to 24 h.
    Duration interval = std::chrono::seconds(10);

    /// For one run; what takes longer is a miss. 1 ms to 1 h.
    Duration timeout = std::chrono::seconds(2);

    /// So many in a row lead to one last run, and only if that fails too the agent is wedged; 1 to
    /// 1000.
    int misses = 3;

    /// After ready, before the first run; 0 to 24 h. Nothing is probed before ready.
    Duration grace{0};

    /// The time that the last run has: long, so that a busy agent is not killed. From `timeout` to
    /// 1 h; nothing: three times `timeout`.
    std::optional<Duration> lastChance{};

    [[nodiscard]] Duration lastChanceTimeout() const { return lastChance.value_or(timeout * 3); }

    bool operator==(const HealthSchedule &) const = default;
};

/// One health probe of an agent, as it is configured.
struct HealthProbeDefinition
{
    enum class Kind {
        Exec,      ///< runs `command`; exit 0 is good
        Tcp,       ///< connects to `host` and `port`
        Http,      ///< gets `url`; a status from 200 to 399 is good
        Heartbeat, ///< the agent itself reports, at least once per interval and timeout
        McpPing,   ///< asks an MCP server over its session; only those have one
    };

    Kind kind = Kind::Heartbeat;
    QStringList command{};                      ///< of Exec: a program and its arguments
    QString host = QStringLiteral("127.0.0.1"); ///< of Tcp: an address or a name
    int port = 0;                               ///< of Tcp; 1 to 65535
    QUrl url{};                                 ///< of Http; http: or https:, with a host
    HealthSchedule schedule{};

    bool operator==(const HealthProbeDefinition &) const = default;
};

/// "exec", "tcp", "http", "heartbeat", "mcp-ping".
[[nodiscard]] REKINDLE_POLICY_EXPORT QString toText(HealthProbeDefinition::Kind kind);

/// The kind of that exact name, or nothing.
[[nodiscard]] REKINDLE_POLICY_EXPORT std::optional<HealthProbeDefinition::Kind>
healthProbeKindFromString(QStringView name);

/// All that is wrong with it at once; paths are those of the configuration, "/interval".
[[nodiscard]] REKINDLE_POLICY_EXPORT QList<Fault> validate(const HealthProbeDefinition &probe);

/// The same for the schedule of a probe that a host has made itself.
[[nodiscard]] REKINDLE_POLICY_EXPORT QList<Fault> validate(const HealthSchedule &schedule);

} // namespace Rekindle

Q_DECLARE_METATYPE(Rekindle::HealthProbeDefinition)
