// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/export.h>
#include <rekindle/policy/healthschedule.h>

#include <QObject>

#include <memory>

namespace Rekindle {

/// Checks whether an agent works (spec 6). Hosts may derive their own probes. AgentMonitor runs the
/// probe by a schedule and counts its failures.
///
/// Use the object from its own thread. No function may block.
class REKINDLE_LIFECYCLE_EXPORT HealthProbe : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    /// Begins a run; finished() or postponed() ends it, possibly within this call. Not called
    /// during a run. After `timeout`, the caller calls cancel(); the probe needs no timer.
    virtual void start(Duration timeout) = 0;

    /// Ends the current run and everything that it started. finished() must not follow.
    virtual void cancel() = 0;

    /// Discards the results of the previous start of the agent, because its next start begins. Not
    /// called during a run.
    virtual void reset() {}

Q_SIGNALS:
    /// The run succeeded or failed; `text` describes the result. Emit it last, because a slot may
    /// call start() or deleteLater().
    void finished(bool ok, const QString &text);

    /// The run could not be made because this process lacks descriptors or memory. It does not
    /// count. Emit it last.
    void postponed();

    /// The agent cannot work, as it reports itself. It counts as unhealthy at once, without further
    /// probe failures. May be emitted outside a run.
    void reportedUnhealthy(const QString &text);
};

/// A probe with its name and schedule.
struct HealthCheck
{
    QString name{}; ///< in results and messages, for example "http"
    HealthSchedule schedule{};
    std::unique_ptr<HealthProbe> probe{};
};

} // namespace Rekindle
