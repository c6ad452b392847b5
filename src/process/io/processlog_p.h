// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QLoggingCategory>

namespace Rekindle {

/// "rekindle.process"
Q_DECLARE_LOGGING_CATEGORY(processLog)

} // namespace Rekindle
