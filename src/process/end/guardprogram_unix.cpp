// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "guardprogram_p.h"

#include <QFile>

#include <dlfcn.h>
#include <unistd.h>

// Where the package of a static Rekindle is. The package's find_package() adds it to the programs
// that are linked with it; there is none elsewhere. See cmake/guardlocation.cpp.in.
extern "C" __attribute__((weak)) const char rekindleGuardOfThePackage[];

namespace Rekindle {

namespace {

QByteArray folderOf(const QByteArray &path) { return path.left(path.lastIndexOf('/') + 1); }

// Of the shared library that this code is in, or of the program.
QByteArray ownFolder()
{
    Dl_info info{};
    if (::dladdr(reinterpret_cast<const void *>(&ownFolder), &info) == 0 || !info.dli_fname)
        return {};
    // A relative one counts from the working directory at the time it was loaded.
    return info.dli_fname[0] == '/' ? folderOf(info.dli_fname) : QByteArray();
}

} // namespace

QByteArray guardProgram()
{
    if (const QByteArray named = qgetenv("REKINDLE_GUARD"); !named.isEmpty())
        return ::access(named.constData(), X_OK) == 0 ? named : QByteArray();
    const QByteArray program =
        folderOf(QFile::encodeName(QFile::symLinkTarget(QStringLiteral("/proc/self/exe"))));
    QList<QByteArray> paths{program + "../libexec/rekindle/rekindle-guard",
                            program + "rekindle-guard"};
    if (const QByteArray library = ownFolder(); !library.isEmpty())
        paths.append(library + REKINDLE_GUARD_FROM_LIBRARY);
    if (rekindleGuardOfThePackage)
        paths.append(rekindleGuardOfThePackage);
    paths.append(REKINDLE_GUARD_INSTALLED);
    paths.append(REKINDLE_GUARD_BUILT);
    for (const QByteArray &path : paths) {
        if (!path.isEmpty() && ::access(path.constData(), X_OK) == 0)
            return path;
    }
    return {};
}

} // namespace Rekindle
