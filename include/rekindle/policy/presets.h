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

/// The restart policies of the library. A name can be used wherever a policy can. They are also
/// installed as files in share/rekindle/policies. Thread-safe.

/// All names, sorted.
[[nodiscard]] REKINDLE_POLICY_EXPORT QStringList presetNames();

/// The preset with exactly this name, if there is one.
[[nodiscard]] REKINDLE_POLICY_EXPORT std::optional<RestartPolicy> preset(QStringView name);

/// Its text as it is installed; empty if there is no such preset.
[[nodiscard]] REKINDLE_POLICY_EXPORT QByteArray presetJson(QStringView name);

} // namespace Rekindle
