// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "processlog_p.h"

namespace Rekindle {

Q_LOGGING_CATEGORY(processLog, "rekindle.process", QtInfoMsg)

} // namespace Rekindle
