// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/parsed.h>
#include <rekindle/policy/restartpolicy.h>

#include <QString>
#include <QStringList>

namespace Rekindle {

/// Whether the text where a policy is wanted means a file: it has a '/' or ends in ".json".
[[nodiscard]] bool isPolicyFile(const QString &text);

/// Reads the policy that a file consists of.
[[nodiscard]] Parsed<RestartPolicy> readPolicyFile(const QString &path);

/// The fault of a name that no policy has: what was likely meant, and what there is.
[[nodiscard]] QString unknownPolicy(const QString &name, const QStringList &existing);

} // namespace Rekindle
