// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "storeconnection_p.h"

namespace Rekindle::StoreSchema {

/// Creates the tables in an empty database, converts an older store and checks that all tables
/// exist. Throws Refused if the store is newer or belongs to another program.
void prepare(StoreConnection &connection);

/// Checks, for readers, that this program can read the store. Waits up to a second while the file
/// is empty, because a host may be creating the tables.
void check(StoreConnection &connection);

/// The end of the audit trail according to the store.
struct TrailHead
{
    qint64 lastRow = 0;
    QByteArray hash{};
    qint64 removedThrough = 0;
};
[[nodiscard]] TrailHead readHead(StoreConnection &connection);

} // namespace Rekindle::StoreSchema
