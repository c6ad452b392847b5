// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/restartplan.h>
#include <rekindle/widgets/export.h>

#include <QWidget>

#include <optional>

class QAbstractItemModel;
class QLabel;
class QTreeWidget;

namespace Rekindle {

/// Shows the RestartPlan of a policy: each step with its delay as a bar and its jitter as a hatched
/// band. With an earlier policy, for example the one before a reload, both plans are side by side.
class REKINDLE_WIDGETS_EXPORT PolicyPlanView : public QWidget
{
    Q_OBJECT

public:
    /// Each plan ends after this number of attempts.
    static constexpr int mostAttempts = 30;

    explicit PolicyPlanView(QWidget *parent = nullptr);

    /// Shows the plan of a policy, whose type the license tier can replace. `earlier` is a policy
    /// to compare with; nothing: only one plan. Default: RestartPolicy().
    void setPolicy(const RestartPolicy &policy, LicenseTier tier = LicenseTier::Enterprise,
                   const std::optional<RestartPolicy> &earlier = {});

    /// Returns what is visible: one row for each step and one for the end, one column for each
    /// plan, the earlier one first.
    [[nodiscard]] const QAbstractItemModel &model() const;

private:
    QTreeWidget *const m_steps;
    QLabel *const m_tierText;
};

} // namespace Rekindle
