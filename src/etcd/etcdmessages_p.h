// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/fleet/fleetstore.h>

#include <QJsonObject>

/// The messages of etcd's JSON gateway: keys and values are base64, 64-bit integers are strings.
/// `prefix` is that of the store; it is added to keys and removed from them.
namespace Rekindle::EtcdMessages {

[[nodiscard]] QByteArray credentials(const QString &user, const QString &password);
[[nodiscard]] QByteArray range(const QByteArray &keyPrefix);
[[nodiscard]] QByteArray transaction(const FleetTransaction &transaction, const QByteArray &prefix);
[[nodiscard]] QByteArray watch(const QByteArray &keyPrefix, qint64 startRevision);

/// The text of an error, also of a stream; empty if there is none.
[[nodiscard]] QString errorOf(const QJsonObject &answer);
/// The request had no effect, because its token is missing or invalid.
[[nodiscard]] bool isTokenInvalid(const QString &error);

[[nodiscard]] FleetReadResult readResult(const QJsonObject &answer, const QByteArray &prefix);
[[nodiscard]] FleetCommitResult commitResult(const QJsonObject &answer,
                                             const FleetTransaction &transaction);

/// A message of a watch. If it has an error or is `isCompacted`, it is the last one.
struct WatchMessage
{
    qint64 revision = 0;                    ///< of the store
    std::vector<FleetWatchEvent> changes{}; ///< one for each revision
    bool isCompacted = false;
    QString error{};
};

[[nodiscard]] WatchMessage watchMessage(const QJsonObject &message, const QByteArray &prefix);

} // namespace Rekindle::EtcdMessages
