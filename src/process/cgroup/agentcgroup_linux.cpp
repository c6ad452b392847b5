// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "agentcgroup_p.h"

#include "cgrouphierarchy_p.h"
#include "cgroupremover_p.h"
#include "process/io/processlog_p.h"
#include "process/perscheduler_p.h"

#include <QFile>

#include <fcntl.h>

#include <utility>

namespace Rekindle {

namespace {

constexpr char pressureFile[] = "/memory.pressure";

// Once for each fault, not at each start.
void warnOnce(const QString &fault)
{
    static thread_local QStringList warned;
    constexpr qsizetype most = 100;
    if (warned.contains(fault) || warned.size() >= most)
        return;
    warned.append(fault);
    qCWarning(processLog, "limits.cgroup does not apply: %ls", qUtf16Printable(fault));
}

} // namespace

std::unique_ptr<AgentCgroup> AgentCgroup::create(const CgroupLimits &limits, Scheduler &scheduler)
{
    QStringList missing;
    auto created = CgroupHierarchy::instance().create(limits, missing);
    for (const QString &each : std::as_const(missing))
        warnOnce(each);
    if (const auto *fault = std::get_if<QString>(&created)) {
        warnOnce(*fault);
        return nullptr;
    }
    auto group = std::make_unique<AgentCgroup>(std::get<QByteArray>(std::move(created)), scheduler);
    if (group->m_processes.isOpen())
        return group;
    warnOnce(group->pathOf("/cgroup.procs") + QLatin1String(": cannot be opened"));
    return nullptr;
}

AgentCgroup::AgentCgroup(QByteArray folder, Scheduler &scheduler)
    : m_folder(std::move(folder))
    , m_remover(perScheduler<CgroupRemover>(scheduler))
    , m_processes(::open(QByteArray(m_folder + "/cgroup.procs").constData(), O_WRONLY | O_CLOEXEC))
{
}

AgentCgroup::~AgentCgroup()
{
    kill();
    m_remover->remove(m_folder);
}

QByteArray AgentCgroup::pressureWatch() const
{
    const QByteArray file = m_folder + pressureFile;
    return QFile::exists(QFile::decodeName(file)) ? "MEMORY_PRESSURE_WATCH=" + file : QByteArray();
}

// The threshold of systemd: tasks waited for memory for 200 ms within 2 s.
QByteArray AgentCgroup::pressureWrite() const
{
    if (pressureWatch().isEmpty())
        return {};
    const QByteArray threshold("some 200000 2000000", sizeof "some 200000 2000000"); // with its NUL
    return "MEMORY_PRESSURE_WRITE=" + threshold.toBase64();
}

void AgentCgroup::kill() const { (void)writeCgroupFile(m_folder + "/cgroup.kill", "1"); }

std::optional<bool> AgentCgroup::hadOomKill() const
{
    const std::optional<qint64> kills = oomKillsIn(m_folder + "/memory.events");
    return kills ? std::optional(*kills > 0) : std::nullopt;
}

QString AgentCgroup::pathOf(const char *file) const { return QFile::decodeName(m_folder + file); }

} // namespace Rekindle
