// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/text/terminaltext_p.h"

#include "scrolledtoend_p.h"

#include <rekindle/widgets/eventview.h>

#include <QAction>
#include <QHeaderView>
#include <QKeyEvent>
#include <QStyledItemDelegate>

namespace Rekindle {

namespace {

// A square, a triangle or a circle.
QString glyphOf(int severity)
{
    if (severity == static_cast<int>(AgentEvent::Severity::Error))
        return QStringLiteral("\u25A0 ");
    return severity == static_cast<int>(AgentEvent::Severity::Warning) ? QStringLiteral("\u25B2 ")
                                                                       : QStringLiteral("\u25CB ");
}

/// Adds a glyph to the severity, and removes control characters from the text.
class EventDelegate final : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        if (index.column() == EventModel::Text)
            option->text = foreignText(index.data().toString());
        else if (index.column() == EventModel::Severity)
            option->text.prepend(glyphOf(index.data(EventModel::SeverityRole).toInt()));
    }
};

} // namespace

EventView::EventView(QWidget *parent, qsizetype capacity)
    : QTableView(parent)
    , m_model(new EventModel(capacity, this))
{
    addOwnActions();
    connectModel();
    arrange();
    connect(this, &QAbstractItemView::doubleClicked, this, &EventView::requestDecision);
}

void EventView::arrange()
{
    setItemDelegate(new EventDelegate(this));
    setAccessibleName(tr("Events of agents"));
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setTabKeyNavigation(false); // the Tab key leaves the view
    setWordWrap(false);
    setShowGrid(false);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 4);
    hideColumn(EventModel::Type);
    QHeaderView *const header = horizontalHeader();
    header->setStretchLastSection(true);
    header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter); // as the cells
    header->setHighlightSections(false);
    header->moveSection(header->visualIndex(EventModel::Severity), 1);
    const auto setWidth = [this](EventModel::Column column, const QString &longest) {
        setColumnWidth(column, fontMetrics().horizontalAdvance(longest + u"MM"));
    };
    setWidth(EventModel::Time, QStringLiteral("2026-12-31 23:59:59.999"));
    setWidth(EventModel::Severity, QStringLiteral("\u25B2 Warning"));
    setWidth(EventModel::Agent, QStringLiteral("language-server"));
}

void EventView::addOwnActions()
{
    auto *const show = new QAction(tr("Show &decision"), this);
    m_pause = new QAction(this);
    m_pause->setCheckable(true);
    m_clear = new QAction(tr("&Clear"), this);
    connect(show, &QAction::triggered, this, [this] { requestDecision(currentIndex()); });
    connect(m_pause, &QAction::toggled, m_model, &EventModel::setPaused);
    connect(m_clear, &QAction::triggered, m_model, &EventModel::clear);
    addActions({show, m_pause, m_clear});
    setContextMenuPolicy(Qt::ActionsContextMenu);
}

void EventView::connectModel()
{
    // The rows that the user reads do not move, also when the oldest ones are removed.
    const auto before = [this] {
        m_isAtEnd = isFollowing() && isScrolledToEnd(*this);
        m_firstRow = m_isAtEnd ? QModelIndex() : indexAt({0, 0});
    };
    const auto after = [this] {
        if (m_isAtEnd)
            scrollToBottom();
        else if (m_firstRow.isValid())
            scrollTo(m_firstRow, QAbstractItemView::PositionAtTop);
        m_firstRow = QModelIndex();
    };
    // Before setModel(), because the view scrolls when its current row is removed.
    connect(m_model, &QAbstractItemModel::rowsAboutToBeInserted, this, before);
    connect(m_model, &QAbstractItemModel::rowsAboutToBeRemoved, this, before);
    connect(m_model, &QAbstractItemModel::modelAboutToBeReset, this, before);
    setModel(m_model);
    connect(m_model, &QAbstractItemModel::rowsInserted, this, after);
    connect(m_model, &QAbstractItemModel::rowsRemoved, this, after);
    connect(m_model, &QAbstractItemModel::modelReset, this, after);
    connect(m_model, &EventModel::pausedChanged, this, &EventView::updatePause);
    connect(m_model, &EventModel::pendingChanged, this, &EventView::updatePause);
    updatePause();
}

void EventView::requestDecision(const QModelIndex &index)
{
    if (!index.isValid())
        return;
    const AgentEvent event = m_model->eventAt(index.row()); // a slot may clear the model
    Q_EMIT decisionRequested(event.instanceId, event);
}

void EventView::updatePause()
{
    const qsizetype pending = m_model->pendingCount();
    m_pause->setText(pending > 0 ? tr("&Pause (%1 new)").arg(pending) : tr("&Pause"));
    m_pause->setChecked(m_model->isPaused());
}

void EventView::setFollowing(bool follow)
{
    m_isFollowing = follow;
    if (follow)
        scrollToBottom();
}

void EventView::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        requestDecision(currentIndex());
    else
        QTableView::keyPressEvent(event);
}

void EventView::resizeEvent(QResizeEvent *event)
{
    const bool wasAtEnd = isScrolledToEnd(*this);
    QTableView::resizeEvent(event);
    if (wasAtEnd && isFollowing())
        scrollToBottom();
}

} // namespace Rekindle
