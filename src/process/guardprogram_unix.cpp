// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "guardprogram_p.h"

#include <QFile>
#include <QFileInfo>

#include <unistd.h>

namespace Rekindle {

QByteArray guardProgram()
{
    if (const QByteArray named = qgetenv("REKINDLE_GUARD"); !named.isEmpty())
        return ::access(named.constData(), X_OK) == 0 ? named : QByteArray();
    const QByteArray own =
        QFile::encodeName(QFile::symLinkTarget(QStringLiteral("/proc/self/exe")));
    const QByteArray folder = own.left(own.lastIndexOf('/') + 1);
    for (const QByteArray &path :
         {QByteArray(folder + "../libexec/rekindle/rekindle-guard"),
          QByteArray(folder + "rekindle-guard"), QByteArrayLiteral(REKINDLE_GUARD_INSTALLED),
          QByteArrayLiteral(REKINDLE_GUARD_BUILT)}) {
        if (!path.isEmpty() && ::access(path.constData(), X_OK) == 0)
            return path;
    }
    return {};
}

} // namespace Rekindle
