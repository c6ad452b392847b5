// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/export.h>
#include <rekindle/policy/qmlvalue.h>

#include <QList>
#include <QObject>
#include <QString>
#include <QUuid>

namespace Rekindle {

/// What the command of an operator has done.
struct CommandResult
{
    Q_GADGET_EXPORT(REKINDLE_LIFECYCLE_EXPORT)
    Q_CLASSINFO("RegisterEnumClassesUnscoped", "false")
    Q_PROPERTY(Effect effect MEMBER effect)
    Q_PROPERTY(QString reason MEMBER reason)
    REKINDLE_QML_PROPERTY(QVariantList, alsoStarted)

public:
    enum class Effect {
        Applied,
        NoEffect, ///< nothing has changed; `reason` says why
        Unknown,  ///< no agent has this id, or no breaker this name
    };
    Q_ENUM(Effect)

    Effect effect = Effect::Unknown;
    QString reason{}; ///< of NoEffect, such as "its state is Stopped"
    /// The dependencies that AgentDependencies has started by the same command. Empty if it was
    /// called in a slot, because the dependencies are then started later.
    QList<QUuid> alsoStarted{};

    explicit operator bool() const { return effect == Effect::Applied; }
};

} // namespace Rekindle
