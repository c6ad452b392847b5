// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include <optional>
#include <string>

namespace Rekindle {

/// Converts a size of pm2, Compose or systemd to one of a configuration: "300M", also with a small
/// letter or followed by "b", is "300MiB". Returns nothing for other texts and for sizes that a
/// configuration cannot contain.
[[nodiscard]] std::optional<std::string> memorySize(const QString &text);

} // namespace Rekindle
