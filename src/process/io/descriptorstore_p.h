// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "base/uniquefd_p.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <vector>

namespace Rekindle {

/// Descriptors that the processes of one agent have stored for its next start (FDSTORE=1 of
/// sd_notify), for example a listening socket that accepts connections during a restart.
class DescriptorStore
{
public:
    static constexpr std::size_t maxCount = 16;

    /// The name that a descriptor gets: "stored" if this one is empty or invalid. Printable ASCII.
    [[nodiscard]] static QByteArray nameFor(const QByteArray &name);

    /// Stores all or none, with nameFor(name). A file that is stored already is ignored. Unless
    /// `ignoresHangUp`, a descriptor is removed after its peer has closed the connection. Returns
    /// why they were not stored, or an empty text.
    [[nodiscard]] QString add(std::vector<UniqueFd> descriptors, const QByteArray &name,
                              bool ignoresHangUp);

    /// Closes all descriptors with this name.
    void remove(const QByteArray &name);
    void clear() { m_entries.clear(); }

    [[nodiscard]] QStringList names();

    /// What a start passes to its process. Valid until the store changes.
    struct Passed
    {
        std::vector<int> descriptors;
        // "NAME=VALUE"; empty if there are no descriptors.
        QByteArray count;
        QByteArray names;
        QByteArray processId; ///< the child writes its id at this place: processIdText()

        [[nodiscard]] char *processIdText();
    };
    [[nodiscard]] Passed forStart();

private:
    struct Entry
    {
        UniqueFd fd;
        QByteArray name;
        bool ignoresHangUp = false;
    };

    void removeHungUp();

    std::vector<Entry> m_entries; // in the order in which they were stored
};

} // namespace Rekindle
