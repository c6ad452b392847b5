// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/models/agenttablemodel.h>

#include <QAbstractItemModel>
#include <QUuid>

#include <memory>
#include <utility>
#include <vector>

namespace Rekindle {

class AgentSource;
class ObserverHosts;

/// Hosts with their groups and agents. Agents have the roles of AgentTableModel. For a host and a
/// group, AgentStateRole is the worst state of its agents.
class ObserverTreeModel : public QAbstractItemModel
{
    Q_OBJECT

public:
    enum Column { Name, State, ColumnCount };

    /// The hosts must not be destroyed first.
    explicit ObserverTreeModel(const ObserverHosts &hosts, QObject *parent = nullptr);
    ~ObserverTreeModel() override;

    /// Returns the host of an item; null for an invalid index.
    [[nodiscard]] AgentSource *source(const QModelIndex &index) const;
    /// Returns the agent of an item; null if it is a host or a group.
    [[nodiscard]] static QUuid agent(const QModelIndex &index);
    /// Returns the host, or an agent of it with this value of a role; invalid if there is none.
    [[nodiscard]] QModelIndex indexOf(const AgentSource *source) const;
    [[nodiscard]] QModelIndex find(const AgentSource *source, int role,
                                   const QVariant &value) const;

    [[nodiscard]] QModelIndex index(int row, int column,
                                    const QModelIndex &parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex &index) const override;
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index,
                                int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

private:
    using Key = std::pair<QString, QUuid>; ///< the name of a group, or the id of an agent
    struct Item
    {
        Key key{};
        QModelIndex agent{}; ///< in the table of the host
    };
    struct Node
    {
        Node *parent = nullptr;
        Key key{};
        QPersistentModelIndex agent{};
        std::unique_ptr<AgentTableModel> table{}; ///< of a host
        std::vector<std::unique_ptr<Node>> children{};
    };

    void add(AgentSource &source);
    void remove(AgentSource *source);
    void update(Node &host);
    void arrange(Node &parent, const QList<Item> &wanted);
    void removeOthers(Node &parent, const QList<Item> &wanted);
    void announce(const Node &node);
    [[nodiscard]] const Node &nodeOf(const QModelIndex &index) const;
    [[nodiscard]] QModelIndex indexOf(const Node &node) const;
    [[nodiscard]] static const AgentTableModel &tableOf(const Node &node);
    [[nodiscard]] static QString text(const Node &node);
    static void collect(const Node &node, QList<QUuid> &ids);

    Node m_root;
};

} // namespace Rekindle
