// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#include <rekindle/fleet/fleetplacement.h>

#include <QCryptographicHash>

#include <algorithm>
#include <tuple>

namespace Rekindle {

namespace {

// Smaller is better. The hash is the same in every version and on every machine; qHash() is not.
std::tuple<qsizetype, QByteArray, QString> rankKey(const QString &node, const QString &agent,
                                                   const QStringList &prefer)
{
    const qsizetype place = prefer.indexOf(node);
    if (place >= 0)
        return {place, {}, node};
    return {
        prefer.size(),
        QCryptographicHash::hash((node + QChar::Null + agent).toUtf8(), QCryptographicHash::Sha1),
        node};
}

} // namespace

int fleetRank(const QString &node, const QString &agent, const QStringList &prefer,
              const QStringList &nodes)
{
    const auto own = rankKey(node, agent, prefer);
    return static_cast<int>(std::count_if(nodes.begin(), nodes.end(), [&](const QString &each) {
        return rankKey(each, agent, prefer) < own;
    }));
}

} // namespace Rekindle
