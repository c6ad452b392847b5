// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "actionelement_p.h"
#include "remotehost_p.h"

#include <rekindle/models/agentfiltermodel.h>
#include <rekindle/models/agenttablemodel.h>
#include <rekindle/models/eventmodel.h>

#include <QTimer>

namespace Rekindle {

/// The QML type AgentModel: the agents of a source, sorted and filtered. Values that change with
/// time are updated once a second.
class AgentModel : public AgentFilterModel
{
    Q_OBJECT
    Q_PROPERTY(QObject *source READ source WRITE setSource NOTIFY sourceChanged)
    Q_PROPERTY(QString filter READ text WRITE setText NOTIFY filterChanged)
    /// The name of a role that shows a column, such as "uptime"; empty: the order of the host.
    Q_PROPERTY(QString sortBy MEMBER m_sortBy NOTIFY orderChanged)
    Q_PROPERTY(bool descending MEMBER m_isDescending NOTIFY orderChanged)
    Q_PROPERTY(int count READ count NOTIFY countChanged)
    /// Why there are no agents; empty if the host is available.
    Q_PROPERTY(QString error READ error NOTIFY errorChanged)

public:
    explicit AgentModel(QObject *parent = nullptr);

    [[nodiscard]] QObject *source() const { return m_source.object(); }
    void setSource(QObject *source) { m_source.setObject(source); }
    [[nodiscard]] int count() const { return rowCount(); }
    [[nodiscard]] QString error() const;

Q_SIGNALS:
    void sourceChanged();
    void orderChanged();
    void countChanged();
    void errorChanged();

private:
    void replaceSource();
    void applyOrder();

    SourceProperty m_source{this};
    QMetaObject::Connection m_connection; ///< to the source
    QTimer m_refresh;
    QString m_sortBy;
    bool m_isDescending = false;
};

/// The QML type Agent: one agent of an AgentModel, by its name.
class AgentElement : public QObject
{
    Q_OBJECT
    Q_PROPERTY(Rekindle::AgentModel *model READ model WRITE setModel NOTIFY modelChanged)
    Q_PROPERTY(QString name MEMBER m_name NOTIFY modelChanged)
    /// Whether the model has an agent with this name; the filter does not matter.
    Q_PROPERTY(bool exists READ exists NOTIFY changed)
    /// An InstanceState; undefined if it is unknown.
    Q_PROPERTY(QVariant state READ state NOTIFY changed)
    Q_PROPERTY(QString stateText READ stateText NOTIFY changed)
    Q_PROPERTY(QString detail READ detail NOTIFY changed)
    /// The ActionElement of each operation.
    Q_PROPERTY(QObjectList actions READ actions CONSTANT)

public:
    AgentElement();

    [[nodiscard]] AgentModel *model() const { return m_model; }
    void setModel(AgentModel *model);
    [[nodiscard]] bool exists() const { return index().isValid(); }
    [[nodiscard]] QVariant state() const { return index().data(AgentTableModel::AgentStateRole); }
    [[nodiscard]] QString stateText() const { return text(AgentTableModel::State); }
    [[nodiscard]] QString detail() const { return text(AgentTableModel::Detail); }
    [[nodiscard]] QObjectList actions() const;

    /// Operates the agent. If it has no effect, refused() follows.
    Q_INVOKABLE void operate(Rekindle::ControlOperation operation, const QString &reason = {});
    /// Requests why the agent is in its state; explained() or refused() follows.
    Q_INVOKABLE void why();

Q_SIGNALS:
    void modelChanged();
    void changed();
    /// The text is for people.
    void refused(const QString &text);
    void explained(const QString &text);

private:
    [[nodiscard]] QModelIndex index() const;
    [[nodiscard]] QString text(AgentTableModel::Column column) const
    {
        return index().siblingAtColumn(column).data().toString();
    }
    [[nodiscard]] QUuid id() const
    {
        return index().data(AgentTableModel::InstanceIdRole).toUuid();
    }
    void updateActions();
    /// Null if there is none, which is reported.
    [[nodiscard]] AgentSource *sourceOrRefusal();

    QPointer<AgentModel> m_model;
    QString m_name;
    QList<ActionElement *> m_actions;
};

/// The QML type EventModel.
class EventElement : public EventModel
{
    Q_OBJECT
    Q_PROPERTY(QObject *source READ source WRITE setSourceObject NOTIFY sourceChanged)

public:
    EventElement();

    [[nodiscard]] QObject *source() const { return m_source.object(); }
    void setSourceObject(QObject *source) { m_source.setObject(source); }

Q_SIGNALS:
    void sourceChanged();

private:
    SourceProperty m_source{this};
};

} // namespace Rekindle
