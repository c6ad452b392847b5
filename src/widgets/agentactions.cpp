// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "models/internal/refusals.h"

#include <rekindle/widgets/agentactions.h>

#include <QAction>
#include <QMessageBox>
#include <QMetaMethod>
#include <QWidget>

#include <utility>

namespace Rekindle {

AgentActions::AgentActions(QWidget *parent)
    : QObject(parent)
    , m_widget(parent)
{
    for (const EnumName<ControlOperation> &each : controlOperations) {
        auto *const action = new QAction(this);
        m_actions[static_cast<std::size_t>(each.value)] = action;
        connect(action, &QAction::triggered, this,
                [this, operation = each.value] { trigger(operation); });
    }
    for (QAction *&each : m_separators) {
        each = new QAction(this);
        each->setSeparator(true);
    }
    m_why = new QAction(tr("Why?"), this);
    m_why->setToolTip(tr("Explains the state of the agent"));
    connect(m_why, &QAction::triggered, this, &AgentActions::explain);
    update();
}

std::optional<AgentStatus> AgentActions::status() const
{
    return m_source ? m_source->agent(m_current) : std::nullopt;
}

// The events of one pass of the event loop cause one update.
void AgentActions::queueUpdate()
{
    if (!std::exchange(m_isUpdateQueued, true))
        QMetaObject::invokeMethod(this, [this] { update(); }, Qt::QueuedConnection);
}

void AgentActions::update()
{
    m_isUpdateQueued = false;
    const std::optional<AgentStatus> agent = status();
    const QList<AgentAction> possible = actionsFor(agent.value_or(AgentStatus()));
    for (const AgentAction &each : possible) {
        QAction *const action = this->action(each.operation);
        action->setText(each.text);
        action->setEnabled(agent && each.isEnabled);
        const QString effect = agent ? each.effect : tr("No agent is selected");
        action->setToolTip(effect.toHtmlEscaped());
        action->setStatusTip(effect);
    }
    m_why->setEnabled(agent.has_value());
    updateConfirmation(agent ? possible : QList<AgentAction>());
}

void AgentActions::updateConfirmation(const QList<AgentAction> &possible) const
{
    if (!m_box)
        return;
    const AgentAction action = possible.value(static_cast<int>(m_boxOperation));
    if (action.isEnabled)
        m_box->setInformativeText(action.effect);
    else
        m_box->reject();
}

void AgentActions::trigger(ControlOperation operation)
{
    update();
    const std::optional<AgentStatus> agent = status();
    if (!agent || !action(operation)->isEnabled())
        return;
    const bool isStop =
        operation == ControlOperation::Stop || operation == ControlOperation::Restart;
    if (m_confirmsStops && isStop)
        confirm(*agent, actionsFor(*agent).at(static_cast<int>(operation)));
    else
        operate(operation, *agent);
}

void AgentActions::confirm(const AgentStatus &agent, const AgentAction &action)
{
    if (m_box)
        m_box->reject();
    m_box = new QMessageBox(QMessageBox::Question, action.text, {}, QMessageBox::Cancel, m_widget);
    m_box->setAttribute(Qt::WA_DeleteOnClose);
    m_box->setTextFormat(Qt::PlainText);
    m_box->setText(tr("%1 %2?").arg(action.text, agent.agent));
    m_box->setInformativeText(action.effect);
    m_box->addButton(action.text, QMessageBox::AcceptRole);
    m_box->setDefaultButton(QMessageBox::Cancel);
    m_boxOperation = action.operation;
    connect(m_box, &QMessageBox::finished, this, [this] { m_box.clear(); });
    connect(m_box, &QMessageBox::accepted, this,
            [this, agent, operation = action.operation] { operate(operation, agent); });
    m_box->open(); // exec() would run a nested event loop
}

void AgentActions::operate(ControlOperation operation, const AgentStatus &agent)
{
    if (!m_source)
        return;
    Refusals::report(m_source->operate(operation, agent.instanceId), agent.agent, this,
                     [this](const QString &text) { fail(text); });
}

void AgentActions::explain()
{
    if (m_source != nullptr
        && !isSignalConnected(QMetaMethod::fromSignal(&AgentActions::whyRequested)))
        Refusals::deliver<AgentExplanation>(
            m_source->explain(m_current), this,
            [this, now = m_source->utcNow()](const ControlResult<AgentExplanation> &result) {
                showMessage(result.error ? result.error->message
                                         : result.value.toText(now, toLocalText));
            });
    Q_EMIT whyRequested(m_current);
}

void AgentActions::fail(const QString &text)
{
    if (!isSignalConnected(QMetaMethod::fromSignal(&AgentActions::failed)))
        showMessage(text);
    Q_EMIT failed(text);
}

void AgentActions::showMessage(const QString &text) const
{
    auto *const message = new QMessageBox(QMessageBox::NoIcon, {}, text, QMessageBox::Ok, m_widget);
    if (m_widget != nullptr)
        message->setWindowTitle(m_widget->window()->windowTitle());
    connect(this, &QObject::destroyed, message, &QObject::deleteLater);
    message->setAttribute(Qt::WA_DeleteOnClose);
    message->setTextFormat(Qt::PlainText);
    message->open(); // exec() would run a nested event loop
}

void AgentActions::setSource(AgentSource *source)
{
    if (source == m_source)
        return;
    if (m_source)
        m_source->disconnect(this);
    m_source = source;
    if (source != nullptr) {
        const auto updateCurrent = [this](const QUuid &id) {
            if (id == m_current)
                queueUpdate();
        };
        connect(source, &AgentSource::agentAdded, this, updateCurrent);
        connect(source, &AgentSource::agentChanged, this, updateCurrent);
        connect(source, &AgentSource::agentRemoved, this, updateCurrent);
        connect(source, &AgentSource::reset, this, &AgentActions::queueUpdate);
        connect(source, &QObject::destroyed, this, &AgentActions::queueUpdate);
    }
    update();
}

void AgentActions::setCurrent(const QUuid &id)
{
    if (id == m_current)
        return;
    // A confirmation names one agent.
    if (m_box)
        m_box->reject();
    m_current = id;
    update();
}

QMessageBox *AgentActions::confirmation() const { return m_box; }

void AgentActions::addTo(QWidget &widget) const
{
    using enum ControlOperation;
    widget.addActions({action(Start), action(Stop), action(Restart), m_separators[0], action(Retry),
                       action(ResetBreaker), action(IsolateBreaker), action(ReleaseBreaker),
                       m_separators[1], m_why});
}

} // namespace Rekindle
