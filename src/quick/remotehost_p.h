// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/models/remoteagents.h>

#include <QPointer>

#include <memory>

namespace Rekindle {

/// The QML type RemoteHost: the agents of another host. The name is a HostAddress.
class RemoteHost : public QObject
{
    Q_OBJECT
    Q_PROPERTY(QString name READ name WRITE setName NOTIFY sourceChanged)
    Q_PROPERTY(bool connected READ isConnected NOTIFY availabilityChanged)
    Q_PROPERTY(QString error READ error NOTIFY availabilityChanged)

public:
    using QObject::QObject;

    [[nodiscard]] QString name() const { return m_name; }
    void setName(const QString &name);
    [[nodiscard]] bool isConnected() const { return m_agents && m_agents->isAvailable(); }
    [[nodiscard]] QString error() const { return m_agents ? m_agents->fault() : tr("No host"); }

    /// Null without a name.
    [[nodiscard]] AgentSource *source() const { return m_agents.get(); }

Q_SIGNALS:
    void sourceChanged();
    void availabilityChanged();

private:
    QString m_name;
    std::unique_ptr<RemoteAgents> m_agents;
};

/// The property `source` of an item: a Supervisor, a RemoteHost or an AgentSource.
class SourceProperty : public QObject
{
    Q_OBJECT

public:
    /// Reports invalid values as warnings of `owner`.
    explicit SourceProperty(QObject *owner);

    [[nodiscard]] QObject *object() const { return m_object; }
    void setObject(QObject *object);
    /// Null if the object is null or was destroyed.
    [[nodiscard]] AgentSource *source() const;

Q_SIGNALS:
    void changed();

private:
    QPointer<QObject> m_object;
};

} // namespace Rekindle
