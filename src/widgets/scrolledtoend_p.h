// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QAbstractScrollArea>
#include <QScrollBar>

namespace Rekindle {

[[nodiscard]] inline bool isScrolledToEnd(const QAbstractScrollArea &area)
{
    return area.verticalScrollBar()->value() >= area.verticalScrollBar()->maximum();
}

} // namespace Rekindle
