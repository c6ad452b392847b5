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

QByteArray statOf(qint64 processId)
{
    QFile file(QStringLiteral("/proc/%1/stat").arg(processId));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// Returns the fields from the third one. The second one, the name, may contain spaces and brackets.
QList<QByteArray> fieldsOf(const QByteArray &stat)
{
    return stat.mid(stat.lastIndexOf(')') + 2).split(' ');
}
constexpr int stateField = 0;
constexpr int startField = 19;

} // namespace

HostProcess HostProcess::own()
{
    const qint64 id = QCoreApplication::applicationPid();
    return {id, ownBoot(), ownPidNamespace(), fieldsOf(statOf(id)).value(startField).toLongLong()};
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
    return isAliveBy(statOf(processId));
}

std::optional<bool> HostProcess::isAliveBy(const QByteArray &stat) const
{
    const QList<QByteArray> fields = fieldsOf(stat);
    if (fields.size() <= startField)
        return {}; // just exited, or /proc hides the processes of other users
    const qint64 ticks = fields[startField].toLongLong();
    const bool isZombie = fields[stateField] == "Z";
    return !isZombie && (startTicks == 0 || ticks == startTicks);
}

} // namespace Rekindle
