// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "process/guard/guardtable_p.h"
#include "process/io/fdwatcher_p.h"

#include <QByteArray>

#include <memory>
#include <mutex>
#include <vector>

namespace Rekindle {

/// Finds rekindle-guard. If $REKINDLE_GUARD is set, only that is used. Otherwise the order is:
/// ../libexec/rekindle/VERSION/ relative to the folder of the running program, that folder,
/// relative to the shared library with this code, the package that the program was built with
/// (CMake or pkg-config), the install prefix of this library. Returns an empty path if it is not
/// found.
[[nodiscard]] QByteArray guardProgram();

class GuardSlot;

/// Runs the guard process of the host. There is one, which starts with the first agent and is
/// restarted if it exits. If it cannot be started, agents still run, and one warning is logged.
/// Thread-safe.
class ProcessGuard
{
public:
    static ProcessGuard &instance();

    /// To be called before each launch. Does nothing while the guard runs.
    void ensureRunning();

    /// Sets GuardTable::killTime. Returns false if there is no memory for the table.
    bool setKillTime(std::int64_t time);

    /// For GuardLock. The guards that are started from now on have the descriptor, too.
    void setLockFile(UniqueFd file);
    bool acquireLock();

private:
    friend class GuardSlot;
    class Connection;

    ProcessGuard();
    ~ProcessGuard() = default;

    bool makeTable();
    bool launchGuard();
    void connect();
    void guardExited();
    void warnOnce(const QString &why);
    GuardTable::Slot *takeSlot();
    void freeSlot(GuardTable::Slot *slot);
    void notify();
    void wake();

    std::mutex m_mutex;
    std::atomic<bool> m_running = false;
    std::atomic<GuardTable *> m_table = nullptr;
    UniqueFd m_tableFd;
    UniqueFd m_socket;
    UniqueFd m_lockFile;
    QByteArray m_run;
    std::vector<GuardTable::Slot *> m_freeSlots;
    int m_revivals = 0;
    bool m_warned = false;
};

/// The slot of an agent in the table of the guard, for all of its starts.
class GuardSlot
{
public:
    /// Whether the kill time applies to the next starts.
    void setBound(bool bound) { m_isBound = bound; }

    /// Prepares the next start. Takes a slot if there is a free one. Returns false if the start is
    /// bound to the kill time, but no guard would enforce it.
    [[nodiscard]] bool begin();

    /// "REKINDLE_INSTANCE=..." for this start; empty without a slot.
    [[nodiscard]] const QByteArray &mark() const { return m_mark; }

    /// Where the child writes its group; null without a slot.
    [[nodiscard]] std::atomic<std::int32_t> *group() const;

    /// The kill time that applies to this start; may be null.
    [[nodiscard]] const std::atomic<std::int64_t> *killTime() const;

    /// Whether this start is bound and the kill time has passed.
    [[nodiscard]] bool isKillTimePassed() const;

    /// The start has ended and its group is empty. The guard kills processes that have left the
    /// group.
    void end();

private:
    struct Release
    {
        void operator()(GuardTable::Slot *slot) const { release(slot); }
    };
    static void release(GuardTable::Slot *slot);

    std::unique_ptr<GuardTable::Slot, Release> m_slot;
    QByteArray m_mark;
    bool m_isBound = false;
};

} // namespace Rekindle
