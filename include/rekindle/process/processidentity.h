// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/process/export.h>

#include <QString>

#include <optional>

namespace Rekindle {

/// The user and the group of a process. With `user`, the process also has the supplementary groups
/// of this user, and HOME, USER, LOGNAME and SHELL of its entry in the user database, unless the
/// environment of the definition changes them. Only root can start a process as another user or
/// group.
struct REKINDLE_PROCESS_EXPORT ProcessIdentity
{
    /// Why a key cannot be used on this machine.
    struct Fault
    {
        QString key; ///< "user" or "group"
        QString message;
    };

    QString user{};  ///< a name, or a number; empty: inherited
    QString group{}; ///< a name, or a number; empty: the primary group of `user`

    [[nodiscard]] bool isEmpty() const { return user.isEmpty() && group.isEmpty(); }

    /// Looks up the names in the databases of this machine, which may block. Thread-safe.
    [[nodiscard]] std::optional<Fault> findFault() const;

    /// Whether this host is root, or user and group are its own. True if one of them does not
    /// exist.
    [[nodiscard]] bool isPermitted() const;

    bool operator==(const ProcessIdentity &) const = default;
};

} // namespace Rekindle
