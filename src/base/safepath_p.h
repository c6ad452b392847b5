// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "base/uniquefd_p.h"

#include <QByteArray>
#include <QString>

namespace Rekindle {

/// Opens files in folders that other users can change, for example the folder of an agent whose
/// host runs as root. A symbolic link is followed only if no other user can replace it: only this
/// user and root can write to its folder and to all folders on the way to it, or the folder is
/// sticky and the link belongs to one of them. Otherwise, the error is ELOOP.
/// After more than 40 links, it is EMLINK.
class SafePath
{
public:
    /// `path` may be relative to the working directory.
    explicit SafePath(const QString &path);

    /// Opens the file as open(2) does, with O_CLOEXEC. If that fails, the descriptor is closed, and
    /// errno is set.
    [[nodiscard]] UniqueFd open(int flags, unsigned mode = 0) const;

    /// Opens the folder of the file, for functions such as renameat().
    [[nodiscard]] UniqueFd openFolder() const;

    /// Returns the name of the file in openFolder().
    [[nodiscard]] QByteArray name() const { return m_path.mid(m_path.lastIndexOf('/') + 1); }

    /// Describes an errno value of open().
    [[nodiscard]] static QString errorText(int error);

private:
    QByteArray m_path;
};

} // namespace Rekindle
