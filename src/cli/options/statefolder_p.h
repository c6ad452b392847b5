// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

class QProcessEnvironment;

namespace Rekindle {

/// The folder of default stores, state files, locks and license clocks. See "State folder" in
/// docs/configuration.md for the rule. Empty if there is none.
[[nodiscard]] QString stateFolder();
[[nodiscard]] QString stateFolder(const QProcessEnvironment &environment, bool isRoot);

/// "no state folder; ADVICE, or set HOME or XDG_STATE_HOME to an absolute path".
[[nodiscard]] QString noStateFolderText(const QString &advice = {});

} // namespace Rekindle
