// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "processguard_p.h"

#include <QFile>

#include <dlfcn.h>
#include <unistd.h>

// The location of an installed static package. find_package() adds it to programs that link the
// package (cmake/guardlocation.cpp.in).
extern "C" __attribute__((weak)) const char rekindleGuardOfThePackage[];

namespace Rekindle {

// The path of a public header in programs that use rekindle-process.pc of a static package
// (processdefinition.h).
extern __attribute__((weak)) const char *const processHeader;

namespace {

QByteArray folderOf(const QByteArray &path) { return path.left(path.lastIndexOf('/') + 1); }

// The folder of the shared library with this code, or of the program.
QByteArray ownFolder()
{
    Dl_info info{};
    if (::dladdr(reinterpret_cast<const void *>(&ownFolder), &info) == 0 || !info.dli_fname)
        return {};
    // A relative path is relative to the working directory at load time, which is unknown.
    return info.dli_fname[0] == '/' ? folderOf(info.dli_fname) : QByteArray();
}

} // namespace

QByteArray guardProgram()
{
    if (const QByteArray named = qgetenv("REKINDLE_GUARD"); !named.isEmpty())
        return ::access(named.constData(), X_OK) == 0 ? named : QByteArray();
    const QByteArray program =
        folderOf(QFile::encodeName(QFile::symLinkTarget(QStringLiteral("/proc/self/exe"))));
    QList<QByteArray> paths{program + REKINDLE_GUARD_FROM_PROGRAM, program + "rekindle-guard"};
    if (const QByteArray library = ownFolder(); !library.isEmpty())
        paths.append(library + REKINDLE_GUARD_FROM_LIBRARY);
    if (rekindleGuardOfThePackage)
        paths.append(rekindleGuardOfThePackage);
    if (&processHeader)
        paths.append(folderOf(processHeader) + REKINDLE_GUARD_FROM_HEADER);
    paths.append(REKINDLE_GUARD_INSTALLED);
    paths.append(REKINDLE_GUARD_BUILT);
    for (const QByteArray &path : paths) {
        if (!path.isEmpty() && ::access(path.constData(), X_OK) == 0)
            return path;
    }
    return {};
}

} // namespace Rekindle
