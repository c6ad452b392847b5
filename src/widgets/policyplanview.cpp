// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/gui/statecolors.h>
#include <rekindle/widgets/policyplanview.h>

#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

using Step = RestartPlan::Step;

constexpr int barHeight = 6;

// Parts of the greatest delay of all restarts, at most 1, and the state of the agent meanwhile.
enum BarRole { DelayRole = Qt::UserRole, LeastRole, GreatestRole, StateRole };

/// Paints the text of a step, and its delay below.
class BarDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override
    {
        QStyleOptionViewItem text = option;
        text.rect.adjust(0, 0, 0, -barHeight);
        QStyledItemDelegate::paint(painter, text, index);
        const QVariant state = index.data(StateRole);
        if (!state.isValid())
            return;
        const QRectF area(option.rect.left() + 4, option.rect.bottom() - barHeight,
                          option.rect.width() - 8, barHeight - 1);
        const auto x = [&](int role) {
            return area.left() + area.width() * index.data(role).toReal();
        };
        const QColor color = StateColors(StateColors::Scheme::Automatic, option.palette)
                                 .color(static_cast<InstanceState>(state.toInt()));
        painter->fillRect(QRectF(area.left(), area.top() + 1, x(DelayRole) - area.left(), 2),
                          color);
        const QRectF band(x(LeastRole), area.top(), x(GreatestRole) - x(LeastRole), area.height());
        if (band.width() <= 0)
            return;
        painter->fillRect(band, QBrush(color, Qt::BDiagPattern));
        painter->setPen(color);
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(band);
    }

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &option,
                                 const QModelIndex &index) const override
    {
        return QStyledItemDelegate::sizeHint(option, index) + QSize(0, barHeight + 2);
    }
};

QString stepText(const Step &step)
{
    switch (step.kind) {
    case Step::Kind::BreakerOpens:
        return PolicyPlanView::tr("Circuit breaker opens for %1").arg(readable(step.delay));
    case Step::Kind::Trial:
        return PolicyPlanView::tr("Trial: restart %1").arg(step.attempt);
    case Step::Kind::Restart:
        break;
    }
    QString text =
        PolicyPlanView::tr("Restart %1 after %2").arg(step.attempt).arg(readable(step.delay));
    if (step.band.least == step.band.greatest)
        return text;
    return PolicyPlanView::tr("%1 (%2 to %3)", "a step and its least and greatest delay")
        .arg(text, readable(step.band.least), readable(step.band.greatest));
}

/// Shows a plan as a column.
void fill(QTreeWidget &steps, int column, const RestartPlan &plan, Duration greatest)
{
    const auto itemAt = [&steps](int row) {
        return row < steps.topLevelItemCount() ? steps.topLevelItem(row)
                                               : new QTreeWidgetItem(&steps);
    };
    const auto part = [greatest](Duration delay) {
        return std::min(static_cast<double>(delay.count()) / static_cast<double>(greatest.count()),
                        1.0);
    };
    int row = 0;
    for (const Step &step : plan.steps) {
        QTreeWidgetItem *const item = itemAt(row++);
        const bool isRestart = step.kind == Step::Kind::Restart;
        item->setText(column, stepText(step));
        item->setToolTip(
            column, PolicyPlanView::tr("%1 after the first failure").arg(readable(step.elapsed)));
        if (step.kind == Step::Kind::Trial) // its delay is that of the breaker
            continue;
        item->setData(column, DelayRole, part(step.delay));
        item->setData(column, LeastRole, part(isRestart ? step.band.least : Duration{0}));
        item->setData(column, GreatestRole, part(isRestart ? step.band.greatest : Duration{0}));
        item->setData(
            column, StateRole,
            static_cast<int>(isRestart ? InstanceState::Waiting : InstanceState::CircuitOpen));
    }
    itemAt(row)->setText(column, plan.endText());
}

} // namespace

PolicyPlanView::PolicyPlanView(QWidget *parent)
    : QWidget(parent)
    , m_steps(new QTreeWidget)
    , m_tierText(new QLabel)
{
    m_steps->setRootIsDecorated(false);
    m_steps->setAllColumnsShowFocus(true);
    m_steps->setItemDelegate(new BarDelegate(m_steps));
    m_steps->header()->setSectionResizeMode(QHeaderView::Stretch);
    m_steps->setAccessibleName(tr("Planned restarts"));
    m_tierText->setWordWrap(true);
    auto *const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_steps);
    layout->addWidget(m_tierText);
    setFocusProxy(m_steps);
    setPolicy({});
}

void PolicyPlanView::setPolicy(const RestartPolicy &policy, LicenseTier tier,
                               const std::optional<RestartPolicy> &earlier)
{
    QList<RestartPlan> plans{RestartPlan::of({}, policy, tier, mostAttempts)};
    if (earlier)
        plans.prepend(RestartPlan::of({}, *earlier, tier, mostAttempts));
    Duration greatest{1};
    for (const RestartPlan &plan : std::as_const(plans)) {
        for (const Step &step : plan.steps) {
            if (step.kind == Step::Kind::Restart) // an open breaker usually waits much longer
                greatest = std::max({greatest, step.delay, step.band.greatest});
        }
    }
    m_steps->clear();
    m_steps->setColumnCount(static_cast<int>(plans.size()));
    m_steps->setHeaderLabels(earlier ? QStringList{tr("Before"), tr("After")}
                                     : QStringList{tr("Restarts")});
    for (int column = 0; column < plans.size(); ++column)
        fill(*m_steps, column, plans[column], greatest);
    m_tierText->setText(plans.constLast().tierText());
}

const QAbstractItemModel &PolicyPlanView::model() const { return *m_steps->model(); }

} // namespace Rekindle
