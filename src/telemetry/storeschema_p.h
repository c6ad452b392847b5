// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "storeconnection_p.h"

namespace Rekindle::StoreSchema {

/// Returns the version that this program writes, stored in PRAGMA user_version. A later version
/// adds a step to the list in storeschema.cpp, which converts older stores when they are opened.
[[nodiscard]] int version();

/// Creates the tables in an empty database, converts an older store and checks that all tables
/// exist. Returns Refused if the store is newer or belongs to another program.
[[nodiscard]] StoreFault prepare(StoreConnection &connection);

/// Checks, for readers, that this program can read the store.
[[nodiscard]] StoreFault check(StoreConnection &connection);

/// The end of the audit trail according to the store.
struct TrailHead
{
    qint64 lastRow = 0;
    QByteArray hash{};
    qint64 removedThrough = 0;
};
[[nodiscard]] StoreFault readHead(StoreConnection &connection, TrailHead &head);

} // namespace Rekindle::StoreSchema
