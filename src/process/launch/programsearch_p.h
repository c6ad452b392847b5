// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>

namespace Rekindle {

/// The absolute path of a program, or the errno that is the reason why there is none.
struct ProgramSearch
{
    QByteArray path;
    int error = 0;

    /// A program with a '/' is relative to the working directory of the host. Any other is looked
    /// up in the absolute entries of `searchPath`, by default "/bin:/usr/bin". EACCES: found, but
    /// not executable; ENOENT: not found.
    [[nodiscard]] static ProgramSearch find(const QByteArray &program,
                                            const QByteArray &searchPath);
};

} // namespace Rekindle
