// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/process/export.h>

#include <QFlags>
#include <QList>
#include <QObject>
#include <QString>
#include <QVariant>

#include <memory>
#include <optional>

namespace Rekindle {

class Agent;
class HealthProbe;
class Scheduler;
struct HealthProbeDefinition;
struct ProcessDefinition;

/// One key of a kind of probe.
struct REKINDLE_PROCESS_EXPORT ProbeField
{
    Q_GADGET
    Q_CLASSINFO("RegisterEnumClassesUnscoped", "false")

public:
    enum class Type {
        Text,    ///< QString, not empty
        Integer, ///< int, from `least` to `greatest`
        Command, ///< QStringList: a program and its arguments
        HttpUrl, ///< QUrl, http: or https:, with a host
    };
    Q_ENUM(Type)

    QString key;
    Type type = Type::Text;
    QVariant standard{}; ///< the default; a key without a default is required
    int least = 0;
    int greatest = 0;

    [[nodiscard]] bool isRequired() const { return !standard.isValid(); }

    /// Describes the valid values if `value` is not one of them.
    [[nodiscard]] std::optional<QString> expectedInsteadOf(const QVariant &value) const;
};

/// What a probe is made for. Everything must outlive the probe.
struct ProbeContext
{
    Agent *agent = nullptr; ///< null: a shared breaker, whose kinds allow ProbeKind::Use::Readiness
    const ProcessDefinition &surroundings; ///< environment and working directory of commands
    Scheduler &scheduler;
};

/// A kind of health probe: its name and keys in a configuration, and how a probe is made. A kind is
/// made once and lives until the program exits, because definitions refer to it.
struct ProbeKind
{
    Q_GADGET_EXPORT(REKINDLE_PROCESS_EXPORT)
    Q_CLASSINFO("RegisterEnumClassesUnscoped", "false")

public:
    enum class Use {
        Readiness = 1,     ///< checks whether a process is ready
        ProcessHealth = 2, ///< of an entry of `agents`
        ServerHealth = 4,  ///< of an entry of `mcpServers`
        ServerDefault = 8, ///< an entry of `mcpServers` without `health` has this probe
    };
    Q_DECLARE_FLAGS(Uses, Use)
    Q_FLAG(Uses)

    QString name; ///< "exec"
    Uses uses;
    QList<ProbeField> fields;
    std::unique_ptr<HealthProbe> (*make)(const HealthProbeDefinition &definition,
                                         const ProbeContext &context) = nullptr;
    bool usesWatchdog = false; ///< the process gets $WATCHDOG_USEC, the interval of the schedule
};
Q_DECLARE_OPERATORS_FOR_FLAGS(ProbeKind::Uses)

using ProbeKinds = QList<const ProbeKind *>;

/// The kinds that need Qt Core only: exec and heartbeat.
[[nodiscard]] REKINDLE_PROCESS_EXPORT ProbeKinds processProbeKinds();

} // namespace Rekindle
