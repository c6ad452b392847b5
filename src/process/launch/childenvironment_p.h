// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QMap>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace Rekindle {

/// The environment of a child: the host's at the time of construction, with changes. Agents without
/// changes share one copy. Variables that are meant for the host only are removed: for systemd's
/// notifications, watchdog, sockets, journal and memory pressure, and the mark of the
/// host. Variables that differ between starts are added later.
class ChildEnvironment
{
public:
    using Changes = QMap<QString, std::optional<QString>>;

    explicit ChildEnvironment(const Changes &changes);

    /// "NAME=VALUE" each.
    [[nodiscard]] const std::vector<char *> &entries() const;

    /// Empty if it is not set.
    [[nodiscard]] QByteArray value(const QByteArray &name) const;

    /// Returns the first name that is invalid (empty, or with '=' or a NUL) or whose value has a
    /// NUL.
    [[nodiscard]] static std::optional<QString> firstFault(const Changes &changes);

private:
    struct Snapshot;

    static std::shared_ptr<const Snapshot> snapshot();

    std::shared_ptr<const Snapshot> m_host;
    std::vector<QByteArray> m_changes;
    std::vector<char *> m_entries; // empty: the host's as they are
};

} // namespace Rekindle
