// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QDir>
#include <QFile>
#include <QList>

#include <sys/types.h>
#include <unistd.h>

namespace Rekindle {

/// Returns the fields of /proc/PID/stat after the name: state, parent, ...; empty if there is no
/// such process.
inline QList<QByteArray> statusOf(pid_t process)
{
    QFile file(QStringLiteral("/proc/%1/stat").arg(process));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QByteArray text = file.readAll();
    const qsizetype end = text.lastIndexOf(')');
    return end > 0 ? text.mid(end + 2).split(' ') : QList<QByteArray>();
}

/// Returns whether a process is running; false for a zombie.
inline bool isLiving(pid_t process)
{
    const QByteArray state = statusOf(process).value(0);
    return !state.isEmpty() && state != "Z" && state != "X";
}

/// Returns 0 if the process has exited.
inline pid_t parentOf(pid_t process) { return statusOf(process).value(1).toInt(); }

inline bool isAnyLiving(const QList<pid_t> &processes)
{
    for (const pid_t process : processes) {
        if (isLiving(process))
            return true;
    }
    return false;
}

/// The process that the host of a group has forked into it to forward Ctrl-C; 0 if there is none
/// (yet).
inline pid_t signalRelayIn(pid_t group)
{
    const QStringList names = QDir(QStringLiteral("/proc")).entryList(QDir::Dirs);
    for (const QString &name : names) {
        const pid_t process = name.toInt();
        if (process > 0 && process != group && ::getpgid(process) == group
            && parentOf(process) == parentOf(group))
            return process;
    }
    return 0;
}

/// Returns the numbers in a file, one per complete line.
inline QList<pid_t> numbersIn(const QString &path)
{
    QList<pid_t> numbers;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return numbers;
    const QList<QByteArray> lines = file.readAll().split('\n');
    for (qsizetype i = 0; i + 1 < lines.size(); ++i)
        numbers.push_back(lines[i].toInt());
    return numbers;
}

} // namespace Rekindle
