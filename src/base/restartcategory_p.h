// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QLoggingCategory>

namespace Rekindle {

/// "rekindle.restart": failures, restarts and breakers of agents, and misuse of their supervisor.
Q_DECLARE_LOGGING_CATEGORY(restartCategory)

} // namespace Rekindle
