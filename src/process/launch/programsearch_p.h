// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>

namespace Rekindle {

/// Where a program is, as an absolute path, or the errno that says why not.
struct ProgramSearch
{
    QByteArray path;
    int error = 0;

    /// `program` with a '/' in it counts from the working directory of the host; a bare name is
    /// looked for in `searchPath` ("/bin:/usr/bin" if that is empty), whose relative entries are
    /// passed over. EACCES if all that is found cannot be executed, ENOENT if nothing is.
    [[nodiscard]] static ProgramSearch find(const QByteArray &program,
                                            const QByteArray &searchPath);
};

} // namespace Rekindle
