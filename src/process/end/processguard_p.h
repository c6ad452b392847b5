// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "process/guard/guardtable_p.h"
#include "process/io/fdwatcher_p.h"

#include <QByteArray>

#include <mutex>
#include <optional>
#include <vector>

namespace Rekindle {

class GuardSlot;

/// The host's side of the guard process: one per host process, started with the first agent and
/// anew if it dies. Without a guard (it is not installed, or the system has nothing to give)
/// agents still run, and one warning says what is lost. Thread-safe.
class ProcessGuard
{
public:
    static ProcessGuard &instance();

    /// Before each launch; does nothing while the guard lives.
    void ensureRunning();

private:
    friend class GuardSlot;
    class Connection;

    ProcessGuard();
    ~ProcessGuard() = default;

    bool makeTable();
    bool launchGuard();
    void connect();
    void guardEnded();
    void warnOnce(const QString &why);
    std::optional<std::uint32_t> takeSlot();
    void freeSlot(std::uint32_t slot);
    void ring();

    std::mutex m_mutex;
    std::atomic<bool> m_running = false;
    std::atomic<GuardTable *> m_table = nullptr;
    UniqueFd m_tableFd;
    UniqueFd m_socket;
    QByteArray m_run;
    std::vector<std::uint32_t> m_freeSlots;
    int m_revivals = 0;
    bool m_warned = false;
};

/// An agent's place in the guard's table, for one start after the other.
class GuardSlot
{
public:
    GuardSlot() = default;
    ~GuardSlot();
    GuardSlot(GuardSlot &&other) noexcept;
    GuardSlot &operator=(GuardSlot &&other) noexcept;

    /// Opens it for the next start, if the guard has one to give.
    void begin();

    /// "REKINDLE_INSTANCE=..." of this start; empty without a slot.
    [[nodiscard]] const QByteArray &mark() const { return m_mark; }

    /// Where the child notes its group; null without a slot.
    [[nodiscard]] std::atomic<std::int32_t> *group() const;

    /// The start is over and its group is dead: the guard looks for what has left the group.
    void end();

private:
    std::optional<std::uint32_t> m_slot;
    QByteArray m_mark;
};

} // namespace Rekindle
