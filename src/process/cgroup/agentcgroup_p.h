// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "base/uniquefd_p.h"

#include <rekindle/lifecycle/scheduler.h>
#include <rekindle/process/cgrouplimits.h>

#include <QByteArray>
#include <QString>

#include <memory>
#include <optional>

namespace Rekindle {

class CgroupRemover;

/// The control group of one start of an agent.
class AgentCgroup
{
public:
    /// Returns null, and logs why, if there can be none. Logs the limits that do not apply.
    [[nodiscard]] static std::unique_ptr<AgentCgroup> create(const CgroupLimits &limits,
                                                             Scheduler &scheduler);

    AgentCgroup(QByteArray folder, Scheduler &scheduler);
    /// Kills all processes in it, and removes it when they have exited.
    ~AgentCgroup();
    Q_DISABLE_COPY_MOVE(AgentCgroup)

    /// A process that writes "0" to this descriptor joins the group.
    [[nodiscard]] int processesFd() const { return m_processes.get(); }
    void closeProcesses() { m_processes.reset(); }

    /// "MEMORY_PRESSURE_WATCH=..." and "MEMORY_PRESSURE_WRITE=..." of
    /// https://systemd.io/MEMORY_PRESSURE; empty if the kernel reports no pressure.
    [[nodiscard]] QByteArray pressureWatch() const;
    [[nodiscard]] QByteArray pressureWrite() const;

    void kill() const;

    /// Whether the kernel has killed a process in it because memory was short; nothing if the
    /// kernel does not count that.
    [[nodiscard]] std::optional<bool> hadOomKill() const;
    /// The file that hadOomKill() reads.
    [[nodiscard]] QString eventsFile() const { return pathOf("/memory.events"); }

private:
    [[nodiscard]] QString pathOf(const char *file) const;

    const QByteArray m_folder;
    std::shared_ptr<CgroupRemover> m_remover;
    UniqueFd m_processes;
};

} // namespace Rekindle
