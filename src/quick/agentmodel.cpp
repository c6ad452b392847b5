// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "agentmodel_p.h"

#include "models/internal/refusals.h"

#include <rekindle/models/agentaction.h>

#include <QQmlInfo>

#include <algorithm>
#include <chrono>

namespace Rekindle {

AgentModel::AgentModel(QObject *parent)
    : AgentFilterModel(parent)
{
    connect(&m_source, &SourceProperty::changed, this, &AgentModel::replaceSource);
    connect(this, &AgentModel::orderChanged, this, &AgentModel::applyOrder);
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(this, signal, this, &AgentModel::countChanged);
    connect(this, &QAbstractItemModel::modelReset, this, &AgentModel::countChanged);
    m_refresh.setInterval(std::chrono::seconds(1));
    connect(&m_refresh, &QTimer::timeout, &table(), &AgentTableModel::refresh);
}

void AgentModel::replaceSource()
{
    AgentSource *const source = m_source.source();
    table().setSource(source);
    disconnect(m_connection);
    if (source != nullptr) {
        m_connection =
            connect(source, &AgentSource::availabilityChanged, this, &AgentModel::errorChanged);
        m_refresh.start();
    } else {
        m_refresh.stop();
    }
    Q_EMIT sourceChanged();
    Q_EMIT errorChanged();
}

QString AgentModel::error() const
{
    const AgentSource *const agents = m_source.source();
    return agents != nullptr ? agents->fault() : tr("No host");
}

void AgentModel::applyOrder()
{
    const int column = m_sortBy.isEmpty()
        ? -1
        : roleNames().key(m_sortBy.toUtf8(), -1) - int{AgentTableModel::ColumnRole};
    const bool isColumn = column >= 0 && column < AgentTableModel::ColumnCount;
    if (!m_sortBy.isEmpty() && !isColumn)
        qmlWarning(this) << R"(sortBy: expected the role of a column, such as "name", found ")"
                         << qUtf8Printable(m_sortBy) << '"';
    sort(isColumn ? column : -1, m_isDescending ? Qt::DescendingOrder : Qt::AscendingOrder);
}

AgentElement::AgentElement()
{
    for (const AgentAction &each : actionsFor({}))
        m_actions.append(new ActionElement(each, this));
    connect(this, &AgentElement::modelChanged, this, &AgentElement::changed);
    connect(this, &AgentElement::changed, this, &AgentElement::updateActions);
    updateActions();
}

void AgentElement::setModel(AgentModel *model)
{
    if (model == m_model)
        return;
    if (m_model) {
        m_model->disconnect(this);
        m_model->table().disconnect(this);
    }
    m_model = model;
    if (model != nullptr) {
        const AgentTableModel *const table = &model->table();
        connect(table, &QAbstractItemModel::dataChanged, this,
                [this](const QModelIndex &first, const QModelIndex &last) {
                    const int own = index().row();
                    if (own >= first.row() && own <= last.row())
                        Q_EMIT changed();
                });
        connect(table, &QAbstractItemModel::rowsInserted, this, &AgentElement::changed);
        connect(table, &QAbstractItemModel::rowsRemoved, this, &AgentElement::changed);
        connect(table, &QAbstractItemModel::modelReset, this, &AgentElement::changed);
        connect(model, &QObject::destroyed, this, &AgentElement::changed);
    }
    Q_EMIT modelChanged();
}

QModelIndex AgentElement::index() const
{
    if (!m_model)
        return {};
    const AgentTableModel &table = m_model->table();
    return table
        .match(table.index(0, AgentTableModel::Name), Qt::DisplayRole, m_name, 1,
               Qt::MatchFixedString | Qt::MatchCaseSensitive)
        .value(0);
}

QObjectList AgentElement::actions() const { return {m_actions.begin(), m_actions.end()}; }

void AgentElement::updateActions()
{
    const AgentSource *const source = m_model ? m_model->table().source() : nullptr;
    const auto agent = source != nullptr ? source->agent(id()) : std::nullopt;
    const QList<AgentAction> actions = agent ? actionsFor(*agent) : QList<AgentAction>();
    for (qsizetype i = 0; i < m_actions.size(); ++i)
        m_actions[i]->update(actions.value(i));
}

AgentSource *AgentElement::sourceOrRefusal()
{
    AgentSource *const source = m_model ? m_model->table().source() : nullptr;
    if (source == nullptr)
        Q_EMIT refused(tr("No host"));
    return source;
}

void AgentElement::operate(ControlOperation operation, const QString &reason)
{
    const bool isKnown = std::any_of(m_actions.begin(), m_actions.end(), [operation](auto *each) {
        return each->operation() == operation;
    });
    if (!isKnown)
        qmlWarning(this) << "operate: expected a ControlOperation, found "
                         << static_cast<int>(operation);
    else if (AgentSource *const source = sourceOrRefusal())
        Refusals::report(source->operate(operation, id(), reason), m_name, this,
                         [this](const QString &text) { Q_EMIT refused(text); });
}

void AgentElement::why()
{
    AgentSource *const source = sourceOrRefusal();
    if (source == nullptr)
        return;
    Refusals::deliver<AgentExplanation>(
        source->explain(id()), this,
        [this, now = source->utcNow()](const ControlResult<AgentExplanation> &result) {
            if (result.error)
                Q_EMIT refused(result.error->message);
            else
                Q_EMIT explained(result.value.toText(now, toLocalText));
        });
}

EventElement::EventElement()
{
    connect(&m_source, &SourceProperty::changed, this, [this] {
        setSource(m_source.source());
        Q_EMIT sourceChanged();
    });
}

} // namespace Rekindle
