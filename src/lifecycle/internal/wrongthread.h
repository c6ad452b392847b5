// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/json/fault.h>

namespace Rekindle {

/// The result of a function that isInOwnThread() refuses.
[[nodiscard]] inline QList<Fault> calledFromAnotherThread()
{
    return {{QStringLiteral("/"), QStringLiteral("called from another thread")}};
}

} // namespace Rekindle
