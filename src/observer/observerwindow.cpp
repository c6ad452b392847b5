// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "observer/observerhosts_p.h"
#include "observer/observerwindow_p.h"

#include <rekindle/widgets/agentstatedelegate.h>

#include <QCloseEvent>
#include <QHeaderView>
#include <QLabel>
#include <QMenuBar>
#include <QSettings>
#include <QStatusBar>
#include <QToolBar>

namespace Rekindle {

ObserverWindow::ObserverWindow(const ObserverHosts &hosts, QWidget *parent)
    : QMainWindow(parent)
    , m_model(hosts)
    , m_actions(new AgentActions(this))
    , m_tree(new QTreeView(this))
    , m_timelines(new QStackedWidget(this))
    , m_events(new QStackedWidget(this))
    , m_decision(new DecisionView(this))
    , m_output(new OutputView(this))
    , m_fault(new QLabel(this))
{
    setWindowTitle(tr("Rekindle Observer"));
    createLayout();
    createMenus();
    createTree();
    m_fault->setTextFormat(Qt::PlainText);
    statusBar()->addPermanentWidget(m_fault);
    connect(m_actions, &AgentActions::failed, this, [this](const QString &text) {
        constexpr std::chrono::seconds limit{15};
        statusBar()->showMessage(text, static_cast<int>(std::chrono::milliseconds(limit).count()));
    });
    connect(m_actions, &AgentActions::whyRequested, this, [this] {
        m_decision->setDecision({});
        m_decision->setFocus();
    });
    for (RemoteAgents *const each : hosts.sources())
        add(*each);
    connect(&hosts, &ObserverHosts::added, this, [this](RemoteAgents *source) { add(*source); });
    if (hosts.sources().isEmpty())
        statusBar()->showMessage(tr("No host is running. Hosts are shown when they start."));
    m_tree->setFocus();
}

// Before the model, whose end would change the selection.
ObserverWindow::~ObserverWindow() { delete takeCentralWidget(); }

void ObserverWindow::createTree()
{
    m_tree->setAccessibleName(tr("Hosts and agents"));
    m_tree->setModel(&m_model);
    m_tree->setItemDelegateForColumn(ObserverTreeModel::Name, new AgentStateDelegate(m_tree));
    m_tree->setUniformRowHeights(true);
    m_tree->header()->setStretchLastSection(false);
    m_tree->header()->setSectionResizeMode(ObserverTreeModel::Name, QHeaderView::Stretch);
    m_tree->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_actions->addTo(*m_tree);
    connect(m_tree->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &ObserverWindow::showItem);
    connect(&m_model, &QAbstractItemModel::rowsInserted, this,
            [this](const QModelIndex &parent, int first, int last) {
                if (last - first + 1 == m_model.rowCount(parent))
                    m_tree->expand(parent); // unless the user has collapsed it
                // The other views may not have been updated yet.
                QMetaObject::invokeMethod(this, &ObserverWindow::selectAgain, Qt::QueuedConnection);
            });
    connect(&m_model, &QAbstractItemModel::rowsRemoved, this,
            [this](const QModelIndex &parent, int row) {
                if (parent.isValid())
                    return;
                delete m_timelines->widget(row);
                delete m_events->widget(row);
            });
    connect(&m_model, &QAbstractItemModel::dataChanged, this, &ObserverWindow::showFault);
}

void ObserverWindow::createLayout()
{
    auto *const rows = new QSplitter(Qt::Vertical, this);
    auto *const top = new QSplitter(Qt::Horizontal, rows);
    auto *const bottom = new QSplitter(Qt::Horizontal, rows);
    m_splitters = {rows, top, bottom};
    for (QWidget *const each : QWidgetList{m_tree, m_timelines, m_decision})
        top->addWidget(each);
    for (QWidget *const each : QWidgetList{m_events, m_output})
        bottom->addWidget(each);
    rows->setSizes({600, 300});
    top->setSizes({320, 800, 380});
    bottom->setSizes({900, 600});
    for (QSplitter *const each : m_splitters)
        each->setChildrenCollapsible(false);
    setCentralWidget(rows);
    resize(1500, 950);
}

void ObserverWindow::createMenus()
{
    auto *const bar = addToolBar(tr("Operations"));
    bar->setObjectName(QStringLiteral("operations")); // for saveState()
    m_actions->addTo(*bar);
    QMenu *const file = menuBar()->addMenu(tr("&File"));
    QAction *const quit = file->addAction(tr("&Quit"), this, &QWidget::close);
    quit->setShortcut(QKeySequence(QStringLiteral("Ctrl+Q")));
    m_actions->addTo(*menuBar()->addMenu(tr("&Agent")));
    QMenu *const view = menuBar()->addMenu(tr("&View"));
    addFocusAction(*view, tr("&Agents"), Qt::Key_1, *m_tree);
    addFocusAction(*view, tr("&Timeline"), Qt::Key_2, *m_timelines);
    addFocusAction(*view, tr("E&xplanation"), Qt::Key_3, *m_decision);
    addFocusAction(*view, tr("&Events"), Qt::Key_4, *m_events);
    addFocusAction(*view, tr("&Output"), Qt::Key_5, *m_output);
    view->addSeparator();
    m_onlySelected = view->addAction(tr("Only events of the &selected agent"));
    m_onlySelected->setCheckable(true);
    connect(m_onlySelected, &QAction::toggled, this, &ObserverWindow::filterEvents);
    QAction *const wrap = view->addAction(tr("&Wrap lines of the output"));
    wrap->setCheckable(true);
    connect(wrap, &QAction::toggled, m_output, &OutputView::setWrapping);
}

void ObserverWindow::addFocusAction(QMenu &menu, const QString &text, Qt::Key key, QWidget &widget)
{
    const auto focus = [&widget] {
        const auto *const stack = qobject_cast<QStackedWidget *>(&widget);
        if (QWidget *const shown = stack != nullptr ? stack->currentWidget() : &widget)
            shown->setFocus(Qt::ShortcutFocusReason);
    };
    menu.addAction(text, this, focus)->setShortcut(QKeyCombination(Qt::ControlModifier, key));
}

TimelineView *ObserverWindow::timeline() const
{
    return qobject_cast<TimelineView *>(m_timelines->currentWidget());
}

EventView *ObserverWindow::events() const
{
    return qobject_cast<EventView *>(m_events->currentWidget());
}

// The pages are in the order of the hosts.
void ObserverWindow::add(RemoteAgents &source)
{
    auto *const timeline = new TimelineView(m_timelines);
    timeline->setSource(&source);
    m_timelines->addWidget(timeline);
    connect(timeline, &TimelineView::currentAgentChanged, this, &ObserverWindow::select);
    connect(timeline, &TimelineView::markActivated, this, &ObserverWindow::explain);
    auto *const events = new EventView(m_events);
    events->setSource(&source);
    m_events->addWidget(events);
    connect(events, &EventView::decisionRequested, this,
            [this](const QUuid &id, const AgentEvent &event) { explain(id, event.time); });
    statusBar()->clearMessage();
    selectAgain();
}

// Selects the first host, and the agent that was selected before its host has exited.
void ObserverWindow::selectAgain()
{
    const QModelIndex current = m_tree->currentIndex();
    if (!ObserverTreeModel::agent(current).isNull())
        return;
    QModelIndex wanted;
    if (!m_agent.isEmpty())
        wanted = m_model.find(m_source, Qt::DisplayRole, m_agent);
    else if (!current.isValid())
        wanted = m_model.index(0, ObserverTreeModel::Name);
    if (wanted.isValid())
        m_tree->setCurrentIndex(wanted);
}

void ObserverWindow::showItem(const QModelIndex &index)
{
    AgentSource *const source = m_model.source(index);
    const QUuid id = ObserverTreeModel::agent(index);
    if (!id.isNull())
        m_agent = index.siblingAtColumn(ObserverTreeModel::Name).data().toString();
    else if (source != m_source || source == nullptr || source->isAvailable())
        m_agent.clear();
    if (source != m_source) {
        m_source = source;
        const int page = m_model.indexOf(source).row();
        m_timelines->setCurrentIndex(page);
        m_events->setCurrentIndex(page);
        m_actions->setSource(source);
        m_decision->setSource(source);
        m_output->setSource(source);
        setWindowTitle(source != nullptr ? tr("%1 - Rekindle Observer").arg(source->name())
                                         : tr("Rekindle Observer"));
    }
    m_actions->setCurrent(id);
    m_decision->setDecision({});
    m_decision->setAgent(id);
    m_output->setAgent(id);
    if (TimelineView *const shown = timeline())
        shown->setCurrentAgent(id);
    filterEvents();
    showFault();
}

void ObserverWindow::showFault()
{
    const bool isMissing = m_source != nullptr && !m_source->isAvailable();
    m_fault->setText(isMissing
                         ? tr("%1 is unavailable: %2").arg(m_source->name(), m_source->fault())
                         : QString());
}

void ObserverWindow::select(const QUuid &id)
{
    const QModelIndex found = m_model.find(m_source, AgentTableModel::InstanceIdRole, id);
    if (found.isValid())
        m_tree->setCurrentIndex(found);
}

void ObserverWindow::explain(const QUuid &id, UtcTime time)
{
    select(id);
    m_decision->setDecision(QDateTime::fromMSecsSinceEpoch(time.time_since_epoch().count()));
}

void ObserverWindow::filterEvents()
{
    if (EventView *const shown = events())
        shown->eventModel()->setAgents(m_onlySelected->isChecked() && !m_agent.isEmpty()
                                           ? QStringList(m_agent)
                                           : QStringList());
}

void ObserverWindow::restoreLayout()
{
    const QSettings settings;
    restoreGeometry(settings.value(QLatin1String("geometry")).toByteArray());
    restoreState(settings.value(QLatin1String("state")).toByteArray());
    for (qsizetype i = 0; i < m_splitters.size(); ++i)
        m_splitters[i]->restoreState(
            settings.value(QStringLiteral("splitter%1").arg(i)).toByteArray());
}

void ObserverWindow::closeEvent(QCloseEvent *event)
{
    QSettings settings;
    settings.setValue(QLatin1String("geometry"), saveGeometry());
    settings.setValue(QLatin1String("state"), saveState());
    for (qsizetype i = 0; i < m_splitters.size(); ++i)
        settings.setValue(QStringLiteral("splitter%1").arg(i), m_splitters[i]->saveState());
    QMainWindow::closeEvent(event);
}

} // namespace Rekindle
