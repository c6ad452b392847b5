// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "models/internal/refusals.h"

#include <rekindle/widgets/agentactions.h>

#include <QAction>
#include <QMessageBox>
#include <QMetaMethod>
#include <QPointer>
#include <QWidget>

#include <array>

namespace Rekindle {

class AgentActions::Private
{
public:
    Private(AgentActions *object, QWidget *parent)
        : q(object)
        , widget(parent)
    {
    }

    void create();
    void queueUpdate();
    void update();
    void updateConfirmation(const QList<AgentAction> &possible) const;
    [[nodiscard]] std::optional<AgentStatus> status() const;
    void trigger(ControlOperation operation);
    void confirm(const AgentStatus &agent, const AgentAction &action);
    void operate(ControlOperation operation, const AgentStatus &agent) const;
    void fail(const QString &text) const;

    AgentActions *const q;
    QWidget *const widget;
    QPointer<AgentSource> source;
    QUuid current;
    std::array<QAction *, controlOperations.size()> actions{};
    QAction *why = nullptr;
    std::array<QAction *, 2> separators{};
    QPointer<QMessageBox> box;
    ControlOperation boxOperation = ControlOperation::Stop;
    bool confirmsStops = true;
    bool isUpdateQueued = false;
};

void AgentActions::Private::create()
{
    for (const EnumName<ControlOperation> &each : controlOperations) {
        auto *const action = new QAction(q);
        actions[static_cast<std::size_t>(each.value)] = action;
        connect(action, &QAction::triggered, q,
                [this, operation = each.value] { trigger(operation); });
    }
    for (QAction *&each : separators) {
        each = new QAction(q);
        each->setSeparator(true);
    }
    why = new QAction(AgentActions::tr("Why?"), q);
    why->setToolTip(AgentActions::tr("Explains the state of the agent"));
    connect(why, &QAction::triggered, q, [this] { Q_EMIT q->whyRequested(current); });
    update();
}

std::optional<AgentStatus> AgentActions::Private::status() const
{
    return source ? source->agent(current) : std::nullopt;
}

// The events of one pass of the event loop cause one update.
void AgentActions::Private::queueUpdate()
{
    if (isUpdateQueued)
        return;
    isUpdateQueued = true;
    QMetaObject::invokeMethod(q, [this] { update(); }, Qt::QueuedConnection);
}

void AgentActions::Private::update()
{
    isUpdateQueued = false;
    const std::optional<AgentStatus> agent = status();
    const QList<AgentAction> possible = actionsFor(agent.value_or(AgentStatus()));
    for (const AgentAction &each : possible) {
        QAction *const action = actions[static_cast<std::size_t>(each.operation)];
        action->setText(each.text);
        action->setEnabled(agent && each.isEnabled);
        const QString effect = agent ? each.effect : AgentActions::tr("No agent is selected");
        action->setToolTip(effect.toHtmlEscaped());
        action->setStatusTip(effect);
    }
    why->setEnabled(agent.has_value());
    updateConfirmation(agent ? possible : QList<AgentAction>());
}

void AgentActions::Private::updateConfirmation(const QList<AgentAction> &possible) const
{
    if (!box)
        return;
    const AgentAction action = possible.value(static_cast<int>(boxOperation));
    if (action.isEnabled)
        box->setInformativeText(action.effect);
    else
        box->reject();
}

void AgentActions::Private::trigger(ControlOperation operation)
{
    update();
    const std::optional<AgentStatus> agent = status();
    if (!agent || !actions[static_cast<std::size_t>(operation)]->isEnabled())
        return;
    const bool isStop =
        operation == ControlOperation::Stop || operation == ControlOperation::Restart;
    if (confirmsStops && isStop)
        confirm(*agent, actionsFor(*agent).at(static_cast<int>(operation)));
    else
        operate(operation, *agent);
}

void AgentActions::Private::confirm(const AgentStatus &agent, const AgentAction &action)
{
    if (box)
        box->reject();
    box = new QMessageBox(QMessageBox::Question, action.text, {}, QMessageBox::Cancel, widget);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::PlainText);
    box->setText(AgentActions::tr("%1 %2?").arg(action.text, agent.agent));
    box->setInformativeText(action.effect);
    box->addButton(action.text, QMessageBox::AcceptRole);
    box->setDefaultButton(QMessageBox::Cancel);
    boxOperation = action.operation;
    connect(box, &QMessageBox::finished, q, [this] { box.clear(); });
    connect(box, &QMessageBox::accepted, q,
            [this, agent, operation = action.operation] { operate(operation, agent); });
    box->open(); // exec() would run a nested event loop
}

void AgentActions::Private::operate(ControlOperation operation, const AgentStatus &agent) const
{
    if (!source)
        return;
    Refusals::report(source->operate(operation, agent.instanceId), agent.agent, q,
                     [this](const QString &text) { fail(text); });
}

void AgentActions::Private::fail(const QString &text) const
{
    if (!q->isSignalConnected(QMetaMethod::fromSignal(&AgentActions::failed))) {
        auto *const message =
            new QMessageBox(QMessageBox::Warning, {}, text, QMessageBox::Ok, widget);
        message->setAttribute(Qt::WA_DeleteOnClose);
        message->setTextFormat(Qt::PlainText);
        message->open();
    }
    Q_EMIT q->failed(text);
}

AgentActions::AgentActions(QWidget *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(this, parent))
{
    d->create();
}

AgentActions::~AgentActions() = default;

void AgentActions::setSource(AgentSource *source)
{
    if (source == d->source)
        return;
    if (d->source)
        d->source->disconnect(this);
    d->source = source;
    if (source != nullptr) {
        const auto update = [this](const QUuid &id) {
            if (id == d->current)
                d->queueUpdate();
        };
        connect(source, &AgentSource::agentAdded, this, update);
        connect(source, &AgentSource::agentChanged, this, update);
        connect(source, &AgentSource::agentRemoved, this, update);
        connect(source, &AgentSource::reset, this, [this] { d->queueUpdate(); });
        connect(source, &QObject::destroyed, this, [this] { d->queueUpdate(); });
    }
    d->update();
}

AgentSource *AgentActions::source() const { return d->source; }

void AgentActions::setCurrent(const QUuid &id)
{
    if (id == d->current)
        return;
    // A confirmation names one agent.
    if (d->box)
        d->box->reject();
    d->current = id;
    d->update();
}

QUuid AgentActions::current() const { return d->current; }

void AgentActions::setConfirmStops(bool confirm) { d->confirmsStops = confirm; }

bool AgentActions::confirmsStops() const { return d->confirmsStops; }

QMessageBox *AgentActions::confirmation() const { return d->box; }

QAction *AgentActions::action(ControlOperation operation) const
{
    return d->actions[static_cast<std::size_t>(operation)];
}

QAction *AgentActions::whyAction() const { return d->why; }

void AgentActions::addTo(QWidget &widget) const
{
    using enum ControlOperation;
    widget.addActions({action(Start), action(Stop), action(Restart), d->separators[0],
                       action(Retry), action(ResetBreaker), action(IsolateBreaker),
                       action(ReleaseBreaker), d->separators[1], d->why});
}

} // namespace Rekindle
