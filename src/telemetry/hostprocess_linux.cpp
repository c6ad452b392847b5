// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "hostprocess_p.h"

#include <QCoreApplication>
#include <QFile>
#include <QSysInfo>

#include <csignal>

#include <cerrno>

namespace Rekindle {

namespace {

QString ownBoot()
{
    static const QString boot = QString::fromLatin1(QSysInfo::bootUniqueId());
    return boot;
}

QString ownPidNamespace()
{
    static const QString name =
        QFile::symLinkTarget(QStringLiteral("/proc/self/ns/pid")).section(QLatin1Char('/'), -1);
    return name;
}

} // namespace

HostProcess HostProcess::own()
{
    const qint64 id = QCoreApplication::applicationPid();
    const ProcessStat stat = ProcessStat::of(static_cast<pid_t>(id)).value_or(ProcessStat());
    return {id, ownBoot(), ownPidNamespace(), stat.startTicks};
}

std::optional<bool> HostProcess::isAlive() const
{
    if (processId <= 0)
        return {};
    if (!boot.isEmpty() && boot != ownBoot())
        return false;
    if (!pidNamespace.isEmpty() && pidNamespace != ownPidNamespace())
        return {};
    if (::kill(static_cast<pid_t>(processId), 0) != 0 && errno == ESRCH)
        return false;
    return isAliveBy(ProcessStat::of(static_cast<pid_t>(processId)));
}

std::optional<bool> HostProcess::isAliveBy(const std::optional<ProcessStat> &stat) const
{
    if (!stat)
        return {}; // just exited, or /proc hides the processes of other users
    return !stat->hasExited() && (startTicks == 0 || stat->startTicks == startTicks);
}

} // namespace Rekindle
