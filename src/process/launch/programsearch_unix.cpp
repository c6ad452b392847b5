// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "programsearch_p.h"

#include <QDir>
#include <QFile>

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace Rekindle {

namespace {

int whyNotExecutable(const QByteArray &path)
{
    struct stat status{};
    if (::stat(path.constData(), &status) != 0)
        return errno;
    if (!S_ISREG(status.st_mode))
        return EACCES;
    return ::access(path.constData(), X_OK) == 0 ? 0 : errno;
}

} // namespace

ProgramSearch ProgramSearch::find(const QByteArray &program, const QByteArray &searchPath)
{
    if (program.isEmpty())
        return {{}, ENOENT};
    if (program.contains('/')) {
        const QByteArray path = program.startsWith('/')
            ? program
            : QFile::encodeName(QDir::currentPath()) + '/' + program;
        return {path, whyNotExecutable(path)};
    }
    int error = ENOENT;
    const QByteArray folders =
        searchPath.isEmpty() ? QByteArrayLiteral("/bin:/usr/bin") : searchPath;
    for (const QByteArray &folder : folders.split(':')) {
        if (!folder.startsWith('/'))
            continue;
        const QByteArray path = folder + '/' + program;
        const int found = whyNotExecutable(path);
        if (found == 0)
            return {path, 0};
        if (found == EACCES)
            error = EACCES;
    }
    return {{}, error};
}

} // namespace Rekindle
