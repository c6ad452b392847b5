// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "supervisionlog_p.h"

namespace Rekindle {

Q_LOGGING_CATEGORY(supervisionLog, "rekindle.restart", QtInfoMsg)

} // namespace Rekindle
