// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/json/parsed.h>
#include <rekindle/policy/restartpolicy.h>

#include <QString>
#include <QStringList>

namespace Rekindle {

/// Whether the text in place of a policy is a file: it has a '/' or ends in ".json".
[[nodiscard]] bool isPolicyFile(const QString &text);

/// Reads a policy file.
[[nodiscard]] Parsed<RestartPolicy> readPolicyFile(const QString &path);

/// The fault for an unknown policy, with the nearest and all existing names.
[[nodiscard]] QString unknownPolicy(const QString &name, const QStringList &existing);

} // namespace Rekindle
