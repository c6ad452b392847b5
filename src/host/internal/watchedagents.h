// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "filewatch.h"

#include <QMap>

#include <functional>
#include <map>
#include <memory>

namespace Rekindle {

/// Restarts agents when their files change. A restart beyond the limit is repeated every 10 s.
class REKINDLE_HOST_EXPORT WatchedAgents : public QObject
{
    Q_OBJECT

public:
    /// Restarts an agent. Returns false if the agent must not be restarted so often. It must not
    /// call watch().
    using Restart = std::function<bool(const QString &agent, const QString &reason)>;

    WatchedAgents(Scheduler &scheduler, Restart restart);

    /// Watches the files that match the globs of each agent, instead of earlier ones. Changes of
    /// `ignored` files never count.
    void watch(const QMap<QString, QStringList> &globs, const QStringList &ignored);

    [[nodiscard]] bool contains(const QString &agent) const { return m_globs.contains(agent); }

Q_SIGNALS:
    /// A folder cannot be watched. Each problem is reported once.
    void faulted(const QString &text);

    /// A restart is repeated later. Reported once for each reason.
    void delayed(const QString &text);

private:
    struct Delayed
    {
        Delayed(Scheduler &scheduler, const std::function<void()> &restart)
            : again(scheduler, restart)
        {
        }
        Deadline again;
        QString reason{}; ///< empty if none is delayed
    };

    [[nodiscard]] std::unique_ptr<FileWatch> begin(const QStringList &globs,
                                                   const QStringList &ignored);
    void report(const QString &fault);
    void restart(const QString &agent, const QString &reason);

    Scheduler &m_scheduler;
    Restart m_restart;
    QMap<QString, QStringList> m_globs; ///< by agent
    /// Agents with the same globs share a watch, because a user can have only 128 by default.
    std::map<QStringList, std::unique_ptr<FileWatch>> m_watches;
    std::map<QString, Delayed> m_delayed;
    QSet<QString> m_reported;
};

} // namespace Rekindle
