// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/restartpolicy.h>

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <QStringView>

#include <optional>

namespace Rekindle {

/// The restart policies that come with the library (spec 2), usable by name wherever a policy is.
/// They are files under share/rekindle/policies as well, for reading and copying. Thread-safe.

/// All names, sorted.
[[nodiscard]] REKINDLE_POLICY_EXPORT QStringList presetNames();

/// The preset of that exact name, or nothing.
[[nodiscard]] REKINDLE_POLICY_EXPORT std::optional<RestartPolicy> preset(QStringView name);

/// Its text as it is installed; empty if there is none of that name.
[[nodiscard]] REKINDLE_POLICY_EXPORT QByteArray presetJson(QStringView name);

} // namespace Rekindle
