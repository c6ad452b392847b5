// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#include <rekindle/fleet/fleetplacement.h>

#include <QCryptographicHash>

#include <algorithm>
#include <utility>

namespace Rekindle {

int fleetRank(const QString &node, const QString &agent, const QStringList &prefer,
              const QStringList &nodes)
{
    // Smaller is better. The hash is the same in every version and on every machine; qHash() is
    // not.
    const auto key = [&](const QString &each) {
        const qsizetype place = prefer.indexOf(each);
        return std::pair(place < 0 ? prefer.size() : place,
                         QCryptographicHash::hash((each + QChar::Null + agent).toUtf8(),
                                                  QCryptographicHash::Sha1));
    };
    return static_cast<int>(std::ranges::count_if(
        nodes, [&, own = key(node)](const QString &each) { return key(each) < own; }));
}

} // namespace Rekindle
