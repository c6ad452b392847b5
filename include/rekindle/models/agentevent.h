// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/models/export.h>
#include <rekindle/policy/lifecycleevent.h>
#include <rekindle/policy/qmlvalue.h>

#include <QObject>
#include <QString>
#include <QUuid>

namespace Rekindle {

struct ControlEvent;

/// An event of an agent of this process or of another host, for display.
struct AgentEvent
{
    Q_GADGET_EXPORT(REKINDLE_MODELS_EXPORT)
    Q_CLASSINFO("RegisterEnumClassesUnscoped", "false")
    Q_PROPERTY(QUuid instanceId MEMBER instanceId)
    Q_PROPERTY(QString agent MEMBER agent)
    Q_PROPERTY(QString type MEMBER type)
    REKINDLE_QML_PROPERTY(QDateTime, time)
    Q_PROPERTY(Severity severity MEMBER severity)
    Q_PROPERTY(QString text MEMBER text)

public:
    enum class Severity {
        Info,
        Warning, ///< the agent is delayed or limited, or works only partly
        Error,   ///< the agent has failed, or is not restarted
    };
    Q_ENUM(Severity)

    QUuid instanceId{}; ///< null for an unknown type of a newer host
    QString agent{};    ///< its name
    QString type{};     ///< see eventType()
    UtcTime time{};
    Severity severity = Severity::Info;
    QString text{}; ///< see eventText(); it can contain control characters of agents

    [[nodiscard]] static REKINDLE_MODELS_EXPORT AgentEvent of(const LifecycleEvent &event);
    /// Converts an event of another host. The severity of an unknown type of a newer host is Info.
    [[nodiscard]] static REKINDLE_MODELS_EXPORT AgentEvent of(const ControlEvent &event);
};

/// Returns the severity of an event. The failure of an agent is an Error, unless other agents are
/// the cause. Thread-safe.
[[nodiscard]] REKINDLE_MODELS_EXPORT AgentEvent::Severity severityOf(const LifecycleEvent &event);

} // namespace Rekindle
