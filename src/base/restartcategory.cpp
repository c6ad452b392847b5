// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "restartcategory_p.h"

namespace Rekindle {

Q_LOGGING_CATEGORY(restartCategory, "rekindle.restart", QtInfoMsg)

} // namespace Rekindle
