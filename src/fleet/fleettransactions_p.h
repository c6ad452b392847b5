// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/fleet/fleetrecords.h>
#include <rekindle/fleet/fleetstore.h>

namespace Rekindle {

/// All writes of a node (fleet design 4.1). A session is identified by its key and createRevision.
class FleetTransactions
{
public:
    FleetTransactions(const QString &node, const QString &run);

    [[nodiscard]] FleetTransaction beginSession(const FleetSession &session) const;
    /// Several may be in flight: they change nothing that another one compares.
    [[nodiscard]] FleetTransaction renew(qint64 own, const FleetSession &session) const;
    /// Deletes a session of this node without processes: its own, or that of its previous run.
    [[nodiscard]] FleetTransaction removeOwnRun(qint64 createRevision) const;
    /// Deletes the session of an unknown run with the id of this node, unchanged for D.
    [[nodiscard]] FleetTransaction removeForeignRun(qint64 modRevision) const;

    /// A free or released agent, or one that this session holds without a process.
    [[nodiscard]] FleetTransaction acquire(qint64 own, const QString &agent,
                                           qint64 modRevision) const;
    /// `session` is what was observed unchanged for D.
    [[nodiscard]] FleetTransaction takeOver(qint64 own, const QString &agent, qint64 modRevision,
                                            const FleetRecord &session) const;
    /// `session` is absent (both revisions are 0) or of another run than the holder.
    [[nodiscard]] FleetTransaction takeOverAbsent(qint64 own, const QString &agent,
                                                  qint64 modRevision,
                                                  const FleetRecord &session) const;
    /// The process must be reaped. `next`: the node that contends first.
    [[nodiscard]] FleetTransaction release(qint64 own, const QString &agent, qint64 modRevision,
                                           const QString &next) const;

private:
    [[nodiscard]] FleetTransaction::Comparison ownSession(qint64 createRevision) const;
    [[nodiscard]] FleetTransaction::Write holder(const QString &agent) const;

    FleetOwnership m_self;
    QByteArray m_key;
};

} // namespace Rekindle
