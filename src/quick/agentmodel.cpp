// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "agentmodel_p.h"

#include "models/internal/refusals.h"

#include <rekindle/models/agentaction.h>

#include <QQmlInfo>

#include <chrono>
#include <utility>

namespace Rekindle {

AgentModel::AgentModel(QObject *parent)
    : AgentFilterModel(parent)
{
    connect(&m_source, &SourceProperty::changed, this, &AgentModel::replaceTable);
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(this, signal, this, &AgentModel::countChanged);
    connect(this, &QAbstractItemModel::modelReset, this, &AgentModel::countChanged);
    m_refresh.setInterval(std::chrono::seconds(1));
    connect(&m_refresh, &QTimer::timeout, this, [this] { m_table->refresh(); });
}

AgentModel::~AgentModel()
{
    // The table is destroyed before this model.
    setSourceModel(nullptr);
}

void AgentModel::replaceTable()
{
    AgentSource *const source = m_source.source();
    const auto last = std::exchange(
        m_table, source != nullptr ? std::make_unique<AgentTableModel>(*source) : nullptr);
    disconnect(m_connection);
    if (source != nullptr) {
        m_connection =
            connect(source, &AgentSource::availabilityChanged, this, &AgentModel::errorChanged);
        m_refresh.start();
    } else {
        m_refresh.stop();
    }
    setSourceModel(m_table.get());
    applyOrder();
    Q_EMIT sourceChanged();
    Q_EMIT errorChanged();
}

QString AgentModel::error() const
{
    const AgentSource *const agents = m_source.source();
    return agents != nullptr ? agents->fault() : tr("No host");
}

void AgentModel::setFilter(const QString &text)
{
    if (text == this->text())
        return;
    setText(text);
    Q_EMIT filterChanged();
}

void AgentModel::setTagFilter(const QStringList &tags)
{
    if (tags == this->tags())
        return;
    setTags(tags);
    Q_EMIT filterChanged();
}

void AgentModel::setSortBy(const QString &role)
{
    if (role == m_sortBy)
        return;
    m_sortBy = role;
    applyOrder();
    Q_EMIT sortByChanged();
}

void AgentModel::setDescending(bool descending)
{
    if (descending == isDescending())
        return;
    m_order = descending ? Qt::DescendingOrder : Qt::AscendingOrder;
    applyOrder();
    Q_EMIT sortByChanged();
}

void AgentModel::applyOrder()
{
    if (!m_table)
        return;
    const int column = m_sortBy.isEmpty()
        ? -1
        : m_table->roleNames().key(m_sortBy.toUtf8(), -1) - int{AgentTableModel::ColumnRole};
    if (!m_sortBy.isEmpty() && (column < 0 || column >= AgentTableModel::ColumnCount))
        qmlWarning(this) << "sortBy: expected the role of a column, such as \"name\", found \""
                         << qUtf8Printable(m_sortBy) << '"';
    sort(column >= 0 && column < AgentTableModel::ColumnCount ? column : -1, m_order);
}

void AgentElement::setModel(AgentModel *model)
{
    if (model == m_model)
        return;
    if (m_model)
        m_model->disconnect(this);
    m_model = model;
    if (model != nullptr) {
        connect(model, &AgentModel::sourceChanged, this, &AgentElement::connectTable);
        connect(model, &QObject::destroyed, this, &AgentElement::changed);
    }
    connectTable();
    Q_EMIT modelChanged();
}

void AgentElement::connectTable()
{
    if (m_table)
        m_table->disconnect(this);
    m_table = m_model ? m_model->table() : nullptr;
    if (m_table) {
        connect(m_table, &QAbstractItemModel::dataChanged, this,
                [this](const QModelIndex &first, const QModelIndex &last) {
                    const QModelIndex own = index();
                    if (own.row() >= first.row() && own.row() <= last.row())
                        Q_EMIT changed();
                });
        connect(m_table, &QAbstractItemModel::rowsInserted, this, &AgentElement::changed);
        connect(m_table, &QAbstractItemModel::rowsRemoved, this, &AgentElement::changed);
        connect(m_table, &QAbstractItemModel::modelReset, this, &AgentElement::changed);
    }
    Q_EMIT changed();
}

void AgentElement::setName(const QString &name)
{
    if (name == m_name)
        return;
    m_name = name;
    Q_EMIT modelChanged();
    Q_EMIT changed();
}

QModelIndex AgentElement::index() const
{
    if (!m_table || m_table->rowCount() == 0)
        return {};
    return m_table
        ->match(m_table->index(0, AgentTableModel::Name), Qt::DisplayRole, m_name, 1,
                Qt::MatchFixedString | Qt::MatchCaseSensitive)
        .value(0);
}

QUuid AgentElement::id() const { return index().data(AgentTableModel::InstanceIdRole).toUuid(); }

QVariant AgentElement::state() const { return index().data(AgentTableModel::AgentStateRole); }

QString AgentElement::stateText() const
{
    return index().data(int{AgentTableModel::ColumnRole} + AgentTableModel::State).toString();
}

QString AgentElement::detail() const
{
    return index().data(int{AgentTableModel::ColumnRole} + AgentTableModel::Detail).toString();
}

QVariantList AgentElement::actions() const
{
    const AgentSource *const source = m_table ? m_table->source() : nullptr;
    const auto agent = source != nullptr ? source->agent(id()) : std::nullopt;
    return agent ? toQml(actionsFor(*agent)) : QVariantList();
}

void AgentElement::operate(ControlOperation operation, const QString &reason)
{
    AgentSource *const source = m_table ? m_table->source() : nullptr;
    if (source == nullptr) {
        Q_EMIT refused(tr("No host"));
        return;
    }
    Refusals::report(source->operate(operation, id(), reason), m_name, this,
                     [this](const QString &text) { Q_EMIT refused(text); });
}

void AgentElement::why()
{
    AgentSource *const source = m_table ? m_table->source() : nullptr;
    if (source == nullptr) {
        Q_EMIT refused(tr("No host"));
        return;
    }
    const auto emitLater = [alive = QPointer(this)](auto signal, const QString &text) {
        if (alive)
            QMetaObject::invokeMethod(
                alive, [alive, signal, text] { Q_EMIT((*alive).*signal)(text); },
                Qt::QueuedConnection);
    };
    source->explain(id())
        .then([emitLater, now = source->utcNow()](const ControlResult<AgentExplanation> &result) {
            if (result.error)
                emitLater(&AgentElement::refused, result.error->message);
            else
                emitLater(&AgentElement::explained, result.value.toText(now, toLocalText));
        })
        .onCanceled([emitLater] {
            emitLater(&AgentElement::refused, tr("the connection was closed before the response"));
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
