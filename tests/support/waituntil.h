// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QTest>

namespace Rekindle {

/// Processes events until the condition holds; returns false after two minutes.
template<typename Condition>
[[nodiscard]] bool waitUntil(Condition condition)
{
    return QTest::qWaitFor(condition, 120'000);
}

} // namespace Rekindle
