// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "oomkills_p.h"

#include "process/cgroup/cgrouphierarchy_p.h"

#include <QFile>

namespace Rekindle {

OomKills::OomKills()
    : m_file(counterFile(readCgroupFile("/proc/self/cgroup"), "/sys/fs/cgroup"))
    , m_taken(m_file.isEmpty() ? 0 : oomKillsIn(m_file).value_or(0))
{
}

OomKills &OomKills::instance()
{
    static OomKills one;
    return one;
}

// cgroups(7): lines "0::PATH" for version 2 and "ID:CONTROLLERS:PATH" for version 1. In a
// container, PATH may be the path on the host, and the cgroup of the container is the root.
QByteArray OomKills::counterFile(const QByteArray &cgroups, const QByteArray &root)
{
    for (const QByteArray &line : cgroups.split('\n')) {
        const QList<QByteArray> fields = line.split(':');
        if (fields.size() < 3)
            continue;
        const QByteArray path = line.mid(fields[0].size() + fields[1].size() + 2);
        const bool isFirstVersion = fields[1].split(',').contains("memory");
        if (!isFirstVersion && !fields[1].isEmpty())
            continue;
        const QByteArray top = isFirstVersion ? root + "/memory" : root;
        const QByteArray name = isFirstVersion ? "/memory.oom_control" : "/memory.events";
        for (const QByteArray &folder : {QByteArray(top + path), top}) {
            if (QFile::exists(QFile::decodeName(folder + name)))
                return folder + name;
        }
    }
    return {};
}

std::optional<QString> OomKills::take()
{
    const std::lock_guard lock(m_mutex);
    if (m_file.isEmpty() || oomKillsIn(m_file).value_or(0) <= m_taken)
        return {};
    ++m_taken;
    return QFile::decodeName(m_file);
}

} // namespace Rekindle
