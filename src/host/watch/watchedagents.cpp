// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "host/internal/watchedagents.h"

#include <utility>

namespace Rekindle {

namespace {

using namespace std::chrono_literals;

constexpr Duration retryInterval = 10s;

} // namespace

WatchedAgents::WatchedAgents(Scheduler &scheduler, Restart restart)
    : m_scheduler(scheduler)
    , m_restart(std::move(restart))
{
}

void WatchedAgents::watch(const QMap<QString, QStringList> &globs, const QStringList &ignored)
{
    m_globs = globs;
    std::erase_if(m_delayed, [this](const auto &each) { return !contains(each.first); });
    // A watch that stays reports changes that it has not reported yet.
    auto before = std::exchange(m_watches, {});
    for (const QStringList &each : globs) {
        std::unique_ptr<FileWatch> &watch = m_watches[each];
        if (!watch)
            watch = std::move(before[each]);
        if (watch)
            watch->setIgnored(ignored);
        else
            watch = begin(each, ignored);
    }
}

std::unique_ptr<FileWatch> WatchedAgents::begin(const QStringList &globs,
                                                const QStringList &ignored)
{
    auto watch = std::make_unique<FileWatch>(m_scheduler);
    connect(watch.get(), &FileWatch::faulted, this, &WatchedAgents::report);
    connect(watch.get(), &FileWatch::changed, this, [this, globs](const QStringList &files) {
        for (const QString &agent : m_globs.keys(globs))
            restart(agent, changeText(files));
    });
    watch->setIgnored(ignored);
    for (const QString &glob : globs)
        watch->add(glob);
    watch->begin();
    return watch;
}

// Several watches may have the same problem.
void WatchedAgents::report(const QString &fault)
{
    if (m_reported.contains(fault))
        return;
    m_reported.insert(fault);
    Q_EMIT faulted(fault);
}

void WatchedAgents::restart(const QString &agent, const QString &reason)
{
    const bool isDone = m_restart(agent, reason);
    auto entry = m_delayed.find(agent);
    if (isDone) {
        if (entry != m_delayed.end()) {
            entry->second.again.disarm();
            entry->second.reason.clear();
        }
        return;
    }
    if (entry == m_delayed.end()) {
        const auto again = [this, agent] { restart(agent, QString(m_delayed.at(agent).reason)); };
        entry = m_delayed.try_emplace(agent, m_scheduler, again).first;
    }
    entry->second.again.armIn(retryInterval);
    if (std::exchange(entry->second.reason, reason) != reason)
        Q_EMIT delayed(QStringLiteral("%1: %2; restart delayed: too many restarts were requested")
                           .arg(agent, reason));
}

} // namespace Rekindle
