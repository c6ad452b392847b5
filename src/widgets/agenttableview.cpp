// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "models/internal/statewords.h"

#include <rekindle/widgets/agenttableview.h>

#include <QAction>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QScopedValueRollback>

#include <algorithm>
#include <chrono>
#include <utility>

namespace Rekindle {

using Column = AgentTableModel::Column;

AgentTableView::AgentTableView(QWidget *parent)
    : QTreeView(parent)
    , m_actions(this)
{
    setAccessibleName(tr("Agents"));
    setRootIsDecorated(false);
    setUniformRowHeights(true);
    setAlternatingRowColors(true);
    setAllColumnsShowFocus(true);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setItemDelegateForColumn(Column::State, &m_delegate);
    setModel(&m_filter);
    setSortingEnabled(true);
    sortByColumn(Column::Name, Qt::AscendingOrder);

    // Connected after the view and its selection.
    const auto followRows = [this] {
        restoreSelection();
        queueUpdate();
        updatePlaceholder();
    };
    connect(&m_filter, &QAbstractItemModel::modelReset, this, followRows);
    connect(&m_filter, &QAbstractItemModel::rowsInserted, this, followRows);
    connect(&m_filter, &QAbstractItemModel::rowsRemoved, this, &AgentTableView::updatePlaceholder);
    connect(&m_filter, &AgentFilterModel::filterChanged, this, &AgentTableView::updatePlaceholder);
    connect(this, &QAbstractItemView::activated, m_actions.whyAction(), &QAction::trigger);
    m_timer.setInterval(std::chrono::seconds(1));
    connect(&m_timer, &QTimer::timeout, &m_filter.table(), &AgentTableModel::refresh);
    showColumns();
    fitColumns();
    updatePlaceholder();
}

AgentTableView::~AgentTableView()
{
    // The model of the view is deleted before the view. Slots of a window that is being destroyed
    // must not be called, because its members no longer exist.
    blockSignals(true);
    setModel(nullptr);
}

void AgentTableView::showColumns() const
{
    QHeaderView *const header = this->header();
    for (int column = 0; column < Column::ColumnCount; ++column)
        header->setSectionHidden(column, !m_columns.contains(Column(column)));
    for (int place = 0; place < m_columns.size(); ++place)
        header->moveSection(header->visualIndex(m_columns[place]), place);
}

// The widths do not change with the contents; Detail, which is last, takes the rest.
void AgentTableView::fitColumns() const
{
    const QFontMetrics metrics = fontMetrics();
    const auto fit = [&](Column column, int text) {
        header()->resizeSection(column,
                                std::max(text, header()->sectionSizeHint(column))
                                    + metrics.horizontalAdvance(QLatin1String("MM")));
    };
    int state = 0;
    for (const EnumName<InstanceState> &each : instanceStates)
        state = std::max(state, metrics.horizontalAdvance(StateWords::ofState(toText(each.value))));
    fit(Column::State, metrics.height() + state); // with an icon
    for (const Column column : {Column::Uptime, Column::NextStart})
        fit(column, metrics.horizontalAdvance(QLatin1String("9999h59m")));
    header()->resizeSection(Column::Name, 24 * metrics.averageCharWidth());
}

QUuid AgentTableView::currentAgent() const
{
    const QModelIndexList rows = selectionModel()->selectedRows();
    return rows.isEmpty() ? QUuid() : rows.first().data(AgentTableModel::InstanceIdRole).toUuid();
}

void AgentTableView::restoreSelection()
{
    if (!m_wanted.isNull() && currentAgent() != m_wanted) {
        const QModelIndexList found = m_filter.match(
            m_filter.index(0, 0), AgentTableModel::InstanceIdRole, m_wanted, 1, Qt::MatchExactly);
        const QScopedValueRollback guard(m_isRowChange, true);
        if (!found.isEmpty())
            setCurrentIndex(found.first());
    }
}

// A slot may change the rows, which is not possible while they change.
void AgentTableView::queueUpdate()
{
    QMetaObject::invokeMethod(this, [this] { updateCurrent(); }, Qt::QueuedConnection);
}

void AgentTableView::updateCurrent()
{
    const QUuid id = currentAgent();
    if (id == m_current)
        return;
    m_current = id;
    m_actions.setCurrent(id);
    Q_EMIT currentAgentChanged(id);
}

QString AgentTableView::emptyReason() const
{
    if (m_filter.rowCount() > 0)
        return {};
    const AgentSource *const source = m_filter.table().source();
    if (source == nullptr)
        return tr("No host");
    if (!source->isAvailable())
        return tr("%1 is unavailable: %2").arg(source->name(), source->fault());
    return m_filter.table().rowCount() > 0 ? tr("No agent matches the filter")
                                           : tr("%1 has no agents").arg(source->name());
}

void AgentTableView::updatePlaceholder()
{
    const QString text = emptyReason();
    if (std::exchange(m_placeholder, text) == text)
        return;
    setAccessibleDescription(text);
    viewport()->update();
}

void AgentTableView::setSource(AgentSource *source)
{
    if (AgentSource *const last = this->source())
        last->disconnect(this);
    m_actions.setSource(source);
    m_filter.table().setSource(source);
    if (source != nullptr)
        connect(source, &AgentSource::availabilityChanged, this,
                &AgentTableView::updatePlaceholder);
    updatePlaceholder();
}

void AgentTableView::setVisibleColumns(const QList<Column> &columns)
{
    m_columns = columns;
    showColumns();
}

void AgentTableView::setCurrentAgent(const QUuid &id)
{
    m_wanted = id;
    if (currentAgent() != id) {
        const QScopedValueRollback guard(m_isRowChange, true);
        selectionModel()->clear();
    }
    restoreSelection();
    updateCurrent();
}

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
    m_actions.addTo(*menu);
    menu->popup(viewport()->mapToGlobal(position)); // exec() would run a nested event loop
}

void AgentTableView::focusInEvent(QFocusEvent *event)
{
    QTreeView::focusInEvent(event);
    // Qt makes the first row the current one without selecting it.
    if (currentIndex().isValid() && currentAgent().isNull() && m_wanted.isNull())
        setCurrentAgent(currentIndex().data(AgentTableModel::InstanceIdRole).toUuid());
}

void AgentTableView::hideEvent(QHideEvent *event)
{
    m_timer.stop();
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
    m_filter.table().refresh();
    m_timer.start();
}

void AgentTableView::paintEvent(QPaintEvent *event)
{
    QTreeView::paintEvent(event);
    if (m_placeholder.isEmpty())
        return;
    QPainter painter(viewport());
    painter.setPen(palette().color(QPalette::Text));
    const int margin = fontMetrics().height();
    painter.drawText(viewport()->rect().adjusted(margin, margin, -margin, -margin),
                     int{Qt::AlignCenter} | int{Qt::TextWordWrap}, m_placeholder);
}

void AgentTableView::rowsAboutToBeRemoved(const QModelIndex &parent, int start, int end)
{
    const QModelIndexList rows = selectionModel()->selectedRows();
    if (!rows.isEmpty() && rows.first().row() >= start && rows.first().row() <= end) {
        // Otherwise, the next agent would be selected, and the next key would operate on it.
        const QScopedValueRollback guard(m_isRowChange, true);
        selectionModel()->clear();
    }
    QTreeView::rowsAboutToBeRemoved(parent, start, end);
}

void AgentTableView::selectionChanged(const QItemSelection &selected,
                                      const QItemSelection &deselected)
{
    QTreeView::selectionChanged(selected, deselected);
    if (m_isRowChange) {
        queueUpdate();
        return;
    }
    m_wanted = currentAgent();
    updateCurrent();
}

} // namespace Rekindle
