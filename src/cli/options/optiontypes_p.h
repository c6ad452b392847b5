// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/timepoint.h>

#include <QString>

#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace Rekindle {

/// Adds an option that takes a duration, such as "500ms".
void addDuration(CLI::App &parser, const std::string &name, std::optional<Duration> &target,
                 const std::string &description);

/// The same for a duration of more than 0.
void addTimeLimit(CLI::App &parser, const std::string &name, std::optional<Duration> &target,
                  const std::string &description);

/// Adds an option that takes a text, which must not be empty.
void addText(CLI::App &parser, const std::string &name, QString &target,
             const std::string &description, const std::string &typeName);

} // namespace Rekindle
