// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/restartplan.h>
#include <rekindle/widgets/export.h>

#include <QWidget>

#include <memory>
#include <optional>

class QAbstractItemModel;

namespace Rekindle {

/// The RestartPlan of a policy: each step with its delay as a bar and its jitter as a hatched band.
/// With an earlier policy, for example that before a reload, both plans are side by side.
class REKINDLE_WIDGETS_EXPORT PolicyPlanView : public QWidget
{
    Q_OBJECT
    Q_PROPERTY(Rekindle::RestartPolicy policy READ policy WRITE setPolicy NOTIFY planChanged)
    Q_PROPERTY(Rekindle::LicenseTier tier READ tier WRITE setTier NOTIFY planChanged)

public:
    /// The number of steps of each plan is limited to this number of attempts.
    static constexpr int mostAttempts = 30;

    explicit PolicyPlanView(QWidget *parent = nullptr);
    ~PolicyPlanView() override;

    /// Default: RestartPolicy().
    void setPolicy(const RestartPolicy &policy);
    [[nodiscard]] RestartPolicy policy() const;
    /// The license tier, which can replace the type. Default: Enterprise.
    void setTier(LicenseTier tier);
    [[nodiscard]] LicenseTier tier() const;
    /// An earlier policy to compare with; nothing, the default: only one plan.
    void setEarlierPolicy(const std::optional<RestartPolicy> &policy);
    [[nodiscard]] std::optional<RestartPolicy> earlierPolicy() const;

    /// Returns what is visible: one row for each step and one for the end, one column for each
    /// plan, the earlier one first.
    [[nodiscard]] const QAbstractItemModel &model() const;

Q_SIGNALS:
    void planChanged();

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
