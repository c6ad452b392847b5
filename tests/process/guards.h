// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "processes.h"

namespace Rekindle {

/// Returns the running guards of a host. Children of the host only start the guard, which is not a
/// child.
inline QList<pid_t> guardsOf(qint64 host)
{
    QList<pid_t> all;
    const QStringList numbers =
        QDir(QStringLiteral("/proc")).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    for (const QString &number : numbers) {
        QFile file(QStringLiteral("/proc/%1/cmdline").arg(number));
        if (number.toInt() == 0 || !file.open(QIODevice::ReadOnly))
            continue;
        const QList<QByteArray> words = file.readAll().split('\0');
        if (words.first().endsWith("rekindle-guard") && words.value(1) == QByteArray::number(host))
            all.push_back(number.toInt());
    }
    QList<pid_t> guards;
    for (const pid_t each : all) {
        const pid_t parent = parentOf(each);
        if (parent != 0 && parent != host && !all.contains(parent))
            guards.push_back(each);
    }
    return guards;
}

} // namespace Rekindle
