// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/export.h>
#include <rekindle/policy/healthschedule.h>

#include <QObject>

#include <memory>

namespace Rekindle {

/// One way to find out whether an agent works, asked again and again (spec 6). Hosts may derive
/// their own. It keeps no schedule and counts no misses: AgentMonitor does.
///
/// Use it from the thread it lives in. Nothing in it may block.
class REKINDLE_LIFECYCLE_EXPORT HealthProbe : public QObject
{
    Q_OBJECT

public:
    explicit HealthProbe(QObject *parent = nullptr);
    ~HealthProbe() override;

    /// Asks once; finished() is the answer, perhaps from inside this call. Never called while a
    /// run goes on. After `timeout` nobody waits any more and cancel() is called: a probe that can
    /// be cancelled needs no time of its own.
    virtual void start(Duration timeout) = 0;

    /// Ends the run, if there is one, and all that it has started; it is not answered any more.
    virtual void cancel() = 0;

    /// Another start of the agent begins: what is known of the last one does not count. Called
    /// while no run goes on.
    virtual void reset() {}

Q_SIGNALS:
    /// The answer of this run: good or a miss, and in words. To be emitted last: what is connected
    /// may delete the probe later and start() it again.
    void finished(bool ok, const QString &text);

    /// The question could not be put, for want of descriptors or memory in this process: the run
    /// is over and does not count. To be emitted last.
    void postponed();

    /// The agent itself says that it is beyond help, in or out of a run: no further miss is waited
    /// for.
    void condemned(const QString &text);
};

/// A probe with its schedule, for AgentMonitor::setHealth().
struct HealthCheck
{
    QString name{}; ///< in results and messages: "http"
    HealthSchedule schedule{};
    std::unique_ptr<HealthProbe> probe{};
};

} // namespace Rekindle
