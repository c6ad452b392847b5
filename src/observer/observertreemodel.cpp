// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "observer/observerhosts_p.h"
#include "observer/observertreemodel_p.h"

#include <QHash>

#include <algorithm>

namespace Rekindle {

ObserverTreeModel::ObserverTreeModel(const ObserverHosts &hosts, QObject *parent)
    : QAbstractItemModel(parent)
{
    for (RemoteAgents *const each : hosts.sources())
        add(*each);
    connect(&hosts, &ObserverHosts::added, this, [this](RemoteAgents *source) { add(*source); });
    connect(&hosts, &ObserverHosts::removed, this, &ObserverTreeModel::remove);
}

ObserverTreeModel::~ObserverTreeModel() = default;

void ObserverTreeModel::add(AgentSource &source)
{
    const int row = rowCount();
    beginInsertRows({}, row, row);
    Node &host = *m_root.children.emplace_back(std::make_unique<Node>());
    host.parent = &m_root;
    host.key.first = source.name();
    host.table = std::make_unique<AgentTableModel>(source);
    endInsertRows();
    const auto change = [this, &host] { update(host); };
    connect(host.table.get(), &QAbstractItemModel::rowsInserted, this, change);
    connect(host.table.get(), &QAbstractItemModel::rowsRemoved, this, change);
    connect(host.table.get(), &QAbstractItemModel::modelReset, this, change);
    connect(host.table.get(), &QAbstractItemModel::dataChanged, this, change);
    connect(&source, &AgentSource::availabilityChanged, this, change);
    update(host);
}

void ObserverTreeModel::remove(AgentSource *source)
{
    const int row = indexOf(source).row();
    source->disconnect(this);
    beginRemoveRows({}, row, row);
    m_root.children.erase(m_root.children.begin() + row);
    endRemoveRows();
}

void ObserverTreeModel::update(Node &host)
{
    QList<Item> items;
    QHash<QString, QList<Item>> groups;
    for (int row = 0; row < host.table->rowCount(); ++row) {
        const QModelIndex agent = host.table->index(row, AgentTableModel::Name);
        const QString group = agent.siblingAtColumn(AgentTableModel::Group).data().toString();
        const Item item{.key = {{}, agent.data(AgentTableModel::InstanceIdRole).toUuid()},
                        .agent = agent};
        if (group.isEmpty()) {
            items.append(item);
            continue;
        }
        if (!groups.contains(group))
            items.append({.key = {group, {}}});
        groups[group].append(item);
    }
    arrange(host, items);
    for (const auto &child : host.children) {
        if (!child->key.first.isEmpty())
            arrange(*child, groups.value(child->key.first));
    }
    announce(host);
}

// Items keep their place, so that the selection stays.
void ObserverTreeModel::arrange(Node &parent, const QList<Item> &wanted)
{
    removeOthers(parent, wanted);
    QHash<Key, Node *> known;
    for (const auto &child : parent.children)
        known.insert(child->key, child.get());
    for (qsizetype first = 0; first < wanted.size();) {
        if (Node *const node = known.value(wanted[first].key)) {
            node->agent = wanted[first++].agent;
            continue;
        }
        qsizetype end = first;
        while (end < wanted.size() && !known.contains(wanted[end].key))
            ++end;
        const auto place = std::min(first, static_cast<qsizetype>(parent.children.size()));
        beginInsertRows(indexOf(parent), static_cast<int>(place),
                        static_cast<int>(place + end - first) - 1);
        for (qsizetype i = first; i < end; ++i) {
            auto node = std::make_unique<Node>();
            node->parent = &parent;
            node->key = wanted[i].key;
            node->agent = wanted[i].agent;
            parent.children.insert(parent.children.begin() + (place + i - first), std::move(node));
        }
        endInsertRows();
        first = end;
    }
}

void ObserverTreeModel::removeOthers(Node &parent, const QList<Item> &wanted)
{
    QSet<Key> keys;
    for (const Item &each : wanted)
        keys.insert(each.key);
    auto &children = parent.children;
    const auto isWanted = [&](std::ptrdiff_t row) {
        return keys.contains(children[static_cast<std::size_t>(row)]->key);
    };
    for (std::ptrdiff_t end = std::ssize(children); end > 0;) {
        std::ptrdiff_t first = end;
        while (first > 0 && !isWanted(first - 1))
            --first;
        if (first < end) {
            beginRemoveRows(indexOf(parent), static_cast<int>(first), static_cast<int>(end) - 1);
            children.erase(children.begin() + first, children.begin() + end);
            endRemoveRows();
        }
        end = first - 1;
    }
}

// The texts of all agents at once: the view paints only those that are visible.
void ObserverTreeModel::announce(const Node &node)
{
    const QModelIndex changed = indexOf(node);
    Q_EMIT dataChanged(changed, changed.siblingAtColumn(State));
    if (node.children.empty())
        return;
    Q_EMIT dataChanged(index(0, Name, changed), index(rowCount(changed) - 1, State, changed));
    for (const auto &child : node.children) {
        if (!child->children.empty())
            announce(*child);
    }
}

const ObserverTreeModel::Node &ObserverTreeModel::nodeOf(const QModelIndex &index) const
{
    return index.isValid() ? *static_cast<const Node *>(index.constInternalPointer()) : m_root;
}

QModelIndex ObserverTreeModel::indexOf(const Node &node) const
{
    if (node.parent == nullptr)
        return {};
    const auto &siblings = node.parent->children;
    const auto found = std::find_if(siblings.begin(), siblings.end(),
                                    [&](const auto &each) { return each.get() == &node; });
    return createIndex(static_cast<int>(found - siblings.begin()), Name, &node);
}

const AgentTableModel &ObserverTreeModel::tableOf(const Node &node)
{
    return node.table ? *node.table : tableOf(*node.parent);
}

AgentSource *ObserverTreeModel::source(const QModelIndex &index) const
{
    return index.isValid() ? tableOf(nodeOf(index)).source() : nullptr;
}

QUuid ObserverTreeModel::agent(const QModelIndex &index)
{
    return index.data(AgentTableModel::InstanceIdRole).toUuid();
}

QModelIndex ObserverTreeModel::indexOf(const AgentSource *source) const
{
    for (const auto &host : m_root.children) {
        if (host->table->source() == source)
            return indexOf(*host);
    }
    return {};
}

QModelIndex ObserverTreeModel::find(const AgentSource *source, int role,
                                    const QVariant &value) const
{
    const QModelIndex host = indexOf(source);
    const QModelIndexList found =
        match(index(0, Name, host), role, value, -1, Qt::MatchExactly | Qt::MatchRecursive);
    const auto first = std::find_if(found.begin(), found.end(),
                                    [](const QModelIndex &each) { return !agent(each).isNull(); });
    return first == found.end() ? QModelIndex() : *first;
}

QModelIndex ObserverTreeModel::index(int row, int column, const QModelIndex &parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, nodeOf(parent).children[static_cast<std::size_t>(row)].get());
}

QModelIndex ObserverTreeModel::parent(const QModelIndex &index) const
{
    return index.isValid() ? indexOf(*nodeOf(index).parent) : QModelIndex();
}

int ObserverTreeModel::rowCount(const QModelIndex &parent) const
{
    return parent.column() > 0 ? 0 : static_cast<int>(nodeOf(parent).children.size());
}

int ObserverTreeModel::columnCount(const QModelIndex & /*parent*/) const { return ColumnCount; }

void ObserverTreeModel::collect(const Node &node, QList<QUuid> &ids)
{
    if (node.agent.isValid())
        ids.append(node.key.second);
    for (const auto &child : node.children)
        collect(*child, ids);
}

// "Waiting: 1 of 5": the worst state, and how many agents are in it.
QString ObserverTreeModel::text(const Node &node)
{
    const AgentTableModel &table = tableOf(node);
    const AgentSource *const source = table.source();
    if (source == nullptr || !source->isAvailable())
        return source != nullptr ? tr("unavailable: %1").arg(source->fault()) : QString();
    QList<QUuid> ids;
    collect(node, ids);
    const std::optional<InstanceState> worst = source->worstState(ids);
    if (!worst)
        return tr("agents: %1").arg(ids.size());
    const auto count = std::count_if(ids.begin(), ids.end(),
                                     [&](const QUuid &id) { return source->state(id) == worst; });
    const QModelIndexList found =
        table.match(table.index(0, AgentTableModel::State), AgentTableModel::AgentStateRole,
                    static_cast<int>(*worst), 1, Qt::MatchExactly);
    return tr("%1: %2 of %3").arg(found.value(0).data().toString()).arg(count).arg(ids.size());
}

QVariant ObserverTreeModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const Node &node = nodeOf(index);
    if (node.agent.isValid()) {
        const int column = index.column() == Name ? AgentTableModel::Name : AgentTableModel::State;
        return node.agent.sibling(node.agent.row(), column).data(role);
    }
    switch (role) {
    case Qt::DisplayRole:
        return index.column() == Name ? node.key.first : text(node);
    case Qt::ToolTipRole:
        return text(node).toHtmlEscaped();
    case Qt::AccessibleTextRole:
        return tr("%1, %2").arg(node.key.first, text(node));
    case AgentTableModel::AgentStateRole: {
        QList<QUuid> ids;
        collect(node, ids);
        const AgentSource *const host = source(index);
        const auto worst = host != nullptr ? host->worstState(ids) : std::nullopt;
        return worst ? QVariant(static_cast<int>(*worst)) : QVariant();
    }
    default:
        return {};
    }
}

QVariant ObserverTreeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return section == Name ? tr("Agent") : tr("State");
}

} // namespace Rekindle
