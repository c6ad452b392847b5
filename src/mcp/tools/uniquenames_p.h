// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QHash>

#include <optional>
#include <utility>

namespace Rekindle {

/// Unique names for the tools or prompts of several servers. The first server that has an entry
/// keeps its name. For later servers, it becomes SERVER__NAME; if that is too long, its end is
/// replaced by a hash. Until it is removed, a name never means another entry.
class UniqueNames
{
public:
    /// The maximum size of a new name in bytes. Common clients reject longer names of tools.
    static constexpr qsizetype longestName = 64;

    struct Owner
    {
        int server = 0;
        QByteArray key{}; ///< the server's own name for the entry
    };

    /// Assigns a name to an entry, if it has none. Returns the new name. `prefix` is the SERVER in
    /// the name.
    std::optional<QByteArray> add(const Owner &owner, const QByteArray &prefix);

    void remove(const Owner &owner);

    /// Returns the name of an entry that was added.
    [[nodiscard]] QByteArray nameOf(int server, const QByteArray &key) const
    {
        return m_names.value({server, key});
    }

    [[nodiscard]] std::optional<Owner> ownerOf(const QByteArray &name) const;

private:
    QHash<QByteArray, Owner> m_owners; // by name
    QHash<std::pair<int, QByteArray>, QByteArray> m_names;
};

} // namespace Rekindle
