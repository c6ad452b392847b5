// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/models/timelinemodel.h>

#include <QCoreApplication>

namespace Rekindle {

/// Plain texts about what a timeline shows, for tool tips and screen readers.
class TimelineTexts
{
    Q_DECLARE_TR_FUNCTIONS(Rekindle::TimelineTexts)

public:
    [[nodiscard]] static QString ofMark(const TimelineModel &model,
                                        const TimelinePaint::Mark &mark);
    [[nodiscard]] static QString ofRow(const TimelineRow &row, bool withFuture);
    [[nodiscard]] static QString ofSelection(const TimelineModel &model, const QString &row,
                                             const TimelineRow::Mark &mark);

private:
    [[nodiscard]] static QString ofKind(TimelineRow::MarkKind kind);
};

} // namespace Rekindle
