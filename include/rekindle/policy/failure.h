// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/enums.h>
#include <rekindle/policy/export.h>
#include <rekindle/policy/qmlvalue.h>

#include <QObject>
#include <QString>
#include <QStringList>

#include <optional>

namespace Rekindle {

/// Details of a failure.
struct FailureDetail
{
    Q_GADGET_EXPORT(REKINDLE_POLICY_EXPORT)
    Q_PROPERTY(QString message MEMBER message)
    REKINDLE_QML_PROPERTY(QVariant, exitCode)
    REKINDLE_QML_PROPERTY(QVariant, signal)
    Q_PROPERTY(qint64 processId MEMBER processId)
    Q_PROPERTY(QStringList stderrTail MEMBER stderrTail)
    Q_PROPERTY(bool permanent MEMBER permanent)
    Q_PROPERTY(QString dependency MEMBER dependency)

public:
    QString message{};             ///< one sentence for people
    std::optional<int> exitCode{}; ///< of a process that exited
    std::optional<int> signal{};   ///< of a process that was killed by a signal
    qint64 processId = 0;          ///< 0 if the agent is not a process
    QStringList stderrTail{};      ///< its last lines on stderr, oldest first
    bool permanent = false;        ///< a retry cannot succeed
    QString dependency{};          ///< of a DependencyFailure: the shared breaker; empty if unknown

    bool operator==(const FailureDetail &) const = default;
};

/// One failure: the reason and the details.
struct Failure
{
    Q_GADGET_EXPORT(REKINDLE_POLICY_EXPORT)
    Q_PROPERTY(Rekindle::FailureReason reason MEMBER reason)
    Q_PROPERTY(Rekindle::FailureDetail detail MEMBER detail)

public:
    FailureReason reason = FailureReason::Unknown;
    FailureDetail detail{};

    bool operator==(const Failure &) const = default;
};

} // namespace Rekindle
