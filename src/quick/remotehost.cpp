// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "remotehost_p.h"

#include <QQmlInfo>

namespace Rekindle {

void RemoteHost::setName(const QString &name)
{
    if (name == m_name)
        return;
    m_name = name;
    // The last one is destroyed after its users have the new one.
    const auto last =
        std::exchange(m_agents, name.isEmpty() ? nullptr : std::make_unique<RemoteAgents>(name));
    if (m_agents)
        connect(m_agents.get(), &AgentSource::availabilityChanged, this,
                &RemoteHost::availabilityChanged);
    Q_EMIT sourceChanged();
    Q_EMIT availabilityChanged();
}

SourceProperty::SourceProperty(QObject *owner)
    : QObject(owner)
{
}

void SourceProperty::setObject(QObject *object)
{
    if (object == m_object)
        return;
    if (m_object)
        m_object->disconnect(this);
    m_object = object;
    if (object != nullptr) {
        if (auto *const host = qobject_cast<RemoteHost *>(object))
            connect(host, &RemoteHost::sourceChanged, this, &SourceProperty::changed);
        else if (source() == nullptr)
            qmlWarning(parent()) << "source: expected a Supervisor, a RemoteHost or an "
                                    "AgentSource, found "
                                 << object->metaObject()->className();
        connect(object, &QObject::destroyed, this, &SourceProperty::changed);
    }
    Q_EMIT changed();
}

AgentSource *SourceProperty::source() const
{
    const auto *const host = qobject_cast<RemoteHost *>(m_object);
    return host != nullptr ? host->source() : qobject_cast<AgentSource *>(m_object);
}

} // namespace Rekindle
