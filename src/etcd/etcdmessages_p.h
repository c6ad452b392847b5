// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/fleet/fleetstore.h>

#include <QJsonObject>

namespace Rekindle {

/// The messages of etcd's JSON gateway: keys and values are base64, 64-bit integers are strings.
/// `prefix` is that of the store; it is added to keys and removed from them.
namespace EtcdMessages {

[[nodiscard]] QByteArray credentials(const QString &user, const QString &password);
[[nodiscard]] QByteArray range(const QByteArray &keyPrefix);
[[nodiscard]] QByteArray transaction(const FleetTransaction &transaction, const QByteArray &prefix);
[[nodiscard]] QByteArray watch(const QByteArray &keyPrefix, qint64 startRevision);

/// The text of an error, also of a stream; empty if there is none.
[[nodiscard]] QString errorOf(const QJsonObject &answer);
/// etcd has not done what was requested, because a new token is needed.
[[nodiscard]] bool needsToken(const QString &error);

[[nodiscard]] FleetReadResult readResult(const QJsonObject &answer, const QByteArray &prefix);
[[nodiscard]] FleetCommitResult commitResult(const QJsonObject &answer,
                                             const FleetTransaction &transaction);

/// A message of a watch.
struct WatchMessage
{
    enum class Kind { Created, Changes, Compacted, Canceled, Invalid };

    Kind kind = Kind::Invalid;
    /// Of the store.
    qint64 revision = 0;
    /// One for each revision.
    std::vector<FleetWatchEvent> changes{};
    QString error{};
};

[[nodiscard]] WatchMessage watchMessage(const QByteArray &line, const QByteArray &prefix);

} // namespace EtcdMessages

} // namespace Rekindle
