// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "models/internal/statewords.h"

#include <rekindle/models/agentfiltermodel.h>
#include <rekindle/widgets/agentactions.h>
#include <rekindle/widgets/agentstatedelegate.h>
#include <rekindle/widgets/agenttableview.h>

#include <QAction>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QScopedValueRollback>
#include <QTimer>

#include <algorithm>
#include <chrono>

namespace Rekindle {

using Column = AgentTableModel::Column;

class AgentTableView::Private
{
public:
    explicit Private(AgentTableView *view)
        : q(view)
        , actions(view)
        , timer(view)
    {
    }

    void create();
    void showColumns() const;
    void fitColumns() const;
    void restoreSelection();
    void queueUpdate() const;
    void updateCurrent();
    void updatePlaceholder();
    [[nodiscard]] QString emptyReason() const;
    [[nodiscard]] QUuid selected() const;

    AgentTableView *const q;
    AgentFilterModel filter;
    AgentActions actions;
    AgentStateDelegate delegate;
    QTimer timer;
    QList<Column> columns{Column::Name, Column::State, Column::Uptime, Column::NextStart,
                          Column::Detail};
    QUuid wanted;  ///< whose row is selected when there is one
    QUuid current; ///< that was emitted last
    bool isRowChange = false;
    QString placeholder;
};

void AgentTableView::Private::create()
{
    q->setAccessibleName(AgentTableView::tr("Agents"));
    q->setRootIsDecorated(false);
    q->setUniformRowHeights(true);
    q->setAlternatingRowColors(true);
    q->setAllColumnsShowFocus(true);
    q->setSelectionMode(QAbstractItemView::SingleSelection);
    q->setItemDelegateForColumn(Column::State, &delegate);
    q->setModel(&filter);
    q->setSortingEnabled(true);
    q->sortByColumn(Column::Name, Qt::AscendingOrder);

    // Connected after the view and its selection.
    const auto followRows = [this] {
        restoreSelection();
        queueUpdate();
        updatePlaceholder();
    };
    connect(&filter, &QAbstractItemModel::modelReset, q, followRows);
    connect(&filter, &QAbstractItemModel::rowsInserted, q, followRows);
    connect(&filter, &QAbstractItemModel::rowsRemoved, q, [this] { updatePlaceholder(); });
    connect(q, &QAbstractItemView::activated, actions.whyAction(), &QAction::trigger);
    timer.setInterval(std::chrono::seconds(1));
    connect(&timer, &QTimer::timeout, &filter.table(), &AgentTableModel::refresh);
    showColumns();
    fitColumns();
    updatePlaceholder();
}

void AgentTableView::Private::showColumns() const
{
    QHeaderView *const header = q->header();
    for (int column = 0; column < Column::ColumnCount; ++column)
        header->setSectionHidden(column, !columns.contains(Column(column)));
    for (int place = 0; place < columns.size(); ++place)
        header->moveSection(header->visualIndex(columns[place]), place);
}

// The widths do not change with the contents; Detail, which is last, takes the rest.
void AgentTableView::Private::fitColumns() const
{
    const QFontMetrics metrics = q->fontMetrics();
    const auto fit = [&](Column column, int text) {
        const int width = text + metrics.horizontalAdvance(QLatin1String("MM"));
        q->header()->resizeSection(column, std::max(width, q->header()->sectionSizeHint(column)));
    };
    int state = 0;
    for (const EnumName<InstanceState> &each : instanceStates)
        state = std::max(state, metrics.horizontalAdvance(StateWords::ofState(toText(each.value))));
    fit(Column::State, metrics.height() + state); // with an icon
    for (const Column column : {Column::Uptime, Column::NextStart})
        fit(column, metrics.horizontalAdvance(QLatin1String("9999h59m")));
    q->header()->resizeSection(Column::Name, 24 * metrics.averageCharWidth());
}

QUuid AgentTableView::Private::selected() const
{
    const QModelIndexList rows = q->selectionModel()->selectedRows();
    return rows.isEmpty() ? QUuid() : rows.first().data(AgentTableModel::InstanceIdRole).toUuid();
}

void AgentTableView::Private::restoreSelection()
{
    if (!wanted.isNull() && selected() != wanted) {
        const QModelIndexList found = filter.match(
            filter.index(0, 0), AgentTableModel::InstanceIdRole, wanted, 1, Qt::MatchExactly);
        const QScopedValueRollback guard(isRowChange, true);
        if (!found.isEmpty())
            q->setCurrentIndex(found.first());
    }
}

// A slot may change the rows, which is not possible while they change.
void AgentTableView::Private::queueUpdate() const
{
    QMetaObject::invokeMethod(q, [view = q] { view->d->updateCurrent(); }, Qt::QueuedConnection);
}

void AgentTableView::Private::updateCurrent()
{
    const QUuid id = selected();
    if (id == current)
        return;
    current = id;
    actions.setCurrent(id);
    Q_EMIT q->currentAgentChanged(id);
}

QString AgentTableView::Private::emptyReason() const
{
    if (filter.rowCount() > 0)
        return {};
    const AgentSource *const source = filter.table().source();
    if (source == nullptr)
        return AgentTableView::tr("No host");
    if (!source->isAvailable())
        return AgentTableView::tr("%1 is unavailable: %2").arg(source->name(), source->fault());
    return filter.table().rowCount() > 0
        ? AgentTableView::tr("No agent matches the filter")
        : AgentTableView::tr("%1 has no agents").arg(source->name());
}

void AgentTableView::Private::updatePlaceholder()
{
    const QString text = emptyReason();
    if (text == placeholder)
        return;
    placeholder = text;
    q->setAccessibleDescription(text);
    q->viewport()->update();
}

AgentTableView::AgentTableView(QWidget *parent)
    : QTreeView(parent)
    , d(std::make_unique<Private>(this))
{
    d->create();
}

AgentTableView::~AgentTableView()
{
    // The model of the view is deleted before the view. Slots of a window that is being destroyed
    // must not be called, because its members no longer exist.
    blockSignals(true);
    setModel(nullptr);
}

void AgentTableView::setSource(AgentSource *source)
{
    if (AgentSource *const last = this->source())
        last->disconnect(this);
    d->actions.setSource(source);
    d->filter.table().setSource(source);
    if (source != nullptr)
        connect(source, &AgentSource::availabilityChanged, this,
                [this] { d->updatePlaceholder(); });
    d->updatePlaceholder();
}

AgentSource *AgentTableView::source() const { return d->filter.table().source(); }

void AgentTableView::setVisibleColumns(const QList<Column> &columns)
{
    d->columns = columns;
    d->showColumns();
}

QList<Column> AgentTableView::visibleColumns() const { return d->columns; }

void AgentTableView::setFilterText(const QString &text)
{
    d->filter.setText(text);
    d->updatePlaceholder();
}

QString AgentTableView::filterText() const { return d->filter.text(); }

void AgentTableView::setTagFilter(const QStringList &tags)
{
    d->filter.setTags(tags);
    d->updatePlaceholder();
}

QStringList AgentTableView::tagFilter() const { return d->filter.tags(); }

void AgentTableView::setCurrentAgent(const QUuid &id)
{
    d->wanted = id;
    if (d->selected() != id) {
        const QScopedValueRollback guard(d->isRowChange, true);
        selectionModel()->clear();
    }
    d->restoreSelection();
    d->updateCurrent();
}

QUuid AgentTableView::currentAgent() const { return d->selected(); }

AgentActions &AgentTableView::agentActions() const { return d->actions; }

QString AgentTableView::placeholderText() const { return d->placeholder; }

void AgentTableView::contextMenuEvent(QContextMenuEvent *event)
{
    QPoint position = event->pos();
    if (event->reason() == QContextMenuEvent::Keyboard)
        position = visualRect(currentIndex()).center();
    if (currentAgent().isNull() || !indexAt(position).isValid())
        return;
    auto *const menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    d->actions.addTo(*menu);
    menu->popup(viewport()->mapToGlobal(position)); // exec() would run a nested event loop
}

void AgentTableView::hideEvent(QHideEvent *event)
{
    d->timer.stop();
    QTreeView::hideEvent(event);
}

// A press selects. Otherwise, if rows are removed meanwhile, the mouse would select another agent.
void AgentTableView::mouseMoveEvent(QMouseEvent *event)
{
    if (event->buttons() == Qt::NoButton)
        QTreeView::mouseMoveEvent(event);
}

void AgentTableView::showEvent(QShowEvent *event)
{
    QTreeView::showEvent(event);
    d->filter.table().refresh();
    d->timer.start();
}

void AgentTableView::paintEvent(QPaintEvent *event)
{
    QTreeView::paintEvent(event);
    if (d->placeholder.isEmpty())
        return;
    QPainter painter(viewport());
    painter.setPen(palette().color(QPalette::Text));
    const int margin = fontMetrics().height();
    painter.drawText(viewport()->rect().adjusted(margin, margin, -margin, -margin),
                     int{Qt::AlignCenter} | int{Qt::TextWordWrap}, d->placeholder);
}

void AgentTableView::rowsAboutToBeRemoved(const QModelIndex &parent, int start, int end)
{
    const QModelIndexList rows = selectionModel()->selectedRows();
    if (!rows.isEmpty() && rows.first().row() >= start && rows.first().row() <= end) {
        // Otherwise, the next agent would be selected, and the next key would operate on it.
        const QScopedValueRollback guard(d->isRowChange, true);
        selectionModel()->clear();
    }
    QTreeView::rowsAboutToBeRemoved(parent, start, end);
}

void AgentTableView::selectionChanged(const QItemSelection &selected,
                                      const QItemSelection &deselected)
{
    QTreeView::selectionChanged(selected, deselected);
    if (d->isRowChange) {
        d->queueUpdate();
        return;
    }
    d->wanted = d->selected();
    d->updateCurrent();
}

} // namespace Rekindle
