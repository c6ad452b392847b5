// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QFile>
#include <QList>

#include <sys/types.h>

namespace Rekindle {

/// Whether a process lives; a zombie does not.
inline bool isLiving(pid_t process)
{
    QFile file(QStringLiteral("/proc/%1/stat").arg(process));
    if (!file.open(QIODevice::ReadOnly))
        return false;
    const QByteArray text = file.readAll();
    const qsizetype end = text.lastIndexOf(')');
    return end > 0 && text.size() > end + 2 && text[end + 2] != 'Z' && text[end + 2] != 'X';
}

inline bool isAnyLiving(const QList<pid_t> &processes)
{
    for (const pid_t process : processes) {
        if (isLiving(process))
            return true;
    }
    return false;
}

/// The numbers in a file, one on each line that is finished.
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
