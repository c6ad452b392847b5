// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/models/agenttablemodel.h>
#include <rekindle/models/localagents.h>
#include <rekindle/widgets/agentstatedelegate.h>
#include <rekindle/widgets/stopdialog.h>

#include <QDialogButtonBox>
#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QTimer>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <optional>
#include <utility>

namespace Rekindle {

namespace {

constexpr std::chrono::milliseconds refreshInterval{250};

/// The agents that have a process or are being started.
class RunningAgents final : public QSortFilterProxyModel
{
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

protected:
    [[nodiscard]] bool filterAcceptsRow(int sourceRow,
                                        const QModelIndex &sourceParent) const override
    {
        const QVariant state = sourceModel()->data(sourceModel()->index(sourceRow, 0, sourceParent),
                                                   AgentTableModel::AgentStateRole);
        const auto known = static_cast<InstanceState>(state.toInt());
        return state.isValid()
            && (known == InstanceState::Starting || known == InstanceState::Running
                || known == InstanceState::Stopping);
    }
};

} // namespace

class StopDialog::Private
{
public:
    Private(StopDialog *dialog, AgentSupervisor &stopped)
        : q(dialog)
        , supervisor(&stopped)
        , deadline(std::make_unique<Deadline>(supervisor->scheduler(), [this] { kill(); }))
    {
    }

    void arrange();
    void connectSupervisor();
    void showAgents();
    void refresh();
    void kill();
    void end();
    void finish();

    StopDialog *const q;
    AgentSupervisor *supervisor;        ///< null: it was destroyed
    std::unique_ptr<Deadline> deadline; ///< null: its scheduler may be destroyed
    Duration limit = defaultLimit;
    bool isWaiting = false;
    bool isKilling = false;
    bool isClosing = false;            ///< the window is closed by this dialog
    std::optional<LocalAgents> agents; ///< while it waits
    AgentTableModel model;
    RunningAgents running;
    QTimer timer;
    QLabel *message = nullptr;
    QTreeView *table = nullptr;
    QPushButton *killButton = nullptr;
};

void StopDialog::Private::arrange()
{
    q->setWindowTitle(StopDialog::tr("Stopping agents"));
    message = new QLabel(q);
    message->setWordWrap(true);
    table = new QTreeView(q);
    table->setAccessibleName(StopDialog::tr("Agents that still run"));
    running.setSourceModel(&model);
    table->setModel(&running);
    table->setItemDelegateForColumn(AgentTableModel::State, new AgentStateDelegate(table));
    table->setRootIsDecorated(false);
    table->setUniformRowHeights(true);
    table->setSelectionMode(QAbstractItemView::NoSelection);
    for (int column = 0; column < AgentTableModel::ColumnCount; ++column)
        table->setColumnHidden(column,
                               column != AgentTableModel::Name && column != AgentTableModel::State
                                   && column != AgentTableModel::ProcessId);
    table->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table->header()->setSectionResizeMode(AgentTableModel::Name, QHeaderView::Stretch);
    table->header()->setStretchLastSection(false);
    table->header()->setResizeContentsPrecision(0); // only visible rows
    auto *const buttons = new QDialogButtonBox(q);
    killButton = buttons->addButton(StopDialog::tr("&Kill now"), QDialogButtonBox::DestructiveRole);
    killButton->setAutoDefault(false); // not by an accidental Enter
    QObject::connect(killButton, &QPushButton::clicked, q, &StopDialog::killNow);
    auto *const layout = new QVBoxLayout(q);
    layout->addWidget(message);
    layout->addWidget(table);
    layout->addWidget(buttons);
    q->resize(q->fontMetrics().averageCharWidth() * 70, q->fontMetrics().height() * 18);
    timer.setInterval(refreshInterval);
    const auto refreshText = [this] { refresh(); };
    QObject::connect(&timer, &QTimer::timeout, q, refreshText);
    QObject::connect(&running, &QAbstractItemModel::rowsInserted, q, refreshText);
    QObject::connect(&running, &QAbstractItemModel::rowsRemoved, q, refreshText);
    QObject::connect(&running, &QAbstractItemModel::modelReset, q, refreshText);
}

void StopDialog::Private::connectSupervisor()
{
    QObject::connect(supervisor, &AgentSupervisor::allStopped, q, [this] { finish(); });
    QObject::connect(supervisor, &AgentSupervisor::stateChanged, q,
                     [this](const QUuid & /*id*/, InstanceState state) {
                         if (isWaiting && state != InstanceState::Stopped
                             && state != InstanceState::Stopping && !supervisor->isStopping())
                             end(); // an agent was started
                     });
    QObject::connect(supervisor, &AgentSupervisor::aboutToBeDestroyed, q, [this] {
        supervisor = nullptr;
        deadline.reset();
        // From the event loop, because the window may be about to be destroyed, too.
        QMetaObject::invokeMethod(q, [this] { finish(); }, Qt::QueuedConnection);
    });
}

void StopDialog::Private::showAgents()
{
    agents.emplace(*supervisor);
    model.setSource(&*agents);
    refresh();
    timer.start();
}

void StopDialog::Private::refresh()
{
    if (!isWaiting || supervisor == nullptr)
        return;
    const int count = running.rowCount();
    if (isKilling || !deadline->isArmed()) {
        message->setText(
            StopDialog::tr("The agents are being killed. Still running: %1").arg(count));
        return;
    }
    const auto left =
        std::chrono::ceil<std::chrono::seconds>(deadline->due() - supervisor->scheduler().now());
    message->setText(StopDialog::tr("The agents are stopping. Still running: %1. They are killed "
                                    "in %2 s at the latest.")
                         .arg(count)
                         .arg(std::max<qint64>(left.count(), 0)));
}

void StopDialog::Private::kill()
{
    if (!isWaiting || supervisor == nullptr || std::exchange(isKilling, true))
        return;
    deadline->disarm();
    killButton->setEnabled(false);
    const QPointer<StopDialog> alive(q);
    supervisor->killAll();
    if (alive)
        refresh();
}

void StopDialog::Private::end()
{
    isWaiting = false;
    timer.stop();
    if (deadline)
        deadline->disarm();
    agents.reset();
    q->hide();
}

void StopDialog::Private::finish()
{
    if (!isWaiting)
        return;
    end();
    const QPointer<StopDialog> alive(q);
    Q_EMIT q->agentsStopped();
    QWidget *const window = alive ? q->parentWidget() : nullptr;
    if (window == nullptr)
        return;
    isClosing = true;
    window->close();
    if (alive)
        isClosing = false;
}

StopDialog *StopDialog::install(QWidget *window, AgentSupervisor &supervisor, Duration limit)
{
    auto *const dialog = new StopDialog(supervisor, window);
    dialog->setLimit(limit);
    window->installEventFilter(dialog);
    return dialog;
}

StopDialog::StopDialog(AgentSupervisor &supervisor, QWidget *parent)
    : QDialog(parent)
    , d(std::make_unique<Private>(this, supervisor))
{
    d->arrange();
    d->connectSupervisor();
}

StopDialog::~StopDialog() = default;

AgentSupervisor *StopDialog::supervisor() const { return d->supervisor; }

void StopDialog::setLimit(Duration limit) { d->limit = limit; }

Duration StopDialog::limit() const { return d->limit; }

void StopDialog::begin()
{
    if (d->supervisor == nullptr || d->supervisor->isIdle()) {
        d->isWaiting = true;
        d->finish();
        return;
    }
    const QPointer<StopDialog> alive(this);
    if (!std::exchange(d->isWaiting, true)) {
        d->isKilling = false;
        d->killButton->setEnabled(true);
        d->deadline->armIn(d->limit);
        d->supervisor->stopAll();
        if (!alive || !d->isWaiting || d->supervisor == nullptr)
            return;
        d->showAgents();
    }
    open();
    raise();
    activateWindow();
}

bool StopDialog::isWaiting() const { return d->isWaiting; }

void StopDialog::killNow() { d->kill(); }

void StopDialog::reject()
{
    // Hidden by the Esc key, the window would look as if it stayed open.
    if (!d->isWaiting)
        QDialog::reject();
}

bool StopDialog::eventFilter(QObject *object, QEvent *event)
{
    if (event->type() != QEvent::Close || object != parent() || d->isClosing
        || d->supervisor == nullptr || (!d->isWaiting && d->supervisor->isIdle()))
        return QDialog::eventFilter(object, event);
    event->ignore();
    begin();
    return true;
}

} // namespace Rekindle
