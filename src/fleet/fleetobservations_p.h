// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/fleet/fleetstore.h>
#include <rekindle/lifecycle/scheduler.h>

#include <map>

namespace Rekindle {

/// The sessions of all nodes as this node has observed them, on its own clock.
class FleetObservations
{
public:
    struct Session
    {
        Session(Scheduler &scheduler, Deadline::Callback callback)
            : unchanged(scheduler, std::move(callback))
        {
        }

        FleetRecord record;  ///< both revisions are 0: absent
        FleetRecord renewal; ///< the last that was read; without revisions if none was
        QString run;         ///< empty if the record is malformed
        Duration duration{}; ///< D of that node
        bool draining = false;
        Instant since{};    ///< when this value or renewal, or its absence, was first observed
        qint64 knownAt = 0; ///< a revision of the store with this value
        Deadline unchanged;

        [[nodiscard]] bool exists() const { return record.createRevision != 0; }
        /// A malformed session may be of any run: its host can still renew it.
        [[nodiscard]] bool isOf(const QString &otherRun) const
        {
            return exists() && (run == otherRun || run.isEmpty());
        }
    };

    using Callback = std::function<void(const QString &node)>;

    /// `replaced` is called if a session was begun or deleted, `observed` if one was observed for
    /// D.
    FleetObservations(Scheduler &scheduler, Duration duration, Callback replaced,
                      Callback observed);

    /// A record of the store, of a read or a watch up to this revision. It is ignored if newer ones
    /// are known.
    void set(const FleetRecord &record, qint64 revision);

    /// The last renewal of a session, as read. Older ones are ignored.
    void setRenewal(const FleetRecord &record);

    /// A session that was never found is absent.
    [[nodiscard]] Session &of(const QString &node);
    [[nodiscard]] bool isUnchanged(const Session &session) const;
    [[nodiscard]] bool hasSession(const QString &node) const;
    /// Also absent sessions.
    [[nodiscard]] const std::map<QString, Session> &all() const { return m_sessions; }

private:
    void changed(Session &session);
    void checkUnchanged(const QString &node);

    Scheduler &m_scheduler;
    Duration m_duration;
    Callback m_replaced;
    Callback m_observed;
    std::map<QString, Session> m_sessions;
};

} // namespace Rekindle
