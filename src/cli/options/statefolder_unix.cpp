// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "statefolder_p.h"

#include <QDir>
#include <QProcessEnvironment>

#include <unistd.h>

namespace Rekindle {

QString stateFolder()
{
    return stateFolder(QProcessEnvironment::systemEnvironment(), ::geteuid() == 0);
}

QString stateFolder(const QProcessEnvironment &environment, bool isRoot)
{
    const QString state = environment.value(QStringLiteral("XDG_STATE_HOME"));
    if (QDir::isAbsolutePath(state)) // the XDG specification says to ignore relative paths
        return state + QLatin1String("/rekindle");
    const QString home = QDir::cleanPath(environment.value(QStringLiteral("HOME")));
    if (QDir::isAbsolutePath(home) && !QDir(home).isRoot()) // services often have / as their home
        return home + QLatin1String("/.local/state/rekindle");
    return isRoot ? QStringLiteral("/var/lib/rekindle") : QString();
}

QString noStateFolderText(const QString &advice)
{
    return QLatin1String("no state folder; ")
        + (advice.isEmpty() ? advice : advice + QLatin1String(", or "))
        + QLatin1String("set HOME or XDG_STATE_HOME to an absolute path");
}

} // namespace Rekindle
