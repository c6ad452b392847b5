// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

class QProcessEnvironment;

namespace Rekindle {

/// The folder of default stores, state files, locks and license clocks:
/// $XDG_STATE_HOME/rekindle, or ~/.local/state/rekindle. If neither XDG_STATE_HOME nor HOME can be
/// used, it is /var/lib/rekindle for root and an empty text for other users.
[[nodiscard]] QString stateFolder();
[[nodiscard]] QString stateFolder(const QProcessEnvironment &environment, bool isRoot);

/// "no default folder; ...", without a period.
[[nodiscard]] QString noStateFolderText();

} // namespace Rekindle
