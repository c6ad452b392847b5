// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "storeconnection_p.h"

namespace Rekindle::StoreSchema {

/// The version that this program writes, kept in PRAGMA user_version. A later one adds a step to
/// the list in storeschema.cpp, which older stores then take when they are opened.
[[nodiscard]] int version();

/// Makes an empty database a store, brings an older one up to date, and looks at whether all is
/// there. Refused: it is newer, or no store of ours.
[[nodiscard]] StoreFault prepare(StoreConnection &connection);

/// For readers: whether it is a store that this program understands.
[[nodiscard]] StoreFault check(StoreConnection &connection);

} // namespace Rekindle::StoreSchema
