// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "json/jsonplace.h"

#include <optional>

namespace Rekindle {

/// Reads a size from 4 KiB to 1 TiB: a number of bytes, or a text such as "10MB". Reports a fault
/// and returns nothing for anything else.
[[nodiscard]] std::optional<qint64> readByteSize(const JsonPlace &place);

} // namespace Rekindle
