// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "testrow.h"

#include <rekindle/policy/instancememory.h>
#include <rekindle/policy/instancetable.h>

#include <QString>
#include <QStringList>

namespace Rekindle {

/// Plays a script of inputs against the instance table and logs the results.
///
/// The policy is a list such as "maxRetries=3 breaker=3/10s stable=0s": the keys of a policy, some
/// of them shortened. It has the default values, but no jitter.
///
/// A script consists of words. "+5s" advances the time; deadlines fire when they are due. A
/// requested launch happens at once, or after "late" at the word "launch" until "prompt".
///   operator:   start stop restart reset isolate release policy:TEXT gate:TEXT (commas)
///   agent:      started ready fail[:Reason|:CODE] permanent unhealthy exit0 exit42 request exited
///   evaluator:  accept refuse trip delay:5s
///   host:       shutdown (stops the agent)
///               killed (killed and restarted) killed:TEXT (with another policy)
///               resume (without a stored state)
///               hold:NAMES lift:NAMES groupstop:NAMES (commas)
///   monitor:    miss (a probe fails now)
///   others:     deadline launch draw:0.9 stale:WORD (a report of the previous generation)
/// The log contains events, actions (in capitals), and the time if it has changed ("1s").
class InstanceScript
{
public:
    /// The columns of a table of scripts, and the check of the current row.
    static Rows<QString, QString, QString, QString> addColumns();
    static void checkRow();

    explicit InstanceScript(const QString &policy);

    void play(const QString &script);

    [[nodiscard]] QString log() const { return m_log.join(u' '); }

    /// "Waiting #2 in 4s due held:group": state, attempts made, time to the deadline, "due" if a
    /// planned start waits for the old process, a hold or the supervisor, and the holds.
    [[nodiscard]] QString state() const;

    /// The stored state at this time.
    [[nodiscard]] InstanceMemory memory() const;
    /// Kills the host and restarts it with all stored times later by this.
    void restartHostLater(Duration later);

private:
    void word(const QString &text);
    void restartHost(const QString &policy, const InstanceMemory &memory);
    void apply(InstanceInput input);
    void advance(Duration time);
    void write(const QString &entry);
    void writeEvent(const InstanceEvent &event);
    [[nodiscard]] InstanceInput inputOf(const QString &name, const QString &argument);

    QString m_policy;
    Instance m_instance;
    Failure m_failure; ///< of the latest input
    Instant m_now{std::chrono::hours(1)};
    Instant m_written = m_now;
    std::optional<Instant> m_missAt;
    QStringList m_log;
    double m_draw = 0.5;
    bool m_late = false;
    bool m_wrong = false; ///< the next report is of the previous generation
};

} // namespace Rekindle
